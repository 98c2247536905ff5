//! What is said of a link.

use crate::Language;

sentences! { link:
    /// Keys of a newer version.
    fn unknown(keys: &[String]) -> String;
    /// Invisible characters that are shown.
    fn hidden(count: usize) -> String;
    /// That a link does not open, and why.
    fn unopened(why: &str) -> String;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct LinkWords {
    pub cut_off: &'static str,
    pub too_long: &'static str,
}

impl LinkWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, link::WORDS)
    }
}
