//! Passes of an atomic operation on global memory, from their definition.

use std::collections::BTreeSet;

/// What each bit of a line's number changes of its slice.
const SLICE_BITS: [u8; 20] = [1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1, 3, 1, 3, 2, 1, 3, 2, 3];

fn slice_of(byte: u64) -> u8 {
    let bits = SLICE_BITS.iter().enumerate();
    let set = bits.filter(|(bit, _)| (byte / 128) >> bit & 1 == 1);
    set.fold(0, |slice, (_, bits)| slice ^ bits)
}

/// The sectors that passes over lanes ask for, each of which wants some bytes. A pass serves the line of the first lane that waits, and of each of its
/// banks the first lane that wants it, unless one of another line of the slice was before it.
pub(crate) fn sectors(lanes: &[Vec<u64>]) -> u32 {
    let mut waiting = lanes.to_vec();
    let mut total = 0;
    while let Some(first) = waiting.first() {
        let (line, slice) = (first[0] / 128, slice_of(first[0]));
        let mut wanted = BTreeSet::new();
        let mut sectors = BTreeSet::new();
        waiting.retain(|bytes| {
            if slice_of(bytes[0]) != slice {
                return true;
            }
            let banks: BTreeSet<u64> = bytes.iter().map(|byte| byte / 4 % 32).collect();
            let is_served = bytes[0] / 128 == line && banks.is_disjoint(&wanted);
            if is_served {
                sectors.extend(bytes.iter().map(|byte| byte / 32));
            }
            wanted.extend(banks);
            !is_served
        });
        total += u32::try_from(sectors.len()).expect("few sectors");
    }
    total
}
