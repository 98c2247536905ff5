//! What `#pragma unroll` asks of a loop.

use super::loops::TripCount;
use lanescope_syntax::tree::Unroll;

/// The most iterations that are asked for by number.
const MOST: u64 = 254;

/// Iterations that the source asks to be written out as one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrolling(Unroll, TripCount);

impl Unrolling {
    /// No unrolling.
    pub(super) const NONE: Self = Self(Unroll::Times(1), TripCount::Unknown);

    pub(super) const fn of(unroll: Unroll, turns: TripCount) -> Self {
        Self(unroll, turns)
    }

    /// How many: `None` where the source says nothing, `u32::MAX` for all.
    pub(super) fn hint(self) -> Option<u32> {
        Some(match self {
            Self(Unroll::Unsaid, _) => return None,
            Self(Unroll::Wholly, _) => u32::MAX,
            Self(Unroll::Times(0 | 1), _) => 1,
            Self(Unroll::Times(times), TripCount::Few(turns)) if times >= u64::from(turns) => {
                u32::MAX
            }
            Self(Unroll::Times(times), _) => u32::try_from(times.min(MOST)).unwrap_or(1),
        })
    }
}
