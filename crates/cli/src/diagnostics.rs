//! What is wrong with a source, shown beside its lines.

use crate::args::format::ColorArg;
use crate::clean;
use crate::excerpt::Excerpt;
use codespan_reporting::diagnostic::{Diagnostic as Shown, Label, Severity as ShownSeverity};
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use lanescope_frontend::{Diagnostic, Severity};
use lanescope_syntax::bundled_files;
use std::io::IsTerminal as _;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Whether there is colour, as the command that runs was asked.
static COLOR: Mutex<ColorArg> = Mutex::new(ColorArg::Auto);

/// Shows what is wrong in colour or not, from here on.
pub(crate) fn begin(color: ColorArg) {
    *COLOR.lock().unwrap_or_else(PoisonError::into_inner) = color;
}

fn color() -> ColorChoice {
    match *COLOR.lock().unwrap_or_else(PoisonError::into_inner) {
        ColorArg::Auto if std::io::stderr().is_terminal() => ColorChoice::Auto,
        ColorArg::Auto | ColorArg::Never => ColorChoice::Never,
        // The terminal is told in its own language even where the environment says that there is none.
        ColorArg::Always => ColorChoice::AlwaysAnsi,
    }
}

/// Prints the diagnostics on standard error, each with its line of `source` or of a file bundled with it.
pub(crate) fn print(name: &str, source: &str, diagnostics: &[Diagnostic]) {
    let mut stream = StandardStream::stderr(color());
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
        let excerpt = Excerpt::of(name, part, diagnostic.span);
        let shown = shown(diagnostic, excerpt.span.clone());
        // Where standard error is closed there is nobody to tell.
        let _ = term::emit_to_write_style(&mut stream, &config, &excerpt, &shown);
    }
}

fn shown(diagnostic: &Diagnostic, span: Range<usize>) -> Shown<()> {
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
        .with_message(clean::line(&diagnostic.to_string()))
        .with_labels(vec![Label::primary((), span)])
        .with_notes(fix.into_iter().map(|fix| clean::line(&fix)).collect())
}
