//! Blocks that are proved to do the same, as far as a frame allows: one of each class stands for all.

use crate::answer::empty_tallies;
use lanescope_cuda::source::{
    Access, Blocks, Budget, ClassObserver, End, Launch, Outcome, Program, execute_classes,
};
use lanescope_model::{Device, Operation};
use lanescope_tally::{ClassTally, Contention, REQUESTS_AT_ONCE, SiteTally};

/// Blocks that run before a proof that finds none alike is given up: the corners, edges and inside of a grid in two
/// dimensions.
const CLASSES: u64 = 9;

/// What a run gave.
pub(crate) struct Ran {
    /// By site.
    pub(crate) sites: Vec<SiteTally>,
    pub(crate) outcome: Outcome,
    /// Whether the sums are those of more blocks than ran: of the whole launch.
    pub(crate) is_extrapolated: bool,
    pub(crate) contention: Contention,
}

/// Blocks that each block which runs stands for on average, at least, or classes are given up: fewer save a page less
/// than a frame, and a worker counts them all.
const WORTH: u64 = 2;

/// Sums by site over classes of blocks, given up after the blocks that a page counts at once where these stand for
/// hardly more than themselves.
pub(crate) struct First<'d> {
    device: &'d Device,
    /// Of the block that runs.
    block: Vec<SiteTally>,
    /// Of the blocks that the ones which ran stand for.
    all: Vec<SiteTally>,
    /// Of the blocks that ran.
    own: Vec<SiteTally>,
    /// Blocks that ran, and those that they stand for.
    run: u64,
    done: u64,
    /// Requests of the blocks that ran, and those of them that were made.
    requests: u64,
    made: u64,
    /// Blocks that a page counts at once.
    at_once: u64,
    contention: Contention,
}

impl<'d> First<'d> {
    /// Runs a kernel of `ir`, all of its blocks or, where none is proved to stand for others, as many of them as the
    /// launch names. `None` of another program, and where the budget does not reach for one block of each class.
    pub(crate) fn run(
        program: &Program,
        launch: &Launch,
        device: &'d Device,
        budget: Budget,
    ) -> Option<Ran> {
        let all = Launch {
            blocks: Blocks::All,
            ..launch.clone()
        };
        let mut first = Self {
            device,
            block: empty_tallies(program),
            all: empty_tallies(program),
            own: empty_tallies(program),
            run: 0,
            done: 0,
            requests: 0,
            made: 0,
            contention: Contention::default(),
            at_once: match launch.blocks {
                Blocks::First(count) => count.max(CLASSES),
                Blocks::All | Blocks::Only(_) => u64::MAX,
            },
        };
        let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
        let outcome = execute_classes(program, &all, lanes, budget, periods, &mut first)?;
        first.ran(outcome)
    }

    fn ran(mut self, mut outcome: Outcome) -> Option<Ran> {
        let mut is_extrapolated = self.done > self.run;
        match outcome.end {
            End::Completed => {}
            // Given up: the blocks that ran count for themselves.
            End::Cancelled => {
                outcome.end = End::Completed;
                is_extrapolated = false;
            }
            End::Stopped(_) if is_extrapolated => return None,
            // What ran of a block that did not end counts, too.
            End::Stopped(_) => self.close(1),
        }
        outcome.requests = self.requests;
        outcome.blocks_done = self.run;
        let sites = if is_extrapolated { self.all } else { self.own };
        Some(Ran {
            sites,
            outcome,
            is_extrapolated,
            contention: self.contention,
        })
    }

    /// Adds the block that ran, for so many.
    fn close(&mut self, times: u64) {
        let sums = self.all.iter_mut().zip(&mut self.own);
        for ((all, own), block) in sums.zip(&mut self.block) {
            all.add_times(block, times);
            own.add_times(block, 1);
            *block = SiteTally::new(block.site);
        }
    }
}

impl ClassObserver for First<'_> {
    fn access(&mut self, access: &Access<'_>, times: u64) -> bool {
        self.requests = self.requests.saturating_add(times);
        self.made += 1;
        if let Some(tally) = self.block.get_mut(access.site.0 as usize) {
            let mut one = SiteTally::new(access.site);
            one.count(self.device, &access.request);
            tally.add_times(&one, times);
        }
        if access.request.operation == Operation::CompareAndSwap
            && let Ok(counts) = self.device.shared_counts(&access.request)
        {
            self.contention.note(access, counts.ways, times);
        }
        true
    }

    fn block_done(&mut self, _block_index: u64, times: u64) -> bool {
        self.close(times);
        self.run += 1;
        self.done = self.done.saturating_add(times);
        let is_cheap = self.run < CLASSES || self.made < REQUESTS_AT_ONCE;
        (is_cheap && self.run < self.at_once) || self.done >= self.run.saturating_mul(WORTH)
    }
}
