//! How often the words of each sector are asked for, of 32 lanes at once.
//!
//! Lanes on one word take turns, and those of one sector take theirs together. So the turns of all
//! sectors are as many as there are distinct pairs of a sector and a turn, where the turn of a lane
//! is how many later lanes are on its word. A turn takes the place of the bits of an address that
//! lie within a sector; then what tells sectors apart tells the pairs apart too.

use std::ops::Range;

use super::{
    ALL_APART, Distinct, FARTHEST, HALF, LANES, Lows, NEAR_BITS, Padded, Sizes, are_apart,
    ascending, bits_that_vary, distances, distinct, fars, lows, nearest, nearest_far, nears,
};
use crate::request_lanes::BLOCK;

/// Bytes of a word that lanes take turns on.
const WORD: i16 = 4;

/// What the lanes that are `on` touch, and for each sector the most of them on one word, summed;
/// `lanes` that are off have the address of one that is on. `None` as for [`distinct`], and where
/// a sector has too few bytes.
#[inline(never)]
pub(crate) fn turns(lanes: &[u64; BLOCK], on: u32, sizes: Sizes) -> Option<(Distinct, u32)> {
    let varying = bits_that_vary(lanes);
    if (varying | lanes[0]) & (sizes.access - 1) != 0 || varying >> (2 * NEAR_BITS) != 0 {
        return None;
    }
    let low = lows(lanes);
    let is_far = varying >> NEAR_BITS != 0;
    let known = match ascending(&low, sizes) {
        None if is_far && are_apart(&low, sizes.line) => Some(ALL_APART),
        known => known,
    };
    let turns = known.and_then(|known| plain_turns(known, on, sizes));
    if let (Some(known), Some(turns)) = (known, turns) {
        return Some((known, turns));
    }
    if u32::from(sizes.sector) < LANES {
        return None;
    }
    let (pairs, words) = pairs(&low, on, is_far, sizes);
    let touched = Distinct {
        addresses: match sizes.access {
            1 | 2 => distinct(lanes, sizes)?.addresses,
            _ => words,
        },
        ..pairs
    };
    Some((touched, pairs.addresses))
}

/// The turns of lanes that all share one word, or of which no two do.
#[inline]
fn plain_turns(distinct: Distinct, on: u32, sizes: Sizes) -> Option<u32> {
    let lanes = on.count_ones();
    let apart = match sizes.access {
        1 | 2 => distinct.sectors,
        _ => distinct.addresses,
    };
    if apart == lanes {
        Some(distinct.sectors)
    } else {
        (distinct.addresses == 1).then_some(lanes)
    }
}

/// What lanes touch, with the distinct pairs of a sector and a turn for addresses; and distinct words.
#[inline]
fn pairs(low: &Lows, on: u32, is_far: bool, sizes: Sizes) -> (Distinct, u32) {
    let mut near = nears(low);
    let words = words(&near, on);
    let far = fars(low);
    let later = if is_far {
        later_far(&words, &far)
    } else {
        later(&words)
    };
    let mut last = 0;
    let sector = !(sizes.sector.cast_signed() - 1);
    for lane in 0..BLOCK {
        let turn = if words[lane] < 0 { 0 } else { later[lane] };
        near[lane] = near[lane] & sector | turn;
        last += u16::from(words[lane] >= 0 && turn == 0);
    }
    let nearest = if is_far {
        nearest_far(&near, &far)
    } else {
        nearest(&near)
    };
    (distances(&nearest, sizes), u32::from(last))
}

/// The low bits of each lane's word; less than 0 for lanes that are off.
#[inline]
fn words(near: &Padded, on: u32) -> Padded {
    let mut words = *near;
    for (lane, word) in words[..BLOCK].iter_mut().enumerate() {
        let off = if on >> lane & 1 == 1 { 0 } else { !FARTHEST };
        *word = *word & !(WORD - 1) | off;
    }
    words
}

/// For each lane, how many later ones are on its word.
#[inline(never)]
fn later(words: &Padded) -> [i16; BLOCK] {
    let mut later = [0; BLOCK];
    meet::<BLOCK>(words, 1..8, &mut later);
    meet::<BLOCK>(words, 8..15, &mut later);
    meet::<BLOCK>(words, 15..16, &mut later);
    meet::<HALF>(words, 16..23, &mut later);
    meet::<HALF>(words, 23..30, &mut later);
    meet::<HALF>(words, 30..32, &mut later);
    later
}

/// As [`later`], where words are the same only if `far` is too.
#[inline(never)]
fn later_far(words: &Padded, far: &Padded) -> [i16; BLOCK] {
    let mut later = [0; BLOCK];
    meet_far::<BLOCK>(words, far, 1..8, &mut later);
    meet_far::<BLOCK>(words, far, 8..15, &mut later);
    meet_far::<BLOCK>(words, far, 15..16, &mut later);
    meet_far::<HALF>(words, far, 16..23, &mut later);
    meet_far::<HALF>(words, far, 23..30, &mut later);
    meet_far::<HALF>(words, far, 30..32, &mut later);
    later
}

/// Adds one to each of the first `LANES` lanes that has the word of the lane so many `steps` later.
#[inline(always)]
fn meet<const LANES: usize>(words: &Padded, steps: Range<usize>, later: &mut [i16; BLOCK]) {
    for step in steps {
        let Some(others) = words[step..].first_chunk::<BLOCK>() else {
            return;
        };
        for lane in 0..LANES {
            later[lane] += i16::from(words[lane] == others[lane]);
        }
    }
}

/// As [`meet`], for lanes of the same `far` only.
#[inline(always)]
fn meet_far<const LANES: usize>(
    words: &Padded,
    far: &Padded,
    steps: Range<usize>,
    later: &mut [i16; BLOCK],
) {
    for step in steps {
        let others = words[step..].first_chunk::<BLOCK>();
        let others_far = far[step..].first_chunk::<BLOCK>();
        let (Some(others), Some(others_far)) = (others, others_far) else {
            return;
        };
        for lane in 0..LANES {
            let differing = (words[lane] ^ others[lane]) | (far[lane] ^ others_far[lane]);
            later[lane] += i16::from(differing == 0);
        }
    }
}
