//! What a front end gives of a text.

use crate::{Diagnostic, Program};

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
    /// Values of the template's parameters, in their order.
    pub templates: Vec<String>,
}
