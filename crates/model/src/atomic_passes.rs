//! Passes of an atomic operation on global memory: which lanes L1 serves together.
//!
//! Lines belong to one of four *slices*, by a hash of their address. In each slice a pass serves one line: that of the
//! first lane that waits. It takes the lanes of this line whose words lie in banks that no earlier lane waits for, on
//! whichever line that one is, and asks for their sectors. So lanes on one word take turns, and a sector is asked for
//! again where a lane of another line of the slice came between two of its lanes.
//!
//! Measured on CC 9.0 (an H100, one warp a launch): the hash by 863 pairs of lines, of which each bit of a line's number up
//! to the 20th; the passes, found on nine requests, then agree with all of 280 random ones (4 and 8 bytes a lane, with and
//! without the old value, lanes off) and with all 58 of `tests/golden`.

use crate::request_lanes::BLOCK;

/// Bytes of a line, of a sector and of a bank's word.
const LINE: u64 = 128;
const SECTOR: u64 = 32;
const WORD: u64 = 4;

/// Slices of the lines.
const SLICES: usize = 4;

/// The bits of a line's number whose parity is a bit of its slice.
const HASH: [u64; 2] = [0xb_7ab5, 0xe_d5da];

/// One of the lanes.
#[derive(Clone, Copy, Default)]
struct Lane {
    line: u64,
    /// The banks of its words, a bit each.
    banks: u32,
    /// The sectors of its bytes, a bit each from the first of its line.
    sectors: u32,
}

/// `[byte][value]`: the slice of a line whose number has that byte, and zeros else.
const SLICE_OF: [[u8; 256]; 3] = {
    let mut slices = [[0; 256]; 3];
    let mut byte = 0;
    while byte < 3 {
        let mut value = 0;
        while value < 256 {
            let line = (value as u64) << (8 * byte);
            let [low, high] = [
                (line & HASH[0]).count_ones() & 1,
                (line & HASH[1]).count_ones() & 1,
            ];
            slices[byte][value] = low_8(low | high << 1);
            value += 1;
        }
        byte += 1;
    }
    slices
};

#[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
const fn low_8(value: u32) -> u8 {
    value as u8
}

/// The slice of a line, by its number.
#[inline]
fn slice(line: u64) -> usize {
    let [low, middle, high, ..] = line.to_le_bytes();
    let of = |byte: usize, value: u8| SLICE_OF[byte][usize::from(value)];
    usize::from(of(0, low) ^ of(1, middle) ^ of(2, high)) % SLICES
}

/// How many sectors the passes ask for, of lanes that want `bytes` bytes each at these addresses, in their order; 32 of
/// them at most.
#[inline(never)]
pub(crate) fn sectors(addresses: impl Iterator<Item = u64>, bytes: u64) -> u32 {
    let mut lanes = [Lane::default(); BLOCK];
    let mut waiting = [0_u32; SLICES];
    let banks = (1_u32 << bytes.div_ceil(WORD)) - 1;
    for (at, (lane, first)) in lanes.iter_mut().zip(addresses).enumerate() {
        let last = first.saturating_add(bytes - 1);
        let place = first / WORD % (LINE / WORD);
        // A lane whose words are not aligned may reach one bank further.
        let reach = last / WORD - first / WORD + 1;
        let wanted = if reach * WORD > bytes.max(WORD) {
            banks << 1 | 1
        } else {
            banks
        };
        *lane = Lane {
            line: first / LINE,
            banks: wanted.rotate_left(u32::try_from(place).unwrap_or_default()),
            sectors: ((1 << (last / SECTOR - first / SECTOR + 1)) - 1) << (first / SECTOR % 4),
        };
        waiting[slice(lane.line)] |= 1 << at;
    }
    waiting
        .into_iter()
        .map(|waiting| sectors_of_slice(&lanes, waiting))
        .sum()
}

/// The same of the lanes of one slice.
#[inline]
fn sectors_of_slice(lanes: &[Lane; BLOCK], mut waiting: u32) -> u32 {
    let mut total = 0;
    while waiting != 0 {
        let line = lanes[waiting.trailing_zeros() as usize % BLOCK].line;
        let (mut banks, mut sectors, mut served) = (0, 0_u32, 0);
        let mut rest = waiting;
        // Without branches: which lane is served is anyone's guess.
        while rest != 0 {
            let at = rest.trailing_zeros();
            let lane = &lanes[at as usize % BLOCK];
            let is_served = u32::from(lane.line == line) & u32::from(lane.banks & banks == 0);
            sectors |= lane.sectors & 0_u32.wrapping_sub(is_served);
            served |= is_served << at;
            banks |= lane.banks;
            rest &= rest - 1;
        }
        total += sectors.count_ones();
        waiting &= !served;
    }
    total
}
