//! What CodeMirror says.

use crate::Language;

/// As CodeMirror spells them in its own English.
pub const KEYS: [&str; 19] = [
    "Find",
    "Replace",
    "next",
    "previous",
    "all",
    "match case",
    "regexp",
    "by word",
    "replace",
    "replace all",
    "close",
    "current match",
    "on line",
    "replaced $ matches",
    "replaced match on line $",
    "Go to line",
    "go",
    "Selection deleted",
    "Control character",
];

/// The same in `language`.
#[must_use]
pub const fn words(language: Language) -> [&'static str; KEYS.len()] {
    in_folder!(language, editor::WORDS)
}
