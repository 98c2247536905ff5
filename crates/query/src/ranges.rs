//! Ranges of blocks: a launch whose blocks are not proved alike, run range by range by an executor.
//!
//! [`lanescope_simt::Ranges`] cuts them and joins what came of them.

use crate::{Question, Stop};
use lanescope_cuda::source::{
    Access, AffineAccess, Blocks, Budget, ClassObserver, Diagnostic, End, Executable, Launch,
    Outcome, Program, SiteId,
};
use lanescope_model::Device;
use lanescope_simt::{self as simt, Executor, RangeBudget, RangeSums, Ranges};
use lanescope_tally::ClassTally;

/// Counts `program` over the launch; `None` where it is no kernel of `ir`.
pub(crate) fn counted<'d>(
    question: &Question,
    program: &Program,
    device: &'d Device,
) -> Option<(ClassTally<'d>, Outcome)> {
    let (launch, budget) = (&question.launch, question.budget());
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let executable = Executable::of(program)?;
    let all = launch.blocks == Blocks::All && launch.grid_blocks() >= Ranges::FEWEST_BLOCKS;
    let mut watched = Watched {
        tally: ClassTally::new(device),
        stop: &question.stop,
        is_cut: None,
        may_cut: all && executable.has_independent_blocks(),
        alike: false,
    };
    let outcome = executable.execute_classes(launch, lanes, budget, periods, &mut watched);
    if watched.is_cut.is_none() {
        return Some((watched.tally, outcome));
    }
    let counting = Counting {
        executable: &executable,
        launch,
        budget,
        device,
        stop: &question.stop,
        alike: watched.alike,
    };
    let counted = counting.run(&*question.executor)?;
    Some((counted.tally, counted.outcome))
}

/// A tally that can be stopped, and that takes a launch over whose blocks would run one by one.
struct Watched<'s, 'd> {
    tally: ClassTally<'d>,
    stop: &'s Stop,
    may_cut: bool,
    /// Blocks that were left.
    is_cut: Option<u64>,
    /// Whether they are alike but for accesses that hang on data.
    alike: bool,
}

impl ClassObserver for Watched<'_, '_> {
    fn access(&mut self, access: &Access<'_>, times: u64) -> bool {
        self.tally.access(access, times) && !self.stop.is_stopped()
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let goes_on = self.tally.affine_access(site, access)?;
        Some(goes_on && !self.stop.is_stopped())
    }

    fn block_done(&mut self, block_index: u64, times: u64) -> bool {
        self.stop.add_blocks(times);
        self.tally.block_done(block_index, times) && !self.stop.is_stopped()
    }

    fn goes_on(&mut self) -> bool {
        !self.stop.is_stopped_now()
    }

    fn one_by_one(&mut self, blocks: u64, alike: bool) -> bool {
        self.alike = alike;
        if self.may_cut && blocks >= Ranges::FEWEST_BLOCKS {
            self.is_cut = Some(blocks);
            self.stop.set_blocks_done(0);
        }
        self.is_cut.is_none()
    }
}

/// A launch that is run range by range.
struct Counting<'a, 'd> {
    executable: &'a Executable<'a>,
    launch: &'a Launch,
    budget: Budget,
    device: &'d Device,
    stop: &'a Stop,
    alike: bool,
}

impl<'d> Counting<'_, 'd> {
    fn run(&self, executor: &dyn Executor) -> Option<Counted<'d>> {
        let budget = RangeBudget {
            requests: self.budget.requests,
            steps: self.budget.steps,
        };
        let ranges = Ranges::new(self.launch.grid_blocks(), budget);
        ranges.run(executor, &|blocks, budget| self.range(blocks, budget))
    }

    fn range(&self, (first, end): (u64, u64), budget: RangeBudget) -> Option<Counted<'d>> {
        let budget = Budget {
            requests: budget.requests,
            steps: budget.steps,
            watched_blocks: self.budget.watched_blocks.saturating_sub(first),
            ..self.budget
        };
        let mut watched = Watched {
            tally: ClassTally::new(self.device),
            stop: self.stop,
            may_cut: false,
            is_cut: None,
            alike: false,
        };
        let blocks = simt::Blocks::of_range((first, end), self.alike);
        let outcome = self.executable.execute_range(
            self.launch,
            blocks,
            self.device.warp_lanes(),
            budget,
            ClassTally::periods(self.device),
            &mut watched,
        );
        Some(Counted {
            tally: watched.tally,
            outcome,
            most_findings: budget.findings,
        })
    }
}

/// What came of a range.
struct Counted<'d> {
    tally: ClassTally<'d>,
    outcome: Outcome,
    most_findings: u32,
}

impl RangeSums for Counted<'_> {
    fn requests(&self) -> u64 {
        self.outcome.requests
    }

    fn steps(&self) -> u64 {
        self.outcome.steps
    }

    fn is_complete(&self) -> bool {
        self.outcome.end == End::Completed
    }

    fn append(&mut self, next: Self) {
        self.tally.add(next.tally);
        let (all, outcome) = (&mut self.outcome, next.outcome);
        all.end = outcome.end;
        all.requests = all.requests.saturating_add(outcome.requests);
        all.steps = all.steps.saturating_add(outcome.steps);
        all.blocks_done = all.blocks_done.saturating_add(outcome.blocks_done);
        for found in outcome.findings {
            keep(&mut all.findings, found, self.most_findings);
        }
        for (first, met) in all.spared.iter_mut().zip(outcome.spared) {
            *first = first.or(met);
        }
    }
}

/// Each finding once a place; findings and doubts are as many at most.
fn keep(findings: &mut Vec<Diagnostic>, found: Diagnostic, most: u32) {
    let most = (most as usize).saturating_mul(2);
    let is_same =
        |known: &Diagnostic| known.span == found.span && known.kind.code() == found.kind.code();
    if findings.len() < most && !findings.iter().any(is_same) {
        findings.push(found);
    }
}
