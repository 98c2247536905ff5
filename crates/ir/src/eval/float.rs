//! Arithmetic of floats.

use super::{from_f64, integer, to_f64};
use crate::{BinaryOp, ScalarType, TernaryOp, UnaryOp};

pub(super) fn unary(op: UnaryOp, ty: ScalarType, a: u64) -> u64 {
    let sign = 1 << (ty.bits() - 1);
    let x = to_f64(ty, a);
    let value = match op {
        UnaryOp::Move => return a,
        UnaryOp::Negate => return a ^ sign,
        UnaryOp::Abs => return a & !sign,
        UnaryOp::IsNan => return u64::from(x.is_nan()),
        UnaryOp::IsFinite => return u64::from(x.is_finite()),
        UnaryOp::Not
        | UnaryOp::PopCount
        | UnaryOp::LeadingZeros
        | UnaryOp::FindLeading
        | UnaryOp::FindFirst
        | UnaryOp::ReverseBits => return integer::unary(op, same_width(ty), a),
        UnaryOp::Floor => libm::floor(x),
        UnaryOp::Ceil => libm::ceil(x),
        UnaryOp::Round => libm::round(x),
        UnaryOp::RoundEven => libm::rint(x),
        UnaryOp::Truncate => libm::trunc(x),
        // Rounding a root that was rounded to 64 bits once more gives what rounding it once does, for all narrower.
        UnaryOp::Sqrt => libm::sqrt(x),
        UnaryOp::ReciprocalSqrt => 1.0 / libm::sqrt(x),
        UnaryOp::Reciprocal => 1.0 / x,
        UnaryOp::Exp => libm::exp(x),
        UnaryOp::Exp2 => libm::exp2(x),
        UnaryOp::ExpMinusOne => libm::expm1(x),
        UnaryOp::Log | UnaryOp::LogApprox => libm::log(x),
        UnaryOp::Log2 | UnaryOp::Log2Approx => libm::log2(x),
        UnaryOp::Log10 | UnaryOp::Log10Approx => libm::log10(x),
        UnaryOp::LogPlusOne => libm::log1p(x),
        UnaryOp::Sin | UnaryOp::SinApprox => libm::sin(x),
        UnaryOp::Cos | UnaryOp::CosApprox => libm::cos(x),
        UnaryOp::Tan | UnaryOp::TanApprox => libm::tan(x),
        UnaryOp::Asin => libm::asin(x),
        UnaryOp::Acos => libm::acos(x),
        UnaryOp::Atan => libm::atan(x),
        UnaryOp::Sinh => libm::sinh(x),
        UnaryOp::Cosh => libm::cosh(x),
        UnaryOp::Tanh => libm::tanh(x),
        UnaryOp::Asinh => libm::asinh(x),
        UnaryOp::Acosh => libm::acosh(x),
        UnaryOp::Atanh => libm::atanh(x),
        UnaryOp::Cbrt => libm::cbrt(x),
        UnaryOp::Erf => libm::erf(x),
        UnaryOp::ErfComplement => libm::erfc(x),
        UnaryOp::LogGamma => libm::lgamma(x),
        UnaryOp::Gamma => libm::tgamma(x),
    };
    from_f64(ty, value)
}

pub(super) fn binary(op: BinaryOp, ty: ScalarType, a: u64, b: u64) -> u64 {
    let (x, y) = (to_f64(ty, a), to_f64(ty, b));
    // Sums, products and quotients of two floats, rounded to 64 bits and then to at most 24, are as if rounded once.
    let value = match op {
        BinaryOp::Add => x + y,
        BinaryOp::Subtract => x - y,
        BinaryOp::Multiply | BinaryOp::MultiplyWide => x * y,
        BinaryOp::Divide => x / y,
        BinaryOp::Remainder => libm::fmod(x, y),
        BinaryOp::Minimum => minimum(x, y),
        BinaryOp::Maximum => -minimum(-x, -y),
        BinaryOp::Power | BinaryOp::PowerApprox => libm::pow(x, y),
        BinaryOp::ArcTangent => libm::atan2(x, y),
        BinaryOp::CopySign => {
            let sign = 1 << (ty.bits() - 1);
            return (a & !sign) | (b & sign);
        }
        BinaryOp::MultiplyHigh
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor => return integer::binary(op, same_width(ty), a, b),
    };
    from_f64(ty, value)
}

/// The lesser; the one that is a number; of zeros, the negative one.
fn minimum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y < x || (x == y && y.is_sign_negative()) {
        y
    } else {
        x
    }
}

pub(super) fn ternary(op: TernaryOp, ty: ScalarType, a: u64, b: u64, c: u64) -> u64 {
    match op {
        TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddWide => fused(ty, a, b, c),
        TernaryOp::Add3 => {
            let sum = binary(BinaryOp::Add, ty, a & ty.mask(), b);
            binary(BinaryOp::Add, ty, sum, c)
        }
        TernaryOp::SumAbsoluteDifference => {
            let difference = binary(BinaryOp::Subtract, ty, a & ty.mask(), b);
            binary(
                BinaryOp::Add,
                ty,
                unary(UnaryOp::Abs, ty, difference & ty.mask()),
                c,
            )
        }
        TernaryOp::MultiplyAddHigh
        | TernaryOp::FunnelShiftLeft
        | TernaryOp::FunnelShiftRight
        | TernaryOp::FunnelShiftLeftClamped
        | TernaryOp::FunnelShiftRightClamped
        | TernaryOp::BitFieldExtract
        | TernaryOp::BytePermute
        | TernaryOp::DotProduct4 => integer::ternary(op, same_width(ty), a, b, c),
    }
}

fn fused(ty: ScalarType, a: u64, b: u64, c: u64) -> u64 {
    let [x, y, z] = [a, b, c].map(|bits| to_f64(ty, bits));
    match ty.bits() {
        64 => from_f64(ty, libm::fma(x, y, z)),
        // The product is exact in 64 bits; their sum, rounded to odd, keeps what the last rounding asks.
        _ => from_f64(ty, sum_to_odd(x * y, z)),
    }
}

/// The sum of two floats, rounded to odd: rounding it again to a narrower type gives what rounding once would.
fn sum_to_odd(x: f64, y: f64) -> f64 {
    let sum = x + y;
    // Knuth's two-sum: the rounding error of the sum, exactly.
    let part = sum - x;
    let error = (x - (sum - part)) + (y - part);
    let bits = sum.to_bits();
    if !sum.is_finite() || error == 0.0 || error.is_nan() || bits & 1 == 1 {
        return sum;
    }
    let away = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

/// The unsigned integer as wide as a float.
const fn same_width(ty: ScalarType) -> ScalarType {
    match ty.bits() {
        64 => ScalarType::U64,
        32 => ScalarType::U32,
        16 => ScalarType::U16,
        8 => ScalarType::U8,
        _ => ScalarType::Bool,
    }
}
