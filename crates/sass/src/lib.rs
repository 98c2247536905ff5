//! SASS, the instructions of NVIDIA's machines, read from listings into [`lanescope_ir::Kernel`].
//!
//! Read are the listings of `cuobjdump -sass`, `nvdisasm` and Compiler Explorer for sm_70 to sm_120. Nothing of a
//! compiler is left to guess: every memory instruction of the listing is one access. Registers, predicates and the
//! uniform datapath become mutable registers; `BSSY`, `BSYNC` and `BREAK` convergence barriers; constant bank 0 the
//! launch's sizes and parameters. An opcode or modifier that is not known becomes [`lanescope_ir::Op::Unmodelled`],
//! which makes what depends on it unknown, and is named in a diagnostic.
//!
//! ```
//! let text = "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ LDS R1, [R0] ;\n/*0020*/ EXIT ;\n";
//! let parsed = lanescope_sass::read(text, &lanescope_sass::Options::default());
//! let kernel = &parsed.kernels[0];
//! assert_eq!(kernel.sites.len(), 1);
//! assert_eq!(kernel.sites[0].text, "LDS");
//! ```
//!
//! Computations that reach no address, branch or barrier are left out, as are encodings without a listing, code before sm_70, the values of tensor cores and textures.

mod banks;
mod builder;
mod control;
mod dead_code;
mod diagnostic;
mod generation;
mod instruction;
mod integer_opcodes;
mod listing;
mod lower;
mod name;
mod operand;
mod parameters;
mod read;
mod site;
mod table;

pub use banks::ConstantBytes;
pub use diagnostic::{Diagnostic, Severity};
pub use integer_opcodes::computes_integers;
pub use lanescope_locale::sass_fault::SassFault;
pub use parameters::{Argument, set_parameters};
pub use read::{Options, Parsed, architectures, functions, read};
