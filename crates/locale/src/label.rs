//! Texts that the page and the pictures in articles have in common.

use crate::Language;

sentences! { label:
    /// The button that changes between light and dark.
    fn switch_theme() -> &'static str;
}

/// Texts without numbers in them that the page needs at a glance: its first WASM module holds all of these, and
/// no others.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct LabelWords {
    pub playground: &'static str,
    pub lab: &'static str,
    pub stories: &'static str,
    pub skip_to_answer: &'static str,
    pub trust: &'static str,
    pub expression: &'static str,
    pub expression_source: &'static str,
    pub accesses: &'static str,
    pub bare: &'static str,
    pub grid: &'static str,
    pub block: &'static str,
    pub device: &'static str,
    pub metrics: &'static str,
    pub n_way: &'static str,
    pub warp: &'static str,
    pub point_at_it: &'static str,
    pub used: &'static str,
    pub wasted: &'static str,
    pub not_moved: &'static str,
    pub share: &'static str,
    pub source_text: &'static str,
    pub open_in_lanescope: &'static str,
    pub inside_shared: &'static str,
    pub inside_global: &'static str,
}

impl LabelWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, label::WORDS)
    }
}
