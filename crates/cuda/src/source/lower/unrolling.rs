//! What `#pragma unroll` asks of a loop.

use super::loops::Turns;
use crate::source::syntax::Unroll;

/// Iterations that the source asks to be written out as one piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrolling(Unroll, Turns);

impl Unrolling {
    /// No unrolling.
    pub(super) const NONE: Self = Self(Unroll::Times(1), Turns::Unknown);

    pub(super) const fn of(unroll: Unroll, turns: Turns) -> Self {
        Self(unroll, turns)
    }

    /// How many: 0 where the source says nothing, 255 for all.
    pub(super) fn asked(self) -> u8 {
        match self {
            Self(Unroll::Unsaid, _) => 0,
            Self(Unroll::Wholly, _) => u8::MAX,
            Self(Unroll::Times(0 | 1), _) => 1,
            Self(Unroll::Times(times), Turns::Few(turns)) if times >= u64::from(turns) => u8::MAX,
            Self(Unroll::Times(times), _) => u8::try_from(times.min(254)).unwrap_or(254),
        }
    }
}
