//! A program run on a device: what each line of it costs.

mod dearest;
mod line;
mod picture;
mod report;
mod verdict;

pub(crate) use line::{Line, is_shared, words};
pub(crate) use picture::picture;
pub(crate) use report::Report;
pub(crate) use verdict::verdict;

use lanescope_lang::{
    Budget, Diagnostic, Launch, Outcome, Parsed, Program, Severity, Site, Tally, Totals, execute,
};
use lanescope_model::Device;
use std::process::ExitCode;

/// What is run, and where.
pub(crate) struct Question {
    pub(crate) parsed: Parsed,
    /// The text that spans count in.
    pub(crate) source: String,
    /// Lines before the first that counts.
    pub(crate) first_line: usize,
    pub(crate) launch: Launch,
    pub(crate) device: Device,
    pub(crate) max_requests: u64,
}

/// Steps that a run may take for each request it may make.
const STEPS_A_REQUEST: u64 = 20;

impl Question {
    pub(crate) fn budget(&self) -> Budget {
        Budget {
            requests: self.max_requests,
            steps: self.max_requests.saturating_mul(STEPS_A_REQUEST),
            ..Budget::default()
        }
    }

    /// The line of a place as users count it.
    pub(crate) fn line_of(&self, site: &Site) -> u32 {
        self.counted(site.line)
    }

    /// A line of the whole source as users count it.
    pub(crate) fn counted(&self, line: u32) -> u32 {
        line.saturating_sub(u32::try_from(self.first_line).unwrap_or(u32::MAX))
    }
}

/// What came of it.
pub(crate) struct Analysis {
    pub(crate) question: Question,
    /// Of the source, then of the run.
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) lines: Vec<Line>,
    pub(crate) totals: Totals,
    pub(crate) outcome: Outcome,
}

/// Runs the program and counts.
pub(crate) fn analyse(question: Question) -> Analysis {
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
    let (lines, totals) = (Line::all(&question, &tally), tally.totals());
    Analysis {
        diagnostics,
        lines,
        totals,
        outcome,
        question,
    }
}

impl Analysis {
    pub(crate) const fn program(&self) -> &Program {
        &self.question.parsed.program
    }

    /// Whether there is an answer: something touches memory, or nothing is wrong.
    fn is_answered(&self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        !self.program().sites().is_empty() || !self.diagnostics.iter().any(is_error)
    }

    /// Success when there is an answer.
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.is_answered() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
