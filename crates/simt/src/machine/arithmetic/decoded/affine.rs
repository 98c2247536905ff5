//! Operations on one value for all lanes, or on one that is affine in the lane.

use lanescope_ir::eval::sign_extend;
use lanescope_ir::{Comparison, Register};

use super::{Decoded, Kind, Number};
use crate::machine::arithmetic::affine::Affine;
use crate::machine::register::{File, Form};

impl<const L: usize> File<L> {
    /// Does an operation in all lanes of a warp. Returns whether it is done: not where an operand is unknown or not affine, or
    /// the result is none.
    #[inline]
    pub(crate) fn compute_affine(&mut self, op: &Decoded) -> bool {
        let form = if let Kind::Compare(comparison, number) = op.kind {
            self.compared(op, comparison, number)
        } else {
            self.affine_result(op).map(|affine| {
                let (base, stride) = (affine.base & op.ones, affine.stride & op.ones);
                if stride == 0 {
                    Form::Uniform(base)
                } else {
                    Form::Affine(base, stride)
                }
            })
        };
        let is_done = form.is_some();
        if let Some(form) = form {
            self.put_known(op.dst, form);
        }
        is_done
    }

    /// The result as one value or an affine one, where the operands are.
    #[inline]
    fn affine_result(&self, op: &Decoded) -> Option<Affine> {
        let [a, b, c] = op.operands;
        let x = self.known_affine(a)?;
        if let Kind::Move = op.kind {
            return Some(x);
        }
        if let Kind::Extend(number) = op.kind {
            return x.extended::<L>(number);
        }
        let y = self.known_affine(b)?;
        let of_one = |value: u64| {
            (x.stride | y.stride == 0).then_some(Affine {
                base: value,
                stride: 0,
            })
        };
        match op.kind {
            Kind::Add => Some(x.plus(y)),
            Kind::Subtract => Some(Affine {
                base: x.base.wrapping_sub(y.base),
                stride: x.stride.wrapping_sub(y.stride),
            }),
            Kind::And => of_one(x.base & y.base),
            Kind::Or => of_one(x.base | y.base),
            Kind::Xor => of_one(x.base ^ y.base),
            Kind::Multiply => x.times(y),
            Kind::MultiplyAdd => Some(x.times(y)?.plus(self.known_affine(c)?)),
            Kind::MultiplyWide(number) => x.extended::<L>(number)?.times(y.extended::<L>(number)?),
            Kind::MultiplyAddWide(number) => {
                let product = x.extended::<L>(number)?.times(y.extended::<L>(number)?)?;
                Some(product.plus(self.known_affine(c)?))
            }
            Kind::ShiftLeft(bits) => {
                let amount = y.base & 0xffff_ffff;
                let factor = if amount < u64::from(bits) {
                    1 << amount
                } else {
                    0
                };
                (y.stride == 0).then(|| x.scaled(factor))
            }
            Kind::ShiftRight(number) => {
                let by = self.amount(b, number.bits)?;
                let wide = number.wide(x.base);
                of_one(if number.is_signed {
                    (wide.cast_signed() >> by).cast_unsigned()
                } else {
                    wide >> by
                })
            }
            Kind::Divide(_) | Kind::Remainder(_) | Kind::Minimum(_) | Kind::Maximum(_) => None,
            Kind::Move | Kind::Extend(_) | Kind::Compare(..) => None,
        }
    }

    /// What a comparison of affine values gives, where it gives the same in all lanes: in the first and in the last, between which
    /// their difference grows or falls.
    #[inline]
    fn compared(&self, op: &Decoded, comparison: Comparison, number: Number) -> Option<Form> {
        let [a, b, _] = op.operands;
        if number.bits > 32 {
            return None;
        }
        let (x, y) = (self.known_affine(a)?, self.known_affine(b)?);
        let (x, y) = (x.extended::<L>(number)?, y.extended::<L>(number)?);
        // Numbers of 32 bits are apart by less than 64 bits hold.
        let apart = |lane: u64| x.at(lane).wrapping_sub(y.at(lane)).cast_signed();
        let (first, last) = (apart(0), apart(L as u64 - 1));
        let holds = match comparison {
            Comparison::Less => (first < 0, last < 0),
            Comparison::LessEqual => (first <= 0, last <= 0),
            Comparison::Greater => (first > 0, last > 0),
            Comparison::GreaterEqual => (first >= 0, last >= 0),
            Comparison::Equal | Comparison::NotEqual => {
                // An affine value that passes zero may have a lane there.
                if first != last && first.signum() * last.signum() <= 0 {
                    return None;
                }
                let is_one = (first == 0) == (comparison == Comparison::Equal);
                (is_one, is_one)
            }
        };
        (holds.0 == holds.1).then_some(Form::Mask(if holds.0 { u64::MAX } else { 0 }))
    }

    #[inline]
    fn known_affine(&self, register: Register) -> Option<Affine> {
        let entry = self.known(register)?;
        match entry {
            Form::Uniform(base) => Some(Affine { base, stride: 0 }),
            Form::Affine(base, stride) => Some(Affine { base, stride }),
            Form::Mask(_) | Form::General => None,
        }
    }
}

impl Affine {
    #[inline]
    const fn at(self, lane: u64) -> u64 {
        self.base.wrapping_add(self.stride.wrapping_mul(lane))
    }

    #[inline]
    const fn plus(self, other: Self) -> Self {
        Self {
            base: self.base.wrapping_add(other.base),
            stride: self.stride.wrapping_add(other.stride),
        }
    }

    #[inline]
    const fn scaled(self, by: u64) -> Self {
        Self {
            base: self.base.wrapping_mul(by),
            stride: self.stride.wrapping_mul(by),
        }
    }

    /// The product with another, where one of them is the same in all lanes.
    #[inline]
    const fn times(self, other: Self) -> Option<Self> {
        match (self.stride, other.stride) {
            (_, 0) => Some(self.scaled(other.base)),
            (0, _) => Some(other.scaled(self.base)),
            _ => None,
        }
    }

    /// The numbers in 64 bits, where none of `L` lanes' wraps.
    #[inline]
    fn extended<const L: usize>(self, number: Number) -> Option<Self> {
        let wide = |value: u64| number.wide(value).cast_signed();
        let base = wide(self.base);
        if self.stride == 0 {
            return Some(Self {
                base: base.cast_unsigned(),
                stride: 0,
            });
        }
        let stride = sign_extend(self.stride, number.bits);
        let last = base + stride * (L as i64 - 1);
        (wide(last.cast_unsigned()) == last).then_some(Self {
            base: base.cast_unsigned(),
            stride: stride.cast_unsigned(),
        })
    }
}
