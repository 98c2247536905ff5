//! The words of a picture.

use lanescope_locale::Language;

pub use lanescope_locale::picture::Phrase;

/// Turns a phrase into words.
pub type Say<'a> = &'a dyn Fn(&Phrase<'_>) -> String;

/// The phrase in English.
#[must_use]
pub fn english(phrase: &Phrase<'_>) -> String {
    phrase.text(Language::English)
}

/// The words of pictures in `language`.
pub fn in_language(language: Language) -> impl Fn(&Phrase<'_>) -> String {
    move |phrase| phrase.text(language)
}
