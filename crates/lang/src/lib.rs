//! Source text of a GPU kernel or of index expressions, run warp by warp to the addresses that
//! its lanes ask memory for.

mod access;
mod code;
mod diagnostic;
mod launch;
pub mod layout;
mod limits;
mod machine;
mod program;
mod scalar;
mod span;

pub use access::{Access, End, Observer, Outcome};
pub use diagnostic::{Diagnostic, DiagnosticKind, Mend, Severity, Thread};
pub use launch::{Argument, ArgumentValue, Blocks, Budget, Buffer, Contents, Launch, Limit};
pub use limits::Limits;
pub use machine::execute;
pub use program::{Array, ArrayId, Parameter, Program, Site, SiteId, Variable};
pub use span::{Lines, Span};

use lanescope_model::Operation;

/// A program and what is to be said about its source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The program: of what could be read, all of it.
    pub program: Program,
    /// What could not, and what is worth knowing; in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a kernel's source leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelOptions {
    /// Which kernel; `None`: the last one in the source.
    pub kernel: Option<String>,
    /// `#define`s before the first line, and values of the template's parameters.
    pub defines: Vec<(String, String)>,
}

/// Reads declarations and a list of accesses.
///
/// Spans count from the first byte of `declarations`; `accesses` begins at
/// `declarations.len() + 1`. An access without assignment does `bare`.
#[must_use]
pub fn parse_expression(declarations: &str, accesses: &str, bare: Operation) -> Parsed {
    let _ = (declarations, accesses, bare);
    Parsed::default()
}

/// Reads a CUDA-like source and takes one kernel of it.
#[must_use]
pub fn parse_kernel(source: &str, options: &KernelOptions) -> Parsed {
    let _ = (source, options);
    Parsed::default()
}
