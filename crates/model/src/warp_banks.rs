//! Bank conflicts of 32 lanes at once, without a loop over words and without sorting.
//!
//! Where each lane's access is one aligned unit (one word, or two or four in neighbouring
//! banks), a lane is a *slot*, its phase and bank, and a *key*, its phase and unit. A phase
//! costs as many wavefronts as the most distinct keys of one of its slots. So:
//!
//! 1. If all lanes have a slot to themselves there is no conflict.
//! 2. Otherwise all but one lane of each key are dropped: neighbours are compared where keys
//!    ascend, all with all where they do not.
//! 3. The lanes left are counted slot by slot.
//!
//! Where all addresses lie within 64 rows of banks, as scattered ones mostly do, a slot notes the rows it was asked for in
//! the bits of a number instead, and counts those that are new.
//!
//! The loops are shaped so that a compiler makes vector instructions of the comparisons.
//! [`crate::shared_walk`] answers everything else, and a test holds the two together.

mod lanes;

use crate::request_lanes::BLOCK;
use crate::shared_rules::{Grouping, Service};
use crate::{SharedCounts, Sharing};

use lanes::{
    all_differ, few_rows_of_banks, fill_runs, gathered, histogram, in_order, is_scattered, low_8,
    low_16, repeated, repeated_far, small, units, varying, without,
};

/// Slots: the phases times the units across the banks.
const SLOTS: u32 = 32;

/// Set in the slot of a lane that is not to be counted.
const DROPPED: u8 = 32;

/// Half the lanes: those that have a lane 16 or more steps after them.
const HALF: usize = BLOCK / 2;

/// Bits of the key of a lane: the low bits of its unit's index, and its phase.
const KEY_BITS: u32 = 16;

/// Rows of banks, as a power of two, that fit into the bits of a number.
const ROW_BITS: u32 = 6;

/// As [`ROW_BITS`], that fit into the bits of a byte.
const FEW_ROW_BITS: u32 = 3;

/// The key after the last lane's.
const NO_KEY: u16 = u16::MAX;

/// How the lanes of one service map to slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// log2 of the bytes of a unit.
    unit: u32,
    /// log2 of the units across the banks.
    units: u32,
    /// log2 of the lanes of a phase.
    run: u32,
    /// `[lane]`: the first slot of its phase.
    first_slots: [u8; BLOCK],
    /// `[lane]`: its phase, in the high bits of a key.
    phases: [u16; BLOCK],
    /// Whether a row is two words deep (CC 3.x, 4-byte mode).
    paired: bool,
    /// Lane sets, where phases are not runs of lanes.
    sets: Option<&'static [u64]>,
    sharing: Sharing,
}

impl Plan {
    /// The plan for accesses of `bytes` bytes a lane, if this service has one.
    pub(crate) const fn new(
        service: &Service,
        bytes: u32,
        warp_lanes: u32,
        merged: bool,
    ) -> Option<Self> {
        let layout = service.layout;
        let word = layout.word_bytes;
        let unit = if bytes > word { bytes } else { word };
        let across = layout.banks * word;
        let (run, sets) = match service.grouping {
            Grouping::Runs(run) => (run, None),
            Grouping::Sets([]) => return None,
            Grouping::Sets(sets) => (sets[0].count_ones(), Some(sets)),
        };
        let powers_of_two = across.is_power_of_two()
            && run.is_power_of_two()
            && warp_lanes.is_power_of_two()
            && matches!(layout.paired, 1 | 2);
        let blocks =
            powers_of_two && run <= 32 && unit <= across && across * 32 <= SLOTS * unit * run;
        let one_word = matches!(service.sharing, Sharing::OneWordAStep);
        if !blocks || service.cut || one_word || merged && run == 32 {
            return None;
        }
        let run = run.trailing_zeros() + merged as u32;
        let units = across.trailing_zeros() - unit.trailing_zeros();
        Some(Self {
            unit: unit.trailing_zeros(),
            units,
            run,
            first_slots: first_slots(run, units),
            phases: phases(run),
            paired: layout.paired == 2,
            sets,
            sharing: service.sharing,
        })
    }

    /// The counts of one block of lanes whose bits `on` are set, each `bytes` wide; `None`
    /// where an access is misaligned or the addresses lie too far apart.
    #[inline]
    pub(crate) fn counts(&self, lanes: &[u64; BLOCK], on: u32, bytes: u64) -> Option<SharedCounts> {
        if !self.paired && self.sets.is_none() {
            if on == u32::MAX {
                return self.counts_of_all(lanes, BLOCK, bytes);
            }
            if self.run == 5 && on != 0 && matches!(self.sharing, Sharing::AnyWord) {
                return self.counts_of_all(&gathered(lanes, on), on.count_ones() as usize, bytes);
            }
        }
        self.counts_of_some(lanes, on, bytes)
    }

    /// The counts where lanes are off, or not yet in the order of phases and units.
    #[inline(never)]
    fn counts_of_some(&self, lanes: &[u64; BLOCK], on: u32, bytes: u64) -> Option<SharedCounts> {
        let (mut lanes, on) = match self.sets {
            None => (*lanes, on),
            Some(sets) => in_order(lanes, on, sets),
        };
        if self.paired {
            let across = self.unit + self.units;
            let low = (1 << across) - 1;
            lanes = lanes.map(|lane| lane >> (across + 1) << across | lane & low);
        }
        if on == 0 {
            return Some(SharedCounts::default());
        }
        let off_phases = self.fill(&mut lanes, on);
        if matches!(self.sharing, Sharing::None) {
            return self.counts_lane_by_lane(&lanes, on, bytes);
        }
        let places = on.count_ones() as usize + off_phases;
        let counts = self.counts_of_all(&lanes, places, bytes)?;
        let phases = counts.ideal_wavefronts - small(off_phases);
        let wavefronts = counts.wavefronts - small(off_phases) * (1 + self.more());
        Some(SharedCounts {
            wavefronts,
            wavefronts_least: wavefronts,
            ideal_wavefronts: phases,
            conflicts: wavefronts - phases,
            ..counts
        })
    }

    /// Gives each lane that is off the address of a lane of its phase, which costs nothing
    /// where lanes share, and returns how many phases have none; those get some lane's.
    fn fill(&self, lanes: &mut [u64; BLOCK], on: u32) -> usize {
        let some = lanes.get(on.trailing_zeros() as usize).copied();
        let some = some.unwrap_or(0);
        match self.run {
            5 => fill_runs(lanes.as_chunks_mut::<32>().0, on, some),
            4 => fill_runs(lanes.as_chunks_mut::<16>().0, on, some),
            3 => fill_runs(lanes.as_chunks_mut::<8>().0, on, some),
            2 => fill_runs(lanes.as_chunks_mut::<4>().0, on, some),
            1 => fill_runs(lanes.as_chunks_mut::<2>().0, on, some),
            _ => fill_runs(lanes.as_chunks_mut::<1>().0, on, some),
        }
    }

    /// The counts where no lane shares.
    fn counts_lane_by_lane(
        &self,
        lanes: &[u64; BLOCK],
        on: u32,
        bytes: u64,
    ) -> Option<SharedCounts> {
        if lanes.iter().any(|lane| lane & (bytes - 1) != 0) {
            return None;
        }
        let mut slots = self.slots(&units(lanes, self.unit));
        for (lane, slot) in slots.iter_mut().enumerate() {
            *slot |= if on >> lane & 1 == 1 { 0 } else { DROPPED };
        }
        Some(self.sum(&histogram(&slots)))
    }

    /// The counts where all lanes are on and phases are runs of lanes. They are known to be
    /// free of conflicts if they take `places` slots.
    #[inline(never)]
    fn counts_of_all(
        &self,
        lanes: &[u64; BLOCK],
        places: usize,
        bytes: u64,
    ) -> Option<SharedCounts> {
        let varying = varying(lanes);
        if (varying | lanes[0]) & (bytes - 1) != 0 {
            return None;
        }
        let is_near = varying >> (self.unit + self.units + ROW_BITS) == 0;
        if is_near && is_scattered(lanes) && !matches!(self.sharing, Sharing::None) {
            return Some(self.sum(&self.rows_of_slots(lanes, varying)));
        }
        let units = units(lanes, self.unit);
        let slots = self.slots(&units);
        if all_differ(&slots, places) {
            return Some(self.free());
        }
        if matches!(self.sharing, Sharing::None) {
            return Some(self.sum(&histogram(&slots)));
        }
        // Words of one row of banks lie in different banks.
        if varying >> (self.unit + self.units) == 0 {
            return Some(self.free());
        }
        if is_near {
            return Some(self.sum(&self.rows_of_slots(lanes, varying)));
        }
        let keys = self.keys(&units);
        let far_shift = self.unit + self.index_bits();
        let repeated = match varying >> far_shift {
            0 => repeated(&keys)?,
            far if far >> KEY_BITS == 0 => repeated_far(&keys, lanes, far_shift)?,
            _ => return None,
        };
        Some(self.sum(&histogram(&without(&slots, &repeated))))
    }

    /// Bits of a unit's index in a key.
    const fn index_bits(&self) -> u32 {
        KEY_BITS - self.phase_bits()
    }

    /// Bits that tell the phases of a block apart.
    const fn phase_bits(&self) -> u32 {
        BLOCK.trailing_zeros() - self.run
    }

    /// The phase and the bank of each lane.
    #[inline]
    fn slots(&self, units: &[u16; BLOCK]) -> [u8; BLOCK] {
        let mut slots = self.first_slots;
        let last = 31 & ((1 << self.units) - 1);
        for (slot, &unit) in slots.iter_mut().zip(units) {
            *slot |= low_8(unit & last);
        }
        slots
    }

    /// How many distinct rows each slot is asked for, of 64 at most; `varying`: bits in which addresses differ.
    #[inline]
    fn rows_of_slots(&self, lanes: &[u64; BLOCK], varying: u64) -> [u8; BLOCK] {
        let is_small = varying >> (self.unit + self.units + FEW_ROW_BITS) == 0;
        let units = units(lanes, self.unit);
        match self.units {
            5 if is_small => few_rows_of_banks::<5>(&units),
            _ => self.many_rows_of_slots(&units),
        }
    }

    /// The same, where rows are many.
    #[inline]
    fn many_rows_of_slots(&self, units: &[u16; BLOCK]) -> [u8; BLOCK] {
        let mut asked = [0_u64; BLOCK];
        let mut counts = [0; BLOCK];
        let last = (1 << self.units) - 1;
        for (unit, first) in units.iter().zip(&self.first_slots) {
            let slot = usize::from(low_8(unit & last) | first) % BLOCK;
            let row = 1_u64 << (unit >> (self.units & 15) & 63);
            counts[slot] += u8::from(asked[slot] & row == 0);
            asked[slot] |= row;
        }
        counts
    }

    /// The phase and the unit of each lane, and [`NO_KEY`] after the last.
    #[inline]
    fn keys(&self, units: &[u16; BLOCK]) -> [u16; 2 * BLOCK] {
        let mut keys = [NO_KEY; 2 * BLOCK];
        let index = NO_KEY >> self.phase_bits();
        for ((key, &unit), &phase) in keys.iter_mut().zip(units).zip(&self.phases) {
            *key = unit & index | phase;
        }
        keys
    }

    /// No conflict: one wavefront for each phase.
    const fn free(&self) -> SharedCounts {
        let phases = 1 << self.phase_bits();
        self.total(phases, phases, 1)
    }

    /// The counts, from how many lanes are counted on each slot.
    #[inline]
    fn sum(&self, counts: &[u8; BLOCK]) -> SharedCounts {
        match self.units {
            3 => self.sum_phases(counts.as_chunks::<8>().0),
            4 => self.sum_phases(counts.as_chunks::<16>().0),
            5 => self.sum_phases(&[*counts]),
            _ => {
                let mut most = [[0]; BLOCK];
                for (most, phase) in most.iter_mut().zip(counts.chunks_exact(1 << self.units)) {
                    most[0] = phase.iter().copied().max().unwrap_or(0);
                }
                self.sum_phases(&most)
            }
        }
    }

    /// The counts, from those of the slots of each phase, `[phase][slot]`.
    #[inline]
    fn sum_phases<const UNITS: usize>(&self, counts: &[[u8; UNITS]]) -> SharedCounts {
        let (mut wavefronts, mut phases, mut ways) = (0, 0, 0);
        for phase in counts {
            let most = u32::from(phase.iter().fold(0, |most, &count| most.max(count)));
            wavefronts += most;
            phases += u32::from(most > 0);
            ways = ways.max(most);
        }
        self.total(wavefronts, phases, ways)
    }

    /// The counts, from those of distinct rows.
    const fn total(&self, wavefronts: u32, phases: u32, ways: u32) -> SharedCounts {
        let wavefronts = wavefronts + self.more() * phases;
        SharedCounts {
            wavefronts,
            wavefronts_least: wavefronts,
            ideal_wavefronts: phases,
            conflicts: wavefronts - phases,
            ways: if phases == 0 { 0 } else { ways + self.more() },
        }
    }

    /// Wavefronts that a phase takes beyond those for its words.
    const fn more(&self) -> u32 {
        matches!(self.sharing, Sharing::AnyWordPlusOne) as u32
    }
}

/// `[lane]`: the first slot of its phase, of `2^run` lanes and `2^units` slots.
const fn first_slots(run: u32, units: u32) -> [u8; BLOCK] {
    let mut first = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        first[lane] = low_8(low_16((lane >> run << units) as u64));
        lane += 1;
    }
    first
}

/// `[lane]`: its phase, of `2^run` lanes, in the high bits of a key.
const fn phases(run: u32) -> [u16; BLOCK] {
    let mut phases = [0; BLOCK];
    let mut lane = 0;
    while lane < BLOCK {
        phases[lane] = low_16((lane as u64 >> run) << (run + KEY_BITS - 5));
        lane += 1;
    }
    phases
}
