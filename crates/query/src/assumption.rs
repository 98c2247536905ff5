//! A number that is taken for a parameter that nobody gave.

use lanescope_frontend::{Diagnostic, DiagnosticKind, Span};

/// Says that `value` is taken for the parameter called `name`, of no place in the text: an answer with it is *counted if*.
#[must_use]
pub fn assumption(name: &str, value: i64) -> Diagnostic {
    Diagnostic {
        span: Span::default(),
        line: 0,
        column: 0,
        kind: DiagnosticKind::MissingArgument {
            name: name.to_owned(),
            assumed: value,
        },
        fix: None,
    }
}
