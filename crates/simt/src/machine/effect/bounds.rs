//! Checks of an index against an array's extent.

use lanescope_ir::{Op, Operand, ScalarType, eval};

use crate::machine::Machine;
use crate::machine::arithmetic::{each, register};
use crate::machine::warp::Warp;
use crate::outcome::FindingKind;
use crate::prepare::program::Line;

impl<const L: usize> Machine<'_, L> {
    pub(super) fn check_bounds(&mut self, warp: &mut Warp<L>, line: &Line, op: &Op, mask: u64) {
        let Op::BoundsCheck {
            index,
            ty,
            extent,
            array,
            dimension,
        } = *op
        else {
            return;
        };
        if self.is_line_inside(warp, index, ty, extent) {
            return;
        }
        // No index is above what has the bits of all of them; a negative one has a bit above any extent.
        let bits = warp.file.bits_of_any(register(index)) & ty.mask();
        if bits < extent && (!ty.is_signed() || bits <= ty.mask() >> 1) {
            return;
        }
        let known = mask & !warp.file.unknown(index, mask).0;
        let lanes = warp.file.view(register(index));
        let outside = each(known).find_map(|lane| {
            let index = eval::integer_value(ty, lanes[lane]);
            let inside = (0..i128::from(extent)).contains(&index);
            (!inside).then_some((lane, index))
        });
        if let Some((lane, index)) = outside {
            let kind = FindingKind::Index {
                index: i64::try_from(index).unwrap_or(i64::MAX),
                extent,
                array,
                dimension,
            };
            self.finding(warp, kind, line.place, None, lane);
        }
    }

    /// Whether an index is one for all lanes, or a line over them, whose ends are in range.
    fn is_line_inside(&self, warp: &Warp<L>, index: Operand, ty: ScalarType, extent: u64) -> bool {
        warp.file.extended(index, ty).is_some_and(|line| {
            let last = line.stride.wrapping_mul(L as u64 - 1);
            line.base < extent && line.base.wrapping_add(last) < extent
        })
    }
}
