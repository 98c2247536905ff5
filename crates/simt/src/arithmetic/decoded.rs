//! The commonest operations on integers, decoded when a kernel is made ready: most of what a warp computes.

use lanescope_ir::eval::sign_extend;
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, Register, ScalarType, TernaryOp, UnaryOp};

use super::affine::Line;
use super::vector::zip3;
use crate::register::{File, Form, ones};
use crate::vectorized::{Loops, vectorized};

/// An operation on integers of 32 or 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    kind: Kind,
    dst: Register,
    /// The last ones are not read by an operation on fewer.
    operands: [Register; 3],
    /// The bits of the result.
    ones: u64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Move,
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Multiply,
    MultiplyAdd,
    /// Of numbers with so many bits, with a sign or without.
    MultiplyWide(Number),
    MultiplyAddWide(Number),
    /// To 64 bits.
    Extend(Number),
    /// Of numbers with so many bits.
    ShiftLeft(u32),
    ShiftRight(Number),
    /// Of numbers with 32 bits.
    Compare(Comparison, Number),
}

/// An integer that is extended to 64 bits.
#[derive(Clone, Copy, Debug)]
struct Number {
    bits: u32,
    is_signed: bool,
}

impl Kind {
    /// Whether the result may be a line where no operand is one value: the parts of a line often are.
    const fn takes_lines_apart(self) -> bool {
        match self {
            Self::MultiplyAdd | Self::MultiplyAddWide(_) | Self::Move => false,
            Self::Add
            | Self::Subtract
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Multiply
            | Self::MultiplyWide(_)
            | Self::Extend(_)
            | Self::ShiftLeft(_)
            | Self::ShiftRight(_)
            | Self::Compare(..) => true,
        }
    }

    /// The bits of the first two operands, of the third and of the result, of an operation on a type.
    const fn bits(self, ty: ScalarType) -> [u32; 3] {
        let bits = ty.bits();
        match self {
            Self::MultiplyWide(_) | Self::Extend(_) => [bits, bits, bits * 2],
            Self::MultiplyAddWide(_) => [bits, bits * 2, bits * 2],
            Self::Compare(..) => [bits, bits, 1],
            Self::Move
            | Self::Add
            | Self::Subtract
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Multiply
            | Self::MultiplyAdd
            | Self::ShiftLeft(_)
            | Self::ShiftRight(_) => [bits; 3],
        }
    }
}

impl Number {
    /// The number in 64 bits.
    #[inline]
    const fn wide(self, value: u64) -> u64 {
        let above = 64 - self.bits;
        if self.is_signed {
            ((value << above).cast_signed() >> above).cast_unsigned()
        } else {
            value << above >> above
        }
    }
}

impl Decoded {
    /// An instruction on registers of `bits`; `None` where it is no such operation, or where bits of an operand are missing
    /// or of the result left over.
    pub(crate) fn of(op: &Op, bits: &[u8]) -> Option<Self> {
        let (kind, ty, dst, operands) = match *op {
            Op::Unary {
                op: UnaryOp::Move,
                ty,
                dst,
                a,
            } => (Kind::Move, ty, dst, [a; 3]),
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
            Op::Compare {
                op, ty, dst, a, b, ..
            } if ty.bits() == 32 => (Kind::Compare(op, number(ty)), ty, dst, [a, b, a]),
            _ => return None,
        };
        let [Some(a), Some(b), Some(c)] = operands.map(Operand::register) else {
            return None;
        };
        if !is_common(ty) {
            return None;
        }
        let bits_of = |register: Register| bits.get(register.index()).map(|bits| u32::from(*bits));
        let [factor, added, result] = kind.bits(ty);
        let is_whole = bits_of(a)? >= factor && bits_of(b)? >= factor && bits_of(c)? >= added;
        let fits = match kind {
            Kind::Compare(..) => bits_of(dst)? == 1,
            _ => (8..=result).contains(&bits_of(dst)?),
        };
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

fn number(ty: ScalarType) -> Number {
    Number {
        bits: ty.bits(),
        is_signed: ty.is_signed(),
    }
}

/// A number that is extended.
fn narrow(ty: ScalarType) -> Option<Number> {
    (ty.bits() == 32).then(|| number(ty))
}

fn extension(from: ScalarType, to: ScalarType) -> Option<Kind> {
    let is_one = is_common(from) && is_common(to) && to.bits() == 64;
    is_one.then(|| narrow(from).map(Kind::Extend)).flatten()
}

fn binary(op: BinaryOp, ty: ScalarType) -> Option<Kind> {
    Some(match op {
        BinaryOp::Add => Kind::Add,
        BinaryOp::Subtract => Kind::Subtract,
        BinaryOp::And => Kind::And,
        BinaryOp::Or => Kind::Or,
        BinaryOp::Xor => Kind::Xor,
        BinaryOp::Multiply => Kind::Multiply,
        BinaryOp::MultiplyWide => Kind::MultiplyWide(narrow(ty)?),
        BinaryOp::ShiftLeft => Kind::ShiftLeft(ty.bits()),
        BinaryOp::ShiftRight => Kind::ShiftRight(number(ty)),
        _ => return None,
    })
}

fn ternary(op: TernaryOp, ty: ScalarType) -> Option<Kind> {
    match op {
        TernaryOp::MultiplyAdd => Some(Kind::MultiplyAdd),
        TernaryOp::MultiplyAddWide => narrow(ty).map(Kind::MultiplyAddWide),
        _ => None,
    }
}

/// An operation on values a lane.
struct OnLanes<'a, const L: usize> {
    file: &'a mut File<L>,
    op: &'a Decoded,
}

impl<const L: usize> Loops for OnLanes<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        self.file.compute_general(self.op)
    }
}

impl<const L: usize> File<L> {
    /// Does an operation in all lanes of a warp. Returns whether it is done: not where an operand is unknown or no line, or
    /// the result is none.
    #[inline]
    pub(crate) fn compute_line(&mut self, op: &Decoded) -> bool {
        let form = match op.kind {
            Kind::Compare(comparison, number) => self.compared(op, comparison, number),
            _ => self.line_result(op).map(|line| {
                let (base, stride) = (line.base & op.ones, line.stride & op.ones);
                if stride == 0 {
                    Form::Uniform(base)
                } else {
                    Form::Affine(base, stride)
                }
            }),
        };
        let is_done = form.is_some();
        if let Some(form) = form {
            self.put_known(op.dst, form);
        }
        is_done
    }

    /// Does an operation on a value a lane in all lanes of a warp. Returns whether it is done: not where an operand is
    /// unknown, nor where the first of two is a line, whose parts are often a line again.
    pub(crate) fn compute_lanes(&mut self, op: &Decoded) -> bool {
        let [a, ..] = op.operands;
        let is_known = |register: &Register| self.known(*register).is_some();
        let is_line = !matches!(self.known(a), Some(Form::General));
        if !op.operands.iter().all(is_known) || (is_line && op.kind.takes_lines_apart()) {
            return false;
        }
        vectorized(OnLanes { file: self, op })
    }

    /// The same, where no operand is unknown.
    #[inline(always)]
    fn compute_general(&mut self, op: &Decoded) -> bool {
        let [_, b, _] = op.operands;
        match op.kind {
            Kind::Move => self.mapped(op, |x| x),
            Kind::Add => self.pairs(op, u64::wrapping_add),
            Kind::Subtract => self.pairs(op, u64::wrapping_sub),
            Kind::And => self.pairs(op, |x, y| x & y),
            Kind::Or => self.pairs(op, |x, y| x | y),
            Kind::Xor => self.pairs(op, |x, y| x ^ y),
            Kind::Multiply => self.pairs(op, u64::wrapping_mul),
            Kind::MultiplyWide(number) => {
                self.pairs(op, |x, y| number.wide(x).wrapping_mul(number.wide(y)));
            }
            Kind::MultiplyAdd => match self.power_of_two(b) {
                Some(by) => self.sums(op, |x| x << by),
                None => self.triples(op, |x, y, z| x.wrapping_mul(y).wrapping_add(z)),
            },
            Kind::MultiplyAddWide(number) => match self.power_of_two(b) {
                Some(by) if by < number.bits - 1 && number.is_signed => {
                    self.sums(op, |x| number.wide(x) << by);
                }
                Some(by) if by < number.bits && !number.is_signed => {
                    self.sums(op, |x| (x & ones(32)) << by);
                }
                _ => self.triples(op, |x, y, z| {
                    number.wide(x).wrapping_mul(number.wide(y)).wrapping_add(z)
                }),
            },
            Kind::Extend(number) if number.is_signed => self.mapped(op, |x| number.wide(x)),
            Kind::Extend(_) => self.mapped(op, |x| x & ones(32)),
            Kind::ShiftLeft(bits) => match self.amount(b, bits) {
                Some(by) => self.mapped(op, |x| x << by),
                None => return false,
            },
            Kind::ShiftRight(number) => match self.amount(b, number.bits) {
                Some(by) if number.is_signed => {
                    self.mapped(op, |x| (number.wide(x).cast_signed() >> by).cast_unsigned());
                }
                Some(by) => self.mapped(op, |x| number.wide(x) >> by),
                None => return false,
            },
            Kind::Compare(..) => return false,
        }
        true
    }

    /// The place of an element is mostly a shift: products of 64 bits are dear in vectors.
    fn power_of_two(&self, factor: Register) -> Option<u32> {
        let factor = self.uniform(factor)?;
        factor.is_power_of_two().then(|| factor.trailing_zeros())
    }

    /// By how much all lanes shift numbers with so many bits, where they do not shift all of them out.
    fn amount(&self, by: Register, bits: u32) -> Option<u64> {
        let amount = self.uniform(by)? & 0xffff_ffff;
        (amount < u64::from(bits)).then_some(amount)
    }

    #[inline(always)]
    fn mapped(&mut self, op: &Decoded, f: impl Fn(u64) -> u64) {
        let [a, ..] = op.operands;
        self.map_into(op.dst, a, op.ones, f);
    }

    /// Of the first two operands.
    #[inline(always)]
    fn pairs(&mut self, op: &Decoded, f: impl Fn(u64, u64) -> u64) {
        let [a, b, _] = op.operands;
        match self.uniform(b) {
            Some(y) => self.map_into(op.dst, a, op.ones, |x| f(x, y)),
            None => self.zip_into(op.dst, (a, b), op.ones, f),
        }
    }

    /// Of what becomes of the first operand, and the third.
    #[inline(always)]
    fn sums(&mut self, op: &Decoded, f: impl Fn(u64) -> u64) {
        let [a, _, c] = op.operands;
        match self.uniform(c) {
            Some(z) => self.map_into(op.dst, a, op.ones, |x| f(x).wrapping_add(z)),
            None => self.zip_into(op.dst, (a, c), op.ones, |x, z| f(x).wrapping_add(z)),
        }
    }

    #[inline(always)]
    fn triples(&mut self, op: &Decoded, f: impl Fn(u64, u64, u64) -> u64) {
        let [a, b, c] = op.operands;
        match (self.uniform(b), self.uniform(c)) {
            (Some(y), Some(z)) => self.map_into(op.dst, a, op.ones, |x| f(x, y, z)),
            _ => {
                let lanes = zip3(&self.lanes(a), &self.lanes(b), &self.lanes(c), f);
                self.put_known_lanes(op.dst, &lanes, op.ones);
            }
        }
    }

    /// The result as one value or a line, where the operands are.
    #[inline]
    fn line_result(&self, op: &Decoded) -> Option<Line> {
        let [a, b, c] = op.operands;
        let x = self.known_line(a)?;
        match op.kind {
            Kind::Move => return Some(x),
            Kind::Extend(number) => return x.extended::<L>(number),
            _ => {}
        }
        let y = self.known_line(b)?;
        let of_one = |value: u64| {
            (x.stride | y.stride == 0).then_some(Line {
                base: value,
                stride: 0,
            })
        };
        match op.kind {
            Kind::Add => Some(x.plus(y)),
            Kind::Subtract => Some(Line {
                base: x.base.wrapping_sub(y.base),
                stride: x.stride.wrapping_sub(y.stride),
            }),
            Kind::And => of_one(x.base & y.base),
            Kind::Or => of_one(x.base | y.base),
            Kind::Xor => of_one(x.base ^ y.base),
            Kind::Multiply => x.times(y),
            Kind::MultiplyAdd => Some(x.times(y)?.plus(self.known_line(c)?)),
            Kind::MultiplyWide(number) => x.extended::<L>(number)?.times(y.extended::<L>(number)?),
            Kind::MultiplyAddWide(number) => {
                let product = x.extended::<L>(number)?.times(y.extended::<L>(number)?)?;
                Some(product.plus(self.known_line(c)?))
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
            Kind::Move | Kind::Extend(_) | Kind::Compare(..) => None,
        }
    }

    /// What a comparison of lines gives, where it gives the same in all lanes: in the first and in the last, between which
    /// their difference grows or falls.
    #[inline]
    fn compared(&self, op: &Decoded, comparison: Comparison, number: Number) -> Option<Form> {
        let [a, b, _] = op.operands;
        let (x, y) = (self.known_line(a)?, self.known_line(b)?);
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
                // A line that passes zero may have a lane there.
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
