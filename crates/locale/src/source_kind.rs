//! What a text was recognised as, and the way on where it is no kernel that is read.

use crate::Language;

sentences! { source_kind:
    /// The headline over a text in a language that is not read.
    fn other_language(name: &str) -> String;
    /// A second text of a kernel was set beside the first: the kernel's name, and what the second one is.
    fn set_beside(kernel: &str, kind: &str) -> String;
}

/// Texts without names in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct SourceKindWords {
    /// The menu of kinds.
    pub read_as: &'static str,
    pub export: &'static str,
    /// A text that no reader knows.
    pub unknown: &'static str,
    /// The headline over a text without code.
    pub no_code: &'static str,
    /// The headline over code without a kernel.
    pub no_kernel: &'static str,
    /// Takes the second text alone.
    pub replace_instead: &'static str,
    /// Takes a profiler's export away from beside the kernel.
    pub take_away: &'static str,
    pub steps: NextStepWords,
}

/// The next step, before what is copied.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct NextStepWords {
    pub triton: &'static str,
    pub opencl: &'static str,
    pub numba: &'static str,
    pub fortran: &'static str,
    pub julia: &'static str,
    pub shader: &'static str,
    /// Of a text one of whose accesses is an index expression.
    pub expression_of_text: &'static str,
    /// Of any other text.
    pub expression: &'static str,
    pub kernel: &'static str,
}

impl SourceKindWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, source_kind::WORDS)
    }
}
