//! Runs a kernel's warps in lock step and reports every memory request.
//!
//! [`execute`] takes a [`lanescope_ir::Kernel`] and a [`Launch`], and tells an [`Observer`] of each request of each warp:
//! which access of the program, which lanes, which addresses. Lanes that part at a branch meet again as on a device with
//! independent thread scheduling (CC 7.0 and later): at convergence barriers, or at the join that a structured branch
//! names. Memory is followed as far as somebody says what it holds. What is not known is not guessed in silence: it has
//! an assumed value (zero), which lanes hold it is followed, and every branch, address and barrier that hangs on it is a
//! [`Doubt`]; every request says how certain it is.
//!
//! Registers are kept in the cheapest form: one value a warp, a line over the lanes, or a value a lane. Instructions whose
//! values reach no address, branch or barrier are not computed, nor are constants, nor what a block computed already.
//!
//! [`execute_classes`] counts whole launches at a cost that follows the pattern: it follows how every value of a block
//! grows with the block's index, finds from comparisons, extensions and addresses for which blocks all of it holds, and
//! runs one block for each such class. Where nothing is proved, every block runs.
//!
//! Left out: time, caches, how warps overtake each other (the warps of a block run in order from barrier to barrier, the
//! blocks of a grid one after another), languages, compilers.

mod access;
mod address;
mod arithmetic;
mod classes;
mod common;
mod copies;
mod cycle;
mod demanded;
mod effect;
mod exchange;
mod fold;
mod invariants;
mod launch;
mod machine;
mod memory;
mod moves;
mod notes;
mod objects;
mod observer;
mod outcome;
mod products;
mod program;
mod proof;
mod races;
mod ranges;
mod region;
mod register;
mod slice;
mod touched;
mod warp;

pub use launch::{Blocks, Budget, Contents, Launch, ParameterValue, unsized_shared};
pub use observer::{
    Access, AsyncCopyAccess, BlockDone, Certainty, LineAccess, Observer, STEPS_BETWEEN, Uncounted,
};
pub use outcome::{Doubt, DoubtKind, End, Finding, FindingKind, Outcome, Source};
pub use ranges::{Executor, InOrder, RangeBudget, RangeSums, Ranges};

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
    let width = lanes.clamp(1, 64) as usize;
    run_launch(kernel, launch, width, budget, None, observer)
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
    let width = lanes.clamp(1, 64) as usize;
    run_launch(kernel, launch, width, budget, Some(periods), observer)
}

/// `[parameter]`: whether an address, a branch, a barrier or the count of anything can depend on its value. The program
/// slice of the kernel decides; what it cannot follow counts as dependent.
#[must_use]
pub fn deciding_parameters(kernel: &Kernel) -> Vec<bool> {
    let kernel = slice::with_own_registers(kernel);
    slice::Slice::of(&kernel).parameters(&kernel)
}

/// Whether blocks can run in any order, or at the same time: none reads from global memory what another one has written
/// there, as far as an address, a branch or a barrier can depend on it.
#[must_use]
pub fn has_independent_blocks(kernel: &Kernel) -> bool {
    program::Program::of(kernel).is_some_and(|program| program.has_independent_blocks(kernel))
}

fn run_launch(
    kernel: &Kernel,
    launch: &Launch,
    width: usize,
    budget: Budget,
    periods: Option<Periods>,
    observer: &mut dyn Observer,
) -> Outcome {
    let program = program::Program::of(kernel);
    let valid = program.is_some();
    let program = program.unwrap_or_default();
    if width <= 32 {
        run::<32>(
            kernel,
            &program,
            valid,
            launch,
            (width, budget, periods),
            observer,
        )
    } else {
        run::<64>(
            kernel,
            &program,
            valid,
            launch,
            (width, budget, periods),
            observer,
        )
    }
}

fn run<const L: usize>(
    kernel: &Kernel,
    program: &program::Program,
    valid: bool,
    launch: &Launch,
    (width, budget, periods): (usize, Budget, Option<Periods>),
    observer: &mut dyn Observer,
) -> Outcome {
    let mut machine = machine::Machine::<L>::new(kernel, program, launch, width, budget, observer);
    let end = match periods {
        _ if !valid => End::Invalid,
        Some(periods) => machine.run_classes(periods),
        None => machine.run(),
    };
    machine.outcome(end)
}
