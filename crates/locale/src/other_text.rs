//! Texts that a reader of compiled code recognises and does not read.

use std::fmt;

use crate::Language;

/// What a text is instead of the compiled code that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherText {
    /// Nothing but white space.
    Empty,
    /// PTX, where SASS is read.
    Ptx,
    /// SASS, where PTX is read.
    Sass,
    /// AMD's assembly.
    AmdAssembly,
    /// LLVM's intermediate representation.
    Llvm,
    /// MLIR.
    Mlir,
    /// CUDA C++.
    Cuda,
    /// WGSL.
    Wgsl,
    /// Encodings of instructions, without the instructions.
    Encodings,
    /// Nothing of PTX.
    NoPtx,
    /// Nothing of SASS.
    NoSass,
}

impl OtherText {
    /// What it is, in `language`: lower case, no full stop.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        in_folder!(language, other_text::text(self))
    }
}

impl fmt::Display for OtherText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.text(Language::English))
    }
}
