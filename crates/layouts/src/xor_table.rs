//! The table of a swizzle: where each group of a row goes.

use super::Swizzle;

/// The most groups of a row that are shown.
const MOST_BITS: u32 = 5;

/// `[row][column]`: the group that group `column` of row `row` is put in, for all values of the
/// bits that a swizzle reads (rows) and changes (columns).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XorTable {
    /// The groups, `2^B` rows of as many.
    pub groups: Vec<Vec<u64>>,
    /// Elements (or bytes) of a group.
    pub group_size: u64,
}

impl XorTable {
    /// The table of `swizzle`; `None` where it does nothing or has more than 32 groups a row.
    #[must_use]
    pub fn of(swizzle: Swizzle) -> Option<Self> {
        if swizzle.bits() == 0 || swizzle.bits() > MOST_BITS {
            return None;
        }
        let (read, changed) = swizzle.masks();
        let (high, low) = (read.trailing_zeros(), changed.trailing_zeros());
        let group =
            |row: u64, column: u64| (swizzle.apply(row << high | column << low) & changed) >> low;
        let all = 0..1_u64 << swizzle.bits();
        let row = |row: u64| all.clone().map(|column| group(row, column)).collect();
        Some(Self {
            groups: all.clone().map(row).collect(),
            group_size: 1 << swizzle.base(),
        })
    }

    /// Whether every row and every column holds each group once: no two meet in a bank that
    /// would not have met before, whether a warp goes along the rows or down the columns.
    #[must_use]
    pub fn is_permutation(&self) -> bool {
        let whole = |groups: &mut dyn Iterator<Item = u64>| {
            let seen = groups.fold(0_u64, |seen, group| seen | 1 << group);
            seen.count_ones() as usize == self.groups.len()
        };
        let mut columns = 0..self.groups.len();
        let rows = self
            .groups
            .iter()
            .all(|row| whole(&mut row.iter().copied()));
        rows && columns.all(|column| whole(&mut self.groups.iter().map(|row| row[column])))
    }
}
