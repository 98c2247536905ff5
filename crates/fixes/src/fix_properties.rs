//! What the search asks of a kind of fix. What it is called stands in [`crate::fix_words`].

use crate::{FixKind, Place};

impl FixKind {
    /// How much of a program it changes: a declaration, an index, a layout, an algorithm.
    pub(crate) const fn effort(&self) -> u8 {
        match self {
            Self::Place(Place::AsIs | Place::Pad { .. })
            | Self::AlignStructure { .. }
            | Self::AlignBase => 0,
            Self::Pitch { .. } | Self::Widen { .. } | Self::Sequential | Self::LoopOrder => 1,
            Self::Place(Place::RowXor { .. } | Place::Swizzle(_) | Place::Linear(_)) => 2,
            Self::Place(Place::PadEvery { .. })
            | Self::SwapAxes
            | Self::SwapInvocations
            | Self::FirstAdd
            | Self::WarpShuffle
            | Self::BlockShape { .. } => 3,
            Self::Narrowed(_) | Self::Place(Place::Transposed) => 4,
            Self::Together(_) => 5,
            Self::SplitShared | Self::SplitGlobal | Self::Stage => 6,
        }
    }

    /// Whether the accesses are the same behind it, each at its own place in the text.
    pub(crate) const fn keeps_accesses(&self) -> bool {
        match self {
            Self::Place(_)
            | Self::Narrowed(_)
            | Self::SwapAxes
            | Self::SwapInvocations
            | Self::Pitch { .. }
            | Self::Together(_) => true,
            Self::SplitShared
            | Self::SplitGlobal
            | Self::Sequential
            | Self::FirstAdd
            | Self::WarpShuffle
            | Self::LoopOrder
            | Self::BlockShape { .. }
            | Self::Stage
            | Self::AlignStructure { .. }
            | Self::AlignBase
            | Self::Widen { .. } => false,
        }
    }

    /// Whether it is right whatever a kernel's template is made for: longer rows are.
    pub(crate) fn suits_all_instances(&self) -> bool {
        let is_padding = |place: &Place| matches!(place, Place::Pad { .. });
        match self {
            Self::Place(place) => is_padding(place),
            Self::Together(places) => places.iter().all(|(_, place)| is_padding(place)),
            Self::Narrowed(_)
            | Self::SplitShared
            | Self::SplitGlobal
            | Self::Sequential
            | Self::FirstAdd
            | Self::WarpShuffle
            | Self::LoopOrder
            | Self::SwapAxes
            | Self::SwapInvocations
            | Self::BlockShape { .. }
            | Self::Stage
            | Self::AlignStructure { .. }
            | Self::AlignBase
            | Self::Pitch { .. }
            | Self::Widen { .. } => false,
        }
    }
}
