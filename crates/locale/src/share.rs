//! What the Share sheet says of articles.

use crate::Language;

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct ShareWords {
    pub host: &'static str,
    pub height: &'static str,
    pub theme: &'static str,
    pub theme_of_article: &'static str,
    pub light: &'static str,
    pub dark: &'static str,
    pub editable: &'static str,
    pub with_picture: &'static str,
    pub copy_snippet: &'static str,
    pub copy_kernel_as: &'static str,
    pub translating: &'static str,
    pub editable_nothing: &'static str,
    pub editable_sliders: &'static str,
    pub editable_source: &'static str,
    pub note_element: &'static str,
    pub note_markdown: &'static str,
    pub note_hugo: &'static str,
    pub note_notion: &'static str,
    pub note_medium: &'static str,
    pub note_no_frames: &'static str,
}

impl ShareWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, share::WORDS)
    }
}
