//! Sums and products of values that are one for all lanes or a line over them, decoded when a kernel is made ready: most
//! of what a warp computes.

use lanescope_ir::eval::sign_extend;
use lanescope_ir::{BinaryOp, Op, Operand, Register, ScalarType, TernaryOp};

use super::affine::Line;
use super::vector::{map, zip, zip3};
use crate::register::{File, Form, ones};

/// An operation whose result is a line where its operands are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    kind: Kind,
    dst: Register,
    /// The last ones are not read by an operation on fewer.
    operands: [Register; 3],
    /// The bits of the result.
    ones: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Add,
    Subtract,
    Multiply,
    MultiplyAdd,
    /// Of numbers with so many bits, with a sign or without.
    MultiplyWide(Number),
    MultiplyAddWide(Number),
    /// To 64 bits.
    Extend(Number),
    /// Of numbers with so many bits.
    ShiftLeft(u64),
}

/// An integer that is extended to 64 bits.
#[derive(Clone, Copy, Debug)]
struct Number {
    bits: u32,
    is_signed: bool,
}

impl Kind {
    const fn is_sum_of_three(self) -> bool {
        match self {
            Self::MultiplyAdd | Self::MultiplyAddWide(_) => true,
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::MultiplyWide(_)
            | Self::Extend(_)
            | Self::ShiftLeft(_) => false,
        }
    }
}

impl Number {
    /// The number in 64 bits.
    #[inline]
    const fn wide(self, value: u64) -> u64 {
        if self.is_signed {
            sign_extend(value, self.bits).cast_unsigned()
        } else {
            value & ones(32)
        }
    }
}

impl Linear {
    /// An instruction on registers of `bits`; `None` where it is no such operation, or where bits of an operand are missing
    /// or of the result left over.
    pub(crate) fn of(op: &Op, bits: &[u8]) -> Option<Self> {
        let (kind, ty, dst, operands) = match *op {
            Op::Binary { op, ty, dst, a, b } => (binary(op, ty)?, ty, dst, [a, b, a]),
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => (ternary(op, ty)?, ty, dst, [a, b, c]),
            Op::Convert {
                from,
                to,
                saturate: false,
                dst,
                a,
                ..
            } => (extension(from, to)?, from, dst, [a; 3]),
            _ => return None,
        };
        let operands = operands.map(Operand::register);
        let [Some(a), Some(b), Some(c)] = operands else {
            return None;
        };
        let bits_of = |register: Register| bits.get(register.index()).map(|bits| u32::from(*bits));
        let (factor, result) = match kind {
            Kind::MultiplyWide(_) | Kind::MultiplyAddWide(_) | Kind::Extend(_) => {
                (ty.bits(), ty.bits() * 2)
            }
            Kind::Add
            | Kind::Subtract
            | Kind::Multiply
            | Kind::MultiplyAdd
            | Kind::ShiftLeft(_) => (ty.bits(), ty.bits()),
        };
        let added = match kind {
            Kind::MultiplyAdd | Kind::MultiplyAddWide(_) => result,
            Kind::Add
            | Kind::Subtract
            | Kind::Multiply
            | Kind::MultiplyWide(_)
            | Kind::Extend(_)
            | Kind::ShiftLeft(_) => factor,
        };
        let is_whole = bits_of(a)? >= factor && bits_of(b)? >= factor && bits_of(c)? >= added;
        let fits = matches!(bits_of(dst)?, bits if (8..=result).contains(&bits));
        (is_whole && fits).then_some(Self {
            kind,
            dst,
            operands: [a, b, c],
            ones: ones(bits[dst.index()]),
        })
    }
}

/// 32 and 64 bits alone: others are rare.
fn is_common(ty: ScalarType) -> bool {
    !ty.is_float() && matches!(ty.bits(), 32 | 64)
}

fn number(ty: ScalarType) -> Option<Number> {
    (ty.bits() == 32).then(|| Number {
        bits: 32,
        is_signed: ty.is_signed(),
    })
}

fn extension(from: ScalarType, to: ScalarType) -> Option<Kind> {
    let is_one = is_common(from) && is_common(to) && to.bits() == 64;
    is_one.then(|| number(from).map(Kind::Extend)).flatten()
}

fn binary(op: BinaryOp, ty: ScalarType) -> Option<Kind> {
    if !is_common(ty) {
        return None;
    }
    match op {
        BinaryOp::Add => Some(Kind::Add),
        BinaryOp::Subtract => Some(Kind::Subtract),
        BinaryOp::Multiply => Some(Kind::Multiply),
        BinaryOp::MultiplyWide => number(ty).map(Kind::MultiplyWide),
        BinaryOp::ShiftLeft => Some(Kind::ShiftLeft(u64::from(ty.bits()))),
        _ => None,
    }
}

fn ternary(op: TernaryOp, ty: ScalarType) -> Option<Kind> {
    if !is_common(ty) {
        return None;
    }
    match op {
        TernaryOp::MultiplyAdd => Some(Kind::MultiplyAdd),
        TernaryOp::MultiplyAddWide => number(ty).map(Kind::MultiplyAddWide),
        _ => None,
    }
}

impl<const L: usize> File<L> {
    /// Does an operation in all lanes of a warp. Returns whether it is done: not where an operand is unknown or no line, or
    /// the result is none.
    #[inline]
    pub(crate) fn compute_linear(&mut self, op: &Linear) -> bool {
        let Some(line) = self.linear(op) else {
            return false;
        };
        let (base, stride) = (line.base & op.ones, line.stride & op.ones);
        self.put_known(
            op.dst,
            if stride == 0 {
                Form::Uniform(base)
            } else {
                Form::Affine(base, stride)
            },
        );
        true
    }

    /// Does an operation on a value a lane in all lanes of a warp. Returns whether it is done: not where an operand is
    /// unknown, nor where the first of two is a line, whose parts are often a line again.
    pub(crate) fn compute_linear_lanes(&mut self, op: &Linear) -> bool {
        let forms = op.operands.map(|register| self.known(register));
        let first_is_line = !matches!(forms[0], Some(Form::General));
        if forms.iter().any(Option::is_none) || (first_is_line && !op.kind.is_sum_of_three()) {
            return false;
        }
        let [mut first, mut second, mut third] = [[0; L]; 3];
        let [a, b, c] = op.operands;
        let (x, y) = (self.view(a, &mut first), self.view(b, &mut second));
        let lanes = match op.kind {
            Kind::Add => zip(x, y, u64::wrapping_add),
            Kind::Subtract => zip(x, y, u64::wrapping_sub),
            Kind::Multiply => zip(x, y, u64::wrapping_mul),
            Kind::MultiplyWide(number) => {
                zip(x, y, |x, y| number.wide(x).wrapping_mul(number.wide(y)))
            }
            Kind::MultiplyAdd => {
                let z = self.view(c, &mut third);
                match self.uniform(b).filter(|by| by.is_power_of_two()) {
                    // The place of an element, mostly. Products of 64 bits are dear in vectors.
                    Some(by) => {
                        let by = by.trailing_zeros();
                        zip(x, z, |x, z| (x << by).wrapping_add(z))
                    }
                    None => zip3(x, y, z, |x, y, z| x.wrapping_mul(y).wrapping_add(z)),
                }
            }
            Kind::MultiplyAddWide(number) => {
                let z = self.view(c, &mut third);
                zip3(x, y, z, |x, y, z| {
                    number.wide(x).wrapping_mul(number.wide(y)).wrapping_add(z)
                })
            }
            Kind::Extend(number) => map(x, |x| number.wide(x)),
            Kind::ShiftLeft(bits) => {
                let Some(amount) = self.uniform(b) else {
                    return false;
                };
                let amount = amount & 0xffff_ffff;
                if amount >= bits {
                    return false;
                }
                map(x, |x| x << amount)
            }
        };
        self.put_known_lanes(op.dst, &lanes, op.ones);
        true
    }

    #[inline]
    fn linear(&self, op: &Linear) -> Option<Line> {
        let [a, b, c] = op.operands;
        let (x, y) = (self.known_line(a)?, self.known_line(b)?);
        match op.kind {
            Kind::Add => Some(x.plus(y)),
            Kind::Subtract => Some(Line {
                base: x.base.wrapping_sub(y.base),
                stride: x.stride.wrapping_sub(y.stride),
            }),
            Kind::Multiply => x.times(y),
            Kind::MultiplyAdd => Some(x.times(y)?.plus(self.known_line(c)?)),
            Kind::MultiplyWide(number) => x.extended::<L>(number)?.times(y.extended::<L>(number)?),
            Kind::MultiplyAddWide(number) => {
                let product = x.extended::<L>(number)?.times(y.extended::<L>(number)?)?;
                Some(product.plus(self.known_line(c)?))
            }
            Kind::Extend(number) => x.extended::<L>(number),
            Kind::ShiftLeft(bits) => {
                let amount = y.base & 0xffff_ffff;
                let factor = if amount < bits { 1 << amount } else { 0 };
                (y.stride == 0).then(|| x.scaled(factor))
            }
        }
    }

    #[inline]
    fn known_line(&self, register: Register) -> Option<Line> {
        let entry = self.known(register)?;
        match entry {
            Form::Uniform(base) => Some(Line { base, stride: 0 }),
            Form::Affine(base, stride) => Some(Line { base, stride }),
            Form::Mask(_) | Form::General => None,
        }
    }
}

impl Line {
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
