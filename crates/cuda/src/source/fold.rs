//! Constant folding: operators on one value, as CUDA's C defines them.

use crate::source::code::{Binary, Unary};
use crate::source::scalar::Scalar;

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
pub(crate) fn unary_one(op: Unary, scalar: Scalar, value: i64) -> i64 {
    match op {
        Unary::ToBits => return to_bits(scalar, real(value)),
        Unary::FromBits => return from_bits(scalar, value),
        Unary::Opaque => return 0,
        _ => {}
    }
    if scalar.is_float() {
        return float_unary(op, scalar, real(value));
    }
    let width = u32::try_from(scalar.bytes() * 8).unwrap_or(32).max(32);
    let raw = if width == 32 {
        value.cast_unsigned() & 0xffff_ffff
    } else {
        value.cast_unsigned()
    };
    let result = match op {
        Unary::Negate => value.wrapping_neg(),
        Unary::Not => i64::from(value == 0),
        Unary::Complement => !value,
        Unary::Abs => value.wrapping_abs(),
        Unary::PopCount => i64::from(raw.count_ones()),
        Unary::LeadingZeros => i64::from(raw.leading_zeros() + width - 64),
        Unary::FindFirst => {
            if raw == 0 {
                0
            } else {
                i64::from(raw.trailing_zeros()) + 1
            }
        }
        Unary::ReverseBits => (raw.reverse_bits() >> (64 - width)).cast_signed(),
        _ => value,
    };
    scalar.wrap(result)
}

/// The bits of a float of this type; of a half, those of the float that it is computed as.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the value has that precision"
)]
fn to_bits(scalar: Scalar, value: f64) -> i64 {
    if scalar == Scalar::F64 {
        bits(value)
    } else {
        i64::from((value as f32).to_bits())
    }
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the bits of a float are the lowest"
)]
fn from_bits(scalar: Scalar, value: i64) -> i64 {
    if scalar == Scalar::F64 {
        value
    } else {
        bits(f64::from(f32::from_bits(value as u32)))
    }
}

fn float_unary(op: Unary, scalar: Scalar, value: f64) -> i64 {
    let result = match op {
        Unary::Negate => -value,
        Unary::Not => return i64::from(value == 0.0),
        Unary::Abs => value.abs(),
        Unary::Floor => value.floor(),
        Unary::Ceil => value.ceil(),
        Unary::Round => value.round(),
        Unary::Truncate => value.trunc(),
        Unary::Sqrt => value.sqrt(),
        Unary::Exp => value.exp(),
        Unary::Log | Unary::LogApprox => value.ln(),
        Unary::Exp2 => value.exp2(),
        Unary::Log2 | Unary::Log2Approx => value.log2(),
        Unary::Sin | Unary::SinApprox => value.sin(),
        Unary::Cos | Unary::CosApprox => value.cos(),
        Unary::Tan | Unary::TanApprox => value.tan(),
        Unary::Asin => value.asin(),
        Unary::Acos => value.acos(),
        Unary::Atan => value.atan(),
        Unary::Tanh => value.tanh(),
        Unary::Sinh => value.sinh(),
        Unary::Cosh => value.cosh(),
        Unary::Asinh => value.asinh(),
        Unary::Acosh => value.acosh(),
        Unary::Atanh => value.atanh(),
        Unary::Cbrt => value.cbrt(),
        Unary::Log10 | Unary::Log10Approx => value.log10(),
        Unary::LogPlusOne => value.ln_1p(),
        Unary::ExpMinusOne => value.exp_m1(),
        Unary::Erf => libm::erf(value),
        Unary::ErfComplement => libm::erfc(value),
        Unary::LogGamma => libm::lgamma(value),
        Unary::Gamma => libm::tgamma(value),
        Unary::RoundEven => value.round_ties_even(),
        _ => value,
    };
    rounded(scalar, result)
}

/// An operator on two held values of one type; a shift's second operand is of any whole type.
pub(crate) fn binary_one(op: Binary, scalar: Scalar, a: i64, b: i64) -> i64 {
    if scalar.is_float() {
        return float_binary(op, scalar, real(a), real(b));
    }
    let unsigned = scalar == Scalar::U64;
    let (ua, ub) = (a.cast_unsigned(), b.cast_unsigned());
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Subtract => a.wrapping_sub(b),
        Binary::Multiply => a.wrapping_mul(b),
        Binary::Divide if unsigned => ua.checked_div(ub).unwrap_or(0).cast_signed(),
        Binary::Remainder if unsigned => ua.checked_rem(ub).unwrap_or(0).cast_signed(),
        Binary::Divide => a.checked_div(b).unwrap_or(0),
        Binary::Remainder => a.checked_rem(b).unwrap_or(0),
        Binary::ShiftLeft => a.wrapping_shl(shift(b, scalar)),
        Binary::ShiftRight if unsigned => (ua.wrapping_shr(shift(b, scalar))).cast_signed(),
        Binary::ShiftRight => a.wrapping_shr(shift(b, scalar)),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Less if unsigned => return i64::from(ua < ub),
        Binary::LessEqual if unsigned => return i64::from(ua <= ub),
        Binary::Less => return i64::from(a < b),
        Binary::LessEqual => return i64::from(a <= b),
        Binary::Equal => return i64::from(a == b),
        Binary::NotEqual => return i64::from(a != b),
        Binary::Minimum if unsigned => ua.min(ub).cast_signed(),
        Binary::Maximum if unsigned => ua.max(ub).cast_signed(),
        Binary::Minimum => a.min(b),
        Binary::Maximum => a.max(b),
        Binary::MultiplyHigh if unsigned => high((u128::from(ua) * u128::from(ub)).cast_signed()),
        Binary::MultiplyHigh if scalar == Scalar::I64 => high(i128::from(a) * i128::from(b)),
        Binary::MultiplyHigh => (a.wrapping_mul(b)) >> 32,
        Binary::Power | Binary::PowerApprox | Binary::ArcTangent | Binary::CopySign => 0,
    };
    scalar.wrap(result)
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

fn float_binary(op: Binary, scalar: Scalar, a: f64, b: f64) -> i64 {
    let result = match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => a / b,
        Binary::Remainder => a % b,
        Binary::Less => return i64::from(a < b),
        Binary::LessEqual => return i64::from(a <= b),
        Binary::Equal => return i64::from(a == b),
        Binary::NotEqual => return i64::from(a != b),
        Binary::Minimum => a.min(b),
        Binary::Maximum => a.max(b),
        Binary::Power | Binary::PowerApprox => a.powf(b),
        Binary::ArcTangent => a.atan2(b),
        Binary::CopySign => a.copysign(b),
        _ => 0.0,
    };
    rounded(scalar, result)
}
