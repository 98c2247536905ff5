//! The order in which fixes are offered: the simplest first at equal gain.

use crate::Suggestion;
use crate::trial::cost;

/// The indices of `all`, the simplest change first among those that gain nearly as much as the best; then the others, and last those
/// that make an access of another line cost more. Of equally simple ones that gain nearly alike the one with the fewest instructions
/// for an index comes first, then the one that gains most, then the one with the fewest bytes.
#[must_use]
pub fn simplest_first(all: &[Suggestion]) -> Vec<usize> {
    let best = all.iter().map(gain).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by_key(|index| {
        all.get(*index).map(|block| {
            let is_good = gain(block).saturating_mul(10) >= best.saturating_mul(9);
            // Those that gain nearly alike come by what each index takes more.
            let slower = if is_good { block.instructions } else { 0 };
            let bytes = block.occupancy[1].shared_bytes;
            // What moves a conflict elsewhere is never first.
            let first = (
                block.raises.is_some(),
                !is_good,
                block.kind.effort(),
                slower,
            );
            (first, cost(&block.totals[1]), block.instructions, bytes)
        })
    });
    order
}

/// Wavefronts and sectors that a fix saves, less those that it adds.
fn gain(suggestion: &Suggestion) -> u64 {
    let [before, after] = &suggestion.totals;
    cost(before).saturating_sub(cost(after))
}
