//! What every front end gives, whatever its language: a [`Program`], which is a kernel of the intermediate
//! representation with the accesses, arrays and parameters of the text it comes from, and [`Diagnostic`]s beside it.
//!
//! [`execute`] runs a program as a [`NamedLaunch`] says, within a [`Budget`], and gives each request of each warp to an
//! [`Observer`]. A launch names its arguments; [`Program::simt_launch`] gives it as `simt` takes it, by position. What a
//! run finds out comes back in the words of the text: places, names, threads.
//!
//! Start reading at `program.rs` (what is known of a text), `lowered.rs` (launches to `simt`, findings back) and `run.rs`
//! (each request is told at the access of the source that it counts for).
//!
//! ```
//! use lanescope_frontend::{Access, Budget, NamedLaunch, Program, execute};
//!
//! // Eight lanes store a word each: an address is 4 * threadIdx.x.
//! let text = r#"
//! kernel "k" stage=source shared=128 {
//!   registers r2
//!   place 0 0..0
//!   a0 "tile" shared "int" size=4 [32] bytes=128 align=4
//!   s0 "tile[i]" store shared i32 bytes=4 array=a0
//! b0:
//!   r0 = special.thread.x
//!   r1 = shl.u32 r0, 2
//!   store s0 [r1], r0
//!   exit
//! }
//! "#;
//! let program = Program::new(text.parse()?, "tile[i] = 1", vec!["k".into()]);
//! let mut addresses = Vec::new();
//! let mut observe = |access: &Access<'_>| {
//!     addresses.extend_from_slice(&access.request.addresses[..3]);
//!     true
//! };
//! let launch = NamedLaunch::new([1, 1, 1], [8, 1, 1]);
//! let outcome = execute(&program, &launch, 32, Budget::default(), &mut observe);
//! assert!(outcome.exact());
//! assert_eq!(addresses, [0, 4, 8]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Left out: reading any language, and what a compiler makes of a kernel.

mod access_pieces;
mod bits;
mod data_dependence;
mod final_values;
mod implied;
mod language;
mod launch;
mod lowered;
mod moved;
mod omitted;
mod outcome;
mod parsed;
mod program;
mod promotion;
mod run;
mod wire;

pub use lanescope_ir::{ArrayId, SiteId};
pub use lanescope_simt::{
    Access, AffineAccess, AsyncCopyAccess, BlockDone, Blocks, Budget, Certainty, End, Observer,
    Periods,
};
pub use lanescope_syntax::scalar;
pub use lanescope_syntax::{
    Construct, Contents, Diagnostic, DiagnosticKind, Fix, Limits, Lines, Moves, Severity, Span,
    Thread,
};

pub use access_pieces::{
    Part, Piece, address_at, cut_into_widths, element_type, load_pieces, raw_type, side_by_side,
    store_pieces,
};
pub use data_dependence::mark_data_dependence;
pub use final_values::FinalValues;
pub use implied::Implied;
pub use language::{Language, is_amp, is_wgsl};
pub use launch::{Argument, ArgumentValue, Buffer, NamedLaunch};
pub use lowered::counted_space;
pub use omitted::{Omitted, SiteOrigin};
pub use outcome::{Executed, SourceOutcome};
pub use parsed::{KernelOptions, Parsed};
pub use program::{
    Passed, Program, Recorded, SourceArray, SourceParameter, SourceSite, SourceVariable,
};
pub use promotion::promote_memory_to_registers;
pub use run::{Executable, execute, execute_classes};
