//! What is wrong with a source, shown beside its lines.

use codespan_reporting::diagnostic::{Diagnostic as Shown, Label, Severity as ShownSeverity};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use lanescope_lang::{Diagnostic, Severity, Span};
use std::io::IsTerminal as _;
use std::ops::Range;

/// Prints the diagnostics on standard error, each with its line of `source`.
pub(crate) fn print(name: &str, source: &str, diagnostics: &[Diagnostic]) {
    let color = if std::io::stderr().is_terminal() {
        ColorChoice::Auto
    } else {
        ColorChoice::Never
    };
    let mut stream = StandardStream::stderr(color);
    let file = SimpleFile::new(name, source);
    let config = Config {
        tab_width: 4,
        ..Config::default()
    };
    for diagnostic in diagnostics {
        // Where standard error is closed there is nobody to tell.
        let _ = term::emit_to_write_style(&mut stream, &config, &file, &shown(diagnostic, source));
    }
}

fn shown(diagnostic: &Diagnostic, source: &str) -> Shown<()> {
    let severity = match diagnostic.severity() {
        Severity::Note => ShownSeverity::Note,
        Severity::Warning => ShownSeverity::Warning,
        Severity::Error => ShownSeverity::Error,
    };
    let mend = diagnostic
        .mend
        .as_ref()
        .map(|mend| format!("write `{}`", mend.replacement));
    Shown::new(severity)
        .with_message(visible(&diagnostic.to_string()))
        .with_labels(vec![Label::primary((), range(diagnostic.span, source))])
        .with_notes(mend.into_iter().map(|mend| visible(&mend)).collect())
}

/// The span within `source`, at character boundaries.
fn range(span: Span, source: &str) -> Range<usize> {
    let start = source.floor_char_boundary((span.start as usize).min(source.len()));
    let end = source.ceil_char_boundary((span.end as usize).min(source.len()));
    start..end.max(start)
}

/// `text` without controls.
fn visible(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect()
}
