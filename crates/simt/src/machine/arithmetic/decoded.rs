//! The commonest operations on integers, decoded when a kernel is made ready: most of what a warp computes.

mod affine;
mod lanes;

use lanescope_ir::{BinaryOp, Comparison, Op, Operand, Register, ScalarType, TernaryOp, UnaryOp};

use crate::machine::register::ones;

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
    /// Of numbers without a sign.
    Divide(Number),
    Remainder(Number),
    Minimum(Number),
    Maximum(Number),
    Compare(Comparison, Number),
}

/// An integer that is extended to 64 bits.
#[derive(Clone, Copy, Debug)]
struct Number {
    bits: u32,
    is_signed: bool,
}

impl Kind {
    /// Whether the result may be affine where no operand is one value: the parts of an affine value often are.
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
            | Self::Divide(_)
            | Self::Remainder(_)
            | Self::Minimum(_)
            | Self::Maximum(_)
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
            | Self::ShiftRight(_)
            | Self::Divide(_)
            | Self::Remainder(_)
            | Self::Minimum(_)
            | Self::Maximum(_) => [bits; 3],
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

    #[inline]
    const fn is_below(self, a: u64, b: u64) -> bool {
        if self.is_signed {
            self.wide(a).cast_signed() < self.wide(b).cast_signed()
        } else {
            self.wide(a) < self.wide(b)
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
            } => (Kind::Compare(op, number(ty)), ty, dst, [a, b, a]),
            // Any other is executed as it stands.
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
        let fits = if let Kind::Compare(..) = kind {
            bits_of(dst)? == 1
        } else {
            (8..=result).contains(&bits_of(dst)?)
        };
        (is_whole && fits).then_some(Self {
            kind,
            dst,
            operands: [a, b, c],
            ones: ones(bits[dst.index()]),
        })
    }

    /// The same, with the result in another register, of the same bits.
    pub(super) const fn to(&self, dst: Register) -> Self {
        Self { dst, ..*self }
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
        BinaryOp::Divide if !ty.is_signed() => Kind::Divide(number(ty)),
        BinaryOp::Remainder if !ty.is_signed() => Kind::Remainder(number(ty)),
        BinaryOp::Minimum => Kind::Minimum(number(ty)),
        BinaryOp::Maximum => Kind::Maximum(number(ty)),
        BinaryOp::MultiplyHigh
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::Power
        | BinaryOp::PowerApprox
        | BinaryOp::ArcTangent
        | BinaryOp::CopySign => return None,
    })
}

fn ternary(op: TernaryOp, ty: ScalarType) -> Option<Kind> {
    match op {
        TernaryOp::MultiplyAdd => Some(Kind::MultiplyAdd),
        TernaryOp::MultiplyAddWide => narrow(ty).map(Kind::MultiplyAddWide),
        TernaryOp::MultiplyAddHigh
        | TernaryOp::Add3
        | TernaryOp::FunnelShiftLeft
        | TernaryOp::FunnelShiftRight
        | TernaryOp::FunnelShiftLeftClamped
        | TernaryOp::FunnelShiftRightClamped
        | TernaryOp::BitFieldExtract
        | TernaryOp::BytePermute
        | TernaryOp::SumAbsoluteDifference
        | TernaryOp::DotProduct4 => None,
    }
}
