//! The reader's language: named by a link, remembered, or asked for by the browser.

use lanescope_locale::Language;

use crate::storage::{recall, remember};
use crate::window::window;

const REMEMBERED: &str = "lanescope.language";

/// The language that a link names, or the one remembered, or the browser's.
#[must_use]
pub fn chosen_language(linked: Option<Language>) -> Language {
    linked.unwrap_or_else(|| {
        let wanted = recall(REMEMBERED).or_else(|| window()?.navigator().language());
        Language::negotiate(&wanted.unwrap_or_default())
    })
}

/// Remembers the choice for the next visit.
pub fn remember_language(language: Language) {
    remember(REMEMBERED, language.bcp47());
}
