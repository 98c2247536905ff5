//! That a launch is a guess, said before what was found under it.

use lanescope_frontend::{Diagnostic, DiagnosticKind, Severity, Span};

/// What is said before the faults that a run `found` under a shape that nobody gave; `None` where there are none.
pub(crate) fn guessed_launch(
    shape: Option<[[u32; 3]; 2]>,
    found: &[Diagnostic],
) -> Option<Diagnostic> {
    let [grid, block] = shape?;
    let is_fault = |diagnostic: &Diagnostic| {
        let is_return = matches!(diagnostic.kind, DiagnosticKind::BarrierAfterReturn { .. });
        is_return || diagnostic.severity() == Severity::Error
    };
    found.iter().any(is_fault).then(|| Diagnostic {
        span: Span::default(),
        line: 1,
        column: 1,
        kind: DiagnosticKind::GuessedLaunch { grid, block },
        fix: None,
    })
}
