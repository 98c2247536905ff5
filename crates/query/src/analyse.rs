//! A program run on a device: what each line of it costs.

use crate::coincidence::coincide;
use crate::count::{as_written, close_call, count};
use crate::guessed_launch::guessed_launch;
use crate::launch_limit::block_too_large;
use crate::line::origin;
use crate::{Line, Origin, Question};
use lanescope_frontend::{Diagnostic, Program, Severity, SourceOutcome};
use lanescope_ir::SiteId;
use lanescope_tally::{
    Basis, CostlyRequest, Counted, Evidence, Kind, SiteTally, Standing, Status, Sums, Totals,
    standing,
};

/// What came of a question.
#[derive(Debug)]
pub struct Analysis {
    /// What was asked.
    pub question: Question,
    /// Of the source, then of the run.
    pub diagnostics: Vec<Diagnostic>,
    /// Every line that touches memory, in the order of the source.
    pub lines: Vec<Line>,
    /// Every place that touches memory, by its id.
    pub sites: Vec<SiteTally>,
    /// What each place cost, for each kind of operation.
    pub accesses: Vec<(SiteId, Kind, Sums)>,
    /// The request that cost most above its ideal.
    pub costliest: Option<CostlyRequest>,
    /// The sums of the whole run.
    pub totals: Totals,
    /// The same of the kernel as written, where a compiler's model changed it.
    pub as_written: Option<Totals>,
    /// How far the run came.
    pub outcome: SourceOutcome,
    /// How far all this can be relied on.
    pub standing: Standing,
}

/// Runs the program of `question` and counts. Bounded by the question's own limit.
#[must_use]
pub fn analyse(question: Question) -> Analysis {
    let device = question.device.clone();
    let (tally, outcome) = count(&question, &device);
    let mut diagnostics = question.parsed.diagnostics.clone();
    diagnostics.extend(block_too_large(
        &question.parsed.program,
        &question.launch,
        &device,
    ));
    diagnostics.extend(guessed_launch(question.guessed_shape(), &outcome.findings));
    diagnostics.extend(outcome.findings.iter().cloned());
    let (lines, totals) = (Line::all(&question, &tally, &outcome), tally.totals());
    let sites = tally.sites(question.parsed.program.sites().len());
    let single_rounds = tally.contention().single_rounds(&question.parsed.program);
    let counted = Counted {
        device: Some(&device),
        sites: question.parsed.program.sites(),
        tallies: &sites,
    };
    let guessed_places = guessed_places(&question.parsed.program);
    let mut standing = standing(&Evidence {
        guessed_places: &guessed_places,
        copies: &counted.uncertain_copies(),
        diagnostics: &diagnostics,
        single_rounds: &single_rounds,
        crowded: &tally.contention().crowded(&question.parsed.program),
        outcome: Some(&outcome),
        unknown: lines.iter().find_map(|line| line.sums.unknown),
        guessed: question.guessed_shape(),
        lines_before: question.first_line,
        is_extrapolated: false,
    });
    if question
        .passes
        .as_ref()
        .is_some_and(|pass| !pass.is_complete)
    {
        standing.doubt_compiler();
    }
    let as_written = (standing.status != Status::Partial)
        .then(|| as_written(&question, &device))
        .flatten();
    let (as_written, need_as_written) = as_written.unzip();
    let run_basis = || {
        let written = question.passes.as_ref()?.written.as_ref()?;
        if as_written.is_some_and(|written| written != totals) {
            return Some(Basis::AccessesChanged);
        }
        coincide(written, &question.launch, &device).then_some(Basis::OpenChoice)
    };
    let of_passes = question.passes.as_ref().and_then(|pass| pass.basis);
    if let Some(basis) = of_passes.or_else(run_basis) {
        standing.predict(basis);
        standing.as_written = need_as_written;
    }
    if standing.status != Status::Partial
        && let Some(line) = close_call(&question, &device, &totals)
    {
        standing.doubt_unrolling(line.saturating_sub(question.first_line));
    }
    let accesses = tally.accesses();
    Analysis {
        accesses: accesses.map(|(id, kind, sums)| (id, kind, *sums)).collect(),
        costliest: tally.costliest().cloned(),
        standing,
        diagnostics,
        lines,
        sites,
        totals,
        as_written,
        outcome,
        question,
    }
}

/// Parameters by value that were put where they may not be: each one's position and first byte.
pub(crate) fn guessed_places(program: &Program) -> Vec<(u32, u32)> {
    let kernel = program.lowered().into_iter();
    let guessed = kernel.flat_map(|kernel| {
        let place = |position: &u32| {
            let parameter = kernel.parameters.get(usize::try_from(*position).ok()?)?;
            Some((*position, parameter.offset))
        };
        kernel.guessed_parameters.iter().filter_map(place)
    });
    guessed.collect()
}

impl Analysis {
    /// The program that was run.
    #[must_use]
    pub const fn program(&self) -> &Program {
        &self.question.parsed.program
    }

    /// The line of the source that an access of compiled code comes from, where the text says.
    #[must_use]
    pub fn origin(&self, site: SiteId) -> Option<Origin> {
        origin(&self.question, site)
    }

    /// What a verdict is made of.
    #[must_use]
    pub fn counted(&self) -> Counted<'_> {
        Counted {
            device: Some(&self.question.device),
            sites: self.program().sites(),
            tallies: &self.sites,
        }
    }

    /// Whether there is an answer: something touches memory, or nothing is wrong.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        !self.program().sites().is_empty() || !self.diagnostics.iter().any(is_error)
    }
}
