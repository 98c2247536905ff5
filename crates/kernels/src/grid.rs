use crate::{Problem, Values};

/// Elements of a 32-byte sector, less the first.
const EARLY: u32 = 7;

/// How many workgroups a problem needs. A folded grid is one-dimensional in
/// meaning, and laid out over y too where x alone would exceed a limit.
#[derive(Clone, Copy, Debug)]
pub enum Grid {
    /// A folded grid; a workgroup takes so many elements of the array.
    Elements(fn(&Values) -> u64),
    /// A grid of x by y; a workgroup takes so many columns and rows.
    Tiles(fn(&Values) -> [u32; 2]),
    /// The same with x along the rows and y along the columns.
    TurnedTiles(fn(&Values) -> [u32; 2]),
    /// The same where a tile begins in each output row with a sector: up to seven elements early.
    CutTiles(fn(&Values) -> [u32; 2]),
    /// A folded grid over tiles of so many columns and rows.
    FoldedTiles(fn(&Values) -> [u32; 2]),
    /// As many workgroups as the problem says.
    Given,
}

impl Grid {
    /// The workgroups with work, along x and y; y is 1 for folded grids.
    pub(crate) fn extent(self, problem: Problem, values: &Values) -> [u64; 2] {
        match (self, problem) {
            (Self::Elements(per_group), _) => {
                [problem.elements().div_ceil(per_group(values).max(1)), 1]
            }
            (Self::Tiles(tile), Problem::Matrix { rows, columns }) => {
                across(columns, rows, tile(values))
            }
            (Self::TurnedTiles(tile), Problem::Matrix { rows, columns }) => {
                across(rows, columns, tile(values))
            }
            (Self::CutTiles(tile), Problem::Matrix { rows, columns }) => {
                across(rows.saturating_add(EARLY), columns, tile(values))
            }
            (Self::FoldedTiles(tile), Problem::Matrix { rows, columns }) => {
                let [x, y] = across(columns, rows, tile(values));
                [x * y, 1]
            }
            (Self::Given, Problem::Stride { workgroups, .. }) => [u64::from(workgroups), 1],
            _ => [1, 1],
        }
    }

    /// Columns and rows that a workgroup takes; of an array, elements and 1.
    pub(crate) fn reach(self, values: &Values) -> [u64; 2] {
        match self {
            Self::Elements(per_group) => [per_group(values), 1],
            Self::Tiles(tile) | Self::FoldedTiles(tile) => tile(values).map(u64::from),
            Self::TurnedTiles(tile) | Self::CutTiles(tile) => {
                let [rows, columns] = tile(values).map(u64::from);
                [columns, rows]
            }
            Self::Given => [1, 1],
        }
    }

    /// Whether x may be folded.
    pub(crate) const fn folds(self) -> bool {
        matches!(self, Self::Elements(_) | Self::FoldedTiles(_) | Self::Given)
    }
}

fn across(x: u32, y: u32, tile: [u32; 2]) -> [u64; 2] {
    [(x, tile[0]), (y, tile[1])].map(|(size, tile)| u64::from(size.div_ceil(tile.max(1))))
}

/// Rows that hold `groups` workgroups, no wider than `limit`.
pub(crate) fn fold(groups: u64, limit: u32) -> [u64; 2] {
    let rows = groups.div_ceil(u64::from(limit.max(1))).max(1);
    [groups.div_ceil(rows), rows]
}
