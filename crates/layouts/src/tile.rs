//! A tile's beginning, cell by cell, as pictures and tables show it.

use super::{Document, LaneRequest, Placement};

/// A tile, or its beginning, in cells of one word of a bank or of one element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its cells, row by row.
    pub cells: Vec<TileCell>,
    /// Elements of a cell: those that share a word, where every word holds neighbours.
    pub count: u64,
    /// Banks of the device.
    pub banks: u64,
    /// Whether the placement has more rows or columns than are shown.
    pub is_cut: bool,
}

/// One cell of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileCell {
    /// The row of its elements.
    pub row: u64,
    /// The column of the first of them.
    pub column: u64,
    /// The byte address of that.
    pub address: u64,
    /// Its bank.
    pub bank: u64,
    /// Which line of all banks it lies in, counted from the tile's first.
    pub line: u64,
    /// The first lane of the request that touches it.
    pub lane: Option<usize>,
}

impl Tile {
    /// At most `most` rows and columns of cells, on `banks` banks of `word_bytes` bytes.
    #[must_use]
    pub fn of(
        placement: &Placement,
        request: Option<&LaneRequest>,
        [banks, word_bytes]: [u64; 2],
        most: u64,
    ) -> Self {
        let (banks, word_bytes) = (banks.max(1), word_bytes.max(1));
        let count = together(placement, word_bytes, most);
        let columns = (placement.columns() / count).min(most);
        let rows = placement.rows().min(most);
        let mut cells = Vec::new();
        for row in 0..rows {
            for column in (0..columns).map(|column| column * count) {
                let Some(address) = placement.address(row, column) else {
                    continue;
                };
                let word = address / word_bytes;
                cells.push(TileCell {
                    row,
                    column,
                    address,
                    bank: word % banks,
                    line: word / banks,
                    lane: request.and_then(|request| lane_at(request, address)),
                });
            }
        }
        let first = cells.iter().map(|cell| cell.line).min().unwrap_or(0);
        cells.iter_mut().for_each(|cell| cell.line -= first);
        Self {
            cells,
            count,
            banks,
            is_cut: rows < placement.rows() || columns * count < placement.columns(),
        }
    }
}

impl Document {
    /// The request whose span begins at `start` (any, where none is given), of this warp and
    /// step; the first where there is no such.
    #[must_use]
    pub fn request(&self, start: Option<usize>, warp: u64, step: u64) -> Option<&LaneRequest> {
        let wanted = |request: &&LaneRequest| {
            start.is_none_or(|start| start == request.span.start)
                && (request.warp, request.step) == (warp, step)
        };
        let found = self.requests.iter().find(wanted);
        found.or(self.requests.first())
    }
}

fn lane_at(request: &LaneRequest, address: u64) -> Option<usize> {
    let bytes = request.width.bytes();
    let holds = |lane: &usize| {
        let start = request.addresses.get(*lane);
        start.is_some_and(|start| (*start..start.saturating_add(bytes)).contains(&address))
    };
    request.active.iter().find(holds)
}

fn together(placement: &Placement, word_bytes: u64, most: u64) -> u64 {
    let bytes = placement.element_bytes();
    let (count, columns) = ((word_bytes / bytes).max(1), placement.columns());
    let adjacent = |row: u64, column: u64| {
        let first = placement.address(row, column);
        let next = |more: &u64| {
            placement.address(row, column + more) == first.map(|first| first + more * bytes)
        };
        (1..count).all(|more| next(&more))
    };
    let words = (columns / count).min(most);
    let mut rows = 0..placement.rows().min(most);
    let fits = columns.is_multiple_of(count)
        && rows.all(|row| (0..words).all(|word| adjacent(row, word * count)));
    if fits { count } else { 1 }
}
