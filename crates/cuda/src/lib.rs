//! Front end for CUDA C: kernels as written, in the intermediate representation.
//!
//! [`read`] takes one kernel of a source and lowers it to an [`lanescope_ir::Kernel`]: nothing is joined, kept, moved or
//! left out. [`parse_expression`] does so with declarations and a list of accesses.
//!
//! ```
//! use lanescope_cuda::{KernelOptions, read};
//! use lanescope_ir::Op;
//!
//! let source = "__global__ void scale(float* v, float by) { v[threadIdx.x] *= by; }";
//! let parsed = read(source, &KernelOptions::default());
//! assert!(parsed.diagnostics.is_empty());
//! let kernel = parsed.kernel.expect("a kernel");
//! let accesses = kernel.blocks.iter().flat_map(|block| &block.instructions);
//! let loads = accesses.filter(|one| matches!(one.op, Op::Load { .. }));
//! assert_eq!((kernel.sites.len(), loads.count()), (2, 1));
//! // The pointer takes eight bytes, the factor the next four.
//! assert_eq!(kernel.parameters[1].offset, 8);
//! ```
//!
//! Left out: what any compiler would do with a kernel.

pub mod source;

pub use lanescope_frontend::{Diagnostic, DiagnosticKind, KernelOptions};

use lanescope_ir::Kernel;
use lanescope_model::Operation;

/// A kernel and what is to be said about its source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The kernel; `None` where the source has none.
    pub kernel: Option<Kernel>,
    /// The names of all kernels of the source, in order.
    pub names: Vec<String>,
    /// What could not be read, and what is worth knowing; in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a CUDA source and lowers one kernel of it.
#[must_use]
pub fn read(source: &str, options: &KernelOptions) -> Parsed {
    parsed(parse_kernel(source, options))
}

/// Reads a CUDA source and takes one kernel of it as a program that runs as written.
#[must_use]
pub fn parse_kernel(source: &str, options: &KernelOptions) -> lanescope_frontend::Parsed {
    crate::source::parse_kernel(source, options)
}

/// Reads declarations and a list of accesses as a program that runs as written. Places count from the first byte of
/// `declarations`; `accesses` begins at `declarations.len() + 1`. An access without assignment does `bare`.
#[must_use]
pub fn parse_expression(
    declarations: &str,
    accesses: &str,
    bare: Operation,
) -> lanescope_frontend::Parsed {
    crate::source::parse_expression(declarations, accesses, bare)
}

fn parsed(parsed: lanescope_frontend::Parsed) -> Parsed {
    let program = parsed.program;
    Parsed {
        kernel: program.lowered().cloned(),
        names: program.kernels().to_vec(),
        diagnostics: parsed.diagnostics,
    }
}
