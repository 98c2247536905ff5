//! What a trace comes to.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Answer, Mark, Measured, Row};
use lanescope_model::{AsyncCopyCounts, Space, Unit};

/// Sums over the rows counted, and the rows worth a look.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    /// All rows.
    pub rows: usize,
    /// Rows that could be read and whose rule is known.
    pub answered: usize,
    /// Rows that could not be read.
    pub malformed: usize,
    /// Rows of shared memory.
    pub shared_requests: u64,
    /// Their wavefronts.
    pub wavefronts: u64,
    /// Their wavefronts if there were no conflict.
    pub ideal_wavefronts: u64,
    /// Bank conflicts.
    pub conflicts: u64,
    /// Rows of global memory.
    pub global_requests: u64,
    /// Sectors, lines or transactions, as the device counts.
    pub units: u64,
    /// The fewest of them that could hold the bytes asked for.
    pub ideal_units: u64,
    /// What `units` counts; `None` where no row is of global memory.
    pub unit: Option<Unit>,
    /// Rows with a counter that hardware read.
    pub compared: usize,
    /// Those whose counters all agree with the prediction.
    pub agreeing: usize,
    worst: BinaryHeap<Reverse<Ranked>>,
    differing: Vec<Entry>,
}

/// A row worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it begins.
    pub mark: Mark,
    /// Its number, from 1.
    pub row: usize,
    /// Its line, from 1.
    pub line: usize,
    /// The instruction, as written.
    pub name: String,
    /// Which memory.
    pub space: Space,
    /// Wavefronts or sectors predicted.
    pub cost: u64,
    /// The fewest possible.
    pub ideal: u64,
    /// What hardware counted.
    pub measured: Measured,
}

/// How many rows are kept as the worst, and as differing.
const KEPT: usize = 100;

/// An entry by what it wastes, the earlier of equals first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Ranked(Entry);

impl Ranked {
    fn key(&self) -> (u64, Reverse<usize>) {
        (
            self.0.cost.saturating_sub(self.0.ideal),
            Reverse(self.0.row),
        )
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Totals {
    /// Counts one row, which begins at `mark`.
    pub fn add(&mut self, row: &Row, mark: Mark, answer: &Answer) {
        self.rows += 1;
        let (space, cost, ideal) = match answer {
            Answer::Copy(counts) => self.add_copy(counts),
            Answer::Malformed => {
                self.malformed += 1;
                return;
            }
            Answer::Unknown(_) => return,
            Answer::Shared(counts) => {
                self.shared_requests += 1;
                self.wavefronts += u64::from(counts.wavefronts);
                self.ideal_wavefronts += u64::from(counts.ideal_wavefronts);
                self.conflicts += u64::from(counts.conflicts);
                (Space::Shared, counts.wavefronts, counts.ideal_wavefronts)
            }
            Answer::Global(counts) => {
                self.global_requests += 1;
                self.units += u64::from(counts.units);
                self.ideal_units += u64::from(counts.ideal_units);
                self.unit = Some(counts.unit);
                (Space::Global, counts.units, counts.ideal_units)
            }
        };
        self.answered += 1;
        let entry = || Entry {
            mark,
            row: row.number,
            line: row.line,
            name: row.name.clone(),
            space,
            cost: u64::from(cost),
            ideal: u64::from(ideal),
            measured: row.measured,
        };
        if cost > ideal {
            self.rank(Ranked(entry()));
        }
        let agrees = answer.agrees(&row.measured);
        self.compared += usize::from(agrees.is_some());
        self.agreeing += usize::from(agrees == Some(true));
        if agrees == Some(false) && self.differing.len() < KEPT {
            self.differing.push(entry());
        }
    }

    /// Adds a copy to both memories; what ranks it is the side that costs more above its ideal.
    fn add_copy(&mut self, counts: &AsyncCopyCounts) -> (Space, u32, u32) {
        self.shared_requests += 1;
        self.wavefronts += u64::from(counts.wavefronts);
        self.ideal_wavefronts += u64::from(counts.ideal_wavefronts);
        self.conflicts += u64::from(counts.conflicts);
        self.global_requests += u64::from(counts.requests);
        self.units += u64::from(counts.sectors);
        self.ideal_units += u64::from(counts.ideal_sectors);
        self.unit = Some(Unit::Sector);
        let shared = (Space::Shared, counts.wavefronts, counts.ideal_wavefronts);
        let global = (Space::Global, counts.sectors, counts.ideal_sectors);
        let excess = |(_, cost, ideal): (Space, u32, u32)| cost.saturating_sub(ideal);
        if excess(global) > excess(shared) {
            global
        } else {
            shared
        }
    }

    fn rank(&mut self, ranked: Ranked) {
        let is_full = self.worst.len() == KEPT;
        if is_full && self.worst.peek().is_some_and(|least| ranked <= least.0) {
            return;
        }
        self.worst.push(Reverse(ranked));
        if is_full {
            self.worst.pop();
        }
    }

    /// The rows that waste most, the worst first; at most 100.
    #[must_use]
    pub fn worst(&self) -> Vec<Entry> {
        let mut worst: Vec<_> = self.worst.clone().into_vec();
        worst.sort_unstable();
        worst.into_iter().map(|ranked| ranked.0.0).collect()
    }

    /// The first rows whose measurement and prediction differ; at most 100.
    #[must_use]
    pub fn differing(&self) -> &[Entry] {
        &self.differing
    }
}
