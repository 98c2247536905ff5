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
//! The loops are shaped so that a compiler makes vector instructions of the comparisons.
//! [`crate::shared_walk`] answers everything else, and a test holds the two together.

use std::ops::Range;

use crate::request_lanes::BLOCK;
use crate::shared_rules::{Grouping, Service};
use crate::{LaneMask, SharedCounts, Sharing};

/// Slots: the phases times the units across the banks.
const SLOTS: u32 = 32;

/// Set in the slot of a lane that is not to be counted.
const DROPPED: u8 = 32;

/// Half the lanes: those that have a lane 16 or more steps after them.
const HALF: usize = BLOCK / 2;

/// Bits of the key of a lane: the low bits of its unit's index, and its phase.
const KEY_BITS: u32 = 16;

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
        let varying = lanes
            .iter()
            .fold(0, |varying, lane| varying | lane ^ lanes[0]);
        if (varying | lanes[0]) & (bytes - 1) != 0 {
            return None;
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

/// The low 16 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
const fn low_16(value: u64) -> u16 {
    value as u16
}

/// The low 8 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
const fn low_8(value: u16) -> u8 {
    value as u8
}

/// A number of lanes or phases.
fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The lanes of one block phase by phase, where phases are `sets` of lanes.
fn in_order(lanes: &[u64; BLOCK], on: u32, sets: &[u64]) -> ([u64; BLOCK], u32) {
    let mut ordered = [0; BLOCK];
    let mut ordered_on = 0;
    let of_block = sets.iter().map(|&set| LaneMask(set & u64::from(u32::MAX)));
    for (place, lane) in of_block.flat_map(LaneMask::iter).take(BLOCK).enumerate() {
        ordered[place] = lanes[lane];
        ordered_on |= (on >> lane & 1) << place;
    }
    (ordered, ordered_on)
}

/// All bits of the lanes of each set of [`FOUR`], `[set][lane]`.
const KEPT: [[u64; FOUR]; 1 << FOUR] = {
    let mut kept = [[0; FOUR]; 1 << FOUR];
    let mut index = 0;
    while index < FOUR << FOUR {
        let (set, lane) = (index / FOUR, index % FOUR);
        kept[set][lane] = if set >> lane & 1 == 1 { u64::MAX } else { 0 };
        index += 1;
    }
    kept
};

/// Lanes whose masks are looked up at once.
const FOUR: usize = 4;

/// `lanes` with the address of the first that is `on` for each that is not.
#[inline(never)]
fn gathered(lanes: &[u64; BLOCK], on: u32) -> [u64; BLOCK] {
    let some = lanes[on.trailing_zeros() as usize & (BLOCK - 1)];
    let mut gathered = [some; BLOCK];
    let mut rest = on as usize;
    let fours = gathered.as_chunks_mut::<FOUR>().0;
    for (gathered, lanes) in fours.iter_mut().zip(lanes.as_chunks::<FOUR>().0) {
        for ((gathered, lane), kept) in gathered.iter_mut().zip(lanes).zip(KEPT[rest % KEPT.len()])
        {
            *gathered ^= (lane ^ some) & kept;
        }
        rest >>= FOUR;
    }
    gathered
}

/// As [`Plan::fill`], `[phase][lane]`, with the address of some lane.
#[inline]
fn fill_runs<const RUN: usize>(phases: &mut [[u64; RUN]], on: u32, some: u64) -> usize {
    let mut off_phases = 0;
    let mut rest = u64::from(on);
    for phase in phases {
        let first = phase.get(rest.trailing_zeros() as usize).copied();
        off_phases += usize::from(first.is_none());
        let first = first.unwrap_or(some);
        for (lane, address) in phase.iter_mut().enumerate() {
            *address = if rest >> lane & 1 == 1 {
                *address
            } else {
                first
            };
        }
        rest >>= RUN;
    }
    off_phases
}

/// The low bits of the index of each lane's unit.
fn units(lanes: &[u64; BLOCK], shift: u32) -> [u16; BLOCK] {
    let mut units = [0; BLOCK];
    for (unit, lane) in units.iter_mut().zip(lanes) {
        *unit = low_16(lane >> (shift & 63));
    }
    units
}

/// Whether lanes take `places` slots.
#[inline]
fn all_differ(slots: &[u8; BLOCK], places: usize) -> bool {
    let mut taken = [0_u32; 2];
    for slots in slots.as_chunks::<2>().0 {
        taken[0] |= 1 << (slots[0] & 31);
        taken[1] |= 1 << (slots[1] & 31);
    }
    let taken = taken[0] | taken[1];
    taken == u32::MAX || places < BLOCK && taken.count_ones() as usize == places
}

/// `0xffff` for each lane whose key a later lane has too; `None` if a lane has [`NO_KEY`].
fn repeated(keys: &[u16; 2 * BLOCK]) -> Option<[u16; BLOCK]> {
    if ascending(keys) {
        let mut repeated = [0; BLOCK];
        compare::<BLOCK>(keys, 1..2, &mut repeated);
        return Some(repeated);
    }
    (!keys_taken(keys)).then(|| repeated_anywhere(keys))
}

/// As [`repeated`], comparing all with all.
#[inline(never)]
fn repeated_anywhere(keys: &[u16; 2 * BLOCK]) -> [u16; BLOCK] {
    let mut repeated = [0; BLOCK];
    // In runs of seven: at eight, compilers turn the comparison on its side. The second half
    // of the lanes has nothing after it from step 16 on.
    compare::<BLOCK>(keys, 1..8, &mut repeated);
    compare::<BLOCK>(keys, 8..15, &mut repeated);
    compare::<BLOCK>(keys, 15..16, &mut repeated);
    compare::<HALF>(keys, 16..23, &mut repeated);
    compare::<HALF>(keys, 23..30, &mut repeated);
    compare::<HALF>(keys, 30..32, &mut repeated);
    repeated
}

/// Whether no key is less than the one before.
#[inline]
fn ascending(keys: &[u16; 2 * BLOCK]) -> bool {
    let mut ascending = true;
    for lane in 0..BLOCK {
        ascending &= keys[lane] <= keys[lane + 1];
    }
    ascending && keys[BLOCK - 1] != NO_KEY
}

/// Marks those of the first `LANES` lanes that have the key of the lane so many `steps` later.
#[inline(always)]
fn compare<const LANES: usize>(
    keys: &[u16; 2 * BLOCK],
    steps: Range<usize>,
    repeated: &mut [u16; BLOCK],
) {
    for step in steps {
        let Some(others) = keys[step..].first_chunk::<BLOCK>() else {
            return;
        };
        for lane in 0..LANES {
            repeated[lane] |= if keys[lane] == others[lane] {
                u16::MAX
            } else {
                0
            };
        }
    }
}

/// As [`repeated`], for keys that are the same only if addresses shifted by `far_shift` are too.
#[inline(never)]
fn repeated_far(
    keys: &[u16; 2 * BLOCK],
    lanes: &[u64; BLOCK],
    far_shift: u32,
) -> Option<[u16; BLOCK]> {
    if keys_taken(keys) {
        return None;
    }
    let near = repeated_anywhere(keys);
    if near == [0; BLOCK] {
        return Some(near);
    }
    let mut far = [0; 2 * BLOCK];
    let mut repeated = [0; BLOCK];
    far[..BLOCK].copy_from_slice(&units(lanes, far_shift));
    for step in 1..BLOCK {
        for lane in 0..BLOCK {
            let differing = (keys[lane] ^ keys[lane + step]) | (far[lane] ^ far[lane + step]);
            repeated[lane] |= if differing == 0 { u16::MAX } else { 0 };
        }
    }
    Some(repeated)
}

/// Whether a lane has [`NO_KEY`].
#[inline]
fn keys_taken(keys: &[u16; 2 * BLOCK]) -> bool {
    // A sum, because LLVM 21 cannot compile "any" for WebAssembly's vectors.
    let lanes = keys[..BLOCK].iter();
    lanes.fold(0_u16, |taken, &key| taken + u16::from(key == NO_KEY)) != 0
}

/// `slots` with one that is not counted for the lanes that are `repeated`.
#[inline]
fn without(slots: &[u8; BLOCK], repeated: &[u16; BLOCK]) -> [u8; BLOCK] {
    let mut counted = *slots;
    for (slot, &repeated) in counted.iter_mut().zip(repeated) {
        *slot |= low_8(repeated) & DROPPED;
    }
    counted
}

/// How many lanes are on each slot.
#[inline]
fn histogram(slots: &[u8; BLOCK]) -> [u8; BLOCK] {
    // Four tables, so that lanes of one slot do not wait for one another.
    let mut tables = [[0_u8; 64]; 4];
    for slots in slots.as_chunks::<4>().0 {
        for (table, slot) in tables.iter_mut().zip(slots) {
            table[usize::from(slot & 63)] += 1;
        }
    }
    let mut counts = [0; BLOCK];
    for (slot, count) in counts.iter_mut().enumerate() {
        *count = tables[0][slot] + tables[1][slot] + tables[2][slot] + tables[3][slot];
    }
    counts
}
