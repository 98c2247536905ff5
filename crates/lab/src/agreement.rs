//! Does what was measured rank the kernels as the counts of the model do?

use crate::Prediction;

/// Counts that differ by less are the same.
const SAME: f64 = 1.02;
/// Counts that differ by at least this much order two kernels.
const CLEARLY: f64 = 1.1;

/// How two rankings of the same kernels agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Pairs that the counts order: one of the two asks for no more shared wavefronts and no more
    /// sectors, and for clearly less of one.
    pub ordered: usize,
    /// Of these, the pairs that were measured in that order, or as equal.
    pub agreeing: usize,
    /// Of the others the one measured furthest apart: the kernel that the counts put first, and
    /// the one that was faster.
    pub furthest: Option<[usize; 2]>,
}

/// Compares every pair of `(counts, seconds)`.
#[must_use]
pub fn agreement(kernels: &[(Prediction, f64)]) -> Agreement {
    let mut found = Agreement::default();
    let mut furthest = 1.0;
    for (i, (counts, seconds)) in kernels.iter().enumerate() {
        for (j, (others, other_seconds)) in kernels.iter().enumerate() {
            if !asks_less(counts, others) {
                continue;
            }
            found.ordered += 1;
            let slower = seconds / other_seconds;
            if slower <= SAME {
                found.agreeing += 1;
            } else if slower > furthest {
                furthest = slower;
                found.furthest = Some([i, j]);
            }
        }
    }
    found
}

/// Whether `a` asks for no more than `b`, and for clearly less of something.
#[expect(clippy::cast_precision_loss, reason = "compared to a hundredth")]
fn asks_less(a: &Prediction, b: &Prediction) -> bool {
    let pairs = [
        (a.shared_wavefronts as f64, b.shared_wavefronts as f64),
        (a.sectors as f64, b.sectors as f64),
    ];
    pairs.iter().all(|(a, b)| *a <= b * SAME)
        && pairs.iter().any(|(a, b)| a * CLEARLY <= *b && *b > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(shared_wavefronts: u64, sectors: u64) -> Prediction {
        Prediction {
            shared_wavefronts,
            sectors,
            ..Prediction::default()
        }
    }

    #[test]
    fn only_pairs_that_the_counts_order_are_compared() {
        // More of one and less of the other orders nothing; nor do equal counts.
        let rows = [
            (counts(10, 100), 1.0),
            (counts(100, 10), 2.0),
            (counts(10, 101), 3.0),
        ];
        assert_eq!(agreement(&rows), Agreement::default());
    }

    #[test]
    fn pairs_in_the_measured_order_agree() {
        let rows = [
            (counts(32, 8), 1.0),
            (counts(64, 8), 1.5),
            (counts(1024, 8), 4.0),
        ];
        let found = agreement(&rows);
        assert_eq!(
            (found.ordered, found.agreeing, found.furthest),
            (3, 3, None)
        );
    }

    #[test]
    fn the_furthest_disagreement_is_named() {
        let rows = [
            (counts(1, 8), 3.0),
            (counts(64, 8), 2.0),
            (counts(1024, 8), 1.0),
        ];
        let found = agreement(&rows);
        assert_eq!(
            (found.ordered, found.agreeing, found.furthest),
            (3, 0, Some([0, 2]))
        );
    }
}
