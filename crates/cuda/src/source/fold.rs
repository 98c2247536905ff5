//! Constant folding: operators on one value, as CUDA's C defines them.

use super::lower::scalar_type;
use lanescope_ir::{BinaryOp, Comparison, UnaryOp, eval};
use lanescope_syntax::scalar::Scalar;
use std::cmp::Ordering;

fn real(bits: i64) -> f64 {
    f64::from_bits(bits.cast_unsigned())
}

fn bits(value: f64) -> i64 {
    value.to_bits().cast_signed()
}

/// A result in the precision of its type.
#[allow(
    clippy::cast_possible_truncation,
    reason = "rounding is what the type means"
)]
fn rounded(scalar: Scalar, value: f64) -> i64 {
    bits(if scalar == Scalar::F64 {
        value
    } else {
        f64::from(value as f32)
    })
}

/// Converts a held value from one type to another.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "a conversion rounds and cuts"
)]
pub(crate) fn convert_one(from: Scalar, to: Scalar, value: i64) -> i64 {
    match (from.is_float(), to.is_float()) {
        (false, false) => to.wrap(value),
        (false, true) => rounded(
            to,
            if from == Scalar::U64 {
                value.cast_unsigned() as f64
            } else {
                value as f64
            },
        ),
        (true, true) => rounded(to, real(value)),
        (true, false) => match to {
            Scalar::Bool => i64::from(real(value) != 0.0),
            Scalar::U64 => (real(value) as u64).cast_signed(),
            Scalar::I32 => i64::from(real(value) as i32),
            Scalar::U32 => i64::from(real(value) as u32),
            _ => to.wrap(real(value) as i64),
        },
    }
}

/// An operator on one held value.
pub(crate) fn unary_one(op: UnaryOp, scalar: Scalar, value: i64) -> i64 {
    if scalar.is_float() {
        return float_unary(op, scalar, real(value));
    }
    if op == UnaryOp::Not && scalar == Scalar::Bool {
        return i64::from(value == 0);
    }
    // What rounds a real number leaves an integer as it is.
    let ty = scalar_type(scalar.promoted());
    scalar.wrap(eval::unary(op, ty, value.cast_unsigned()).cast_signed())
}

/// The bits of a held float of this type; of a half, those of the float that it is computed as.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the value has that precision"
)]
pub(crate) fn to_bits(scalar: Scalar, value: i64) -> i64 {
    if scalar == Scalar::F64 {
        value
    } else {
        i64::from((real(value) as f32).to_bits())
    }
}

/// The held float that has these bits.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bits of a float are the lowest"
)]
pub(crate) fn from_bits(scalar: Scalar, value: i64) -> i64 {
    if scalar == Scalar::F64 {
        value
    } else {
        bits(f64::from(f32::from_bits(value as u32)))
    }
}

fn float_unary(op: UnaryOp, scalar: Scalar, value: f64) -> i64 {
    let result = match op {
        UnaryOp::Negate => -value,
        UnaryOp::Abs => value.abs(),
        UnaryOp::Floor => value.floor(),
        UnaryOp::Ceil => value.ceil(),
        UnaryOp::Round => value.round(),
        UnaryOp::Truncate => value.trunc(),
        UnaryOp::Sqrt => value.sqrt(),
        UnaryOp::Exp => value.exp(),
        UnaryOp::Log | UnaryOp::LogApprox => value.ln(),
        UnaryOp::Exp2 => value.exp2(),
        UnaryOp::Log2 | UnaryOp::Log2Approx => value.log2(),
        UnaryOp::Sin | UnaryOp::SinApprox => value.sin(),
        UnaryOp::Cos | UnaryOp::CosApprox => value.cos(),
        UnaryOp::Tan | UnaryOp::TanApprox => value.tan(),
        UnaryOp::Asin => value.asin(),
        UnaryOp::Acos => value.acos(),
        UnaryOp::Atan => value.atan(),
        UnaryOp::Tanh => value.tanh(),
        UnaryOp::Sinh => value.sinh(),
        UnaryOp::Cosh => value.cosh(),
        UnaryOp::Asinh => value.asinh(),
        UnaryOp::Acosh => value.acosh(),
        UnaryOp::Atanh => value.atanh(),
        UnaryOp::Cbrt => value.cbrt(),
        UnaryOp::Log10 | UnaryOp::Log10Approx => value.log10(),
        UnaryOp::LogPlusOne => value.ln_1p(),
        UnaryOp::ExpMinusOne => value.exp_m1(),
        UnaryOp::Erf => libm::erf(value),
        UnaryOp::ErfComplement => libm::erfc(value),
        UnaryOp::LogGamma => libm::lgamma(value),
        UnaryOp::Gamma => libm::tgamma(value),
        UnaryOp::RoundEven => value.round_ties_even(),
        UnaryOp::ReciprocalSqrt => value.sqrt().recip(),
        UnaryOp::Reciprocal => value.recip(),
        UnaryOp::IsNan => return i64::from(value.is_nan()),
        UnaryOp::IsFinite => return i64::from(value.is_finite()),
        UnaryOp::Move
        | UnaryOp::Not
        | UnaryOp::PopCount
        | UnaryOp::LeadingZeros
        | UnaryOp::FindLeading
        | UnaryOp::FindFirst
        | UnaryOp::ReverseBits => value,
    };
    rounded(scalar, result)
}

/// An operator on two held values of one type; a shift's second operand is of any whole type.
pub(crate) fn binary_one(op: BinaryOp, scalar: Scalar, a: i64, b: i64) -> i64 {
    if scalar.is_float() {
        return float_binary(op, scalar, real(a), real(b));
    }
    let unsigned = scalar == Scalar::U64;
    let (ua, ub) = (a.cast_unsigned(), b.cast_unsigned());
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide if unsigned => ua.checked_div(ub).unwrap_or(0).cast_signed(),
        BinaryOp::Remainder if unsigned => ua.checked_rem(ub).unwrap_or(0).cast_signed(),
        BinaryOp::Divide => a.checked_div(b).unwrap_or(0),
        BinaryOp::Remainder => a.checked_rem(b).unwrap_or(0),
        BinaryOp::ShiftLeft => a.wrapping_shl(shift(b, scalar)),
        BinaryOp::ShiftRight if unsigned => (ua.wrapping_shr(shift(b, scalar))).cast_signed(),
        BinaryOp::ShiftRight => a.wrapping_shr(shift(b, scalar)),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Minimum if unsigned => ua.min(ub).cast_signed(),
        BinaryOp::Maximum if unsigned => ua.max(ub).cast_signed(),
        BinaryOp::Minimum => a.min(b),
        BinaryOp::Maximum => a.max(b),
        BinaryOp::MultiplyHigh if unsigned => high((u128::from(ua) * u128::from(ub)).cast_signed()),
        BinaryOp::MultiplyHigh if scalar == Scalar::I64 => high(i128::from(a) * i128::from(b)),
        BinaryOp::MultiplyHigh => (a.wrapping_mul(b)) >> 32,
        BinaryOp::MultiplyWide => a.wrapping_mul(b),
        BinaryOp::Power | BinaryOp::PowerApprox | BinaryOp::ArcTangent | BinaryOp::CopySign => 0,
    };
    scalar.wrap(result)
}

/// A relation of two held values of one type.
pub(crate) fn compare_one(op: Comparison, scalar: Scalar, a: i64, b: i64) -> i64 {
    let order = if scalar.is_float() {
        real(a).partial_cmp(&real(b))
    } else if scalar == Scalar::U64 {
        Some(a.cast_unsigned().cmp(&b.cast_unsigned()))
    } else {
        Some(a.cmp(&b))
    };
    i64::from(match op {
        Comparison::Equal => order.is_some_and(Ordering::is_eq),
        Comparison::NotEqual => order.is_none_or(Ordering::is_ne),
        Comparison::Less => order.is_some_and(Ordering::is_lt),
        Comparison::LessEqual => order.is_some_and(Ordering::is_le),
        Comparison::Greater => order.is_some_and(Ordering::is_gt),
        Comparison::GreaterEqual => order.is_some_and(Ordering::is_ge),
    })
}

/// The upper half of a product of 64-bit numbers.
#[allow(
    clippy::cast_possible_truncation,
    reason = "64 bits are left of the product"
)]
const fn high(product: i128) -> i64 {
    (product >> 64) as i64
}

/// The bits to shift by: the hardware holds them at the width.
fn shift(by: i64, scalar: Scalar) -> u32 {
    let width = if scalar.bytes() == 8 { 63 } else { 31 };
    u32::try_from(by & width).unwrap_or(0)
}

fn float_binary(op: BinaryOp, scalar: Scalar, a: f64, b: f64) -> i64 {
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::Remainder => a % b,
        BinaryOp::Minimum => a.min(b),
        BinaryOp::Maximum => a.max(b),
        BinaryOp::Power | BinaryOp::PowerApprox => a.powf(b),
        BinaryOp::ArcTangent => a.atan2(b),
        BinaryOp::CopySign => a.copysign(b),
        BinaryOp::MultiplyHigh
        | BinaryOp::MultiplyWide
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => 0.0,
    };
    rounded(scalar, result)
}
