//! What is wrong with a source, shown beside its lines.

use codespan_reporting::diagnostic::{Diagnostic as Shown, Label, Severity as ShownSeverity};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use lanescope_lang::{BundledFile, Diagnostic, Severity, Span, bundled_files};
use std::io::IsTerminal as _;
use std::ops::Range;

/// Prints the diagnostics on standard error, each with its line of `source` or of a file bundled with it.
pub(crate) fn print(name: &str, source: &str, diagnostics: &[Diagnostic]) {
    let color = if std::io::stderr().is_terminal() {
        ColorChoice::Auto
    } else {
        ColorChoice::Never
    };
    let mut stream = StandardStream::stderr(color);
    let files = bundled_files(source);
    let config = Config {
        tab_width: 4,
        ..Config::default()
    };
    for diagnostic in diagnostics {
        let at = diagnostic.span.start as usize;
        let Some(part) = files.iter().rev().find(|part| part.start <= at) else {
            continue;
        };
        let name = if part.path.is_empty() {
            name
        } else {
            part.path
        };
        let file = SimpleFile::new(name, part.text);
        let shown = shown(diagnostic, part);
        // Where standard error is closed there is nobody to tell.
        let _ = term::emit_to_write_style(&mut stream, &config, &file, &shown);
    }
}

fn shown(diagnostic: &Diagnostic, part: &BundledFile<'_>) -> Shown<()> {
    let severity = match diagnostic.severity() {
        Severity::Note => ShownSeverity::Note,
        Severity::Warning => ShownSeverity::Warning,
        Severity::Error => ShownSeverity::Error,
    };
    let fix = diagnostic
        .fix
        .as_ref()
        .map(|fix| format!("write `{}`", fix.replacement));
    Shown::new(severity)
        .with_message(visible(&diagnostic.to_string()))
        .with_labels(vec![Label::primary((), range(diagnostic.span, part))])
        .with_notes(fix.into_iter().map(|fix| visible(&fix)).collect())
}

/// The span within a file, at character boundaries.
fn range(span: Span, part: &BundledFile<'_>) -> Range<usize> {
    let text = part.text;
    let within = |at: u32| (at as usize).saturating_sub(part.start).min(text.len());
    let start = text.floor_char_boundary(within(span.start));
    let end = text.ceil_char_boundary(within(span.end));
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
