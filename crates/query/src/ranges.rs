//! Ranges of blocks: a launch whose blocks are not proved alike, run range by range by an executor.
//!
//! Ranges are cut by the launch alone, and what came of them is joined in their order, so that the answer does not depend
//! on who runs them, nor when. Where the budget ends within a range, that one runs again with what was left.

use crate::{Executor, Question, Stop};
use lanescope_lang::{
    Access, Blocks, Budget, ClassObserver, Diagnostic, End, Launch, Outcome, Program,
    execute_classes, execute_range, has_independent_blocks,
};
use lanescope_model::Device;
use lanescope_tally::ClassTally;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Fewest blocks for which a launch is cut.
const FEWEST: u64 = 8;
/// Ranges of a launch of some thousands of blocks: enough that several threads end at about the same time.
const RANGES: u64 = 256;
/// Most blocks of a range.
const MOST: u64 = 4_096;

/// Counts `program` over the launch; `None` where it is no kernel of `ir`.
pub(crate) fn counted<'d>(
    question: &Question,
    program: &Program,
    device: &'d Device,
) -> Option<(ClassTally<'d>, Outcome)> {
    let (launch, budget) = (&question.launch, question.budget());
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let all = launch.blocks == Blocks::All && launch.grid_blocks() >= FEWEST;
    let mut watched = Watched {
        tally: ClassTally::new(device),
        stop: &question.stop,
        is_cut: None,
        may_cut: all && has_independent_blocks(program),
    };
    let outcome = execute_classes(program, launch, lanes, budget, periods, &mut watched)?;
    if watched.is_cut.is_none() {
        return Some((watched.tally, outcome));
    }
    let ranges = Ranges {
        program,
        launch,
        budget,
        device,
        stop: &question.stop,
    };
    ranges.run(&*question.executor)
}

/// A tally that can be stopped, and that takes a launch over whose blocks would run one by one.
struct Watched<'s, 'd> {
    tally: ClassTally<'d>,
    stop: &'s Stop,
    may_cut: bool,
    /// Blocks that were left.
    is_cut: Option<u64>,
}

impl ClassObserver for Watched<'_, '_> {
    fn access(&mut self, access: &Access<'_>, times: u64) -> bool {
        self.tally.access(access, times) && !self.stop.is_stopped()
    }

    fn block_done(&mut self, block_index: u64, times: u64) -> bool {
        self.stop.add_blocks(times);
        self.tally.block_done(block_index, times) && !self.stop.is_stopped()
    }

    fn goes_on(&mut self) -> bool {
        !self.stop.is_stopped_now()
    }

    fn one_by_one(&mut self, blocks: u64) -> bool {
        if self.may_cut && blocks >= FEWEST {
            self.is_cut = Some(blocks);
            self.stop.set_blocks_done(0);
        }
        self.is_cut.is_none()
    }
}

type Counted<'d> = (ClassTally<'d>, Outcome);

/// A launch that is run range by range.
struct Ranges<'a, 'd> {
    program: &'a Program,
    launch: &'a Launch,
    budget: Budget,
    device: &'d Device,
    stop: &'a Stop,
}

/// What came of the ranges so far.
struct Joined<'d> {
    sum: Option<Counted<'d>>,
    /// The first range that is not part of the sum.
    next: usize,
    /// Ranges that have run before their turn.
    early: BTreeMap<usize, Counted<'d>>,
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

impl<'d> Ranges<'_, 'd> {
    /// Blocks of a range.
    fn length(&self) -> u64 {
        self.launch.grid_blocks().div_ceil(RANGES).clamp(1, MOST)
    }

    /// Runs all ranges, as far as the budget reaches.
    fn run(&self, executor: &dyn Executor) -> Option<Counted<'d>> {
        let all = self.launch.grid_blocks().div_ceil(self.length());
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
            if let Some(counted) = self.range(number, self.budget) {
                let mut joined = lock(&joined);
                joined.take(number, counted, self.budget);
                if joined.end.is_some() {
                    is_over.store(true, Ordering::Relaxed);
                }
            }
        });
        let joined = joined.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.finished(joined)
    }

    /// The sum, with as much of the range in which the budget ends as it allows.
    fn finished(&self, joined: Joined<'d>) -> Option<Counted<'d>> {
        if joined.end != Some(Ending::Budget) {
            return joined.sum;
        }
        let number = joined.next;
        let Some(mut sum) = joined.sum else {
            return self.range(number, self.budget);
        };
        let left = Budget {
            requests: self.budget.requests.saturating_sub(sum.1.requests),
            steps: self.budget.steps.saturating_sub(sum.1.steps),
            ..self.budget
        };
        let last = self.range(number, left)?;
        add(&mut sum, last, self.budget.findings);
        Some(sum)
    }

    fn range(&self, number: usize, budget: Budget) -> Option<Counted<'d>> {
        let first = (number as u64).saturating_mul(self.length());
        let end = first.saturating_add(self.length());
        let budget = Budget {
            watched_blocks: budget.watched_blocks.saturating_sub(first),
            ..budget
        };
        let mut watched = Watched {
            tally: ClassTally::new(self.device),
            stop: self.stop,
            may_cut: false,
            is_cut: None,
        };
        let outcome = execute_range(
            self.program,
            self.launch,
            (first, end),
            self.device.warp_lanes(),
            budget,
            ClassTally::periods(self.device),
            &mut watched,
        )?;
        Some((watched.tally, outcome))
    }
}

fn lock<'m, 'd>(joined: &'m Mutex<Joined<'d>>) -> MutexGuard<'m, Joined<'d>> {
    joined.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'d> Joined<'d> {
    /// Takes what came of a range, and adds what is next in order.
    fn take(&mut self, number: usize, counted: Counted<'d>, budget: Budget) {
        self.early.insert(number, counted);
        while self.end.is_none()
            && let Some(counted) = self.early.remove(&self.next)
        {
            self.append(counted, budget);
        }
    }

    fn append(&mut self, counted: Counted<'d>, budget: Budget) {
        let (requests, steps) = self
            .sum
            .as_ref()
            .map_or((0, 0), |(_, outcome)| (outcome.requests, outcome.steps));
        let outcome = &counted.1;
        let fits = requests.saturating_add(outcome.requests) <= budget.requests
            && steps.saturating_add(outcome.steps) <= budget.steps;
        if !fits {
            self.end = Some(Ending::Budget);
            return;
        }
        match &mut self.sum {
            Some(sum) => add(sum, counted, budget.findings),
            None => self.sum = Some(counted),
        }
        self.next += 1;
        // A range that came to no end is the last.
        let is_whole = |(_, outcome): &Counted<'_>| outcome.end == End::Completed;
        if !self.sum.as_ref().is_some_and(is_whole) {
            self.end = Some(Ending::Range);
        }
    }
}

/// Adds the sums of the range that follows.
fn add<'d>(sum: &mut Counted<'d>, (tally, outcome): Counted<'d>, most: u32) {
    sum.0.add(tally);
    let all = &mut sum.1;
    all.end = outcome.end;
    all.requests = all.requests.saturating_add(outcome.requests);
    all.steps = all.steps.saturating_add(outcome.steps);
    all.blocks_done = all.blocks_done.saturating_add(outcome.blocks_done);
    for found in outcome.findings {
        keep(&mut all.findings, found, most);
    }
    for (first, met) in all.spared.iter_mut().zip(outcome.spared) {
        *first = first.or(met);
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
