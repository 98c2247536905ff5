//! Runs a kernel's warps in lock step and reports every memory request.
//!
//! [`execute`] takes a [`lanescope_ir::Kernel`] and a [`Launch`], and tells an [`Observer`] of each request of each warp:
//! which access of the program, which lanes, which addresses. Lanes that part at a branch meet again as on a device with
//! independent thread scheduling (CC 7.0 and later): at convergence barriers, or at the join that a structured branch
//! names. Memory is followed as far as somebody says what it holds. What is not known is not guessed in silence: it has
//! an assumed value (zero), which lanes hold it is followed, and every branch, address and barrier that depends on it is a
//! [`Doubt`]; every request says how certain it is.
//!
//! Registers are kept in the cheapest form: one value a warp, an affine value (`base + stride * lane`), or a value a lane. Instructions whose
//! values reach no address, branch or barrier are not computed, nor are constants, nor what a block computed already.
//!
//! [`execute_classes`] counts whole launches at a cost that follows the pattern: it follows how every value of a block
//! grows with the block's index, finds from comparisons, extensions and addresses for which blocks all of it holds, and
//! runs one block for each such class. Where nothing is proved, every block runs.
//!
//! Start reading at `prepare.rs` (what is computed at all, and once), `machine.rs` (how a warp runs; `machine/control.rs`:
//! branches, `machine/access/`: requests, `machine/register.rs`: the forms of values) and `proof.rs` (how values grow from
//! block to block and iteration to iteration; `proof/classes.rs`: blocks, `proof/cycle.rs`: loops, `proof/replay.rs`: what
//! data decides).
//!
//! Left out: time, caches, how warps overtake each other (the warps of a block run in order from barrier to barrier, the
//! blocks of a grid one after another), languages, compilers.

mod extent;
mod final_memory;
mod launch;
mod machine;
mod observer;
mod outcome;
mod prepare;
mod proof;
mod ranges;
mod reach;

pub use extent::{examine, proved_extents};
pub use final_memory::FinalMemory;
pub use launch::{Blocks, Budget, Contents, Launch, ParameterValue, unsized_shared};
pub use observer::{
    Access, AffineAccess, AsyncCopyAccess, BlockDone, Certainty, Nobody, Observer, STEPS_BETWEEN,
    Uncounted,
};
pub use outcome::{Doubt, DoubtKind, End, Executed, Finding, FindingKind, Outcome, Source};
pub use ranges::{Executor, InOrder, RangeBudget, RangeSums, Ranges};
pub use reach::{Reach, reached_bytes};

use lanescope_ir::Kernel;

/// Runs the blocks of a launch on warps of `lanes` lanes (at most 64) and tells the observer of every request.
///
/// Blocks are independent of each other but for global memory; a caller with several threads gives each a
/// [`Blocks::Range`].
pub fn execute(
    kernel: &Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    Executable::of(kernel).execute(launch, lanes, budget, observer)
}

/// Bytes by which all addresses of a request may move without a count changing: once around the banks for shared memory,
/// a cache line for global memory; 0 where none are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Periods {
    /// Of shared memory.
    pub shared: u64,
    /// Of global memory.
    pub global: u64,
}

/// As [`execute`], where one block of each class that is proved to do the same up to a shift runs and stands for its
/// class: [`BlockDone::times`] says for how many. Of loops, one period of iterations that are proved to do so stands for
/// all: [`Access::times`] says for how many. What cannot be proved runs one by one, as do blocks that are chosen.
pub fn execute_classes(
    kernel: &Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
    periods: Periods,
    observer: &mut dyn Observer,
) -> Outcome {
    Executable::of(kernel).execute_classes(launch, lanes, budget, periods, observer)
}

/// As [`execute`], where all that is stored to global memory is computed: returned with what it holds in the end.
pub fn execute_storing(
    kernel: &Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
) -> (Outcome, FinalMemory) {
    let executable = Executable {
        kernel,
        program: prepare::program::Program::with(kernel, prepare::slice::GLOBAL),
    };
    executable.run(launch, lanes, budget, None, observer)
}

/// `[parameter]`: whether an address, a branch, a barrier or the count of anything can depend on its value. The program
/// slice of the kernel decides; what it cannot follow counts as dependent.
#[must_use]
pub fn deciding_parameters(kernel: &Kernel) -> Vec<bool> {
    let kernel = prepare::slice::with_own_registers(kernel);
    prepare::slice::Slice::of(&kernel).parameters(&kernel)
}

/// A kernel that was made ready to run, which takes as long as to run many of its blocks: the ranges of a launch share it.
#[derive(Debug)]
pub struct Executable<'k> {
    kernel: &'k Kernel,
    /// None: the kernel names what it does not have.
    program: Option<prepare::program::Program>,
}

impl<'k> Executable<'k> {
    /// Makes a kernel ready; one that is not valid runs no block.
    #[must_use]
    pub fn of(kernel: &'k Kernel) -> Self {
        Self {
            kernel,
            program: prepare::program::Program::of(kernel),
        }
    }

    /// Whether blocks can run in any order, or at the same time: none reads from global memory what another one has
    /// written there, as far as an address, a branch or a barrier can depend on it.
    #[must_use]
    pub fn has_independent_blocks(&self) -> bool {
        let program = self.program.as_ref();
        program.is_some_and(|program| program.has_independent_blocks(self.kernel))
    }

    /// As the function [`execute`].
    pub fn execute(
        &self,
        launch: &Launch,
        lanes: u32,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.run(launch, lanes, budget, None, observer).0
    }

    /// As the function [`execute_classes`].
    pub fn execute_classes(
        &self,
        launch: &Launch,
        lanes: u32,
        budget: Budget,
        periods: Periods,
        observer: &mut dyn Observer,
    ) -> Outcome {
        self.run(launch, lanes, budget, Some(periods), observer).0
    }

    fn run(
        &self,
        launch: &Launch,
        lanes: u32,
        budget: Budget,
        periods: Option<Periods>,
        observer: &mut dyn Observer,
    ) -> (Outcome, FinalMemory) {
        let width = lanes.clamp(1, 64) as usize;
        if width <= 32 {
            self.run_on::<32>(launch, width, budget, periods, observer)
        } else {
            self.run_on::<64>(launch, width, budget, periods, observer)
        }
    }

    fn run_on<const L: usize>(
        &self,
        launch: &Launch,
        width: usize,
        budget: Budget,
        periods: Option<Periods>,
        observer: &mut dyn Observer,
    ) -> (Outcome, FinalMemory) {
        let none = prepare::program::Program::default();
        let program = self.program.as_ref().unwrap_or(&none);
        let mut machine =
            machine::Machine::<L>::new(self.kernel, program, launch, width, budget, observer);
        let end = match periods {
            _ if self.program.is_none() => End::Invalid,
            Some(periods) => machine.run_classes(periods),
            None => machine.run(),
        };
        let memory = FinalMemory::new(std::mem::take(&mut machine.global));
        (machine.outcome(end), memory)
    }
}
