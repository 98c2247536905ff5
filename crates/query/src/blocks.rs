//! Blocks that are proved to do the same, as far as a frame allows: one of each class stands for all.

use lanescope_frontend::{End, NamedLaunch, Program, SourceOutcome, execute_classes};
use lanescope_ir::SiteId;
use lanescope_model::Device;
use lanescope_simt::{Access, AffineAccess, AsyncCopyAccess, BlockDone, Blocks, Budget, Observer};
use lanescope_tally::{ClassTally, Contention, REQUESTS_AT_ONCE, SiteTally, Tally};

/// Blocks that run before a proof that finds none alike is given up: the corners, edges and inside of a grid in two
/// dimensions.
const CLASSES: u64 = 9;

/// What a run gave.
pub(crate) struct Ran {
    /// By site.
    pub(crate) sites: Vec<SiteTally>,
    pub(crate) outcome: SourceOutcome,
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
    /// Of the blocks that the ones which ran stand for.
    all: ClassTally<'d>,
    /// Of the blocks that ran.
    own: Tally<'d>,
    /// Blocks that ran, and those that they stand for.
    run: u64,
    done: u64,
    /// Requests that were made; some stand for several.
    made: u64,
    /// Blocks that a page counts at once.
    at_once: u64,
}

impl<'d> First<'d> {
    /// Runs a kernel of `ir`, all of its blocks or, where none is proved to stand for others, as many of them as the
    /// launch names. `None` of another program, and where the budget does not reach for one block of each class.
    pub(crate) fn run(
        program: &Program,
        launch: &NamedLaunch,
        device: &'d Device,
        budget: Budget,
    ) -> Option<Ran> {
        let all = NamedLaunch {
            blocks: Blocks::All,
            ..launch.clone()
        };
        let mut first = Self {
            all: ClassTally::new(device),
            own: Tally::new(device),
            run: 0,
            done: 0,
            made: 0,
            at_once: match launch.blocks {
                Blocks::First(count) => count.max(CLASSES),
                Blocks::All | Blocks::Only(_) | Blocks::Range(..) | Blocks::Alike(..) => u64::MAX,
            },
        };
        let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
        let outcome = execute_classes(program, &all, lanes, budget, periods, &mut first)?;
        first.ran(outcome, program.sites().len())
    }

    fn ran(mut self, mut outcome: SourceOutcome, sites: usize) -> Option<Ran> {
        let mut is_extrapolated = self.done > self.run;
        if outcome.end.is_cut() {
            if is_extrapolated {
                return None;
            }
            // What ran of a block that did not end counts, too.
            self.own.add_all(self.all.block(), 1);
        } else if outcome.end == End::Observer {
            // Given up: the blocks that ran count for themselves.
            outcome.end = End::Complete;
            is_extrapolated = false;
            // Those of a class were counted for all that it stands for.
            outcome.executed.clear();
        }
        outcome.requests = self.all.requests();
        outcome.blocks_done = self.run;
        let all = self.all.whole();
        let sums = if is_extrapolated { &all } else { &self.own };
        Some(Ran {
            sites: sums.sites(sites),
            outcome,
            is_extrapolated,
            contention: all.contention().clone(),
        })
    }
}

impl Observer for First<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.made += 1;
        self.all.access(access)
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let goes_on = self.all.affine_access(site, access)?;
        self.made += 1;
        Some(goes_on)
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        self.made += 1;
        self.all.async_copy(copy)
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.own.add_all(self.all.block(), 1);
        self.all.block_done(done);
        self.run += 1;
        self.done = self.done.saturating_add(done.times);
        let is_cheap = self.run < CLASSES || self.made < REQUESTS_AT_ONCE;
        (is_cheap && self.run < self.at_once) || self.done >= self.run.saturating_mul(WORTH)
    }
}
