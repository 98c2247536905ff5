//! Front end for CUDA C: kernels as written, in the intermediate representation.
//!
//! [`read`] takes one kernel of a source and lowers it to an [`lanescope_ir::Kernel`]: nothing is joined, kept, moved or
//! left out. [`read_expression`] does so with declarations and a list of accesses. [`translate`] takes a program of
//! another language that has the same tree; that is how WGSL enters.
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

mod arithmetic;
mod control;
mod memory;
mod promotion;
mod reachable;
mod registers;
pub mod source;
mod tables;
mod types;
mod warp;

pub use crate::source::{Diagnostic, DiagnosticKind, KernelOptions};

use crate::source::Program;
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
    parsed(source, crate::source::parse_kernel(source, options))
}

/// What a program's language defines otherwise than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// CUDA C++ and HIP.
    Cuda,
    /// WGSL: the amount of a shift counts modulo the width.
    Wgsl,
}

/// Reads declarations and a list of accesses. Places count from the first byte of `declarations`; `accesses` begins at
/// `declarations.len() + 1`. An access without assignment does `bare`.
#[must_use]
pub fn read_expression(declarations: &str, accesses: &str, bare: Operation) -> Parsed {
    let source = format!("{declarations}\n{accesses}");
    let program = crate::source::parse_expression(declarations, accesses, bare);
    parsed(&source, program)
}

/// Reads a CUDA source and takes one kernel of it as a program that runs as written.
#[must_use]
pub fn parse_kernel(source: &str, options: &KernelOptions) -> crate::source::Parsed {
    let parsed = crate::source::parse_kernel(source, options);
    as_written(source, parsed, Language::Cuda)
}

/// Reads declarations and a list of accesses, as [`read_expression`] does, as a program that runs as written.
#[must_use]
pub fn parse_expression(
    declarations: &str,
    accesses: &str,
    bare: Operation,
) -> crate::source::Parsed {
    let source = format!("{declarations}\n{accesses}");
    let parsed = crate::source::parse_expression(declarations, accesses, bare);
    as_written(&source, parsed, Language::Cuda)
}

/// The program of a text, to be run as it is written; what is no kernel and no list of accesses stays without one.
#[must_use]
pub fn as_written(
    source: &str,
    parsed: crate::source::Parsed,
    language: Language,
) -> crate::source::Parsed {
    let program = parsed.program;
    if !is_there(&program) {
        return crate::source::Parsed { program, ..parsed };
    }
    let kernel = translate(source, &program, language);
    crate::source::Parsed {
        program: program.running(kernel),
        ..parsed
    }
}

fn is_there(program: &Program) -> bool {
    program.is_expression() || !program.name().is_empty()
}

fn parsed(source: &str, parsed: crate::source::Parsed) -> Parsed {
    let program = parsed.program;
    Parsed {
        kernel: is_there(&program).then(|| translate(source, &program, Language::Cuda)),
        names: program.kernels().to_vec(),
        diagnostics: parsed.diagnostics,
    }
}

/// Translates a program. `source` is the text that its places count
/// bytes of.
#[must_use]
pub fn translate(source: &str, program: &Program, language: Language) -> Kernel {
    control::Translator::new(source, program, language).translated()
}
