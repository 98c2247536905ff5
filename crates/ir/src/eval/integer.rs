//! Arithmetic of integers and predicates.

use super::{bits, integer_value, sign_extend, wrap};
use crate::{BinaryOp, ScalarType, TernaryOp, UnaryOp};

/// What [`UnaryOp::FindLeading`] gives where there is no bit to find.
const NONE: u64 = 0xffff_ffff;

pub(super) fn unary(op: UnaryOp, ty: ScalarType, a: u64) -> u64 {
    match op {
        UnaryOp::Negate => a.wrapping_neg() & ty.mask(),
        UnaryOp::Not => !a & ty.mask(),
        UnaryOp::Abs => wrap(ty, integer_value(ty, a).abs()),
        UnaryOp::PopCount => u64::from(a.count_ones()),
        UnaryOp::LeadingZeros => u64::from(a.leading_zeros() - (64 - ty.bits())),
        UnaryOp::FindLeading => find_leading(ty, a),
        UnaryOp::FindFirst if a == 0 => 0,
        UnaryOp::FindFirst => u64::from(a.trailing_zeros()) + 1,
        UnaryOp::ReverseBits => a.reverse_bits() >> (64 - ty.bits()),
        UnaryOp::Reciprocal => binary(BinaryOp::Divide, ty, 1, a),
        UnaryOp::IsNan => 0,
        UnaryOp::IsFinite => 1,
        // A whole number is its own rounding; functions of real numbers have no meaning here and change nothing.
        UnaryOp::Move
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Round
        | UnaryOp::RoundEven
        | UnaryOp::Truncate
        | UnaryOp::Sqrt
        | UnaryOp::ReciprocalSqrt
        | UnaryOp::Exp
        | UnaryOp::Exp2
        | UnaryOp::ExpMinusOne
        | UnaryOp::Log
        | UnaryOp::Log2
        | UnaryOp::Log10
        | UnaryOp::LogPlusOne
        | UnaryOp::Sin
        | UnaryOp::Cos
        | UnaryOp::Tan
        | UnaryOp::SinApprox
        | UnaryOp::CosApprox
        | UnaryOp::TanApprox
        | UnaryOp::LogApprox
        | UnaryOp::Log2Approx
        | UnaryOp::Log10Approx
        | UnaryOp::Asin
        | UnaryOp::Acos
        | UnaryOp::Atan
        | UnaryOp::Sinh
        | UnaryOp::Cosh
        | UnaryOp::Tanh
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::Cbrt
        | UnaryOp::Erf
        | UnaryOp::ErfComplement
        | UnaryOp::LogGamma
        | UnaryOp::Gamma => a,
    }
}

fn find_leading(ty: ScalarType, a: u64) -> u64 {
    let bits = if ty.is_signed() && sign_extend(a, ty.bits()) < 0 {
        !a & ty.mask()
    } else {
        a
    };
    bits.checked_ilog2().map_or(NONE, u64::from)
}

pub(super) fn binary(op: BinaryOp, ty: ScalarType, a: u64, b: u64) -> u64 {
    let amount = b & 0xffff_ffff;
    let b = b & ty.mask();
    let (x, y) = (sign_extend(a, ty.bits()), sign_extend(b, ty.bits()));
    let signed = ty.is_signed();
    let is_less = if signed { x < y } else { a < b };
    match op {
        BinaryOp::Add => a.wrapping_add(b) & ty.mask(),
        BinaryOp::Subtract => a.wrapping_sub(b) & ty.mask(),
        BinaryOp::Multiply => a.wrapping_mul(b) & ty.mask(),
        BinaryOp::MultiplyHigh => wrap(ty, multiply_high(ty, a, b)),
        BinaryOp::MultiplyWide => multiply_wide(ty, a, b),
        BinaryOp::Divide if b == 0 => ty.mask(),
        BinaryOp::Divide if signed => x.wrapping_div(y).cast_unsigned() & ty.mask(),
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder if b == 0 => a,
        BinaryOp::Remainder if signed => x.wrapping_rem(y).cast_unsigned() & ty.mask(),
        BinaryOp::Remainder => a % b,
        BinaryOp::ShiftLeft if amount >= u64::from(ty.bits()) => 0,
        BinaryOp::ShiftLeft => (a << amount) & ty.mask(),
        BinaryOp::ShiftRight if signed => (x >> amount.min(63)).cast_unsigned() & ty.mask(),
        BinaryOp::ShiftRight if amount >= u64::from(ty.bits()) => 0,
        BinaryOp::ShiftRight => a >> amount,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Minimum if is_less => a,
        BinaryOp::Maximum if !is_less => a,
        BinaryOp::Minimum | BinaryOp::Maximum => b,
        BinaryOp::Power | BinaryOp::PowerApprox => power(a, b) & ty.mask(),
        BinaryOp::CopySign if !signed || (x < 0) == (y < 0) => a,
        BinaryOp::CopySign => a.wrapping_neg() & ty.mask(),
        // An angle has no meaning here.
        BinaryOp::ArcTangent => 0,
    }
}

/// High half of the product; wider than 128 bits for two unsigned words of 64, hence by parts.
fn multiply_high(ty: ScalarType, a: u64, b: u64) -> i128 {
    if ty.bits() == 64 && !ty.is_signed() {
        return ((u128::from(a) * u128::from(b)) >> 64).cast_signed();
    }
    (integer_value(ty, a) * integer_value(ty, b)) >> ty.bits()
}

fn multiply_wide(ty: ScalarType, a: u64, b: u64) -> u64 {
    let product = integer_value(ty, a).wrapping_mul(integer_value(ty, b));
    let bits = (ty.bits() * 2).min(64);
    wrap(ScalarType::U64, product) & (u64::MAX >> (64 - bits))
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1_u64;
    while exponent != 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

pub(super) fn ternary(op: TernaryOp, ty: ScalarType, a: u64, b: u64, c: u64) -> u64 {
    let mask = ty.mask();
    let (x, y) = (a & mask, b & mask);
    match op {
        TernaryOp::MultiplyAdd => x.wrapping_mul(y).wrapping_add(c) & mask,
        TernaryOp::MultiplyAddHigh => {
            binary(BinaryOp::MultiplyHigh, ty, x, y).wrapping_add(c) & mask
        }
        TernaryOp::MultiplyAddWide => {
            let bits = (ty.bits() * 2).min(64);
            multiply_wide(ty, x, y).wrapping_add(c) & (u64::MAX >> (64 - bits))
        }
        TernaryOp::Add3 => x.wrapping_add(y).wrapping_add(c) & mask,
        TernaryOp::FunnelShiftLeft => bits::funnel_left(a, b, c & 31),
        TernaryOp::FunnelShiftRight => bits::funnel_right(a, b, c & 31),
        TernaryOp::FunnelShiftLeftClamped => bits::funnel_left(a, b, (c & 0xffff_ffff).min(32)),
        TernaryOp::FunnelShiftRightClamped => bits::funnel_right(a, b, (c & 0xffff_ffff).min(32)),
        TernaryOp::BitFieldExtract => bits::bit_field_extract(ty, x, b, c),
        TernaryOp::BytePermute => bits::byte_permute(a, b, c),
        TernaryOp::SumAbsoluteDifference => {
            let difference = (integer_value(ty, a) - integer_value(ty, b)).abs();
            wrap(ty, difference).wrapping_add(c) & mask
        }
        TernaryOp::DotProduct4 => bits::dot_product(ty, a, b, c),
    }
}
