//! Bank conflicts of 32 lanes at once, without a loop over words and without sorting.
//!
//! Where each lane's access is one aligned unit (one word, or two or four in neighbouring
//! banks), a lane is a *slot*, its phase and bank, and a *row*. A phase costs as many
//! wavefronts as the most distinct rows of one of its slots. Three steps find them:
//!
//! 1. Each lane writes its row into its slot; if every lane then reads its own row back, no
//!    slot has two rows and there is no conflict.
//! 2. Otherwise every lane is compared with all later ones, to drop all but one lane of a row.
//! 3. The lanes left are counted slot by slot, again by comparing all with all.
//!
//! The comparisons are written so that a compiler makes vector instructions of them.
//! [`crate::shared_walk`] answers everything else, and a test holds the two together.

use crate::request_lanes::BLOCK;
use crate::shared_rules::{Grouping, Service};
use crate::{LaneMask, SharedCounts, Sharing};

/// Slots: the phases times the units across the banks.
const SLOTS: usize = 32;

/// The slot of a lane that is off.
const OFF: u8 = 32;

/// A lane that is not to be counted.
const DROPPED: u8 = 0xff;

/// The bits of a row that a key holds beside its slot.
const ROW_BITS: u32 = 11;

/// How the lanes of one service map to slots and rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// log2 of the bytes of a unit.
    unit_shift: u32,
    /// Units across the banks.
    units: u16,
    /// log2 of the bytes of a row.
    row_shift: u32,
    /// Lanes of a phase.
    run: usize,
    /// Lane sets, where phases are not runs of lanes.
    sets: Option<&'static [u64]>,
    sharing: Sharing,
}

impl Plan {
    /// The plan for accesses of `bytes` bytes a lane, if this service has one.
    pub(crate) fn new(
        service: &Service,
        bytes: u64,
        warp_lanes: u32,
        merged: bool,
    ) -> Option<Self> {
        let layout = service.layout;
        let word = u64::from(layout.word_bytes);
        let unit = bytes.max(word);
        let across = u64::from(layout.banks) * word;
        let (run, sets) = match service.grouping {
            Grouping::Runs(run) => (if merged { 2 * run } else { run }, None),
            Grouping::Sets(sets) => (sets.first()?.count_ones(), Some(sets)),
        };
        let units = across / unit;
        let row = across * u64::from(layout.paired);
        let regular = row.is_power_of_two()
            && unit.is_power_of_two()
            && run.is_power_of_two()
            && (warp_lanes.is_multiple_of(32) || 32 % warp_lanes == 0)
            && run <= 32
            && units > 0
            && units * u64::from(32 / run) <= SLOTS as u64;
        let fits = regular && !service.cut && service.sharing != Sharing::OneWordAStep;
        fits.then_some(Self {
            unit_shift: unit.trailing_zeros(),
            units: u16::try_from(units).ok()?,
            row_shift: row.trailing_zeros(),
            run: run as usize,
            sets,
            sharing: service.sharing,
        })
    }

    /// The counts of one block of lanes whose bits `on` are set, each `bytes` wide; `None`
    /// where an access is misaligned or the addresses lie too far apart.
    pub(crate) fn counts(&self, lanes: &[u64; BLOCK], on: u32, bytes: u64) -> Option<SharedCounts> {
        match self.sets {
            None if on == u32::MAX => self.counts_in_order(lanes, on, bytes),
            None => self.counts_in_order(&filled(lanes, on), on, bytes),
            Some(sets) => {
                let (lanes, on) = in_order(lanes, on, sets);
                self.counts_in_order(&filled(&lanes, on), on, bytes)
            }
        }
    }

    /// The counts where phases are runs of lanes and lanes that are off have an address too.
    fn counts_in_order(&self, lanes: &[u64; BLOCK], on: u32, bytes: u64) -> Option<SharedCounts> {
        let varying = spread(lanes, bytes)?;
        let far_shift = self.row_shift + ROW_BITS;
        if varying >> far_shift >> 16 != 0 {
            return None;
        }
        let keys = self.keys(lanes, on)?;
        let slots = slots(&keys, on);
        if self.sharing == Sharing::None {
            let counted = slots.map(|slot| if slot == OFF { DROPPED } else { slot });
            return Some(self.sum(&count(&slots, &counted)));
        }
        if varying >> far_shift == 0 {
            if free(&keys, &slots) {
                return Some(self.free(on));
            }
            return Some(self.sum(&count(&slots, &without(&slots, &repeated(&keys)))));
        }
        let far = lanes.map(|lane| low_16(lane >> far_shift));
        Some(self.sum(&count(&slots, &without(&slots, &repeated_far(&keys, &far)))))
    }

    /// Row and slot of each lane; [`NO_KEY`] where it is off. `None` if a lane that is on has
    /// that key.
    fn keys(&self, lanes: &[u64; BLOCK], on: u32) -> Option<[u16; BLOCK]> {
        let mut keys = [0; BLOCK];
        let mut taken = false;
        for ((key, &lane), first) in keys.iter_mut().zip(lanes).zip(self.first_slots()) {
            let unit = low_16(lane >> self.unit_shift) & (self.units - 1);
            *key = low_16(lane >> self.row_shift) << 5 | (unit + first);
            taken |= *key == NO_KEY;
        }
        if on != u32::MAX {
            for (lane, key) in keys.iter_mut().enumerate() {
                *key |= if on >> lane & 1 == 1 { 0 } else { NO_KEY };
            }
        }
        (!taken).then_some(keys)
    }

    /// The first slot of each lane's phase.
    fn first_slots(&self) -> [u16; BLOCK] {
        let mut first = [0; BLOCK];
        let mut lane = 0;
        for slot in &mut first {
            *slot = lane >> self.run.trailing_zeros() << self.units.trailing_zeros();
            lane += 1;
        }
        first
    }

    /// No conflict: one wavefront for each phase with a lane on.
    fn free(&self, on: u32) -> SharedCounts {
        let phases = if on == u32::MAX {
            BLOCK / self.run
        } else {
            let run = u32::MAX >> (BLOCK - self.run);
            let starts = (0..BLOCK).step_by(self.run);
            starts.filter(|start| on >> start & run != 0).count()
        };
        let phases = small(phases);
        self.total(phases, phases, 1)
    }

    /// The counts, from how many lanes are counted on the slot of each lane.
    fn sum(&self, counts: &[u8; BLOCK]) -> SharedCounts {
        let (mut wavefronts, mut phases, mut ways) = (0, 0, 0);
        for phase in counts.chunks_exact(self.run) {
            let most = phase.iter().copied().max().unwrap_or(0);
            wavefronts += u32::from(most);
            phases += u32::from(most > 0);
            ways = ways.max(u32::from(most));
        }
        self.total(wavefronts, phases, ways)
    }

    /// The counts, from those of distinct rows.
    fn total(&self, wavefronts: u32, phases: u32, ways: u32) -> SharedCounts {
        let (wavefronts, ways) = match self.sharing {
            Sharing::AnyWordPlusOne => (wavefronts + phases, ways + u32::from(phases > 0)),
            _ => (wavefronts, ways),
        };
        SharedCounts {
            wavefronts,
            wavefronts_least: wavefronts,
            ideal_wavefronts: phases,
            conflicts: wavefronts - phases,
            ways: if phases == 0 { 0 } else { ways },
        }
    }
}

/// The key of a lane that is off.
const NO_KEY: u16 = u16::MAX;

/// The low 16 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
const fn low_16(value: u64) -> u16 {
    value as u16
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

/// `lanes` with the address of the first lane that is on wherever a lane is off.
fn filled(lanes: &[u64; BLOCK], on: u32) -> [u64; BLOCK] {
    let first = lanes
        .get(on.trailing_zeros() as usize)
        .copied()
        .unwrap_or(0);
    let mut filled = *lanes;
    for (lane, address) in filled.iter_mut().enumerate() {
        if on >> lane & 1 == 0 {
            *address = first;
        }
    }
    filled
}

/// The bits in which addresses differ; `None` if an access of `bytes` bytes is misaligned.
fn spread(lanes: &[u64; BLOCK], bytes: u64) -> Option<u64> {
    let mut varying = 0;
    let mut any = 0;
    for lane in lanes {
        varying |= lane ^ lanes[0];
        any |= lane;
    }
    (any & (bytes - 1) == 0).then_some(varying)
}

/// The slot of each lane, [`OFF`] where it is off.
fn slots(keys: &[u16; BLOCK], on: u32) -> [u8; BLOCK] {
    let mut slots = keys.map(|key| low_8(key & 31));
    if on != u32::MAX {
        for (lane, slot) in slots.iter_mut().enumerate() {
            *slot = if on >> lane & 1 == 1 { *slot } else { OFF };
        }
    }
    slots
}

/// The low 8 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
const fn low_8(value: u16) -> u8 {
    value as u8
}

/// Whether no slot has two rows: each lane writes its key to its slot and reads it back.
fn free(keys: &[u16; BLOCK], slots: &[u8; BLOCK]) -> bool {
    let mut table = [0; 64];
    for (&key, &slot) in keys.iter().zip(slots) {
        table[usize::from(slot & 63)] = key;
    }
    let mut differing = 0;
    for (&key, &slot) in keys.iter().zip(slots) {
        differing |= table[usize::from(slot & 63)] ^ key;
    }
    differing == 0
}

/// Lanes compared at a time.
const CHUNK: usize = 8;

/// `keys` and enough that no lane has after them.
fn padded(keys: &[u16; BLOCK]) -> [u16; BLOCK + CHUNK] {
    let mut padded = [NO_KEY; BLOCK + CHUNK];
    padded[..BLOCK].copy_from_slice(keys);
    padded
}

/// `0xff` for each lane whose key a later lane has too.
fn repeated(keys: &[u16; BLOCK]) -> [u8; BLOCK] {
    let later = padded(keys);
    let mut repeated = [0; BLOCK];
    let chunks = keys.as_chunks::<CHUNK>().0.iter();
    for (index, (mine, out)) in chunks.zip(repeated.as_chunks_mut::<CHUNK>().0).enumerate() {
        let mut found = [0_u16; CHUNK];
        for others in later[index * CHUNK + 1..].array_windows::<CHUNK>() {
            for lane in 0..CHUNK {
                found[lane] |= if mine[lane] == others[lane] {
                    u16::MAX
                } else {
                    0
                };
            }
        }
        *out = found.map(low_8);
    }
    repeated
}

/// As [`repeated`], for keys that are the same only if `far` is too.
fn repeated_far(keys: &[u16; BLOCK], far: &[u16; BLOCK]) -> [u8; BLOCK] {
    let later = padded(keys);
    let later_far = padded(far);
    let mut repeated = [0; BLOCK];
    let chunks = keys
        .as_chunks::<CHUNK>()
        .0
        .iter()
        .zip(far.as_chunks::<CHUNK>().0);
    for (index, ((mine, mine_far), out)) in
        chunks.zip(repeated.as_chunks_mut::<CHUNK>().0).enumerate()
    {
        let mut found = [0_u16; CHUNK];
        let others = later[index * CHUNK + 1..].array_windows::<CHUNK>();
        let others_far = later_far[index * CHUNK + 1..].array_windows::<CHUNK>();
        for (others, others_far) in others.zip(others_far) {
            for lane in 0..CHUNK {
                let same = (mine[lane] ^ others[lane]) | (mine_far[lane] ^ others_far[lane]);
                found[lane] |= if same == 0 { u16::MAX } else { 0 };
            }
        }
        *out = found.map(low_8);
    }
    // A lane that is off repeats no lane that is on, but must not be counted either.
    for (out, &key) in repeated.iter_mut().zip(keys) {
        *out |= if key == NO_KEY { DROPPED } else { 0 };
    }
    repeated
}

/// `slots` with [`DROPPED`] for the lanes that are `repeated`.
fn without(slots: &[u8; BLOCK], repeated: &[u8; BLOCK]) -> [u8; BLOCK] {
    let mut counted = *slots;
    for (slot, repeated) in counted.iter_mut().zip(repeated) {
        *slot |= repeated;
    }
    counted
}

/// For each lane, how many lanes of `counted` are on its slot.
fn count(slots: &[u8; BLOCK], counted: &[u8; BLOCK]) -> [u8; BLOCK] {
    const WIDE: usize = 2 * CHUNK;
    let mut around = [0; 2 * BLOCK];
    around[..BLOCK].copy_from_slice(counted);
    around[BLOCK..].copy_from_slice(counted);
    let mut counts = [0; BLOCK];
    let chunks = slots.as_chunks::<WIDE>().0.iter();
    for (index, (mine, out)) in chunks.zip(counts.as_chunks_mut::<WIDE>().0).enumerate() {
        let mut sum = [0_u8; WIDE];
        for others in around[index * WIDE..].array_windows::<WIDE>().take(BLOCK) {
            for lane in 0..WIDE {
                sum[lane] += u8::from(mine[lane] == others[lane]);
            }
        }
        *out = sum;
    }
    counts
}
