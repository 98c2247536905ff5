//! A one-to-one map of element numbers, linear over F2, and the pieces of indices that it XORs.

use std::collections::BTreeMap;

use lanescope_layouts::Swizzle;

use crate::Shape;

/// The most bits of an element's number.
const MOST_BITS: usize = 16;
/// The most bits that a `Swizzle<B,M,S>` XORs within such a number.
const MOST_BITS_XORED: u32 = 8;

/// A one-to-one map of element numbers that is linear over F2: each bit of a number is XORed onto its place as the bit's
/// column says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinearSwizzle {
    columns: [u16; MOST_BITS],
}

/// `((index >> right) & mask)`, or moved to the left, XORed onto an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// The dimension whose index is changed.
    pub(crate) target: usize,
    /// The dimension whose index is read.
    pub(crate) source: usize,
    /// By how many bits it is moved to the left, or to the right where that is negative.
    pub(crate) left: i32,
    /// The bits that are kept, where not all that there are.
    pub(crate) mask: Option<u64>,
}

impl LinearSwizzle {
    /// The map that sends bit `i` to `columns[i]`, and the bits above to themselves; `None` of more than 16 columns, or where
    /// it is not one-to-one.
    #[must_use]
    pub fn new(columns: &[u64]) -> Option<Self> {
        let mut all = [0_u16; MOST_BITS];
        for (bit, column) in all.iter_mut().enumerate() {
            *column = 1 << bit;
        }
        let limit = 1_u64.checked_shl(u32::try_from(columns.len()).ok()?)?;
        let mut reduced: Vec<u64> = Vec::new();
        for (bit, column) in columns.iter().enumerate() {
            *all.get_mut(bit)? = u16::try_from(*column).ok()?;
            let rest = reduced
                .iter()
                .fold(*column, |rest, other| rest.min(rest ^ other));
            if rest == 0 || *column >= limit {
                return None;
            }
            reduced.push(rest);
        }
        Some(Self { columns: all })
    }

    /// The place of element `element`.
    #[must_use]
    pub fn apply(self, element: u64) -> u64 {
        let high = element >> MOST_BITS << MOST_BITS;
        let set = |(bit, _): &(usize, &u16)| element >> bit & 1 == 1;
        let columns = self.columns.iter().enumerate().filter(set);
        high | columns.fold(0, |place, (_, column)| place ^ u64::from(*column))
    }

    /// The `Swizzle<B,M,S>` that does the same to every element; `None` where none does.
    #[must_use]
    pub fn as_swizzle(self) -> Option<Swizzle> {
        let bits = (1..=MOST_BITS_XORED).flat_map(|bits| (0..16_u32).map(move |base| (bits, base)));
        let mut all = bits.flat_map(|(bits, base)| {
            (-15..=15).filter_map(move |shift| Swizzle::new(bits, base, shift).ok())
        });
        let columns = (0_u32..).zip(self.columns);
        let is_same = |one: &Swizzle| {
            columns
                .clone()
                .all(|(bit, to)| one.apply(1 << bit) == u64::from(to))
        };
        all.find(is_same)
    }

    /// `[bit]`: what it is XORed onto its place with.
    #[must_use]
    pub const fn columns(&self) -> &[u16] {
        &self.columns
    }

    /// What is XORed onto which index of an array of this shape; `None` where a side other than the outermost is no power of
    /// two, so that a bit is of no index.
    pub(crate) fn terms(self, shape: &Shape) -> Option<Vec<Term>> {
        let sides = sides(shape)?;
        let side_of = |bit: u32| {
            sides
                .iter()
                .position(|(low, end)| (*low..*end).contains(&bit))
        };
        let mut masks: BTreeMap<(usize, usize, i32), u64> = BTreeMap::new();
        for (source_bit, column) in (0_u32..).zip(self.columns) {
            for target_bit in 0..16 {
                let is_kept = column >> target_bit & 1 == 1;
                if is_kept == (source_bit == target_bit) {
                    continue;
                }
                let (source, target) = (side_of(source_bit)?, side_of(target_bit)?);
                let from = source_bit - sides.get(source)?.0;
                let to = target_bit - sides.get(target)?.0;
                let left = i32::try_from(to).ok()? - i32::try_from(from).ok()?;
                *masks.entry((target, source, left)).or_default() |= 1 << to;
            }
        }
        let term = |((target, source, left), mask): ((usize, usize, i32), u64)| {
            let (low, end) = sides.get(source).copied()?;
            let all = (1_u64 << (end - low)) - 1;
            let by = left.unsigned_abs();
            let moved = if left < 0 { all >> by } else { all << by };
            Some(Term {
                target,
                source,
                left,
                mask: (mask != moved).then_some(mask),
            })
        };
        masks.into_iter().map(term).collect()
    }

    /// Instructions for one index: a shift, a mask and an XOR for each piece.
    pub(crate) fn instructions(self, shape: &Shape) -> u32 {
        let terms = self.terms(shape).unwrap_or_default();
        let of = |term: &Term| 1 + u32::from(term.left != 0) + u32::from(term.mask.is_some());
        terms.iter().map(of).sum()
    }
}

/// `[dimension]`: the bits of an element's number that its index holds.
fn sides(shape: &Shape) -> Option<Vec<(u32, u32)>> {
    let mut low = 0;
    let mut sides = Vec::new();
    for (at, extent) in shape.extents().iter().enumerate().rev() {
        if at > 0 && !extent.is_power_of_two() {
            return None;
        }
        let end = low + extent.next_power_of_two().trailing_zeros();
        sides.push((low, end));
        low = end;
    }
    sides.reverse();
    Some(sides)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_that_are_not_one_to_one_are_none() {
        assert!(LinearSwizzle::new(&[1, 2, 3]).is_none());
        assert!(LinearSwizzle::new(&[1, 4]).is_none());
        assert!(LinearSwizzle::new(&[1; 17]).is_none());
        assert!(LinearSwizzle::new(&[2, 1]).is_some());
    }

    /// Every `Swizzle<B,M,S>` is linear, and is found again; what XORs a bit onto two is none.
    #[test]
    fn swizzles_of_cute_are_told() {
        for (bits, base, shift) in [(3, 3, 3), (2, 0, 5), (1, 4, -2), (5, 0, 5)] {
            let swizzle = Swizzle::new(bits, base, shift).unwrap();
            let columns: Vec<u64> = (0..12).map(|bit| swizzle.apply(1 << bit)).collect();
            let linear = LinearSwizzle::new(&columns).unwrap();
            assert_eq!(linear.as_swizzle(), Some(swizzle));
        }
        let twice = LinearSwizzle::new(&[1, 2, 4, 8, 16 + 1 + 2]).unwrap();
        assert_eq!(twice.as_swizzle(), None);
    }

    #[test]
    fn elements_past_the_last_column_stay() {
        let swizzle = LinearSwizzle::new(&[1, 2, 5]).unwrap();
        assert_eq!(
            [4, 8, 12, 1 << 20].map(|element| swizzle.apply(element)),
            [5, 8, 13, 1 << 20]
        );
    }

    /// What the pieces XOR is what the map does.
    #[test]
    fn terms_compute_the_map() {
        let shape = Shape::new(&[8, 16], 4).unwrap();
        let swizzle = LinearSwizzle::new(&[1, 2, 4, 9, 18, 33, 64 + 3]).unwrap();
        let terms = swizzle.terms(&shape).unwrap();
        for element in 0..128_u64 {
            let old = [element / 16, element % 16];
            let mut new = old;
            for term in &terms {
                let by = term.left.unsigned_abs();
                let source = old[term.source];
                let moved = if term.left < 0 {
                    source >> by
                } else {
                    source << by
                };
                new[term.target] ^= moved & term.mask.unwrap_or(u64::MAX);
            }
            assert_eq!(new[0] * 16 + new[1], swizzle.apply(element), "{element}");
        }
    }
}
