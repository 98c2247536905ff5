//! Instructions that do more than compute one register from others.

mod bounds;
mod special;
mod synchronization;

use lanescope_ir::{AddressSpace, Op, Operand, Register, SiteId, SpecialRegister, eval};
use lanescope_model::Operation;

use crate::machine::Machine;
use crate::machine::arithmetic::{each, joined, register};
use crate::machine::register::Value;
use crate::machine::warp::Warp;
use crate::outcome::{DoubtKind, End, Source};
use crate::prepare::program::Slot;
use crate::{Doubt, Uncounted};

impl<const L: usize> Machine<'_, L> {
    pub(crate) fn set(
        &self,
        warp: &mut Warp<L>,
        dst: Register,
        value: &Value<L>,
        unknown: (u64, u8),
        mask: u64,
    ) {
        let whole = mask == warp.alive;
        warp.file.put(dst, value, unknown, mask, whole);
    }

    /// Does an instruction. Returns whether the split still runs.
    pub(crate) fn effect(
        &mut self,
        warp: &mut Warp<L>,
        at: usize,
        slot: &Slot,
        op: &Op,
        mask: u64,
    ) -> Result<bool, End> {
        match op {
            // Arithmetic of one register is done before.
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Ternary { .. }
            | Op::Lop3 { .. }
            | Op::BitFieldInsert { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert { .. }
            | Op::Pack { .. }
            | Op::Fence
            | Op::Escape { .. } => {}
            Op::AddCarry { .. } => self.add_carry(warp, op, mask),
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => self.unpack(warp, parts, *part_bits, *a, mask),
            Op::Special { dst, register } => self.read_special(warp, *dst, *register, mask),
            Op::Undefined { dst } => {
                let unknown = (mask, self.uninitialized);
                self.set(warp, *dst, &Value::Uniform(0), unknown, mask);
            }
            Op::Parameter {
                ty,
                dst,
                offset,
                index,
            } => self.parameter(warp, *ty, *dst, *offset, *index, mask),
            Op::Load { dst, address, site } => {
                return self.load(warp, slot, dst, *address, *site, mask);
            }
            Op::Store { src, address, site } => {
                return self.store(warp, slot, src, *address, *site, mask);
            }
            Op::Atomic {
                op,
                dst,
                address,
                a,
                b,
                site,
            } => {
                let operands = (*a, b.unwrap_or(*a));
                return self.atomic(warp, slot, *op, *dst, *address, operands, *site, mask);
            }
            Op::MatrixLoad {
                dst,
                address,
                transposed,
                site,
            } => return self.matrix_load(warp, slot, dst, *address, *transposed, *site, mask),
            Op::MatrixStore {
                src,
                address,
                transposed,
                site,
            } => return self.matrix_store(warp, slot, src, *address, *transposed, *site, mask),
            Op::AsyncCopy { .. } => return self.async_copy(warp, slot, op, mask),
            Op::BulkAccess { .. } | Op::Texture { .. } | Op::Unmodelled { .. } => {
                self.leave_uncounted(warp, slot, op, mask);
            }
            Op::Shuffle { .. }
            | Op::Vote { .. }
            | Op::Match { .. }
            | Op::WarpReduce { .. }
            | Op::ActiveMask { .. }
            | Op::Elect { .. } => self.exchange(warp, op, mask),
            Op::Barrier { .. }
            | Op::BarrierReduce { .. }
            | Op::WideBarrier { .. }
            | Op::WarpSync { .. }
            | Op::ObjectBarrier { .. } => return Ok(self.synchronize(warp, at, slot, op, mask)),
            Op::Arm { .. }
            | Op::Join { .. }
            | Op::Leave { .. }
            | Op::SaveBarrier { .. }
            | Op::RestoreBarrier { .. } => return Ok(self.converge(warp, at, op, mask)),
            Op::BoundsCheck { .. } => self.check_bounds(warp, slot, op, mask),
        }
        Ok(true)
    }

    fn add_carry(&self, warp: &mut Warp<L>, op: &Op, mask: u64) {
        let Op::AddCarry {
            dst,
            carry_out,
            a,
            b,
            c,
            carry_in,
        } = op
        else {
            return;
        };
        let operands = [*a, *b, *c];
        let carries = carry_in.iter().flatten();
        let unknown = carries.fold(warp.file.unknown_of(&operands, mask), |all, one| {
            joined(all, warp.file.unknown(*one, mask))
        });
        let (sum, carries) = warp.file.add_carry(operands, *carry_in, mask);
        self.set(warp, *dst, &sum, unknown, mask);
        for (to, carry) in carry_out.iter().zip(carries) {
            if let Some(to) = to {
                self.set(warp, *to, &Value::Mask(carry), unknown, mask);
            }
        }
    }

    fn read_special(
        &mut self,
        warp: &mut Warp<L>,
        dst: Register,
        which: SpecialRegister,
        mask: u64,
    ) {
        let value = self.special(warp, which);
        let source = self.why_unknown(which);
        let unknown = if source == 0 { 0 } else { mask };
        self.set(warp, dst, &value, (unknown, source), mask);
    }

    /// What is not counted leaves registers that are not known.
    fn leave_uncounted(&mut self, warp: &mut Warp<L>, slot: &Slot, op: &Op, mask: u64) {
        let site = op.sites().first().copied();
        if let Op::BulkAccess { bytes, .. } = op {
            self.observer.uncounted(site, Uncounted::Bulk);
            if let Some(bytes) = bytes {
                self.count_bulk(warp, slot.place, *bytes, mask);
            }
        } else if let Op::Texture { .. } = op {
            self.observer.uncounted(site, Uncounted::Texture);
        } else if !op.is_pure() {
            self.observer.uncounted(None, Uncounted::Unmodelled);
            self.notes.doubt(Doubt {
                kind: DoubtKind::Instruction,
                place: slot.place,
                site: None,
                source: Source::Unmodelled(slot.place),
            });
        }
        self.forget(warp, &op.defs(), slot, mask);
        if let (Op::BulkAccess { .. }, Some(site)) = (op, site) {
            self.overwrite_in_bulk(site);
        }
    }

    fn exchange(&mut self, warp: &mut Warp<L>, op: &Op, mask: u64) {
        match op {
            Op::Shuffle {
                mode,
                dst,
                in_range,
                a,
                lane,
                clamp,
            } => self.shuffle(warp, *mode, (*dst, *in_range), [*a, *lane, *clamp], mask),
            Op::Vote { mode, dst, a } => self.vote(warp, *mode, *dst, *a, mask),
            Op::Match {
                mode,
                ty,
                dst,
                predicate,
                a,
            } => self.find_equal(warp, *mode, *ty, (*dst, *predicate), *a, mask),
            Op::WarpReduce {
                op,
                scope,
                ty,
                dst,
                a,
            } => self.warp_reduce(warp, (*op, *scope), *ty, *dst, *a, mask),
            Op::ActiveMask { dst } => self.set(warp, *dst, &Value::Uniform(mask), (0, 0), mask),
            Op::Elect { dst } => {
                let first = mask & mask.wrapping_neg();
                self.set(warp, *dst, &Value::Mask(first), (0, 0), mask);
            }
            // Nothing else is sent here, and tests would say so.
            other => debug_assert!(false, "no exchange: {other:?}"),
        }
    }

    /// A bulk copy into shared memory: what the block holds there is not known from now on.
    fn overwrite_in_bulk(&mut self, site: SiteId) {
        let site = self.kernel.sites.get(site.index());
        if site.is_some_and(|site| {
            site.space == AddressSpace::Shared && site.operation == Operation::Store
        }) {
            self.shared.clear();
        }
    }

    /// Registers hold what is not modelled.
    pub(super) fn forget(
        &mut self,
        warp: &mut Warp<L>,
        registers: &[Register],
        slot: &Slot,
        mask: u64,
    ) {
        if registers.is_empty() {
            return;
        }
        let source = self.sources.id(Source::Unmodelled(slot.place));
        for dst in registers {
            self.set(warp, *dst, &Value::Uniform(0), (mask, source), mask);
        }
    }

    fn unpack(
        &mut self,
        warp: &mut Warp<L>,
        parts: &[Option<Register>],
        part_bits: u32,
        a: Operand,
        mask: u64,
    ) {
        let unknown = warp.file.unknown(a, mask);
        let whole = warp.file.copy(a, 64);
        for (at, part) in (0..).zip(parts) {
            let Some(dst) = part else { continue };
            let value = match whole {
                Value::Uniform(bits) => Value::Uniform(eval::unpack(bits, part_bits, at)),
                Value::Affine(base, stride)
                    if at == 0 && u32::from(warp.file.bits(*dst)) <= part_bits =>
                {
                    Value::Affine(base, stride)
                }
                Value::Affine(base, stride)
                    if is_one_above::<L>(base, stride, at.saturating_mul(part_bits)) =>
                {
                    Value::Uniform(eval::unpack(base, part_bits, at))
                }
                Value::Affine(..) | Value::Mask(_) | Value::General(_) => {
                    let lanes = crate::machine::register::expand(whole, 64);
                    Value::General(lanes.map(|bits| eval::unpack(bits, part_bits, at)))
                }
            };
            self.set(warp, *dst, &value, unknown, mask);
        }
    }

    fn parameter(
        &mut self,
        warp: &mut Warp<L>,
        ty: lanescope_ir::ScalarType,
        dst: Register,
        offset: u32,
        index: Option<Operand>,
        mask: u64,
    ) {
        let bits = warp.file.bits(dst);
        let read = |index: u64| {
            let at = u64::from(offset).wrapping_add(index) & 0xffff_ffff;
            let word = self.parameters.read(at, ty.bytes(), self.unnamed);
            (extended(word.bits, ty, bits), word.source)
        };
        let at = index.map(register);
        if let Some(at) = at.map_or(Some(0), |at| warp.file.uniform(at)) {
            let (value, source) = read(at);
            let unknown = if source == 0 { 0 } else { mask };
            return self.set(warp, dst, &Value::Uniform(value), (unknown, source), mask);
        }
        let mut out = [0; L];
        let mut unknown = index.map_or((0, 0), |index| warp.file.unknown(index, mask));
        for lane in each(mask) {
            let (value, source) = read(at.map_or(0, |at| warp.file.lane(at, lane)));
            out[lane] = value;
            if source != 0 {
                unknown = joined(unknown, (1 << lane, source));
            }
        }
        self.set(warp, dst, &Value::General(out), unknown, mask);
    }
}

/// Whether all lanes of an affine value have the same bits from `shift` on.
fn is_one_above<const L: usize>(base: u64, stride: u64, shift: u32) -> bool {
    let along = stride.cast_signed().checked_mul(L as i64 - 1);
    let last = along.and_then(|along| base.checked_add_signed(along));
    last.is_some_and(|last| (base ^ last).checked_shr(shift).unwrap_or(0) == 0)
}

/// Bits of a type in a register of so many bits.
pub(crate) fn extended(bits: u64, ty: lanescope_ir::ScalarType, register_bits: u8) -> u64 {
    let bits = bits & ty.mask();
    if ty.is_signed() {
        eval::sign_extend(bits, ty.bits()).cast_unsigned()
            & crate::machine::register::ones(register_bits)
    } else {
        bits
    }
}
