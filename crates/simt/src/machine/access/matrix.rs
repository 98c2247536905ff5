//! Loads and stores of matrices, rows of which lanes point at.

use lanescope_ir::{Address, Operand, Register, ScalarType, SiteId};
use lanescope_model::LaneMask;

use crate::machine::Machine;
use crate::machine::address::Target;
use crate::machine::arithmetic::{each, joined};
use crate::machine::register::Value;
use crate::machine::warp::Warp;
use crate::outcome::End;
use crate::prepare::program::Slot;

impl<'a, const L: usize> Machine<'a, L> {
    #[allow(clippy::too_many_arguments, reason = "an instruction's parts")]
    pub(crate) fn matrix_load(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        dst: &[Register],
        address: Address,
        transposed: bool,
        id: SiteId,
        mask: u64,
    ) -> Result<bool, End> {
        let site = self.site(id);
        let mut target = Target::of(warp, address, site.space, mask);
        let parts = self.request(warp, slot, id, &mut target, mask & rows(dst.len()))?;
        if !slot.wants_value {
            return Ok(true);
        }
        for (matrix, dst) in dst.iter().enumerate() {
            let mut out = [0; L];
            let mut unknown = (0, 0);
            for lane in each(mask & 0xffff_ffff) {
                for half in 0..2 {
                    let (row, offset) = element_of(lane, half, transposed);
                    let from = (matrix * 8 + row) % L;
                    let at = target.lane(from).wrapping_add(offset);
                    let word = self.read(warp, parts.region(from), at, from, ScalarType::U16);
                    out[lane] |= word.bits << (16 * half);
                    let lost = target.unknown.0 >> from & 1 == 1;
                    let source = if lost { target.unknown.1 } else { word.source };
                    if source != 0 {
                        unknown = joined(unknown, (1 << lane, source));
                    }
                }
            }
            self.set(warp, *dst, &Value::General(out), unknown, mask);
        }
        Ok(true)
    }

    #[allow(clippy::too_many_arguments, reason = "an instruction's parts")]
    pub(crate) fn matrix_store(
        &mut self,
        warp: &mut Warp<L>,
        slot: &Slot,
        src: &[Operand],
        address: Address,
        transposed: bool,
        id: SiteId,
        mask: u64,
    ) -> Result<bool, End> {
        let site = self.site(id);
        let mut target = Target::of(warp, address, site.space, mask);
        let parts = self.request(warp, slot, id, &mut target, mask & rows(src.len()))?;
        if !slot.wants_value {
            return Ok(true);
        }
        self.doubt_stores(slot.place, id, &target, mask);
        for (matrix, src) in src.iter().enumerate() {
            for lane in each(mask & 0xffff_ffff) {
                for half in 0..2 {
                    let (row, offset) = element_of(lane, half, transposed);
                    let to = (matrix * 8 + row) % L;
                    if target.unknown.0 >> to & 1 == 1 {
                        continue;
                    }
                    let at = target.lane(to).wrapping_add(offset);
                    let mut word = self.word_of(warp, *src, lane);
                    word.bits = word.bits >> (16 * half) & 0xffff;
                    self.write(warp, parts.region(to), at, to, 2, word)?;
                }
            }
        }
        Ok(true)
    }
}

/// The lanes that give the rows of so many matrices.
fn rows(matrices: usize) -> u64 {
    LaneMask::first((matrices * 8).min(32)).0
}

/// The row of a matrix, and the byte in it, of one of the two elements that a lane gets.
const fn element_of(lane: usize, half: usize, transposed: bool) -> (usize, u64) {
    let (row, column) = (lane / 4, lane % 4 * 2 + half);
    if transposed {
        (column, row as u64 * 2)
    } else {
        (row, column as u64 * 2)
    }
}
