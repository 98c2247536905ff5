//! Blocks for which what a block does is proved: a box of block indices, thinned to a lattice.
//!
//! The box is spanned from the block that runs, its corner with the lowest indices. Each condition that must come out
//! the same, and each value that must not wrap, cuts it.

/// Coordinates that a value may grow with: the block's along x, y, z, and the iteration of a loop.
pub(crate) const AXES: usize = 4;

/// The axis of iterations.
pub(crate) const ITERATION: usize = 3;

/// How a value grows: by so much for each step along an axis.
pub(crate) type Slope = [i64; AXES];

/// Of a value that is the same everywhere.
pub(crate) const FLAT: Slope = [0; AXES];

/// Blocks, or iterations of a loop, that do the same up to a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Steps along each axis, at most.
    pub(crate) steps: [u64; AXES],
    /// Steps along each axis are multiples of this.
    pub(crate) period: [u64; AXES],
    /// Whether it is the iterations of one block that are cut. Otherwise these are proved already, and blocks are cut
    /// to those for which all of the iterations hold.
    of_iterations: bool,
}

/// Longer periods are not followed.
const LONGEST_PERIOD: u64 = 1 << 12;
/// Nor iterations whose period is longer.
const LONGEST_ITERATION_PERIOD: u64 = 1 << 6;

pub(crate) const fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Region {
    /// As many steps along each axis as a grid allows.
    pub(crate) const fn new([x, y, z]: [u64; 3]) -> Self {
        Self {
            steps: [x, y, z, 0],
            period: [1; AXES],
            of_iterations: false,
        }
    }

    /// So many further iterations.
    pub(crate) const fn of_iterations(steps: u64) -> Self {
        Self {
            steps: [0, 0, 0, steps],
            period: [1; AXES],
            of_iterations: true,
        }
    }

    /// What a value with a slope grows by at most along an axis.
    fn growth(&self, slope: Slope, axis: usize) -> i128 {
        (i128::from(slope[axis]) * i128::from(self.steps[axis])).max(0)
    }

    /// Leaves only the block that runs.
    fn leave_one(&mut self) {
        self.steps[..ITERATION].fill(0);
    }

    /// Cuts the box so that a value with this slope grows by no more than `slack`, which is not negative.
    pub(crate) fn limit(&mut self, slack: i128, slope: Slope) {
        let mut total: i128 = (0..AXES).map(|axis| self.growth(slope, axis)).sum();
        if !self.of_iterations && self.growth(slope, ITERATION) > slack {
            return self.leave_one();
        }
        // The axis along which it grows fastest is cut first: that loses the fewest blocks of a row-major index.
        while total > slack {
            let axes = (0..AXES).filter(|axis| {
                (self.of_iterations || *axis != ITERATION) && self.growth(slope, *axis) > 0
            });
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

    /// Whether some axis is long enough for a value with this slope to grow by a multiple of `modulus`.
    pub(crate) fn holds_period(&self, slope: Slope, modulus: u64) -> bool {
        (0..AXES).any(|axis| {
            let slope = slope[axis].unsigned_abs();
            let period = modulus / common_divisor(slope, modulus).max(1);
            slope != 0 && self.steps[axis] >= period
        })
    }

    /// Thins the lattice so that a value with this slope grows by multiples of `modulus` only. Returns whether it does.
    pub(crate) fn align(&mut self, slope: Slope, modulus: u64) -> bool {
        for axis in 0..AXES {
            let slope = slope[axis].unsigned_abs();
            if slope == 0 || self.steps[axis] == 0 {
                continue;
            }
            if modulus == 0 {
                return false;
            }
            if axis == ITERATION && !self.of_iterations {
                // They are proved one by one already; others would have to keep step with them.
                if !slope.is_multiple_of(modulus) {
                    self.leave_one();
                }
                continue;
            }
            let longest = if axis == ITERATION {
                LONGEST_ITERATION_PERIOD
            } else {
                LONGEST_PERIOD
            };
            let needed = modulus / common_divisor(slope, modulus);
            let period = self.period[axis];
            let longer = period / common_divisor(period, needed) * needed;
            if longer > longest {
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

/// All blocks of a grid.
pub(crate) fn whole(grid: [u32; 3]) -> BlockSet {
    grid.map(|count| Progression {
        first: 0,
        step: 1,
        count: u64::from(count),
    })
}

/// How many blocks a set has.
pub(crate) fn size(set: &BlockSet) -> u64 {
    set.iter()
        .fold(1, |all: u64, axis| all.saturating_mul(axis.count))
}

/// Takes the blocks of a region, spanned from the first block of a set, out of the set, and returns them; what is left is
/// added to `rest`.
pub(crate) fn take(mut set: BlockSet, region: &Region, rest: &mut Vec<BlockSet>) -> BlockSet {
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
    set
}

/// The coordinates of the blocks of a set, x fastest.
pub(crate) fn blocks_of(set: &BlockSet) -> impl Iterator<Item = [u64; 3]> + use<> {
    let along = |axis: Progression| (0..axis.count).map(move |at| axis.first + at * axis.step);
    let [x, y, z] = *set;
    along(z).flat_map(move |c| along(y).flat_map(move |b| along(x).map(move |a| [a, b, c])))
}

/// The blocks of a grid with linear indices from `first` up to, not with, `end`, as sets in their order.
pub(crate) fn sets_of_range(grid: [u64; 3], first: u64, end: u64) -> Vec<BlockSet> {
    let [x, y, _] = grid;
    let (row, plane) = (x.max(1), x.saturating_mul(y).max(1));
    let mut sets = Vec::new();
    let mut at = first;
    while at < end {
        let coordinates = [at % row, at / row % y.max(1), at / plane];
        // As many whole planes as there are, else whole rows, else a part of one.
        let left = end - at;
        let in_plane = left.min(plane - at % plane);
        let counts = if at.is_multiple_of(plane) && left >= plane {
            [x, y, left / plane]
        } else if at.is_multiple_of(row) && in_plane >= row {
            [x, in_plane / row, 1]
        } else {
            [left.min(row - at % row), 1, 1]
        };
        sets.push(std::array::from_fn(|axis| Progression {
            first: coordinates[axis],
            step: 1,
            count: counts[axis],
        }));
        at += counts.iter().product::<u64>();
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_is_cut_where_the_value_grows_fastest() {
        let mut region = Region::new([63, 63, 0]);
        // A row-major index of 64 by 64 below 64 * 64 - 10: only the last row falls out.
        region.limit(64 * 64 - 11, [1, 64, 0, 0]);
        assert_eq!(region.steps, [63, 62, 0, 0]);
        region.limit(5, [1, 0, 0, 0]);
        assert_eq!(region.steps, [5, 62, 0, 0]);
        region.limit(5, [-1, 0, 3, 0]);
        assert_eq!(region.steps, [5, 62, 0, 0]);
    }

    #[test]
    fn blocks_are_cut_to_those_for_which_all_iterations_hold() {
        let mut region = Region::new([9, 0, 0]);
        region.steps[ITERATION] = 7;
        region.limit(100, [4, 0, 0, 10]);
        assert_eq!(region.steps, [7, 0, 0, 7]);
        assert!(region.align([4, 0, 0, 8], 8));
        assert_eq!((region.steps[0], region.period[0]), (7, 2));
        assert!(region.align([8, 0, 0, 4], 8));
        assert_eq!(region.steps, [0, 0, 0, 7]);
        let mut region = Region::of_iterations(1000);
        region.limit(100, [0, 0, 0, 3]);
        assert!(region.align([0, 0, 0, 4], 16));
        assert_eq!((region.steps, region.period), ([0, 0, 0, 33], [1, 1, 1, 4]));
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
                period: [turn % 3 + 1, turn % 2 + 1, 1, 1],
                ..Region::new([turn % 9, turn % 4, turn % 2])
            };
            total += size(&take(set, &region, &mut rest));
            let first: Vec<u64> = set.iter().map(|axis| axis.first).collect();
            assert!(seen.insert(first), "a block is the first of one set only");
        }
        assert_eq!(total, grid.iter().product::<u64>());
    }

    #[test]
    fn the_sets_of_a_range_are_its_blocks_in_order() {
        let grid = [5_u64, 4, 3];
        for first in 0..60 {
            for end in first..=60 {
                let sets = sets_of_range(grid, first, end);
                let linear = |[a, b, c]: [u64; 3]| a + 5 * (b + 4 * c);
                let all = sets.iter().flat_map(blocks_of).map(linear);
                assert!(all.eq(first..end), "{first}..{end}");
                assert!(sets.len() <= 5, "{first}..{end}");
            }
        }
    }
}
