//! The lessons.

use crate::Language;

/// What there is to see in the preset `id`: paragraphs with an empty line between, code between backticks, figures
/// between braces (see [`crate::fill`]). Empty where there is no such preset.
///
/// A figure is `FIELD@ROW`, of the report's lines counted from 1, or `FIELD` of its totals, or `lanes`, `banks`,
/// `blocks`; `|DEVICE` and `>PRESET` after it ask the same of another device or preset; `FIELD@ROW sum NAME` is the
/// sum over all values of a variable, term by term. `active@ROW` is the lanes that take part in a request, `active@ROW
/// over NAME` those at all values of a variable together.
#[must_use]
pub fn lesson(id: &str, language: Language) -> &'static str {
    let text = lanescope_locale::gallery::lessons(language);
    let body = text.split("\n## ").find_map(|section| {
        let (name, body) = section.split_once('\n')?;
        (name == id).then_some(body)
    });
    body.unwrap_or_default().trim()
}
