//! Vectors of a warp's lanes, in the form that compilers make SIMD of.

use std::ops::Range;

use super::{DROPPED, HALF, NO_KEY};
use crate::LaneMask;
use crate::request_lanes::BLOCK;

/// The low 16 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
pub(super) const fn low_16(value: u64) -> u16 {
    value as u16
}

/// The low 8 bits.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is wanted"
)]
pub(super) const fn low_8(value: u16) -> u8 {
    value as u8
}

/// A number of lanes or phases.
pub(super) fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The lanes of one block phase by phase, where phases are `sets` of lanes.
pub(super) fn in_order(lanes: &[u64; BLOCK], on: u32, sets: &[u64]) -> ([u64; BLOCK], u32) {
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
pub(super) fn gathered(lanes: &[u64; BLOCK], on: u32) -> [u64; BLOCK] {
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
pub(super) fn fill_runs<const RUN: usize>(phases: &mut [[u64; RUN]], on: u32, some: u64) -> usize {
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

/// The bits in which some lane differs from the first.
#[inline(never)]
pub(super) fn varying(lanes: &[u64; BLOCK]) -> u64 {
    let first = lanes[0];
    lanes.iter().fold(0, |varying, lane| varying | lane ^ first)
}

/// The low bits of the index of each lane's unit.
pub(super) fn units(lanes: &[u64; BLOCK], shift: u32) -> [u16; BLOCK] {
    let mut units = [0; BLOCK];
    for (unit, lane) in units.iter_mut().zip(lanes) {
        *unit = low_16(lane >> (shift & 63));
    }
    units
}

/// Whether lanes take `places` slots.
#[inline]
pub(super) fn all_differ(slots: &[u8; BLOCK], places: usize) -> bool {
    let mut taken = [0_u32; 2];
    for slots in slots.as_chunks::<2>().0 {
        taken[0] |= 1 << (slots[0] & 31);
        taken[1] |= 1 << (slots[1] & 31);
    }
    let taken = taken[0] | taken[1];
    taken == u32::MAX || places < BLOCK && taken.count_ones() as usize == places
}

/// `0xffff` for each lane whose key a later lane has too; `None` if a lane has [`NO_KEY`].
pub(super) fn repeated(keys: &[u16; 2 * BLOCK]) -> Option<[u16; BLOCK]> {
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
pub(super) fn repeated_far(
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
pub(super) fn without(slots: &[u8; BLOCK], repeated: &[u16; BLOCK]) -> [u8; BLOCK] {
    let mut counted = *slots;
    for (slot, &repeated) in counted.iter_mut().zip(repeated) {
        *slot |= low_8(repeated) & DROPPED;
    }
    counted
}

/// How many lanes are on each slot.
#[inline]
pub(super) fn histogram(slots: &[u8; BLOCK]) -> [u8; BLOCK] {
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

/// How many distinct rows each of `2^BANKS` banks is asked for by lanes of one phase, of 8 at most.
#[inline(never)]
pub(super) fn few_rows_of_banks<const BANKS: u32>(units: &[u16; BLOCK]) -> [u8; BLOCK] {
    let mut asked = [0_u8; BLOCK];
    for &unit in units {
        let bank = usize::from(unit) % (1 << BANKS) % BLOCK;
        asked[bank] |= 1 << (unit >> BANKS & 7);
    }
    asked.map(ones_of_byte)
}

/// How many bits are set, in steps that a compiler makes vector instructions of.
const fn ones_of_byte(bits: u8) -> u8 {
    let pairs = bits - (bits >> 1 & 0x55);
    let fours = (pairs & 0x33) + (pairs >> 2 & 0x33);
    (fours + (fours >> 4)) & 0xf
}

/// Whether the first lanes are as many bytes apart as no two others: a sign of random addresses, which conflict.
#[inline]
pub(super) fn is_scattered(lanes: &[u64; BLOCK]) -> bool {
    let step = |lane: usize| lanes[lane + 1].wrapping_sub(lanes[lane]);
    let (a, b, c) = (step(0), step(1), step(2));
    a != b && b != c && a != c
}
