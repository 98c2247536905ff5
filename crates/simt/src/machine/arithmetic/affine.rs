//! Arithmetic on values that are a base and a stride by lane.

use lanescope_ir::eval::{self, integer_value};
use lanescope_ir::{BinaryOp, Comparison, Operand, Register, ScalarType, TernaryOp};

use super::vector::low;
use super::{each, register};
use crate::machine::register::{File, Form, Lanes, Value};

/// An affine value: `base + stride * lane`.
#[derive(Clone, Copy)]
pub(crate) struct Affine {
    pub(crate) base: u64,
    pub(crate) stride: u64,
}

impl<const L: usize> From<Affine> for Value<L> {
    fn from(affine: Affine) -> Self {
        Self::Affine(affine.base, affine.stride)
    }
}

impl<const L: usize> File<L> {
    /// A register as an affine value modulo two to the type's bits.
    pub(crate) fn affine(&self, operand: Operand, ty: ScalarType) -> Option<Affine> {
        let register = register(operand);
        match self.entry(register).form {
            Form::Uniform(base) => Some(Affine { base, stride: 0 }),
            Form::Affine(base, stride) if u32::from(self.bits(register)) >= ty.bits() => {
                Some(Affine { base, stride })
            }
            Form::Affine(..) | Form::Mask(_) | Form::General => None,
        }
    }

    /// An affine value of numbers as `ty` reads them, if no lane's wraps: extended to 64 bits.
    pub(crate) fn extended(&self, operand: Operand, ty: ScalarType) -> Option<Affine> {
        let affine = self.affine(operand, ty)?;
        let first = integer_value(ty, affine.base);
        let step = i128::from(eval::sign_extend(affine.stride, ty.bits()));
        let last = first + step * (L as i128 - 1);
        (integer_value(ty, low(last)) == last).then(|| Affine {
            base: low(first),
            stride: low(step),
        })
    }

    /// Sums and multiples of affine values are affine.
    pub(super) fn affine_of(
        &self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Option<Affine> {
        let times = |affine: Affine, by: u64| Affine {
            base: affine.base.wrapping_mul(by),
            stride: affine.stride.wrapping_mul(by),
        };
        match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                let (x, y) = (self.affine(a, ty)?, self.affine(b, ty)?);
                Some(if op == BinaryOp::Add {
                    Affine {
                        base: x.base.wrapping_add(y.base),
                        stride: x.stride.wrapping_add(y.stride),
                    }
                } else {
                    Affine {
                        base: x.base.wrapping_sub(y.base),
                        stride: x.stride.wrapping_sub(y.stride),
                    }
                })
            }
            BinaryOp::Multiply => {
                let (x, y) = (self.affine(a, ty)?, self.affine(b, ty)?);
                match (x.stride, y.stride) {
                    (_, 0) => Some(times(x, y.base)),
                    (0, _) => Some(times(y, x.base)),
                    _ => None,
                }
            }
            BinaryOp::MultiplyWide => {
                let (x, y) = (self.extended(a, ty)?, self.extended(b, ty)?);
                match (x.stride, y.stride) {
                    (_, 0) => Some(times(x, y.base)),
                    (0, _) => Some(times(y, x.base)),
                    _ => None,
                }
            }
            BinaryOp::ShiftLeft => {
                let x = self.affine(a, ty)?;
                let by = self.uniform(register(b))? & 0xffff_ffff;
                let by = if by < u64::from(ty.bits()) {
                    1 << by
                } else {
                    0
                };
                Some(times(x, by))
            }
            BinaryOp::MultiplyHigh
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::ShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Minimum
            | BinaryOp::Maximum
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => None,
        }
    }

    pub(super) fn ternary_affine(
        &self,
        op: TernaryOp,
        ty: ScalarType,
        dst: Register,
        [a, b, c]: [Operand; 3],
    ) -> Option<Affine> {
        let bits = u32::from(self.bits(dst));
        let (product, added) = match op {
            TernaryOp::MultiplyAdd if bits <= ty.bits() => {
                let (x, y) = (self.affine(a, ty)?, self.affine(b, ty)?);
                ((x, y), self.affine(c, ty)?)
            }
            TernaryOp::MultiplyAddWide if bits <= ty.bits() * 2 => {
                let wide = if ty.bits() >= 32 {
                    ScalarType::U64
                } else {
                    ScalarType::U32
                };
                let (x, y) = (self.extended(a, ty)?, self.extended(b, ty)?);
                ((x, y), self.affine(c, wide)?)
            }
            TernaryOp::Add3 if bits <= ty.bits() => {
                let (x, y, z) = (
                    self.affine(a, ty)?,
                    self.affine(b, ty)?,
                    self.affine(c, ty)?,
                );
                let sum = |x: u64, y: u64, z: u64| x.wrapping_add(y).wrapping_add(z);
                return Some(Affine {
                    base: sum(x.base, y.base, z.base),
                    stride: sum(x.stride, y.stride, z.stride),
                });
            }
            TernaryOp::MultiplyAdd
            | TernaryOp::MultiplyAddHigh
            | TernaryOp::MultiplyAddWide
            | TernaryOp::Add3
            | TernaryOp::FunnelShiftLeft
            | TernaryOp::FunnelShiftRight
            | TernaryOp::FunnelShiftLeftClamped
            | TernaryOp::FunnelShiftRightClamped
            | TernaryOp::BitFieldExtract
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => return None,
        };
        let (affine, by) = match (product.0.stride, product.1.stride) {
            (_, 0) => (product.0, product.1.base),
            (0, _) => (product.1, product.0.base),
            _ => return None,
        };
        Some(Affine {
            base: affine.base.wrapping_mul(by).wrapping_add(added.base),
            stride: affine.stride.wrapping_mul(by).wrapping_add(added.stride),
        })
    }

    /// What a comparison of two affine values gives in all lanes, where it gives the same in the first and in the last: between
    /// them their difference grows or falls.
    pub(super) fn compare_affine(
        &self,
        op: Comparison,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Option<bool> {
        if ty == ScalarType::Bool {
            return None;
        }
        let (x, y) = (self.extended(a, ty)?, self.extended(b, ty)?);
        let number = |value: u64| {
            if ty.is_signed() {
                i128::from(value.cast_signed())
            } else {
                i128::from(value)
            }
        };
        let first = number(x.base) - number(y.base);
        let step = i128::from(x.stride.cast_signed()) - i128::from(y.stride.cast_signed());
        let last = first + step * (L as i128 - 1);
        let holds = |difference: i128| match op {
            Comparison::Less => difference < 0,
            Comparison::LessEqual => difference <= 0,
            Comparison::Greater => difference > 0,
            Comparison::GreaterEqual => difference >= 0,
            Comparison::Equal => difference == 0,
            Comparison::NotEqual => difference != 0,
        };
        let is_apart = matches!(op, Comparison::Equal | Comparison::NotEqual)
            && first != last
            && first.signum() * last.signum() <= 0;
        (holds(first) == holds(last) && !is_apart).then(|| holds(first))
    }
}

/// The cheapest form of what the lanes of a mask hold.
#[inline]
pub(crate) fn narrowest<const L: usize>(lanes: Lanes<L>, mask: u64) -> Value<L> {
    match affine_of(&lanes, mask) {
        Some(affine) => affine,
        None => Value::General(lanes),
    }
}

/// What the lanes of a mask hold as one value or an affine one, where it is.
#[inline]
pub(crate) fn affine_of<const L: usize>(lanes: &Lanes<L>, mask: u64) -> Option<Value<L>> {
    let first = mask.trailing_zeros() as usize;
    let second = (mask & mask.wrapping_sub(1)).trailing_zeros() as usize;
    if first >= L {
        return Some(Value::Uniform(0));
    }
    if second >= L {
        return Some(Value::Uniform(lanes[first]));
    }
    let difference = lanes[second].wrapping_sub(lanes[first]);
    if second != first + 1 && difference != 0 {
        return None;
    }
    let base = lanes[first].wrapping_sub(difference.wrapping_mul(first as u64));
    let is_affine =
        |lane: usize| lanes[lane] == base.wrapping_add(difference.wrapping_mul(lane as u64));
    each(mask)
        .all(is_affine)
        .then_some(Value::Affine(base, difference))
}
