//! Executions: how often warps ran through each stretch of a program, and for how many lanes in all.

use std::collections::BTreeMap;

use lanescope_ir::{Operand, PlaceId};

use super::Machine;
use super::arithmetic::{each, register};
use super::warp::Warp;
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

/// Bytes that bulk copies of a place move.
#[derive(Clone, Copy, Debug, Default)]
struct Bulk {
    bytes: u64,
    unsized_copies: u64,
}

/// The executions of a run.
#[derive(Debug)]
pub(crate) struct Executions {
    /// `[stretch]`: since blocks were last settled.
    open: Vec<Sums>,
    /// `[stretch]`: of blocks that are settled.
    settled: Vec<Sums>,
    /// Of bulk copies since blocks were last settled.
    open_bulk: BTreeMap<PlaceId, Bulk>,
    /// Of bulk copies of blocks that are settled.
    settled_bulk: BTreeMap<PlaceId, Bulk>,
}

impl Executions {
    pub(crate) fn new(stretches: usize) -> Self {
        Self {
            open: vec![Sums::default(); stretches],
            settled: vec![Sums::default(); stretches],
            open_bulk: BTreeMap::new(),
            settled_bulk: BTreeMap::new(),
        }
    }

    /// Settles what ran, which stands for so many blocks.
    pub(crate) fn settle(&mut self, times: u64) {
        for (settled, open) in self.settled.iter_mut().zip(&mut self.open) {
            settled.add(std::mem::take(open), times);
        }
        for (place, open) in std::mem::take(&mut self.open_bulk) {
            let sum = self.settled_bulk.entry(place).or_default();
            let add =
                |sum: &mut u64, more: u64| *sum = sum.saturating_add(more.saturating_mul(times));
            add(&mut sum.bytes, open.bytes);
            add(&mut sum.unsized_copies, open.unsized_copies);
        }
    }
}

impl<const L: usize> Machine<'_, L> {
    /// Lanes of a warp begin a stretch, or the rest of it.
    #[inline]
    pub(super) fn count_stretch(&mut self, slot: u32, mask: u64) {
        let stretch = self.program.stretches.of_slot(slot);
        let times = self.stands_for();
        let Some(sums) = self.executions.open.get_mut(stretch) else {
            return;
        };
        sums.warps = sums.warps.saturating_add(times);
        let lanes = u64::from(mask.count_ones()).saturating_mul(times);
        sums.lanes = sums.lanes.saturating_add(lanes);
    }

    /// How often what runs now is executed: by the iterations and blocks that it stands for.
    #[inline]
    fn stands_for(&self) -> u64 {
        match &self.together {
            Some(together) => self.times.saturating_mul(together.blocks),
            None => self.times,
        }
    }

    /// Lanes have bulk copies move so many bytes each.
    pub(super) fn count_bulk(&mut self, warp: &Warp<L>, place: PlaceId, bytes: Operand, mask: u64) {
        let (unknown, _) = warp.file.unknown(bytes, mask);
        let known = mask & !unknown;
        if known != 0 {
            self.must_be_steady(warp, &[bytes], known);
        }
        let known = each(known).map(|lane| warp.file.lane(register(bytes), lane));
        let bytes = known.fold(0, u64::saturating_add);
        let times = self.stands_for();
        let sum = self.executions.open_bulk.entry(place).or_default();
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more.saturating_mul(times));
        add(&mut sum.bytes, bytes);
        add(
            &mut sum.unsized_copies,
            u64::from((mask & unknown).count_ones()),
        );
    }

    /// What was executed at each place.
    pub(super) fn executed(&mut self) -> Vec<Executed> {
        self.executions.settle(1);
        let bulk = std::mem::take(&mut self.executions.settled_bulk);
        let mut places: BTreeMap<PlaceId, Sums> = BTreeMap::new();
        places.extend(bulk.keys().map(|place| (*place, Sums::default())));
        let stretches = self.program.stretches.issued().iter();
        for (issued, sums) in stretches.zip(&self.executions.settled) {
            for (place, instructions) in issued.iter().filter(|_| sums.warps != 0) {
                places.entry(*place).or_default().add(*sums, *instructions);
            }
        }
        let executed = places.into_iter().map(|(place, sums)| {
            let bulk = bulk.get(&place).copied().unwrap_or_default();
            Executed {
                place,
                warp_instructions: sums.warps,
                thread_instructions: sums.lanes,
                bulk_bytes: bulk.bytes,
                bulk_copies_unsized: bulk.unsized_copies,
            }
        });
        executed.collect()
    }
}
