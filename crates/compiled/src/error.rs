//! Why compiled code cannot be counted.

use std::fmt;

use lanescope_locale::{Language, compiled_error};

/// Why compiled code cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompiledError {
    /// Nobody says how many threads a block has.
    NoBlock,
    /// An argument's name begins with `@`, and no number follows.
    Offset {
        /// The name as given.
        name: String,
    },
    /// A position has no size before it, so that its place is not known.
    Gap {
        /// The position given.
        at: usize,
        /// The first position without a value.
        count: usize,
    },
    /// An argument is named, but the code has no such name.
    Parameter {
        /// The name as given.
        name: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// A number is given for a pointer, and nobody says how large an element is.
    Pointer {
        /// The name as given.
        name: String,
    },
    /// The text has no such kernel.
    NoKernel {
        /// The name as given.
        wanted: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// The text has several kernels, and none was chosen.
    SeveralKernels {
        /// Their names.
        names: Vec<String>,
    },
}

impl CompiledError {
    /// Why, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NoBlock => compiled_error::no_block(language).into(),
            Self::Offset { name } => compiled_error::offset(language, name),
            Self::Gap { at, count } => compiled_error::gap(language, *at, *count),
            Self::Parameter { name, names } => compiled_error::parameter(language, name, names),
            Self::Pointer { name } => compiled_error::pointer(language, name),
            Self::NoKernel { wanted, names } => compiled_error::no_kernel(language, wanted, names),
            Self::SeveralKernels { names } => compiled_error::several_kernels(language, names),
        }
    }
}

impl fmt::Display for CompiledError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for CompiledError {}
