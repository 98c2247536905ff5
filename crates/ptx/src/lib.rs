//! PTX text to the intermediate representation.
//!
//! [`parse`] gives a tree with places and never fails; [`lower`] makes an [`ir::Kernel`](lanescope_ir::Kernel) of one
//! entry; [`read`] does both. A whole module is read, a body without its head, and anything between: what is missing
//! is said.
//!
//! ```
//! let text = "
//! .version 8.0
//! .target sm_90
//! .address_size 64
//! .visible .entry copy(.param .u64 from, .param .u64 to)
//! {
//!     .reg .b32 %r<2>;
//!     .reg .b64 %rd<6>;
//!     ld.param.u64 %rd1, [from];
//!     ld.param.u64 %rd2, [to];
//!     mov.u32 %r1, %tid.x;
//!     mul.wide.u32 %rd3, %r1, 4;
//!     add.s64 %rd4, %rd1, %rd3;
//!     add.s64 %rd5, %rd2, %rd3;
//!     ld.global.u32 %r1, [%rd4];
//!     st.global.u32 [%rd5], %r1;
//!     ret;
//! }";
//! let lowered = lanescope_ptx::read(text, None)?;
//! assert_eq!(lowered.kernel.name, "copy");
//! assert_eq!(lowered.kernel.sites.len(), 2);
//! assert!(lowered.diagnostics.as_slice().is_empty());
//! # Ok::<(), lanescope_ptx::PtxError>(())
//! ```
//!
//! Left out: what `ptxas` makes of it (unrolling, joined and dropped accesses), which is the optimizer's, and values of
//! the tensor cores.

mod diagnostic;
mod lower;
mod number;
mod opcode;
mod parser;
mod read;
mod statement;
mod token;
mod tree;

pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use lanescope_locale::ptx_fault::{PtxError, PtxFault};
pub use lower::{Lowered, lower};
pub use parser::parse;
pub use read::{entries, looks_like_ptx, read};
pub use tree::{Function, Instruction, Module, Operand, Span, Statement, StatementKind, Variable};

/// Bytes of the longest text that is read.
pub const MAX_BYTES: usize = 64 << 20;
