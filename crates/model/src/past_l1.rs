//! Asynchronous copies past L1 (`cp.async.cg`): 16 bytes a lane, gathered by the 32-byte units of
//! shared memory that they fill.
//!
//! The hardware fills a unit from a sector by one or both of its halves, in order or exchanged.
//! What it fills so at once is a triple: unit, sector, exchanged or not.

use crate::{LaneMask, order};

/// Lanes of a warp.
const LANES: usize = 32;

/// Bytes a lane.
const PIECE_BYTES: u64 = 16;

/// Units or sectors of a line of 128 bytes.
const UNITS_A_LINE: u64 = 4;

/// What one lane copies, in pieces of 16 bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Piece {
    destination: u64,
    source: u64,
    lane: usize,
}

/// What of a unit of shared memory is filled at once.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Triple {
    unit: u64,
    sector: u64,
    is_exchanged: bool,
    /// Bit 0: the low half of the unit is written; bit 1: the high half.
    halves: u8,
}

impl Triple {
    fn of(piece: Piece) -> Self {
        let [destination, source] = [piece.destination, piece.source];
        Self {
            unit: destination / 2,
            sector: source / 2,
            is_exchanged: (destination ^ source) & 1 == 1,
            halves: if destination & 1 == 0 { 1 } else { 2 },
        }
    }

    /// Whether both fill the same unit from the same sector in the same order.
    fn is_filled_with(&self, other: &Self) -> bool {
        (self.unit, self.sector, self.is_exchanged)
            == (other.unit, other.sector, other.is_exchanged)
    }

    /// Lines of the destination and of the source.
    const fn lines(&self) -> (u64, u64) {
        (self.unit / UNITS_A_LINE, self.sector / UNITS_A_LINE)
    }

    /// Triples of equal lines and equal shapes may be written together.
    const fn shape(&self) -> (bool, u8, u64) {
        (
            self.is_exchanged,
            self.halves,
            (self.unit ^ self.sector) & 1,
        )
    }
}

/// The pieces that a warp's lanes copy: of lanes that write one place the lowest, by place.
pub(crate) struct Pieces {
    list: [Piece; LANES],
    len: usize,
    /// Whether lanes write one place from different sources.
    has_rivals: bool,
}

impl Pieces {
    /// What `lanes`, all of one warp, copy.
    pub(crate) fn of(lanes: LaneMask, destinations: &[u64], sources: &[u64]) -> Self {
        let mut list = [Piece::default(); LANES];
        let mut len = 0;
        let pairs = lanes
            .iter()
            .filter_map(|lane| Some((lane, destinations.get(lane)?, sources.get(lane)?)));
        for (slot, (lane, destination, source)) in list.iter_mut().zip(pairs) {
            *slot = Piece {
                destination: destination / PIECE_BYTES,
                source: source / PIECE_BYTES,
                lane,
            };
            len += 1;
        }
        order::sort_by(&mut list[..len], |a, b| {
            (a.destination, a.lane) < (b.destination, b.lane)
        });
        let mut pieces = Self {
            list,
            len: 0,
            has_rivals: false,
        };
        for piece in &list[..len] {
            pieces.keep(*piece);
        }
        pieces
    }

    /// Keeps `piece` unless a lower lane writes the same place; places ascend.
    fn keep(&mut self, piece: Piece) {
        match self.len.checked_sub(1).map(|last| self.list[last]) {
            Some(last) if last.destination == piece.destination => {
                self.has_rivals |= last.source != piece.source;
            }
            _ => {
                self.list[self.len] = piece;
                self.len += 1;
            }
        }
    }

    fn kept(&self) -> &[Piece] {
        &self.list[..self.len]
    }

    /// Bytes that are written.
    pub(crate) const fn bytes(&self) -> u64 {
        PIECE_BYTES * self.len as u64
    }

    /// Whether lanes write one place from different sources.
    pub(crate) const fn has_rivals(&self) -> bool {
        self.has_rivals
    }

    /// Distinct pairs of a unit and a line of the source.
    pub(crate) fn units_by_line(&self) -> u32 {
        let pair = |piece: &Piece| (piece.destination / 2, piece.source / (2 * UNITS_A_LINE));
        self.distinct_neighbours(pair)
    }

    /// Distinct triples.
    pub(crate) fn triples(&self) -> u32 {
        let triple = |piece: &Piece| {
            let Triple {
                unit,
                sector,
                is_exchanged,
                halves: _,
            } = Triple::of(*piece);
            (unit, sector, is_exchanged)
        };
        self.distinct_neighbours(triple)
    }

    /// Distinct values of `key`, of which only those of one unit, hence of neighbours, can be equal.
    fn distinct_neighbours<K: PartialEq>(&self, key: impl Fn(&Piece) -> K) -> u32 {
        let kept = self.kept();
        let repeats = kept
            .windows(2)
            .filter(|pair| key(&pair[0]) == key(&pair[1]))
            .count();
        u32::try_from(kept.len() - repeats).unwrap_or(0)
    }

    /// A lower bound of the wavefronts, and whether it is exact: in each line of shared memory, for
    /// each shape of triples from one line of the source, the most triples from one sector. (No two
    /// triples of one shape have one unit.)
    pub(crate) fn least_wavefronts(&self) -> (u32, bool) {
        let mut wavefronts = 0;
        let mut is_exact = true;
        let mut rest = self.kept();
        while let Some(first) = rest.first() {
            let line = first.destination / (2 * UNITS_A_LINE);
            let in_line = |piece: &&Piece| piece.destination / (2 * UNITS_A_LINE) == line;
            let len = rest.iter().take_while(in_line).count();
            let (here, later) = rest.split_at(len);
            let (least, exact) = Line::of(here).least_wavefronts();
            wavefronts += least;
            is_exact &= exact;
            rest = later;
        }
        (wavefronts, is_exact)
    }
}

/// The most triples of one line of shared memory: two for each of its units.
const MOST_TRIPLES: usize = 8;

/// The triples of one line of shared memory.
struct Line {
    list: [Triple; MOST_TRIPLES],
    len: usize,
}

impl Line {
    fn of(pieces: &[Piece]) -> Self {
        let mut line = Self {
            list: [Triple::default(); MOST_TRIPLES],
            len: 0,
        };
        for triple in pieces.iter().map(|piece| Triple::of(*piece)) {
            let (filled, free) = line.list.split_at_mut(line.len);
            match (filled.last_mut(), free.first_mut()) {
                (Some(last), _) if last.is_filled_with(&triple) => last.halves |= triple.halves,
                (_, Some(next)) => {
                    *next = triple;
                    line.len += 1;
                }
                (_, None) => {}
            }
        }
        line
    }

    fn least_wavefronts(&self) -> (u32, bool) {
        let triples = &self.list[..self.len];
        let group = |of: &Triple| (of.lines(), of.shape());
        let mut wavefronts = 0;
        let mut is_exact = true;
        for (index, first) in triples.iter().enumerate() {
            let before = &triples[..index];
            if before.iter().any(|other| group(other) == group(first)) {
                continue;
            }
            is_exact &= before.iter().all(|other| other.lines() != first.lines());
            let of_group = triples.iter().filter(|other| group(other) == group(first));
            let from_sector = |sector: u64| {
                let same = of_group.clone().filter(|other| other.sector == sector);
                same.count()
            };
            let most = of_group.clone().map(|one| from_sector(one.sector)).max();
            wavefronts += u32::try_from(most.unwrap_or(0)).unwrap_or(0);
        }
        (wavefronts, is_exact)
    }
}
