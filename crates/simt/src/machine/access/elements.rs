//! Elements that the lanes of an access read and write: at once where all of them lie in one memory.

use lanescope_ir::{Operand, Register, ScalarType};

use crate::machine::Machine;
use crate::machine::address::{Parts, Target};
use crate::machine::arithmetic::{Computed, each, joined, narrowest, register};
use crate::machine::effect::extended;
use crate::machine::memory::Word;
use crate::machine::register::{Lanes, SourceId, Value};
use crate::machine::warp::Warp;
use crate::outcome::End;

impl<const L: usize> Machine<'_, L> {
    /// Reads an element in each lane of a mask to where a register's lanes are kept. Returns whether that is done: where
    /// all lanes go to one buffer of global memory to which nothing was stored.
    pub(super) fn load_in_place(
        &self,
        warp: &mut Warp<L>,
        (target, parts): (&Target<L>, &Parts),
        offset: u64,
        (ty, dst): (ScalarType, Register),
        mask: u64,
    ) -> bool {
        let bits = warp.file.bits(dst);
        let is_apart = parts.global == mask && target.shared_address(mask).is_none();
        if !is_apart || u32::from(bits) < ty.bits() {
            return false;
        }
        let out = warp.file.slot(dst);
        let Some(source) = self.global.read_lanes(target, offset, mask, ty, out) else {
            return false;
        };
        if ty.is_signed() && u32::from(bits) > ty.bits() {
            out.iter_mut()
                .for_each(|value| *value = extended(*value, ty, bits));
        }
        let read = (if source == 0 { 0 } else { mask }, source);
        warp.file.settle(dst, joined(target.unknown, read), mask);
        true
    }

    /// Reads an element in each lane of a mask, `offset` bytes behind its address, for a register of so many bits.
    pub(super) fn elements(
        &self,
        warp: &Warp<L>,
        (target, parts): (&Target<L>, &Parts),
        offset: u64,
        (ty, bits): (ScalarType, u8),
        mask: u64,
    ) -> Computed<L> {
        if let Some(address) = target.shared_address(mask)
            && parts.local == 0
        {
            let lane = mask.trailing_zeros() as usize;
            let at = address.wrapping_add(offset);
            let word = self.read(warp, parts.region(lane), at, lane, ty);
            let unknown = if word.source == 0 { 0 } else { mask };
            let unknown = joined(target.unknown, (unknown, word.source));
            return (Value::Uniform(extended(word.bits, ty, bits)), unknown);
        }
        let mut out = [0; L];
        let at_once = if parts.global == mask {
            self.global.read_lanes(target, offset, mask, ty, &mut out)
        } else {
            None
        };
        let read = match at_once {
            Some(source) => (if source == 0 { 0 } else { mask }, source),
            None => self.read_each(warp, (target, parts), offset, ty, (mask, &mut out)),
        };
        if ty.is_signed() && u32::from(bits) > ty.bits() {
            out.iter_mut()
                .for_each(|value| *value = extended(*value, ty, bits));
        }
        (narrowest(out, mask), joined(target.unknown, read))
    }

    /// Reads lane by lane; returned is which lanes are unknown, and why.
    fn read_each(
        &self,
        warp: &Warp<L>,
        (target, parts): (&Target<L>, &Parts),
        offset: u64,
        ty: ScalarType,
        (mask, out): (u64, &mut Lanes<L>),
    ) -> (u64, SourceId) {
        let mut unknown = (0, 0);
        for lane in each(mask) {
            let at = target.lane(lane).wrapping_add(offset);
            let word = self.read(warp, parts.region(lane), at, lane, ty);
            out[lane] = word.bits & ty.mask();
            if word.source != 0 {
                unknown = joined(unknown, (1 << lane, word.source));
            }
        }
        unknown
    }

    /// Writes an element in each lane of a mask, `offset` bytes behind its address.
    pub(super) fn write_elements(
        &mut self,
        warp: &mut Warp<L>,
        (target, parts): (&Target<L>, &Parts),
        offset: u64,
        (src, ty): (Operand, ScalarType),
        mask: u64,
    ) -> Result<(), End> {
        let values = warp.file.lanes(register(src));
        let entry = warp.file.entry(register(src));
        for lane in each(mask) {
            let at = target.lane(lane).wrapping_add(offset);
            let is_unknown = entry.unknown >> lane & 1 == 1;
            let word = Word {
                bits: values[lane] & ty.mask(),
                source: if is_unknown { entry.source } else { 0 },
            };
            self.write(warp, parts.region(lane), at, lane, ty.bytes(), word)?;
        }
        Ok(())
    }
}
