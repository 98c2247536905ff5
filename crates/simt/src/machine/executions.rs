//! Executions: how often warps ran through each stretch of a program, and for how many lanes in all.

use std::collections::BTreeMap;

use lanescope_ir::PlaceId;

use super::Machine;
use crate::outcome::Executed;

/// Of a stretch, or of all instructions at a place: warps, and lanes of them.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    warps: u64,
    lanes: u64,
}

impl Sums {
    fn add(&mut self, other: Self, times: u64) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more.saturating_mul(times));
        add(&mut self.warps, other.warps);
        add(&mut self.lanes, other.lanes);
    }
}

/// The executions of a run.
#[derive(Debug)]
pub(crate) struct Executions {
    /// `[stretch]`: since blocks were last settled.
    open: Vec<Sums>,
    /// `[stretch]`: of blocks that are settled.
    settled: Vec<Sums>,
}

impl Executions {
    pub(crate) fn new(stretches: usize) -> Self {
        Self {
            open: vec![Sums::default(); stretches],
            settled: vec![Sums::default(); stretches],
        }
    }

    /// Settles what ran, which stands for so many blocks.
    pub(crate) fn settle(&mut self, times: u64) {
        for (settled, open) in self.settled.iter_mut().zip(&mut self.open) {
            settled.add(std::mem::take(open), times);
        }
    }
}

impl<const L: usize> Machine<'_, L> {
    /// Lanes of a warp begin a stretch, or the rest of it.
    #[inline]
    pub(super) fn count_stretch(&mut self, slot: u32, mask: u64) {
        let stretch = self.program.stretches.of_slot(slot);
        let Some(sums) = self.executions.open.get_mut(stretch) else {
            return;
        };
        let times = match &self.together {
            Some(together) => self.times.saturating_mul(together.blocks),
            None => self.times,
        };
        sums.warps = sums.warps.saturating_add(times);
        let lanes = u64::from(mask.count_ones()).saturating_mul(times);
        sums.lanes = sums.lanes.saturating_add(lanes);
    }

    /// What was executed at each place.
    pub(super) fn executed(&mut self) -> Vec<Executed> {
        self.executions.settle(1);
        let mut places: BTreeMap<PlaceId, Sums> = BTreeMap::new();
        let stretches = self.program.stretches.issued().iter();
        for (issued, sums) in stretches.zip(&self.executions.settled) {
            for (place, instructions) in issued.iter().filter(|_| sums.warps != 0) {
                places.entry(*place).or_default().add(*sums, *instructions);
            }
        }
        let executed = places.into_iter().map(|(place, sums)| Executed {
            place,
            warp_instructions: sums.warps,
            thread_instructions: sums.lanes,
        });
        executed.collect()
    }
}
