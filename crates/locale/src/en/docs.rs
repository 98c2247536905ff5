//! The documentation's frame in English.

use crate::docs::DocsWords;

pub(crate) const WORDS: &DocsWords = &DocsWords {
    docs: "Documentation",
    contents: "Contents",
    first_steps: "First steps",
    how_to: "How to",
    trust: "Trust and limits",
    reference: "Reference",
    search_short: "Search",
    search: "Search the documentation",
    nothing: "Nothing found. Fewer or other words may help.",
    other_language: "",
    copy: "Copy",
    copied: "Copied",
    previous: "Previous",
    next: "Next",
};
