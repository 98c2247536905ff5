//! Ranges of blocks: a launch whose blocks are not proved alike, run range by range by an executor.
//!
//! [`lanescope_simt::Ranges`] cuts them and joins what came of them.

use crate::stop::Stoppable;
use crate::{Question, Stop};
use lanescope_frontend::{Diagnostic, End, Executable, NamedLaunch, Program, SourceOutcome};
use lanescope_ir::SiteId;
use lanescope_model::Device;
use lanescope_simt::{
    Access, AffineAccess, AsyncCopyAccess, BlockDone, Blocks, Budget, Executor, Observer,
    RangeBudget, RangeSums, Ranges,
};
use lanescope_tally::ClassTally;

/// Counts `program` over the launch; `None` where it is no kernel of `ir`.
pub(crate) fn counted<'d>(
    question: &Question,
    program: &Program,
    device: &'d Device,
) -> Option<(ClassTally<'d>, SourceOutcome)> {
    let (launch, budget) = (&question.launch, question.budget());
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let executable = Executable::of(program)?;
    let all = launch.blocks == Blocks::All && launch.grid_blocks() >= Ranges::FEWEST_BLOCKS;
    let mut cuttable = Cuttable {
        tally: ClassTally::new(device),
        may_cut: all && executable.has_independent_blocks(),
        is_cut: false,
        alike: false,
    };
    let mut stoppable = Stoppable {
        tally: &mut cuttable,
        stop: &question.stop,
    };
    let outcome = executable.execute_classes(launch, lanes, budget, periods, &mut stoppable);
    if !cuttable.is_cut {
        return Some((cuttable.tally, outcome));
    }
    question.stop.set_blocks_done(0);
    let counting = Counting {
        executable: &executable,
        launch,
        budget,
        device,
        stop: &question.stop,
        alike: cuttable.alike,
    };
    let counted = counting.run(&*question.executor)?;
    Some((counted.tally, counted.outcome))
}

/// A tally that takes a launch over whose blocks would run one by one.
struct Cuttable<'d> {
    tally: ClassTally<'d>,
    may_cut: bool,
    /// Whether it took one over.
    is_cut: bool,
    /// Whether the blocks that were left are alike but for accesses that depend on data.
    alike: bool,
}

impl Observer for Cuttable<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.tally.access(access)
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        self.tally.affine_access(site, access)
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        self.tally.async_copy(copy)
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.tally.block_done(done)
    }

    fn one_by_one(&mut self, blocks: u64, alike: bool) -> bool {
        self.alike = alike;
        self.is_cut = self.may_cut && blocks >= Ranges::FEWEST_BLOCKS;
        !self.is_cut
    }
}

/// A launch that is run range by range.
struct Counting<'a, 'd> {
    executable: &'a Executable<'a>,
    launch: &'a NamedLaunch,
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
        let mut tally = ClassTally::new(self.device);
        let mut stoppable = Stoppable {
            tally: &mut tally,
            stop: self.stop,
        };
        let launch = NamedLaunch {
            blocks: Blocks::of_range((first, end), self.alike),
            ..self.launch.clone()
        };
        let (lanes, periods) = (self.device.warp_lanes(), ClassTally::periods(self.device));
        let executable = self.executable;
        let outcome = executable.execute_classes(&launch, lanes, budget, periods, &mut stoppable);
        Some(Counted {
            tally,
            outcome,
            most_findings: budget.findings,
        })
    }
}

/// What came of a range.
struct Counted<'d> {
    tally: ClassTally<'d>,
    outcome: SourceOutcome,
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
        self.outcome.end == End::Complete
    }

    fn append(&mut self, next: Self) {
        self.tally.add(next.tally);
        let (all, outcome) = (&mut self.outcome, next.outcome);
        all.end = outcome.end;
        all.requests = all.requests.saturating_add(outcome.requests);
        all.steps = all.steps.saturating_add(outcome.steps);
        all.blocks_done = all.blocks_done.saturating_add(outcome.blocks_done);
        all.add_executed(outcome.executed);
        for found in outcome.findings {
            keep(&mut all.findings, found, self.most_findings);
        }
        for (first, met) in all.omitted.iter_mut().zip(outcome.omitted) {
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
