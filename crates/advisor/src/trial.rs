//! A change on trial: the changed source is run, and compared with the source as it was.

use lanescope_lang::{Array, End, Launch, Program, Severity};

use crate::advisor::Advisor;
use crate::change::Change;
use crate::headline::headline;
use crate::pattern::bank_load;
use crate::record::{Record, Watch, record};
use crate::sums::sums;
use crate::{Occupancy, Proof, SharedTotals, Source, Suggestion, Totals};

impl Advisor<'_, '_> {
    /// The change as a suggestion, if its run computes the same and costs less.
    pub(crate) fn tried(
        &self,
        change: Change<'_>,
        watch: &Watch<'_>,
        renumber: &dyn Fn(usize) -> usize,
        proof: Proof,
    ) -> Option<Suggestion> {
        let source = self.question.source.edited(&change.edits)?;
        let parsed = source.parse();
        if parsed
            .diagnostics
            .iter()
            .any(|found| found.severity() == Severity::Error)
        {
            return None;
        }
        let (device, budget) = (self.question.device, self.question.budget);
        let after = record(&parsed.program, &change.launch, device, budget, watch);
        let same = after.outcome.end == End::Completed
            && after.outcome.findings.len() <= self.before.outcome.findings.len()
            && match proof {
                Proof::SameSums => self.same_sums(&parsed.program, &change.launch),
                Proof::SameElements => [false, true]
                    .iter()
                    .any(|reread| self.same_runs(&parsed.program, &change, [watch; 2], *reread)),
                _ => {
                    same_threads(&self.before, &after, renumber)
                        || self.same_without_reuse(&parsed.program, &change, watch, renumber)
                }
            };
        let cheaper = cost(&after.totals) < cost(&self.before.totals);
        if !same || !cheaper {
            return None;
        }
        Some(self.suggestion(change, source, &parsed.program, &after, proof))
    }

    fn suggestion(
        &self,
        change: Change<'_>,
        source: Source,
        program: &Program,
        after: &Record,
        proof: Proof,
    ) -> Suggestion {
        let device = self.question.device;
        let threads = change.launch.block_threads();
        let occupancy = |program: &Program, launch: &Launch| {
            let shared = program.shared_bytes() + launch.dynamic_shared_bytes;
            Occupancy::of(device, shared, threads, self.question.registers)
        };
        let mut launch = change.launch.clone();
        launch.blocks = self.question.launch.blocks;
        Suggestion {
            snippet: headline(&change, &self.text, &source),
            array: change
                .array
                .map_or_else(String::new, |array| array.name.clone()),
            array_totals: [
                change.array.map_or(self.before.totals.shared, |array| {
                    of_array(&self.before, self.program, &array.name)
                }),
                change.array.map_or(after.totals.shared, |array| {
                    of_array(after, program, &array.name)
                }),
            ],
            banks: [
                self.banks(&self.before, self.program, change.array),
                self.banks(after, program, change.array),
            ],
            totals: [self.before.totals, after.totals],
            occupancy: [
                occupancy(self.program, &self.launch),
                occupancy(program, &change.launch),
            ],
            kind: change.kind,
            edits: change.edits,
            source,
            launch,
            instructions: change.instructions,
            proof,
        }
    }

    fn same_sums(&self, program: &Program, launch: &Launch) -> bool {
        let (lanes, budget) = (self.question.device.warp_lanes(), self.question.budget);
        let before = sums(self.program, &self.launch, lanes, budget);
        before.is_some() && before == sums(program, launch, lanes, budget)
    }

    /// Compares runs in which no thread keeps what it has read: how long a compiler may keep a
    /// value can differ between two spellings of one index.
    fn same_without_reuse(
        &self,
        program: &Program,
        change: &Change<'_>,
        watch: &Watch<'_>,
        renumber: &dyn Fn(usize) -> usize,
    ) -> bool {
        let runs = self.runs(program, change, [&Watch::PLAIN, watch], true);
        runs.is_some_and(|[before, after]| same_threads(&before, &after, renumber))
    }

    fn same_runs(
        &self,
        program: &Program,
        change: &Change<'_>,
        watches: [&Watch<'_>; 2],
        reread: bool,
    ) -> bool {
        let runs = self.runs(program, change, watches, reread);
        runs.is_some_and(|[before, after]| same_threads(&before, &after, &|thread| thread))
    }

    /// The source as it was and the changed one, run; `None` where one does not end by itself.
    fn runs(
        &self,
        program: &Program,
        change: &Change<'_>,
        [old, new]: [&Watch<'_>; 2],
        reread: bool,
    ) -> Option<[Record; 2]> {
        let (device, budget) = (self.question.device, self.question.budget);
        let launched = |launch: &Launch| Launch {
            reread,
            ..launch.clone()
        };
        let before = record(self.program, &launched(&self.launch), device, budget, old);
        let after = record(program, &launched(&change.launch), device, budget, new);
        let runs = [before, after];
        let ended = runs.iter().all(|run| run.outcome.end == End::Completed);
        ended.then_some(runs)
    }

    fn banks(&self, record: &Record, program: &Program, array: Option<&Array>) -> Vec<u32> {
        let arrays = (0_u32..).zip(program.arrays());
        let chosen =
            arrays.filter(|(_, other)| array.is_none_or(|array| is_part(&other.name, &array.name)));
        let patterns = chosen
            .filter_map(|(id, _)| record.arrays.get(&id))
            .flat_map(|record| record.patterns.all());
        bank_load(self.question.device, patterns)
    }
}

/// Whether each thread did the same; `renumber` tells its number before.
fn same_threads(before: &Record, after: &Record, renumber: &dyn Fn(usize) -> usize) -> bool {
    let length = before.threads.len().max(after.threads.len());
    let of = |run: &Record, thread: usize| run.threads.get(thread).copied().unwrap_or_default();
    (0..length).all(|thread| of(after, thread) == of(before, renumber(thread)))
}

/// What a run costs: passes over the banks and pieces of global memory, counted alike.
pub(crate) const fn cost(totals: &Totals) -> u64 {
    totals.shared.wavefronts.saturating_add(totals.global.units)
}

/// Whether `name` is the array `of` or one of the arrays it was split into.
fn is_part(name: &str, of: &str) -> bool {
    name.strip_prefix(of)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}

fn of_array(record: &Record, program: &Program, name: &str) -> SharedTotals {
    let mut totals = SharedTotals::default();
    for (id, array) in (0_u32..).zip(program.arrays()) {
        if let Some(found) = record
            .arrays
            .get(&id)
            .filter(|_| is_part(&array.name, name))
        {
            totals.requests += found.shared.requests;
            totals.wavefronts += found.shared.wavefronts;
            totals.ideal += found.shared.ideal;
            totals.ways = totals.ways.max(found.shared.ways);
        }
    }
    totals
}
