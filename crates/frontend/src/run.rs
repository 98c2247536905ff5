//! Runs a program: a kernel of `ir` in `simt`, or requests that a layout holds ready. Every request is told at the access
//! of the source that it counts for.

use lanescope_ir::{self as ir, SiteId};
use lanescope_simt::{self as simt, Access, AsyncCopyAccess, BlockDone, Observer, Uncounted};

use crate::lowered::{outcome, resolve_launch, unknown_arguments};
use crate::{AffineAccess, Budget, End, NamedLaunch, Omitted, Periods, Program, SourceOutcome};

/// Runs `program` as `launch` says, in warps of `lanes` lanes (1 to 64), and gives each request to `observer`.
///
/// The run ends when all blocks asked for have run, when `budget` is spent, or when the observer says so;
/// [`SourceOutcome::end`] tells which.
pub fn execute(
    program: &Program,
    launch: &NamedLaunch,
    lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
) -> SourceOutcome {
    if let Some(executable) = Executable::of(program) {
        return executable.execute(launch, lanes, budget, observer);
    }
    replay(program, launch, budget, observer)
}

/// Runs a program of `ir` at a cost that follows its pattern: a block of each class that is proved to do the same runs,
/// and stands for all. `None` of a program that is no kernel of `ir`.
#[must_use]
pub fn execute_classes(
    program: &Program,
    launch: &NamedLaunch,
    lanes: u32,
    budget: Budget,
    periods: Periods,
    observer: &mut dyn Observer,
) -> Option<SourceOutcome> {
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

    /// As the function [`execute`].
    #[must_use]
    pub fn execute(
        &self,
        launch: &NamedLaunch,
        lanes: u32,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> SourceOutcome {
        self.run(launch, lanes, observer, |resolved, attributed| {
            self.ready.execute(resolved, lanes, budget, attributed)
        })
    }

    /// As the function [`execute_classes`].
    #[must_use]
    pub fn execute_classes(
        &self,
        launch: &NamedLaunch,
        lanes: u32,
        budget: Budget,
        periods: Periods,
        observer: &mut dyn Observer,
    ) -> SourceOutcome {
        self.run(launch, lanes, observer, |resolved, attributed| {
            self.ready
                .execute_classes(resolved, lanes, budget, periods, attributed)
        })
    }

    fn run(
        &self,
        launch: &NamedLaunch,
        lanes: u32,
        observer: &mut dyn Observer,
        ready: impl FnOnce(&simt::Launch, &mut Attributed<'_>) -> simt::Outcome,
    ) -> SourceOutcome {
        let (program, kernel) = (self.program, self.kernel);
        let own = program.block.map(|block| NamedLaunch {
            block,
            ..launch.clone()
        });
        let launch = own.as_ref().unwrap_or(launch);
        let mut findings = unknown_arguments(program, launch);
        let resolved = resolve_launch(program, kernel, launch, &mut findings);
        let mut attributed = Attributed {
            observer,
            program,
            omitted: vec![None; program.sites().len()],
        };
        let ran = ready(&resolved, &mut attributed);
        let omitted = attributed.omitted;
        outcome(program, kernel, launch, lanes, findings, &ran, omitted)
    }
}

/// Hands on what `simt` reports of a kernel, at the access of the source that each of the kernel's counts for.
struct Attributed<'a> {
    observer: &'a mut dyn Observer,
    program: &'a Program,
    omitted: Vec<Option<Omitted>>,
}

impl Observer for Attributed<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let site = self.program.counted_for(access.site);
        self.observer.access(&Access { site, ..*access })
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let site = self.program.counted_for(site);
        self.observer.affine_access(site, access)
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        let source_site = self.program.counted_for(copy.source_site);
        let site = self.program.counted_for(copy.site);
        // The text may have one access for both sides.
        let is_own = site.index() < self.program.sites().len();
        self.observer.async_copy(&AsyncCopyAccess {
            site: if is_own { site } else { source_site },
            source_site,
            ..*copy
        })
    }

    fn uncounted(&mut self, site: Option<SiteId>, why: Uncounted) {
        let site = site.map(|site| self.program.counted_for(site));
        if let Some(place) = site.and_then(|site| self.omitted.get_mut(site.index())) {
            place.get_or_insert(match why {
                Uncounted::Bulk => Omitted::Bulk,
                Uncounted::Cluster => Omitted::Cluster,
                Uncounted::Texture => Omitted::Texture,
                Uncounted::Local | Uncounted::Constant | Uncounted::Unmodelled => {
                    Omitted::Elsewhere
                }
            });
        }
        self.observer.uncounted(site, why);
    }

    fn barrier(&mut self) {
        self.observer.barrier();
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.observer.block_done(done)
    }

    fn goes_on(&mut self) -> bool {
        self.observer.goes_on()
    }

    fn one_by_one(&mut self, blocks: u64, alike: bool) -> bool {
        self.observer.one_by_one(blocks, alike)
    }
}

/// What a block costs of the budget's steps, whatever it does.
const BLOCK_STEPS: u64 = 16;

/// Gives the recorded requests to `observer`, once for each block that the launch asks for.
fn replay(
    program: &Program,
    launch: &NamedLaunch,
    budget: Budget,
    observer: &mut dyn Observer,
) -> SourceOutcome {
    let mut outcome = SourceOutcome::unrun(End::Complete, launch.grid_blocks());
    for index in launch.block_range() {
        // A block without requests costs steps too: a huge grid of them must end.
        outcome.steps = outcome.steps.saturating_add(BLOCK_STEPS);
        if outcome.steps > budget.steps {
            outcome.end = End::Steps;
            break;
        }
        if let Err(early) = replay_block(program, launch, index, budget, &mut outcome, observer) {
            outcome.end = early;
            break;
        }
        outcome.blocks_done += 1;
        let done = BlockDone {
            block: index,
            times: 1,
        };
        if !observer.block_done(&done) {
            outcome.end = End::Observer;
            break;
        }
    }
    outcome
}

fn replay_block(
    program: &Program,
    launch: &NamedLaunch,
    block: u64,
    budget: Budget,
    outcome: &mut SourceOutcome,
    observer: &mut dyn Observer,
) -> Result<(), End> {
    for recorded in &program.recorded {
        if outcome.requests >= budget.requests {
            return Err(End::Requests);
        }
        outcome.requests += 1;
        let access = Access {
            site: recorded.site,
            block,
            block_index: launch.block_at(block),
            warp: u32::try_from(recorded.request.warp).unwrap_or(u32::MAX),
            occurrence: recorded.request.step,
            times: 1,
            certainty: simt::Certainty::Certain,
            unknown: 0,
            request: recorded.request.request(),
        };
        if !observer.access(&access) {
            return Err(End::Observer);
        }
    }
    Ok(())
}
