//! Ranges of blocks: a launch whose blocks are not proved alike, run range by range by an executor.
//!
//! Ranges are cut by the launch alone, and what came of them is joined in their order, so that the answer does not depend
//! on who runs them, nor when. Where the budget ends within a range, that one runs again with what was left.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs independent tasks, in any order or at the same time.
pub trait Executor: Debug + Send + Sync {
    /// Calls `task` with every number below `tasks`, each once, and returns when all calls have returned.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
}

/// One task after another, on the thread that asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder;

impl Executor for InOrder {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}

/// The sums of a range of blocks.
pub trait RangeSums: Send {
    /// Requests given to the observer.
    fn requests(&self) -> u64;

    /// Steps of warps.
    fn steps(&self) -> u64;

    /// Whether all of the range's blocks ran.
    fn is_complete(&self) -> bool;

    /// Adds the sums of the range that follows.
    fn append(&mut self, next: Self);
}

/// What the ranges of a launch may cost in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeBudget {
    /// Requests given to the observer.
    pub requests: u64,
    /// Steps of warps.
    pub steps: u64,
}

impl RangeBudget {
    fn holds<S: RangeSums>(&self, sum: Option<&S>, next: &S) -> bool {
        let (requests, steps) = sum.map_or((0, 0), |sum| (sum.requests(), sum.steps()));
        requests.saturating_add(next.requests()) <= self.requests
            && steps.saturating_add(next.steps()) <= self.steps
    }

    fn left<S: RangeSums>(&self, sum: &S) -> Self {
        Self {
            requests: self.requests.saturating_sub(sum.requests()),
            steps: self.steps.saturating_sub(sum.steps()),
        }
    }
}

/// A launch cut into ranges of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranges {
    blocks: u64,
    budget: RangeBudget,
}

/// Ranges of a launch of many blocks: enough that several threads end at about the same time.
const RANGES: u64 = 256;
/// Ranges of a launch of fewer blocks: each has to prove anew what its blocks have in common.
const FEWEST_RANGES: u64 = 64;
/// Blocks for which that is worth it.
const ENOUGH: u64 = 64;
/// Most blocks of a range.
const MOST: u64 = 4_096;

impl Ranges {
    /// Fewest blocks for which a launch is worth cutting.
    pub const FEWEST_BLOCKS: u64 = 8;

    /// The ranges of a launch of so many blocks.
    #[must_use]
    pub const fn new(blocks: u64, budget: RangeBudget) -> Self {
        Self { blocks, budget }
    }

    /// Blocks of a range.
    fn length(&self) -> u64 {
        let enough = self.blocks.div_ceil(FEWEST_RANGES).min(ENOUGH);
        self.blocks.div_ceil(RANGES).clamp(enough.max(1), MOST)
    }

    /// The linear indices of a range's blocks: the first, and the one behind the last.
    fn bounds(&self, number: usize) -> (u64, u64) {
        let first = (number as u64).saturating_mul(self.length());
        (first, first.saturating_add(self.length()))
    }

    /// Runs all ranges, as far as the budget reaches, and joins their sums in order. `range` is given the linear indices
    /// of its blocks (the first, and the one behind the last) and what it may cost; where it gives `None` the sums end.
    pub fn run<S: RangeSums>(
        &self,
        executor: &dyn Executor,
        range: &(dyn Fn((u64, u64), RangeBudget) -> Option<S> + Sync),
    ) -> Option<S> {
        let all = self.blocks.div_ceil(self.length());
        // A block takes a step at least.
        let most = (self.budget.steps / self.length()).saturating_add(1);
        let tasks = usize::try_from(all.min(most)).unwrap_or(usize::MAX);
        let is_over = AtomicBool::new(false);
        let joined = Mutex::new(Joined {
            sum: None,
            next: 0,
            early: BTreeMap::new(),
            end: None,
        });
        executor.run(tasks, &|number| {
            if is_over.load(Ordering::Relaxed) {
                return;
            }
            if let Some(counted) = range(self.bounds(number), self.budget) {
                let mut joined = lock(&joined);
                joined.take(number, counted, self.budget);
                if joined.end.is_some() {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
        });
        let joined = joined.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.finished(joined, range)
    }

    /// The sum, with as much of the range in which the budget ends as it allows.
    fn finished<S: RangeSums>(
        &self,
        joined: Joined<S>,
        range: &dyn Fn((u64, u64), RangeBudget) -> Option<S>,
    ) -> Option<S> {
        if joined.end != Some(Ending::Budget) {
            return joined.sum;
        }
        let bounds = self.bounds(joined.next);
        let Some(mut sum) = joined.sum else {
            return range(bounds, self.budget);
        };
        sum.append(range(bounds, self.budget.left(&sum))?);
        Some(sum)
    }
}

/// What came of the ranges so far.
struct Joined<S> {
    sum: Option<S>,
    /// The first range that is not part of the sum.
    next: usize,
    /// Ranges that have run before their turn.
    early: BTreeMap<usize, S>,
    /// Why nothing more is added, where that is so.
    end: Option<Ending>,
}

/// Why ranges are not joined to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The budget ends within the next one.
    Budget,
    /// The last one that was joined came to no end.
    Range,
}

fn lock<S>(joined: &Mutex<Joined<S>>) -> MutexGuard<'_, Joined<S>> {
    joined.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S: RangeSums> Joined<S> {
    /// Takes what came of a range, and adds what is next in order.
    fn take(&mut self, number: usize, counted: S, budget: RangeBudget) {
        self.early.insert(number, counted);
        while self.end.is_none()
            && let Some(counted) = self.early.remove(&self.next)
        {
            self.append(counted, budget);
        }
    }

    fn append(&mut self, counted: S, budget: RangeBudget) {
        if !budget.holds(self.sum.as_ref(), &counted) {
            self.end = Some(Ending::Budget);
            return;
        }
        match &mut self.sum {
            Some(sum) => sum.append(counted),
            None => self.sum = Some(counted),
        }
        self.next += 1;
        // A range that came to no end is the last.
        if !self.sum.as_ref().is_some_and(S::is_complete) {
            self.end = Some(Ending::Range);
        }
    }
}
