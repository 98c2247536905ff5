//! Arithmetic on all lanes of a value at once.

use lanescope_ir::{BinaryOp, Comparison, Operand, ScalarType, TernaryOp};

use super::affine::narrowest;
use super::{each, register};
use crate::machine::register::{File, Lanes, Value};

impl<const L: usize> File<L> {
    /// Asks the scalar definition, once where all operands are uniform.
    pub(super) fn by_lane<const N: usize>(
        &self,
        operands: &[Operand; N],
        mask: u64,
        f: impl Fn([u64; N]) -> u64,
    ) -> Value<L> {
        let uniform = operands.map(|operand| self.uniform(register(operand)));
        if uniform.iter().all(Option::is_some) {
            return Value::Uniform(f(uniform.map(Option::unwrap_or_default)));
        }
        let values = operands.map(|operand| self.lanes(register(operand)));
        let mut out = [0; L];
        for lane in each(mask) {
            if lane < L {
                out[lane] = f(std::array::from_fn(|at| values[at][lane]));
            }
        }
        narrowest(out, mask)
    }

    /// As [`Self::by_lane`], for floats: 0 in unknown lanes.
    pub(super) fn by_float<const N: usize>(
        &self,
        operands: &[Operand; N],
        unknown: u64,
        mask: u64,
        f: impl Fn([u64; N]) -> u64,
    ) -> Value<L> {
        if unknown & mask == mask {
            return Value::Uniform(0);
        }
        let value = self.by_lane(operands, mask & !unknown, f);
        match value {
            Value::Uniform(one) if unknown != 0 => Value::General(std::array::from_fn(|lane| {
                if unknown >> lane & 1 == 1 { 0 } else { one }
            })),
            _ => value,
        }
    }

    /// Loops over lanes for what is common.
    pub(super) fn vector(
        &self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Option<Value<L>> {
        let mask = ty.mask();
        let shift = 64 - ty.bits();
        let signed = ty.is_signed();
        let (x, y) = (&self.view(register(a)), &self.view(register(b)));
        let wide = u64::MAX >> (64 - (ty.bits() * 2).min(64));
        let amount = self.uniform(register(b)).map(|by| by & 0xffff_ffff);
        Some(Value::General(match op {
            BinaryOp::Add => zip(x, y, |a, b| a.wrapping_add(b) & mask),
            BinaryOp::Subtract => zip(x, y, |a, b| a.wrapping_sub(b) & mask),
            BinaryOp::Multiply if ty.bits() <= 32 => {
                zip(x, y, |a, b| ((a & mask) * (b & mask)) & mask)
            }
            BinaryOp::Multiply => zip(x, y, u64::wrapping_mul),
            BinaryOp::MultiplyWide if ty.bits() <= 32 && signed => zip(x, y, |a, b| {
                number(a, shift).wrapping_mul(number(b, shift)) & wide
            }),
            BinaryOp::MultiplyWide if ty.bits() <= 32 => zip(x, y, |a, b| (a & mask) * (b & mask)),
            BinaryOp::And => zip(x, y, |a, b| a & b & mask),
            BinaryOp::Or => zip(x, y, |a, b| (a | b) & mask),
            BinaryOp::Xor => zip(x, y, |a, b| (a ^ b) & mask),
            BinaryOp::ShiftLeft => {
                let by = amount.filter(|by| *by < u64::from(ty.bits()))?;
                map(x, |a| (a << by) & mask)
            }
            BinaryOp::ShiftRight if !signed => {
                let by = amount.filter(|by| *by < u64::from(ty.bits()))?;
                map(x, |a| (a & mask) >> by)
            }
            BinaryOp::ShiftRight => {
                let by = amount.filter(|by| *by < u64::from(ty.bits()))?;
                map(x, |a| {
                    (((a << shift).cast_signed() >> shift) >> by).cast_unsigned() & mask
                })
            }
            BinaryOp::Minimum | BinaryOp::Maximum => {
                let bias = if signed { 0 } else { 1 << 63 };
                let key = |a: u64| ((a << shift) ^ bias).cast_signed();
                let least = op == BinaryOp::Minimum;
                zip(x, y, |a, b| {
                    if (key(b) < key(a)) == least {
                        b & mask
                    } else {
                        a & mask
                    }
                })
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                let by = self.uniform(register(b))? & mask;
                // Of a negative divisor, the scalar definition.
                if by == 0 || (signed && by > mask >> 1) {
                    return None;
                }
                divided(op == BinaryOp::Divide, ty, x, by)
            }
            BinaryOp::MultiplyHigh
            | BinaryOp::MultiplyWide
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => return None,
        }))
    }

    pub(super) fn ternary_vector(
        &self,
        op: TernaryOp,
        ty: ScalarType,
        [a, b, c]: [Operand; 3],
    ) -> Option<Value<L>> {
        let mask = ty.mask();
        let shift = 64 - ty.bits();
        let is_wide = op == TernaryOp::MultiplyAddWide && ty.bits() <= 32;
        if !is_wide && !matches!(op, TernaryOp::MultiplyAdd | TernaryOp::Add3) {
            return None;
        }
        let (x, y) = (&self.view(register(a)), &self.view(register(b)));
        let z = &self.view(register(c));
        let mut out = [0; L];
        if let (TernaryOp::MultiplyAdd, Some(by)) = (op, self.uniform(register(b)))
            && by.is_power_of_two()
        {
            // The place of an element, mostly. Products of 64 bits are dear in vectors.
            let by = by.trailing_zeros();
            for lane in 0..L {
                out[lane] = (x[lane] << by).wrapping_add(z[lane]) & mask;
            }
            return Some(Value::General(out));
        }
        if is_wide {
            let wide = u64::MAX >> (64 - ty.bits() * 2);
            for lane in 0..L {
                let product = if ty.is_signed() {
                    number(x[lane], shift).wrapping_mul(number(y[lane], shift))
                } else {
                    (x[lane] & mask).wrapping_mul(y[lane] & mask)
                };
                out[lane] = product.wrapping_add(z[lane]) & wide;
            }
            return Some(Value::General(out));
        }
        for lane in 0..L {
            let head = if op == TernaryOp::Add3 {
                x[lane].wrapping_add(y[lane])
            } else {
                (x[lane] & mask).wrapping_mul(y[lane] & mask)
            };
            out[lane] = head.wrapping_add(z[lane]) & mask;
        }
        Some(Value::General(out))
    }
}

/// Low bits as a signed number; `shift` is how many are above them.
pub(super) fn number(value: u64, shift: u32) -> u64 {
    ((value << shift).cast_signed() >> shift).cast_unsigned()
}

/// The low 64 bits of a number.
#[allow(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
pub(super) const fn low(value: i128) -> u64 {
    value as u64
}

/// Quotients or remainders by a positive number.
fn divided<const L: usize>(is_quotient: bool, ty: ScalarType, a: &Lanes<L>, by: u64) -> Lanes<L> {
    let (mask, shift) = (ty.mask(), 64 - ty.bits());
    if ty.is_signed() {
        let by = by.cast_signed();
        let signed = |a: u64| number(a, shift).cast_signed();
        return if is_quotient {
            map(a, |a| (signed(a) / by).cast_unsigned() & mask)
        } else {
            map(a, |a| (signed(a) % by).cast_unsigned() & mask)
        };
    }
    if by.is_power_of_two() {
        let shift = by.trailing_zeros();
        return if is_quotient {
            map(a, |a| (a & mask) >> shift)
        } else {
            map(a, |a| a & mask & (by - 1))
        };
    }
    if is_quotient {
        map(a, |a| (a & mask) / by)
    } else {
        map(a, |a| (a & mask) % by)
    }
}

#[inline]
pub(crate) fn zip<const L: usize>(
    a: &Lanes<L>,
    b: &Lanes<L>,
    f: impl Fn(u64, u64) -> u64,
) -> Lanes<L> {
    let mut out = [0; L];
    for lane in 0..L {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

#[inline]
pub(super) fn zip3<const L: usize>(
    a: &Lanes<L>,
    b: &Lanes<L>,
    c: &Lanes<L>,
    f: impl Fn(u64, u64, u64) -> u64,
) -> Lanes<L> {
    let mut out = [0; L];
    for lane in 0..L {
        out[lane] = f(a[lane], b[lane], c[lane]);
    }
    out
}

#[inline]
pub(crate) fn map<const L: usize>(a: &Lanes<L>, f: impl Fn(u64) -> u64) -> Lanes<L> {
    let mut out = [0; L];
    for lane in 0..L {
        out[lane] = f(a[lane]);
    }
    out
}

pub(super) fn compare_lanes<const L: usize>(
    op: Comparison,
    ty: ScalarType,
    a: &Lanes<L>,
    b: &Lanes<L>,
) -> u64 {
    let shift = 64 - ty.bits();
    let bias = if ty.is_signed() { 0 } else { 1 << 63 };
    let key = |value: u64| ((value << shift) ^ bias).cast_signed();
    let holds = |test: fn(i64, i64) -> bool| {
        let mut mask = 0;
        for lane in 0..L {
            mask |= u64::from(test(key(a[lane]), key(b[lane]))) << lane;
        }
        mask
    };
    match op {
        Comparison::Equal => holds(|a, b| a == b),
        Comparison::NotEqual => holds(|a, b| a != b),
        Comparison::Less => holds(|a, b| a < b),
        Comparison::LessEqual => holds(|a, b| a <= b),
        Comparison::Greater => holds(|a, b| a > b),
        Comparison::GreaterEqual => holds(|a, b| a >= b),
    }
}
