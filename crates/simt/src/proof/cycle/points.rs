//! Places at which iterations are compared, and how often that was tried.

use std::collections::BTreeMap;

use super::Scope;

/// Visits of a point before anything is tried.
const VISITS: u32 = 4;

/// Assumptions that are tried for one point.
pub(super) const TRIALS: u32 = 4;

/// After so many failures of a point in a row, twice as many visits pass before each next one.
const MOST_FAILURES: u32 = 12;

/// Visits of a point, and failures there.
#[derive(Clone, Copy, Debug, Default)]
struct Visits {
    epoch: u64,
    count: u32,
    failures: u32,
    /// Whether iterations were proved there before: those of an earlier time around an outer loop, or of another warp.
    was_proved: bool,
}

/// Points by scope and slot of the first warp.
#[derive(Debug, Default)]
pub(crate) struct Points {
    epoch: u64,
    slots: Vec<Visits>,
    barriers: BTreeMap<u32, Visits>,
}

impl Points {
    /// A warp, or a block, begins anew.
    pub(crate) const fn begin(&mut self) {
        self.epoch += 1;
    }

    /// A block has ended.
    pub(super) fn end_block(&mut self) {
        let visits = self.barriers.values_mut();
        visits.for_each(|visit| visit.count = 0);
    }

    fn at(&mut self, scope: Scope, slot: u32) -> &mut Visits {
        let visits = match scope {
            Scope::Block => self.barriers.entry(slot).or_default(),
            Scope::Warp(_) => {
                let at = slot as usize;
                if self.slots.len() <= at {
                    self.slots.resize(at + 1, Visits::default());
                }
                &mut self.slots[at]
            }
        };
        if visits.epoch != self.epoch && scope != Scope::Block {
            visits.epoch = self.epoch;
            visits.count = 0;
        }
        visits
    }

    /// Notes a visit; whether a proof is to be tried.
    pub(super) fn is_due(&mut self, scope: Scope, slot: u32) -> bool {
        let visits = self.at(scope, slot);
        visits.count = visits.count.saturating_add(1);
        let first = if visits.was_proved { 1 } else { VISITS };
        visits.count >= first << visits.failures.min(MOST_FAILURES)
    }

    pub(super) fn failed(&mut self, scope: Scope, slot: u32) {
        let visits = self.at(scope, slot);
        visits.failures += 1;
        visits.count = 0;
    }

    pub(super) fn succeeded(&mut self, scope: Scope, slot: u32) {
        let visits = self.at(scope, slot);
        visits.failures = 0;
        visits.count = 0;
        visits.was_proved = true;
    }
}

/// Other points that were passed while the iterations of one were looked at, and how often.
#[derive(Debug, Default)]
pub(super) struct Passed(Vec<(u32, u32)>);

impl Passed {
    pub(super) fn note(&mut self, slot: u32) {
        match self.0.iter_mut().find(|(known, _)| *known == slot) {
            Some((_, times)) => *times += 1,
            None => self.0.push((slot, 1)),
        }
    }

    /// Those passed at most once between two of so many visits: not those of loops within.
    pub(super) fn once_an_iteration(&self, visits: u32) -> impl Iterator<Item = u32> {
        let once = self.0.iter().filter(move |(_, times)| *times <= visits + 1);
        once.map(|(slot, _)| *slot)
    }
}
