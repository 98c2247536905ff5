//! Texts that are read without mistakes.

use lanescope_layouts::{self as layouts, Document, Severity};

/// The document of a text; one with errors fails.
pub(crate) fn read(text: &str) -> Document {
    let document = layouts::parse(text);
    let wrong = |found: &&layouts::Diagnostic| found.severity == Severity::Error;
    let wrong: Vec<_> = document.diagnostics.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{text}: {wrong:?}");
    document
}
