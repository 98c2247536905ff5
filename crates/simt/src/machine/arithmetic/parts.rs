//! Numbers in several registers: put together, and added with carries.

use lanescope_ir::{Operand, Register, ScalarType, eval};

use super::{Computed, register};
use crate::machine::register::{File, Value, ones};

impl<const L: usize> File<L> {
    pub(super) fn pack(&self, dst: Register, parts: &[Operand], mask: u64) -> Computed<L> {
        let unknown = self.unknown_of(parts, mask);
        let part_bits = u32::from(self.bits(dst)) / u32::try_from(parts.len().max(1)).unwrap_or(1);
        let uniform: Option<Vec<u64>> = parts
            .iter()
            .map(|part| self.uniform(register(*part)))
            .collect();
        if let Some(uniform) = uniform {
            return (Value::Uniform(eval::pack(&uniform, part_bits)), unknown);
        }
        if let [low, high] = *parts
            && part_bits == 32
            && let Some(high) = self.uniform(register(high))
            && let Some(slot) = self.extended(low, ScalarType::U32)
        {
            // The halves of an address, mostly.
            return (
                Value::Affine(slot.base.wrapping_add(high << 32), slot.stride),
                unknown,
            );
        }
        let mut out = [0; L];
        for (at, part) in (0_u32..).zip(parts) {
            let lanes = self.view(register(*part));
            let low = ones(u8::try_from(part_bits.min(64)).unwrap_or(64));
            let by = at.saturating_mul(part_bits);
            if by < 64 {
                for (to, from) in out.iter_mut().zip(lanes.iter()) {
                    *to |= (from & low) << by;
                }
            }
        }
        (Value::General(out), unknown)
    }

    /// Sum of three with carries, and its carries out.
    pub(crate) fn add_carry(
        &self,
        operands: [Operand; 3],
        carry_in: [Option<Operand>; 2],
        whole: u64,
    ) -> (Value<L>, [u64; 2]) {
        let carries = carry_in.map(|one| one.map_or(0, |one| self.mask(register(one))));
        let values = operands.map(|operand| self.lanes(register(operand)));
        let mut out = [0; L];
        let mut carry_out = [0; 2];
        for lane in 0..L {
            let carry = carries.map(|mask| mask >> lane & 1 == 1);
            let [a, b, c] = [0, 1, 2].map(|at| values[at][lane]);
            let (sum, carry) = eval::add_carry(a, b, c, carry);
            out[lane] = sum;
            carry_out[0] |= u64::from(carry[0]) << lane;
            carry_out[1] |= u64::from(carry[1]) << lane;
        }
        let [x, y, z] = operands.map(|operand| self.affine(operand, ScalarType::U32));
        let constant = |mask: u64| mask & whole == 0 || mask & whole == whole;
        let value = match (x, y, z) {
            (Some(x), Some(y), Some(z)) if carries.iter().all(|mask| constant(*mask)) => {
                let more = carries.iter().filter(|mask| **mask & whole != 0).count() as u64;
                let base = x.base.wrapping_add(y.base).wrapping_add(z.base);
                Value::Affine(
                    base.wrapping_add(more),
                    x.stride.wrapping_add(y.stride).wrapping_add(z.stride),
                )
            }
            _ => Value::General(out),
        };
        (value, carry_out)
    }
}
