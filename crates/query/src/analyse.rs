//! A program run on a device: what each line of it costs.

use crate::{Line, Question};
use lanescope_lang::{Diagnostic, Outcome, Program, Severity, execute};
use lanescope_tally::{Evidence, Standing, Tally, Totals, standing};

/// What came of a question.
#[derive(Debug)]
pub struct Analysis {
    /// What was asked.
    pub question: Question,
    /// Of the source, then of the run.
    pub diagnostics: Vec<Diagnostic>,
    /// Every line that touches memory, in the order of the source.
    pub lines: Vec<Line>,
    /// The sums of the whole run.
    pub totals: Totals,
    /// How far the run came.
    pub outcome: Outcome,
    /// How far all this can be relied on.
    pub standing: Standing,
}

/// Runs the program of `question` and counts. Bounded by the question's own limit.
#[must_use]
pub fn analyse(question: Question) -> Analysis {
    let mut tally = Tally::new(&question.device);
    let program = &question.parsed.program;
    let lanes = question.device.warp_lanes();
    let outcome = execute(
        program,
        &question.launch,
        lanes,
        question.budget(),
        &mut tally,
    );
    let mut diagnostics = question.parsed.diagnostics.clone();
    diagnostics.extend(outcome.findings.iter().cloned());
    let (lines, totals) = (Line::all(&question, &tally, &outcome), tally.totals());
    let standing = standing(&Evidence {
        diagnostics: &diagnostics,
        outcome: Some(&outcome),
        unknown: lines.iter().find_map(|line| line.sums.unknown),
        guessed: question.guessed_shape(),
        lines_before: u32::try_from(question.first_line).unwrap_or(u32::MAX),
        is_extrapolated: false,
    });
    Analysis {
        standing,
        diagnostics,
        lines,
        totals,
        outcome,
        question,
    }
}

impl Analysis {
    /// The program that was run.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.question.parsed.program
    }

    /// Whether there is an answer: something touches memory, or nothing is wrong.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        !self.program().sites().is_empty() || !self.diagnostics.iter().any(is_error)
    }
}
