//! The order in which fixes are offered: the simplest first at equal gain.

use crate::trial::cost;
use crate::{FixKind, Place, Suggestion};

/// The indices of `all`, the simplest change first among those that gain nearly as much as the best; then the others, and last those
/// that make an access of another line cost more.
#[must_use]
pub fn simplest_first(all: &[Suggestion]) -> Vec<usize> {
    let best = all.iter().map(gain).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|index| {
        all.get(*index).map(|one| {
            let is_good = gain(one).saturating_mul(10) >= best.saturating_mul(9);
            // What moves a conflict elsewhere is never first.
            (one.raises.is_some(), !is_good, effort(&one.kind))
        })
    });
    order
}

/// Wavefronts and sectors that a fix saves, less those that it adds.
fn gain(suggestion: &Suggestion) -> u64 {
    let [before, after] = &suggestion.totals;
    cost(before).saturating_sub(cost(after))
}

/// How much of a program a fix changes: a declaration, an index, a layout, an algorithm.
const fn effort(kind: &FixKind) -> u8 {
    match kind {
        FixKind::Place(Place::AsIs | Place::Pad { .. })
        | FixKind::AlignStructure { .. }
        | FixKind::AlignBase => 0,
        FixKind::Pitch { .. }
        | FixKind::Widen { .. }
        | FixKind::Sequential
        | FixKind::LoopOrder => 1,
        FixKind::Place(Place::RowXor { .. } | Place::Swizzle(_) | Place::Linear(_)) => 2,
        FixKind::Place(Place::PadEvery { .. })
        | FixKind::SwapAxes
        | FixKind::SwapInvocations
        | FixKind::FirstAdd
        | FixKind::WarpShuffle
        | FixKind::BlockShape { .. } => 3,
        FixKind::Narrowed(_) | FixKind::Place(Place::Transposed) => 4,
        FixKind::Together(_) => 5,
        FixKind::SplitShared | FixKind::SplitGlobal | FixKind::Stage => 6,
    }
}
