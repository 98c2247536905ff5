//! What the documentation's pages say around their text.

use crate::Language;

/// Words of the documentation's frame.
#[derive(Clone, Copy, Debug)]
pub struct DocsWords {
    /// The documentation, as headers and titles name it.
    pub docs: &'static str,
    /// The list of all pages, beside one.
    pub contents: &'static str,
    /// A part of that list: the first page, and the first steps of each kind of reader.
    pub first_steps: &'static str,
    /// A part: one task a page.
    pub how_to: &'static str,
    /// A part: where numbers come from, and where they end.
    pub trust: &'static str,
    /// A part: every option and field.
    pub reference: &'static str,
    /// In the empty field of the search.
    pub search_short: &'static str,
    /// The name of that field.
    pub search: &'static str,
    /// Where a search finds nothing.
    pub nothing: &'static str,
    /// Over a page that is not translated.
    pub other_language: &'static str,
    /// The button at a block of code.
    pub copy: &'static str,
    /// What it says when the code was copied.
    pub copied: &'static str,
    /// The page before.
    pub previous: &'static str,
    /// The page after.
    pub next: &'static str,
}

impl DocsWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, docs::WORDS)
    }
}
