//! An answer whose text has changed around it.

use lanescope_frontend::{Moves, SourceOutcome};

use crate::Answer;
use crate::static_passes::Passes;

impl Answer {
    /// The same answer, its places in `source`, the text after `moves`. Nothing can be run of it.
    #[must_use]
    pub fn moved(&self, source: &str, moves: &Moves) -> Self {
        let diagnostics = self
            .diagnostics
            .iter()
            .map(|diagnostic| diagnostic.moved(moves));
        let single_rounds = self.single_rounds.iter().map(|span| moves.span(*span));
        Self {
            device: self.device.clone(),
            program: self.program.moved(moves),
            diagnostics: diagnostics.collect(),
            sites: self.sites.clone(),
            outcome: self.outcome.as_ref().map(|one| moved_outcome(one, moves)),
            launch: self.launch.clone(),
            source: source.to_owned(),
            accesses_start: self.accesses_start,
            lines_before: self.lines_before,
            is_expression: self.is_expression,
            is_extrapolated: self.is_extrapolated,
            single_rounds: single_rounds.collect(),
            crowded: self.crowded.iter().map(|line| moves.line(*line)).collect(),
            passes: self.passes.as_ref().map(|pass| pass.moved(moves)),
            guessed_shape: self.guessed_shape,
            close_call: self.close_call.map(|line| moves.line(line)),
            run_basis: self.run_basis,
            as_written: self.as_written,
        }
    }
}

fn moved_outcome(outcome: &SourceOutcome, moves: &Moves) -> SourceOutcome {
    let findings = outcome.findings.iter().map(|finding| finding.moved(moves));
    let executed = outcome.executed.iter();
    let executed = executed.map(|executed| executed.at(moves.line(executed.place)));
    SourceOutcome {
        executed: executed.collect(),
        findings: findings.collect(),
        ..outcome.clone()
    }
}

impl Passes {
    fn moved(&self, moves: &Moves) -> Self {
        Self {
            remarks: self.remarks.clone(),
            sites: self.sites.iter().map(|site| site.moved(moves)).collect(),
            is_complete: self.is_complete,
            otherwise: None,
            basis: self.basis,
            written: None,
        }
    }
}
