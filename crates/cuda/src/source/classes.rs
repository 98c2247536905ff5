//! Whole launches by classes of blocks: a request may stand for several, a block for all of its class.

use crate::source::lowered::{asked, outcome, unknown_arguments, within};
use crate::source::relay::{halves, request, spare};
use crate::source::{Access, Budget, Launch, Outcome, Program, SiteId, Spared};
use lanescope_ir as ir;
use lanescope_simt as simt;

pub use lanescope_simt::{AffineAccess, Certainty, Periods};

/// Is told of requests and of how many each stands for. What returns `false` stops the run.
pub trait ClassObserver {
    /// Called for each request that is made; it stands for `times` of its block's, all of the same counts.
    fn access(&mut self, access: &Access<'_>, times: u64) -> bool;

    /// Asked before [`ClassObserver::access`] where the addresses lie on a line over the lanes: an observer that needs no
    /// more answers as `access` does, and is not told again; `site` is the access that it is counted for. `None`: it wants
    /// the addresses.
    fn affine_access(&mut self, _site: SiteId, _access: &AffineAccess) -> Option<bool> {
        None
    }

    /// Called when a block has ended; everything since the last one counts `times` times.
    fn block_done(&mut self, block_index: u64, times: u64) -> bool;

    /// Called every few thousand steps, so that a run that makes no request can be stopped too; `false` stops it.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Called where classes of blocks are not proved, before this many blocks run one by one; they may be `alike` but for
    /// accesses that hang on data, and only these run then.
    fn one_by_one(&mut self, _blocks: u64, _alike: bool) -> bool {
        true
    }
}

/// Runs a program of `ir` at a cost that follows its pattern: a block of each class that is proved to do the same runs,
/// and stands for all. `None` of a program that is no kernel of `ir`.
#[must_use]
pub fn execute_classes(
    program: &Program,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
    periods: Periods,
    observer: &mut dyn ClassObserver,
) -> Option<Outcome> {
    let executable = Executable::of(program)?;
    Some(executable.execute_classes(launch, lanes, budget, periods, observer))
}

/// A program of `ir` that was made ready to run: the ranges of a launch share it.
#[derive(Debug)]
pub struct Executable<'p> {
    program: &'p Program,
    kernel: &'p ir::Kernel,
    ready: simt::Executable<'p>,
}

impl<'p> Executable<'p> {
    /// Makes a program ready; `None` where it is no kernel of `ir`.
    #[must_use]
    pub fn of(program: &'p Program) -> Option<Self> {
        let kernel = program.lowered()?;
        Some(Self {
            program,
            kernel,
            ready: simt::Executable::of(kernel),
        })
    }

    /// Whether its blocks can run in any order, or at the same time.
    #[must_use]
    pub fn has_independent_blocks(&self) -> bool {
        self.ready.has_independent_blocks()
    }

    /// As the function [`execute_classes`].
    #[must_use]
    pub fn execute_classes(
        &self,
        launch: &Launch,
        lanes: u32,
        budget: Budget,
        periods: Periods,
        observer: &mut dyn ClassObserver,
    ) -> Outcome {
        self.execute_some(launch, None, lanes, budget, periods, observer)
    }

    /// Runs some blocks, [`simt::Blocks::Range`] or [`simt::Blocks::Alike`].
    #[must_use]
    pub fn execute_range(
        &self,
        launch: &Launch,
        blocks: simt::Blocks,
        lanes: u32,
        budget: Budget,
        periods: Periods,
        observer: &mut dyn ClassObserver,
    ) -> Outcome {
        self.execute_some(launch, Some(blocks), lanes, budget, periods, observer)
    }

    fn execute_some(
        &self,
        launch: &Launch,
        blocks: Option<simt::Blocks>,
        lanes: u32,
        budget: Budget,
        periods: Periods,
        observer: &mut dyn ClassObserver,
    ) -> Outcome {
        let (program, kernel) = (self.program, self.kernel);
        let mut findings = unknown_arguments(program, launch);
        let mut asked = asked(program, kernel, launch, &mut findings);
        asked.blocks = blocks.unwrap_or(asked.blocks);
        let mut relay = Relay {
            observer,
            program,
            spared: vec![None; program.sites().len()],
        };
        let within = within(budget);
        let ran = self
            .ready
            .execute_classes(&asked, lanes, within, periods, &mut relay);
        let spared = relay.spared;
        outcome(program, kernel, launch, lanes, findings, &ran, spared)
    }
}

/// Hands what `simt` reports on.
struct Relay<'a> {
    observer: &'a mut dyn ClassObserver,
    program: &'a Program,
    spared: Vec<Option<Spared>>,
}

impl simt::Observer for Relay<'_> {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        let one = request(self.program, access);
        self.observer.access(&one, access.times)
    }

    fn affine_access(&mut self, site: ir::SiteId, access: &AffineAccess) -> Option<bool> {
        let counted_for = self.program.counted_for(site);
        self.observer.affine_access(counted_for, access)
    }

    fn async_copy(&mut self, copy: &simt::AsyncCopyAccess<'_>) -> bool {
        let mut halves = halves(self.program, copy);
        halves.all(|half| self.observer.access(&half, copy.times))
    }

    fn uncounted(&mut self, site: Option<ir::SiteId>, _why: simt::Uncounted) {
        spare(self.program, site, &mut self.spared);
    }

    fn block_done(&mut self, done: &simt::BlockDone) -> bool {
        self.observer.block_done(done.block, done.times)
    }

    fn goes_on(&mut self) -> bool {
        self.observer.goes_on()
    }

    fn one_by_one(&mut self, blocks: u64, alike: bool) -> bool {
        self.observer.one_by_one(blocks, alike)
    }
}
