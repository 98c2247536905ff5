//! Checks of an index against an array's extent.

use lanescope_ir::{Op, Operand, ScalarType, eval};

use crate::machine::Machine;
use crate::machine::arithmetic::{each, register};
use crate::machine::warp::Warp;
use crate::outcome::FindingKind;
use crate::prepare::program::Slot;

impl<const L: usize> Machine<'_, L> {
    pub(super) fn check_bounds(&mut self, warp: &mut Warp<L>, slot: &Slot, op: &Op, mask: u64) {
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
        if self.is_affine_inside(warp, index, ty, extent) {
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
            self.finding(warp, kind, slot.place, None, lane);
        }
    }

    /// Whether an index is one for all lanes, or affine in them, and both ends are in range.
    fn is_affine_inside(
        &self,
        warp: &Warp<L>,
        index: Operand,
        ty: ScalarType,
        extent: u64,
    ) -> bool {
        warp.file.extended(index, ty).is_some_and(|slot| {
            let last = slot.stride.wrapping_mul(L as u64 - 1);
            slot.base < extent && slot.base.wrapping_add(last) < extent
        })
    }
}
