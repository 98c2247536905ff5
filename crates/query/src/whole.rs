//! Every block of a launch.

use lanescope_frontend::{Diagnostic, DiagnosticKind, End, NamedLaunch, SourceOutcome, execute};
use lanescope_simt::{Access, AsyncCopyAccess, BlockDone, Blocks, Budget, Observer};
use lanescope_tally::{SiteTally, Tally};
use lanescope_wire::wire_structs;

use crate::answer::{Answer, empty_tallies};
use crate::classes;
use crate::guessed_launch::guessed_launch;

/// Requests after which it is reported again how far the count is: within a long block too.
pub(crate) const REPORT_EVERY: u32 = 4_096;

/// How much a count of a whole launch may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Somebody has asked for it: some minutes, and it can be cancelled.
    OnRequest,
    /// Nobody has: some seconds in a browser's worker. What would take longer ends early.
    AtOnce,
}

impl Effort {
    /// The same as a budget.
    pub(crate) const fn budget(self) -> Budget {
        let (requests, steps) = match self {
            Self::OnRequest => (1_000_000_000, 10_000_000_000),
            Self::AtOnce => (4_000_000, 40_000_000),
        };
        Budget {
            requests,
            steps,
            bytes: 256 << 20,
            findings: 64,
            watched_blocks: 4,
        }
    }
}

/// The sums over the blocks of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// By site.
    pub sites: Vec<SiteTally>,
    /// How far the run went.
    pub outcome: SourceOutcome,
}

wire_structs! {
    Whole { sites, outcome }
}

impl Whole {
    /// Counts every block of what `answer` answers: one of each class, where blocks are proved to do the same, or else
    /// all in one run, where what a block leaves in memory the next one reads. `progress` is given the blocks done,
    /// often. `None` without device.
    #[must_use]
    pub fn count(answer: &Answer, effort: Effort, progress: &mut dyn FnMut(u64)) -> Option<Self> {
        if let Some(whole) = Self::of(answer) {
            progress(answer.outcome.as_ref().map_or(0, |one| one.blocks_done));
            return Some(whole);
        }
        if let Some(whole) = classes::lowered(answer, effort, progress) {
            return Some(whole);
        }
        run(answer, Blocks::All, effort, progress)
    }

    /// The sums of an answer whose blocks stand for all; `None` of another.
    fn of(answer: &Answer) -> Option<Self> {
        let outcome = answer.outcome.as_ref().filter(|_| answer.is_extrapolated)?;
        let requests = answer.sites.iter().map(|site| site.requests);
        Some(Self {
            sites: answer.sites.clone(),
            outcome: SourceOutcome {
                requests: requests.fold(0, u64::saturating_add),
                blocks_done: outcome.blocks_total,
                ..outcome.clone()
            },
        })
    }

    fn empty(answer: &Answer) -> Self {
        Self {
            sites: empty_tallies(&answer.program),
            outcome: SourceOutcome {
                end: End::Complete,
                requests: 0,
                steps: 0,
                blocks_done: 0,
                blocks_total: answer.launch.grid_blocks(),
                executed: Vec::new(),
                findings: Vec::new(),
                omitted: vec![None; answer.program.sites().len()],
            },
        }
    }

    /// Adds what came of a block.
    fn join(&mut self, block: Self) {
        for (all, site) in self.sites.iter_mut().zip(&block.sites) {
            all.add(site);
        }
        let (outcome, block) = (&mut self.outcome, block.outcome);
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        outcome.end = block.end;
        add(&mut outcome.requests, block.requests);
        add(&mut outcome.steps, block.steps);
        add(&mut outcome.blocks_done, block.blocks_done);
        outcome.add_executed(block.executed);
        block
            .findings
            .into_iter()
            .for_each(|found| keep(&mut outcome.findings, found));
        for (first, met) in outcome.omitted.iter_mut().zip(block.omitted) {
            *first = first.or(met);
        }
    }
}

/// A count of the whole launch, a block at a time. Each block finds memory as the launch did.
#[derive(Debug)]
pub struct Count {
    answer: Answer,
    effort: Effort,
    whole: Whole,
}

impl Count {
    /// Begins to count what `answer` counts only in part; `None` without device.
    #[must_use]
    pub fn begin(answer: &Answer, effort: Effort) -> Option<Self> {
        answer.device.as_ref()?;
        Some(Self {
            whole: Whole::of(answer).unwrap_or_else(|| Whole::empty(answer)),
            answer: answer.clone(),
            effort,
        })
    }

    /// Counts the next block; the sums once there is none left, or the budget is spent.
    pub fn step(&mut self) -> Option<Whole> {
        let outcome = &self.whole.outcome;
        if outcome.blocks_done < outcome.blocks_total && outcome.end == End::Complete {
            let next = Blocks::Only(outcome.blocks_done);
            let block = run(&self.answer, next, self.effort, &mut |_| {})?;
            self.whole.join(block);
            let (outcome, budget) = (&mut self.whole.outcome, self.effort.budget());
            if outcome.requests > budget.requests || outcome.steps > budget.steps {
                outcome.end = End::Requests;
            }
            return None;
        }
        Some(self.whole.clone())
    }

    /// Blocks counted, and all blocks.
    #[must_use]
    pub const fn progress(&self) -> (u64, u64) {
        let outcome = &self.whole.outcome;
        (outcome.blocks_done, outcome.blocks_total)
    }
}

/// Each finding once a place.
fn keep(findings: &mut Vec<Diagnostic>, found: Diagnostic) {
    let is_same =
        |known: &Diagnostic| known.span == found.span && known.kind.code() == found.kind.code();
    if !findings.iter().any(is_same) {
        findings.push(found);
    }
}

fn run(
    answer: &Answer,
    blocks: Blocks,
    effort: Effort,
    progress: &mut dyn FnMut(u64),
) -> Option<Whole> {
    let device = answer.device.as_ref()?;
    let launch = NamedLaunch {
        blocks,
        ..answer.launch.clone()
    };
    let budget = Budget {
        // The lines of an expression are no program: nothing races.
        watched_blocks: if answer.is_expression {
            0
        } else {
            effort.budget().watched_blocks
        },
        ..effort.budget()
    };
    let mut observer = CountingObserver {
        tally: Tally::new(device),
        progress,
        done: 0,
        unreported: 0,
    };
    let (program, lanes) = (&answer.program, device.warp_lanes());
    let outcome = execute(program, &launch, lanes, budget, &mut observer);
    Some(Whole {
        sites: observer.tally.sites(program.sites().len()),
        outcome,
    })
}

/// Sums up a run and tells how far it is.
struct CountingObserver<'a> {
    tally: Tally<'a>,
    progress: &'a mut dyn FnMut(u64),
    done: u64,
    unreported: u32,
}

impl CountingObserver<'_> {
    fn note_request(&mut self) {
        self.unreported += 1;
        if self.unreported >= REPORT_EVERY {
            self.unreported = 0;
            (self.progress)(self.done);
        }
    }
}

impl Observer for CountingObserver<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.note_request();
        self.tally.access(access)
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        self.note_request();
        self.tally.async_copy(copy)
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.done += done.times;
        true
    }
}

impl Answer {
    /// The same with the sums of all blocks; `None` where these are of another program.
    #[must_use]
    pub fn with_whole(&self, whole: Whole) -> Option<Self> {
        if whole.sites.len() != self.program.sites().len() {
            return None;
        }
        let found = self
            .outcome
            .as_ref()
            .map_or(0, |outcome| outcome.findings.len());
        let of_source = self.diagnostics.len().saturating_sub(found);
        let mut diagnostics = self.diagnostics[..of_source].to_vec();
        let is_guess = |diagnostic: &Diagnostic| {
            matches!(diagnostic.kind, DiagnosticKind::GuessedLaunch { .. })
        };
        diagnostics.retain(|diagnostic| !is_guess(diagnostic));
        diagnostics.extend(guessed_launch(self.guessed_shape, &whole.outcome.findings));
        diagnostics.extend(whole.outcome.findings.iter().cloned());
        Some(Self {
            diagnostics,
            sites: whole.sites,
            outcome: Some(whole.outcome),
            is_extrapolated: false,
            ..self.clone()
        })
    }
}
