//! The order in which fixes are offered: the simplest first at equal gain.

use crate::trial::cost;
use crate::{FixKind, Place, Suggestion};

/// The indices of `all`, the simplest change first among those that gain nearly as much as the best; then the others, and last those
/// that make an access of another line cost more. Of equally simple ones that gain nearly alike the one with the fewest instructions
/// for an index comes first, then the one that gains most, then the one with the fewest bytes.
#[must_use]
pub fn simplest_first(all: &[Suggestion]) -> Vec<usize> {
    let best = all.iter().map(gain).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|index| {
        all.get(*index).map(|one| {
            let is_good = gain(one).saturating_mul(10) >= best.saturating_mul(9);
            // Those that gain nearly alike come by what each index takes more.
            let slower = if is_good { one.instructions } else { 0 };
            let bytes = one.occupancy[1].shared_bytes;
            // What moves a conflict elsewhere is never first.
            let first = (one.raises.is_some(), !is_good, effort(&one.kind), slower);
            (first, cost(&one.totals[1]), one.instructions, bytes)
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
