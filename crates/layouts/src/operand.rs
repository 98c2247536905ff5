//! Which layouts the matrix descriptors of `wgmma` and `tcgen05` can describe.
//!
//! # Source
//! PTX ISA, "Matrix-descriptor" and the canonical layouts of CUTLASS's mma_traits_sm90_gmma.hpp
//! (documented).

use super::{Placement, Stage, TmaSwizzle};

/// Rows (or columns) of an atom along the axis that is not contiguous.
const LINES: u64 = 8;
/// Bytes of an unswizzled core matrix's row.
const CORE_ROW_BYTES: u64 = 16;

/// A tile as an operand in shared memory: atoms of eight lines of contiguous bytes, swizzled, and
/// where the next atoms lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Whether the columns (K, where rows are M or N) are contiguous.
    pub is_k_major: bool,
    /// The swizzle of an atom.
    pub mode: TmaSwizzle,
    /// Bytes of an atom's lines.
    pub line_bytes: u64,
    /// Bytes from an atom to the next eight lines; `None` where the tile ends before.
    pub next_lines_bytes: Option<u64>,
    /// Bytes from an atom to the next along its lines; `None` where the tile ends before.
    pub next_along_bytes: Option<u64>,
}

impl Placement {
    /// This tile as an operand of `wgmma` or `tcgen05`; `None` where no descriptor describes it.
    #[must_use]
    pub fn operand(&self) -> Option<Operand> {
        let mode = self.operand_mode()?;
        [true, false]
            .into_iter()
            .find_map(|is_k_major| self.operand_as(mode, is_k_major))
    }

    /// The swizzle of the tile's addresses; `None` where it has another or a base inside its pattern.
    fn operand_mode(&self) -> Option<TmaSwizzle> {
        let stages = &self.map().stages;
        let is_plain = |stage: &Stage| match stage {
            Stage::Swizzle(swizzle) | Stage::SwizzleBytes(swizzle) => swizzle.bits() == 0,
            Stage::SwizzleAddress(swizzle) => swizzle.bits() == 0,
            Stage::Offset(_) | Stage::Layout(_) => true,
            Stage::Xor(_) | Stage::Phases { .. } | Stage::Padding(_) => false,
        };
        let mode = match self.readings() {
            Some(readings) => readings.tma?,
            None if stages.iter().all(is_plain) => TmaSwizzle::None,
            None => return None,
        };
        self.base()
            .is_multiple_of(mode.repeat_bytes().max(16))
            .then_some(mode)
    }

    fn operand_as(&self, mode: TmaSwizzle, is_k_major: bool) -> Option<Operand> {
        let element = self.element_bytes();
        let line_bytes = mode.span_bytes().unwrap_or(CORE_ROW_BYTES);
        let along = line_bytes / element;
        let (lines, length) = if is_k_major {
            (self.rows(), self.columns())
        } else {
            (self.columns(), self.rows())
        };
        if along == 0 || !lines.is_multiple_of(LINES) || !length.is_multiple_of(along) {
            return None;
        }
        let at = |line: u64, place: u64| {
            let (row, column) = if is_k_major {
                (line, place)
            } else {
                (place, line)
            };
            self.address(row, column)?.checked_sub(self.base())
        };
        let next =
            |line: u64, place: u64| (line < lines && place < length).then(|| at(line, place));
        let next_lines_bytes = next(LINES, 0).flatten();
        let next_along_bytes = next(0, along).flatten();
        let operand = Operand {
            is_k_major,
            mode,
            line_bytes,
            next_lines_bytes,
            next_along_bytes,
        };
        let mut places = (0..lines).flat_map(|line| (0..length).map(move |place| (line, place)));
        let is_there = |(line, place)| at(line, place) == operand.offset(line, place, element);
        places.all(is_there).then_some(operand)
    }
}

impl Operand {
    /// The byte that the descriptor gives element `place` of line `line`.
    fn offset(&self, line: u64, place: u64, element: u64) -> Option<u64> {
        let along = self.line_bytes / element;
        let step = |count: u64, bytes: Option<u64>| match count {
            0 => Some(0),
            _ => count.checked_mul(bytes?),
        };
        let atoms = step(line / LINES, self.next_lines_bytes)?
            .checked_add(step(place / along, self.next_along_bytes)?)?;
        let within = line % LINES * self.line_bytes + place % along * element;
        let linear = atoms.checked_add(within)?;
        Some(match self.mode.swizzle() {
            None => linear,
            Some(swizzle) => swizzle.apply(linear),
        })
    }
}
