//! Distinct addresses, sectors and lines of 32 lanes at once, without sorting.
//!
//! Two addresses lie in one sector when their difference, bit by bit, is less than a sector. So
//! a lane brings a new sector unless a later lane is that near; where addresses ascend the next
//! lane is enough, otherwise the nearest of all later lanes is found for every lane. Far apart, a bit a line mostly says
//! that there is none.
//!
//! The loops are shaped so that a compiler makes vector instructions of them.
//! [`crate::global_walk`] answers everything else, and a test holds the two together.

use std::ops::Range;

use crate::request_lanes::BLOCK;

/// How many distinct pieces of each kind lanes touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Distinct {
    /// Addresses.
    pub(crate) addresses: u32,
    /// Sectors.
    pub(crate) sectors: u32,
    /// Lines.
    pub(crate) lines: u32,
}

/// The sizes of the pieces, powers of two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Bytes a lane.
    pub(crate) access: u64,
    /// Bytes of a sector, at least those a lane.
    pub(crate) sector: u16,
    /// Bytes of a line.
    pub(crate) line: u16,
}

/// Bits of a distance that are told apart.
const NEAR_BITS: u32 = 15;

/// The largest distance.
const FARTHEST: i16 = i16::MAX;

/// What all of `lanes` touch; `None` where an access is misaligned or the addresses lie too far
/// apart.
#[inline(never)]
pub(crate) fn distinct(lanes: &[u64; BLOCK], sizes: Sizes) -> Option<Distinct> {
    let varying = lanes
        .iter()
        .fold(0, |varying, lane| varying | lane ^ lanes[0]);
    if (varying | lanes[0]) & (sizes.access - 1) != 0 || varying >> (2 * NEAR_BITS) != 0 {
        return None;
    }
    let low = lows(lanes);
    if let Some(distinct) = ascending(&low, sizes) {
        return Some(distinct);
    }
    let nearest = if varying >> NEAR_BITS == 0 {
        nearest(&nears(&low))
    } else if are_apart(&low, sizes.line) {
        return Some(ALL_APART);
    } else {
        nearest_far(&nears(&low), &fars(&low))
    };
    Some(distances(&nearest, sizes))
}

/// The low bits of the addresses, and the last lane's once more.
#[inline]
fn lows(lanes: &[u64; BLOCK]) -> [i32; BLOCK + 1] {
    let mut low = [(lanes[BLOCK - 1] & 0x7fff_ffff) as i32; BLOCK + 1];
    for (low, lane) in low.iter_mut().zip(lanes) {
        *low = (lane & 0x7fff_ffff) as i32;
    }
    low
}

/// What lanes touch, if no address is less than the one before.
#[inline]
fn ascending(low: &[i32; BLOCK + 1], sizes: Sizes) -> Option<Distinct> {
    let (sector, line) = (i32::from(sizes.sector), i32::from(sizes.line));
    let (mut addresses, mut sectors, mut lines) = (1, 1, 1);
    let mut descends = 0;
    for lane in 0..BLOCK {
        let (this, next) = (low[lane], low[lane + 1]);
        let distance = this ^ next;
        descends |= i32::from(this > next);
        addresses += u32::from(distance > 0);
        sectors += u32::from(distance >= sector);
        lines += u32::from(distance >= line);
    }
    (descends == 0).then_some(Distinct {
        addresses,
        sectors,
        lines,
    })
}

/// Each lane in a line of its own.
const ALL_APART: Distinct = Distinct {
    addresses: LANES,
    sectors: LANES,
    lines: LANES,
};

/// As [`BLOCK`].
const LANES: u32 = 32;
const _: () = assert!(LANES as usize == BLOCK);

/// Lines that are told apart by a bit each, as a power of two; of further ones some fall together.
const PLACE_BITS: u32 = 12;

/// Bits of a word, as a power of two.
const WORD_BITS: u32 = 6;

/// Whether no two lanes lie in one line, as random addresses of a large array mostly do; `false` too where it is not sure.
#[inline(never)]
fn are_apart(low: &[i32; BLOCK + 1], line: u16) -> bool {
    let mut taken = [0_u64; 1 << (PLACE_BITS - WORD_BITS)];
    let mut met = 0;
    for low in &low[..BLOCK] {
        let line = low.cast_unsigned() >> line.trailing_zeros();
        let place = line ^ line >> PLACE_BITS;
        let word = &mut taken[(place >> WORD_BITS) as usize % (1 << (PLACE_BITS - WORD_BITS))];
        let bit = 1_u64 << (place % (1 << WORD_BITS));
        met |= *word & bit;
        *word |= bit;
    }
    met == 0
}

/// Lanes, and enough after them to compare the last with.
type Padded = [i16; 2 * BLOCK];

/// The lowest bits, and after the last lane what is far from everything.
#[inline]
fn nears(low: &[i32; BLOCK + 1]) -> Padded {
    let mut nears = [i16::MIN; 2 * BLOCK];
    for (near, low) in nears.iter_mut().zip(&low[..BLOCK]) {
        *near = (low & 0x7fff) as i16;
    }
    nears
}

/// The bits above, and after the last lane what no lane has.
#[inline]
fn fars(low: &[i32; BLOCK + 1]) -> Padded {
    let mut fars = [i16::MIN; 2 * BLOCK];
    for (far, low) in fars.iter_mut().zip(&low[..BLOCK]) {
        *far = (low >> NEAR_BITS & 0x7fff) as i16;
    }
    fars
}

/// Half the lanes: those that have a lane 16 or more steps after them.
const HALF: usize = BLOCK / 2;

/// For each lane, [`FARTHEST`] less its distance from the nearest later lane.
// In runs of seven: at eight, compilers turn the comparison on its side.
#[inline(never)]
fn nearest(near: &Padded) -> [i16; BLOCK] {
    let mut nearest = [0; BLOCK];
    approach::<BLOCK>(near, 1..8, &mut nearest);
    approach::<BLOCK>(near, 8..15, &mut nearest);
    approach::<BLOCK>(near, 15..16, &mut nearest);
    approach::<HALF>(near, 16..23, &mut nearest);
    approach::<HALF>(near, 23..30, &mut nearest);
    approach::<HALF>(near, 30..32, &mut nearest);
    nearest
}

/// As [`nearest`], where lanes are near only if `far` is the same.
#[inline(never)]
fn nearest_far(near: &Padded, far: &Padded) -> [i16; BLOCK] {
    let mut nearest = [0; BLOCK];
    approach_far::<BLOCK>(near, far, 1..8, &mut nearest);
    approach_far::<BLOCK>(near, far, 8..15, &mut nearest);
    approach_far::<BLOCK>(near, far, 15..16, &mut nearest);
    approach_far::<HALF>(near, far, 16..23, &mut nearest);
    approach_far::<HALF>(near, far, 23..30, &mut nearest);
    approach_far::<HALF>(near, far, 30..32, &mut nearest);
    nearest
}

/// Brings each of the first `LANES` lanes as near as those `steps` later.
#[inline(always)]
fn approach<const LANES: usize>(near: &Padded, steps: Range<usize>, nearest: &mut [i16; BLOCK]) {
    for step in steps {
        let Some(others) = near[step..].first_chunk::<BLOCK>() else {
            return;
        };
        for lane in 0..LANES {
            nearest[lane] = nearest[lane].max(near[lane] ^ others[lane] ^ FARTHEST);
        }
    }
}

/// As [`approach`], for lanes of the same `far` only.
#[inline(always)]
fn approach_far<const LANES: usize>(
    near: &Padded,
    far: &Padded,
    steps: Range<usize>,
    nearest: &mut [i16; BLOCK],
) {
    for step in steps {
        let others = near[step..].first_chunk::<BLOCK>();
        let others_far = far[step..].first_chunk::<BLOCK>();
        let (Some(others), Some(others_far)) = (others, others_far) else {
            return;
        };
        for lane in 0..LANES {
            let same = if far[lane] == others_far[lane] { -1 } else { 0 };
            nearest[lane] = nearest[lane].max((near[lane] ^ others[lane] ^ FARTHEST) & same);
        }
    }
}

/// What lanes touch, from how near the nearest later lane is to each.
#[inline]
fn distances(nearest: &[i16; BLOCK], sizes: Sizes) -> Distinct {
    let (mut addresses, mut sectors, mut lines) = (0, 0, 0);
    for near in nearest {
        let distance = (near ^ FARTHEST).cast_unsigned();
        addresses += u16::from(distance > 0);
        sectors += u16::from(distance >= sizes.sector);
        lines += u16::from(distance >= sizes.line);
    }
    Distinct {
        addresses: u32::from(addresses),
        sectors: u32::from(sectors),
        lines: u32::from(lines),
    }
}
