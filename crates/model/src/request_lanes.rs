//! The lanes of a request, cut into warps.

use crate::{LaneMask, MAX_LANES, Operation, Request, Width};

impl Request<'_> {
    /// The lanes that take part: on, with an address, and for matrices among those that give
    /// the address of a row.
    #[must_use]
    pub fn participating(&self) -> LaneMask {
        let given = self.active.0 & LaneMask::first(self.addresses.len()).0;
        LaneMask(given & row_lanes(self.operation))
    }

    /// The bytes a lane reads or writes: those of a row for matrices, whatever
    /// [`Request::width`] says.
    #[must_use]
    pub const fn lane_width(&self) -> Width {
        match self.operation {
            Operation::MatrixLoad { .. } | Operation::MatrixStore { .. } => Width::Bytes16,
            _ => self.width,
        }
    }

    /// The address of `lane`; 0 past the end.
    pub(crate) fn address(&self, lane: usize) -> u64 {
        self.addresses.get(lane).copied().unwrap_or(0)
    }

    /// The first and the last byte that `lane` touches; bytes past the end of the address
    /// space are left out.
    pub(crate) fn byte_range(&self, lane: usize) -> (u64, u64) {
        let first = self.address(lane);
        (first, first.saturating_add(self.lane_width().bytes() - 1))
    }
}

/// The lanes of each warp of 32 whose addresses count.
const fn row_lanes(operation: Operation) -> u64 {
    match operation {
        Operation::MatrixLoad { matrices } | Operation::MatrixStore { matrices } => {
            let warp = LaneMask::first(8 * matrices as usize).0 & 0xffff_ffff;
            warp | warp << 32
        }
        _ => u64::MAX,
    }
}

/// The warps that a request's lanes fill: the first lane of each and a mask of its lanes.
///
/// A request may have more lanes than the device's warp; the rest is the next warp's request.
pub(crate) fn warps(warp_lanes: u32) -> impl Iterator<Item = LaneMask> {
    let lanes = (warp_lanes.max(1) as usize).min(MAX_LANES);
    (0..MAX_LANES)
        .step_by(lanes)
        .map(move |start| LaneMask(LaneMask::first(lanes).0 << start))
}

/// Lanes that are counted at once.
pub(crate) const BLOCK: usize = 32;

/// The addresses of the lanes `BLOCK * index ..`; 0 past the end.
pub(crate) fn block(addresses: &[u64], index: usize) -> [u64; BLOCK] {
    let mut lanes = [0; BLOCK];
    let rest = addresses.get(index * BLOCK..).unwrap_or(&[]);
    for (lane, &address) in lanes.iter_mut().zip(rest) {
        *lane = address;
    }
    lanes
}
