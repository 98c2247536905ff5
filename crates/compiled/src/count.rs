//! A compiled kernel run and counted.

use crate::counts::{Counts, KeepGoing, Watch};
use crate::{Costliest, Report, SourceLine};
use lanescope_ir::Kernel;
use lanescope_model::Device;
use lanescope_simt::{
    Blocks, Budget, End, Executable, Executor, Launch, Outcome, RangeBudget, RangeSums, Ranges,
};
use std::sync::atomic::{AtomicU64, Ordering};

/// Lanes of a warp; PTX and SASS are NVIDIA's.
const LANES: u32 = 32;

/// What a run may cost besides its requests.
const MOST_STEPS: u64 = 20_000_000_000;
const MOST_BYTES: u64 = 2 << 30;
/// Findings kept, and doubts.
const MOST_FINDINGS: u32 = 64;

/// What came of a run.
#[derive(Debug)]
pub struct Counted {
    /// The counts.
    pub report: Report,
    /// The request that costs most above its ideal, if there is any.
    pub costliest: Option<Costliest>,
    /// The instruction that made it: its line of the text, and of the source.
    pub place: Option<(u32, Option<SourceLine>)>,
}

/// How a launch is run.
#[derive(Clone, Copy)]
pub struct CountOptions<'o> {
    /// Requests that it may make.
    pub max_requests: u64,
    /// Who runs blocks that are not proved alike.
    pub executor: &'o dyn Executor,
    /// Told the blocks that are done so far; `false` stops the run.
    pub keep_going: KeepGoing<'o>,
}

/// Runs `kernel` and counts.
#[must_use]
pub fn count(
    kernel: &Kernel,
    launch: &Launch,
    device: &Device,
    options: &CountOptions<'_>,
) -> Counted {
    let done = AtomicU64::new(0);
    let counting = Counting {
        executable: &Executable::of(kernel),
        launch,
        device,
        watch: Watch {
            keep_going: options.keep_going,
            blocks_done: &done,
        },
    };
    let Sums {
        mut counts,
        mut outcome,
    } = counting.run(options);
    outcome.blocks_total = {
        let (first, end) = launch.block_range();
        end - first
    };
    let report = Report::of(kernel, device.id(), &counts, &outcome);
    let costliest = counts.costliest.take();
    let place = costliest
        .as_ref()
        .and_then(|kept| Report::place_of(kernel, kept.site));
    Counted {
        report,
        costliest,
        place,
    }
}

/// A launch that is being counted.
struct Counting<'a> {
    executable: &'a Executable<'a>,
    launch: &'a Launch,
    device: &'a Device,
    watch: Watch<'a>,
}

impl<'a> Counting<'a> {
    fn run(&self, options: &CountOptions<'_>) -> Sums<'a> {
        let budget = RangeBudget {
            requests: options.max_requests,
            steps: MOST_STEPS,
        };
        let sums = self.whole(budget);
        if !sums.counts.is_cut {
            return sums;
        }
        self.watch.blocks_done.store(0, Ordering::Relaxed);
        let ranges = Ranges::new(self.launch.grid_blocks(), budget);
        let alike = sums.counts.alike;
        let cut = ranges.run(options.executor, &|range, budget| {
            Some(self.range(Blocks::of_range(range, alike), budget))
        });
        cut.unwrap_or(sums)
    }

    /// The launch by classes of blocks; cut short where it is worth running in ranges.
    fn whole(&self, budget: RangeBudget) -> Sums<'a> {
        let is_whole = self.launch.blocks == Blocks::All;
        let mut counts = Counts::new(self.device, self.watch);
        counts.may_cut = is_whole
            && self.launch.grid_blocks() >= Ranges::FEWEST_BLOCKS
            && self.executable.has_independent_blocks();
        let (launch, budget) = (self.launch, within(budget));
        let outcome = if is_whole {
            let periods = counts.periods();
            self.executable
                .execute_classes(launch, LANES, budget, periods, &mut counts)
        } else {
            self.executable.execute(launch, LANES, budget, &mut counts)
        };
        Sums::of(counts, outcome)
    }

    fn range(&self, blocks: Blocks, budget: RangeBudget) -> Sums<'a> {
        let mut counts = Counts::new(self.device, self.watch);
        let launch = Launch {
            blocks,
            ..self.launch.clone()
        };
        let (budget, periods) = (within(budget), counts.periods());
        let executable = self.executable;
        let outcome = executable.execute_classes(&launch, LANES, budget, periods, &mut counts);
        Sums::of(counts, outcome)
    }
}

const fn within(budget: RangeBudget) -> Budget {
    Budget {
        requests: budget.requests,
        steps: budget.steps,
        bytes: MOST_BYTES,
        findings: MOST_FINDINGS,
        // Races are not reported here.
        watched_blocks: 0,
    }
}

/// What came of some blocks.
struct Sums<'d> {
    counts: Counts<'d>,
    outcome: Outcome,
}

impl<'d> Sums<'d> {
    /// What was counted, with the block in which the run ended.
    fn of(mut counts: Counts<'d>, outcome: Outcome) -> Self {
        counts.close(1);
        Self { counts, outcome }
    }
}

impl RangeSums for Sums<'_> {
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
        self.counts.append(next.counts);
        self.outcome.append(next.outcome, MOST_FINDINGS);
    }
}
