//! Blocks for which what a block does is proved: a box of block indices, thinned to a lattice.
//!
//! The box is spanned from the block that runs, its corner with the lowest indices. Each condition that must come out
//! the same, and each value that must not wrap, cuts it.

/// How a value grows with the coordinates of the block: by so much for each step along x, y, z.
pub(crate) type Slope = [i64; 3];

/// Blocks that do the same up to a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Steps along each axis, at most.
    pub(crate) steps: [u64; 3],
    /// Steps along each axis are multiples of this.
    pub(crate) period: [u64; 3],
}

/// Longer periods are not followed.
const LONGEST_PERIOD: u64 = 1 << 12;

pub(crate) const fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Region {
    /// As many steps along each axis as a grid allows.
    pub(crate) const fn new(steps: [u64; 3]) -> Self {
        Self {
            steps,
            period: [1; 3],
        }
    }

    /// What a value with a slope grows by at most along an axis.
    fn growth(&self, slope: Slope, axis: usize) -> i128 {
        (i128::from(slope[axis]) * i128::from(self.steps[axis])).max(0)
    }

    /// Cuts the box so that a value with this slope grows by no more than `slack`, which is not negative.
    pub(crate) fn limit(&mut self, slack: i128, slope: Slope) {
        let mut total: i128 = (0..3).map(|axis| self.growth(slope, axis)).sum();
        // The axis along which it grows fastest is cut first: that loses the fewest blocks of a row-major index.
        while total > slack {
            let axes = (0..3).filter(|axis| self.growth(slope, *axis) > 0);
            let Some(axis) = axes.max_by_key(|axis| slope[*axis]) else {
                return;
            };
            let room = slack - (total - self.growth(slope, axis));
            total -= self.growth(slope, axis);
            self.steps[axis] = u64::try_from(room.max(0) / i128::from(slope[axis])).unwrap_or(0);
            total += self.growth(slope, axis);
        }
    }

    /// Cuts the box so that a value with this slope stays between two others.
    pub(crate) fn keep(&mut self, low: i128, value: (i128, i128), high: i128, slope: Slope) {
        self.limit((high - value.1).max(0), slope);
        self.limit((value.0 - low).max(0), slope.map(i64::wrapping_neg));
    }

    /// Thins the lattice so that a value with this slope grows by multiples of `modulus` only. Returns whether it does.
    pub(crate) fn align(&mut self, slope: Slope, modulus: u64) -> bool {
        for axis in 0..3 {
            let slope = slope[axis].unsigned_abs();
            if slope == 0 || self.steps[axis] == 0 {
                continue;
            }
            if modulus == 0 {
                return false;
            }
            let needed = modulus / common_divisor(slope, modulus);
            let period = self.period[axis];
            let longer = period / common_divisor(period, needed) * needed;
            if longer > LONGEST_PERIOD {
                self.steps[axis] = 0;
            } else {
                self.period[axis] = longer;
            }
        }
        true
    }
}

/// Block indices along an axis: `first`, `first + step`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progression {
    pub(crate) first: u64,
    pub(crate) step: u64,
    pub(crate) count: u64,
}

/// Blocks that are still to be counted.
pub(crate) type BlockSet = [Progression; 3];

/// How many blocks a set has.
pub(crate) fn size(set: &BlockSet) -> u64 {
    set.iter()
        .fold(1, |all: u64, axis| all.saturating_mul(axis.count))
}

/// Takes the blocks of a region, spanned from the first block of a set, out of the set. Returns how many they are; what
/// is left is added to `rest`.
pub(crate) fn take(mut set: BlockSet, region: &Region, rest: &mut Vec<BlockSet>) -> u64 {
    for axis in 0..3 {
        let Progression { first, step, count } = set[axis];
        let period = region.period[axis];
        let every = period / common_divisor(period, step.max(1));
        let inside = (region.steps[axis] / step.max(1))
            .saturating_add(1)
            .min(count);
        let mut leave = |progression: Progression| {
            if progression.count != 0 {
                let mut other = set;
                other[axis] = progression;
                rest.push(other);
            }
        };
        leave(Progression {
            first: first.saturating_add(inside.saturating_mul(step)),
            step,
            count: count - inside,
        });
        for residue in 1..every.min(inside) {
            leave(Progression {
                first: first + residue * step,
                step: step * every,
                count: (inside - residue).div_ceil(every),
            });
        }
        set[axis] = Progression {
            first,
            step: step * every,
            count: inside.div_ceil(every),
        };
    }
    size(&set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_cut_where_the_value_grows_fastest() {
        let mut region = Region::new([63, 63, 0]);
        // A row-major index of 64 by 64 below 64 * 64 - 10: only the last row falls out.
        region.limit(64 * 64 - 11, [1, 64, 0]);
        assert_eq!(region.steps, [63, 62, 0]);
        region.limit(5, [1, 0, 0]);
        assert_eq!(region.steps, [5, 62, 0]);
        region.limit(5, [-1, 0, 3]);
        assert_eq!(region.steps, [5, 62, 0]);
    }

    #[test]
    fn what_is_taken_and_what_is_left_are_all_blocks_once() {
        let grid = [13_u64, 7, 3];
        let whole = grid.map(|count| Progression {
            first: 0,
            step: 1,
            count,
        });
        let mut seen = std::collections::BTreeSet::new();
        let mut rest = vec![whole];
        let mut total = 0;
        let mut turn = 0;
        while let Some(set) = rest.pop() {
            turn += 1;
            let region = Region {
                steps: [turn % 9, turn % 4, turn % 2],
                period: [turn % 3 + 1, turn % 2 + 1, 1],
            };
            total += take(set, &region, &mut rest);
            let first: Vec<u64> = set.iter().map(|axis| axis.first).collect();
            assert!(seen.insert(first), "a block is the first of one set only");
        }
        assert_eq!(total, grid.iter().product::<u64>());
    }
}
