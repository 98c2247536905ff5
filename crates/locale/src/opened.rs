//! What is said of a compiled file that opens nothing.

use crate::Language;

sentences! { opened:
    /// That it has more kernels than are kept without a listing: their names, and architectures.
    fn large(kernels: &str, architectures: &str) -> String;
    /// That none of its functions is the listing's.
    fn other_code(kernels: &str, architectures: &str) -> String;
}

/// Texts without names in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct OpenedWords {
    pub foreign: &'static str,
    pub no_gpu_code: &'static str,
    pub truncated: &'static str,
    pub of_32_bits: &'static str,
    pub packed: &'static str,
    pub too_large: &'static str,
    pub slow: &'static str,
    pub missing: &'static str,
}

impl OpenedWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, opened::WORDS)
    }
}
