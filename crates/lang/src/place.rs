//! Tagged addresses: which memory an address lies in, and where.
//!
//! Each buffer of global memory has a stretch of its own, and so have shared memory and a thread's
//! own memory; an address may leave its array by half a stretch to either side and is still told.

use crate::ArrayId;

/// A stretch has 2 to this power bytes.
pub(crate) const REGION_BITS: u32 = 40;
/// First byte of shared memory.
pub(crate) const SHARED_BASE: i64 = 1 << 61;
/// First byte of a thread's own memory.
pub(crate) const LOCAL_BASE: i64 = 1 << 60;

/// The memory an address lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Shared,
    Local,
    Global(ArrayId),
    /// No array: a null pointer, or a number made into one.
    Nowhere,
}

/// The address, its bits from [`REGION_BITS`] on being the stretch's number.
const fn from_edge(address: i64) -> i64 {
    address.wrapping_add(1 << (REGION_BITS - 1))
}

/// Whether all addresses lie in the stretch of `one`.
pub(crate) fn in_one_stretch(addresses: &[i64], one: i64) -> bool {
    let one = from_edge(one);
    let differing = |bits, address: &i64| bits | (from_edge(*address) ^ one);
    addresses.iter().fold(0, differing) >> REGION_BITS == 0
}

/// The memory that `address` lies in.
pub(crate) fn region(address: i64) -> Region {
    let index = from_edge(address) >> REGION_BITS;
    if index == SHARED_BASE >> REGION_BITS {
        Region::Shared
    } else if index == LOCAL_BASE >> REGION_BITS {
        Region::Local
    } else {
        match u32::try_from(index - 1) {
            Ok(id) if id < 65_536 => Region::Global(ArrayId(id)),
            _ => Region::Nowhere,
        }
    }
}
