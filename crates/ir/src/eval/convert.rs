//! Conversions between types.

use super::{integer_value, wrap};
use crate::{Rounding, ScalarType};

/// A binary interchange format of IEEE 754, or one like it.
#[derive(Clone, Copy, Debug)]
struct Format {
    /// Bits of the significand that are stored.
    fraction: u32,
    /// Exponent of the least normal number.
    least: i32,
    bits: u32,
}

const BINARY16: Format = Format {
    fraction: 10,
    least: -14,
    bits: 16,
};
const BFLOAT16: Format = Format {
    fraction: 7,
    least: -126,
    bits: 16,
};
const BINARY32: Format = Format {
    fraction: 23,
    least: -126,
    bits: 32,
};
const BINARY64: Format = Format {
    fraction: 52,
    least: -1022,
    bits: 64,
};

impl Format {
    const fn of(ty: ScalarType) -> Option<Self> {
        match ty {
            ScalarType::F16 => Some(BINARY16),
            ScalarType::BF16 => Some(BFLOAT16),
            ScalarType::F32 => Some(BINARY32),
            ScalarType::F64 => Some(BINARY64),
            ScalarType::Bool
            | ScalarType::I8
            | ScalarType::U8
            | ScalarType::I16
            | ScalarType::U16
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::I64
            | ScalarType::U64 => None,
        }
    }

    const fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    const fn infinity(self) -> u64 {
        (self.sign() - 1) & !((1 << self.fraction) - 1)
    }

    const fn nan(self) -> u64 {
        self.infinity() | 1 << (self.fraction - 1)
    }
}

/// A number by its parts.
#[derive(Clone, Copy, Debug)]
enum Number {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `significand * 2^exponent`.
    Finite {
        negative: bool,
        significand: u64,
        exponent: i32,
    },
}

/// A number that a float's bits are, as 64-bit float, which holds it exactly. Of an integer type: the nearest.
#[must_use]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "masked to the width; integers round"
)]
pub fn to_f64(ty: ScalarType, bits: u64) -> f64 {
    match ty {
        ScalarType::F64 => f64::from_bits(bits),
        ScalarType::F32 => f64::from(f32::from_bits(bits as u32)),
        ScalarType::BF16 => f64::from(f32::from_bits((bits as u32 & 0xffff) << 16)),
        ScalarType::F16 => f64::from_bits(encode(
            decode(BINARY16, bits),
            BINARY64,
            Rounding::NearestEven,
        )),
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64 => integer_value(ty, bits) as f64,
    }
}

/// The bits of the float nearest to `value`; of an integer type, the integer towards zero.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "rounds to the nearest")]
pub fn from_f64(ty: ScalarType, value: f64) -> u64 {
    match ty {
        ScalarType::F64 if !value.is_nan() => value.to_bits(),
        ScalarType::F32 if !value.is_nan() => u64::from((value as f32).to_bits()),
        ScalarType::F64 | ScalarType::F32 | ScalarType::F16 | ScalarType::BF16 => {
            let rounding = Rounding::NearestEven;
            convert(ScalarType::F64, ty, rounding, false, value.to_bits())
        }
        ScalarType::Bool
        | ScalarType::I8
        | ScalarType::U8
        | ScalarType::I16
        | ScalarType::U16
        | ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64 => {
            let rounding = Rounding::TowardsZero;
            convert(ScalarType::F64, ty, rounding, true, value.to_bits())
        }
    }
}

/// The value of [`crate::Op::Convert`]. A NaN becomes the integer 0, or the type's quiet NaN.
#[must_use]
pub fn convert(
    from: ScalarType,
    to: ScalarType,
    rounding: Rounding,
    saturate: bool,
    a: u64,
) -> u64 {
    if let Some(value) = common(from, to, rounding, a) {
        return value;
    }
    match (Format::of(from), Format::of(to)) {
        (None, None) => {
            let value = integer_value(from, a);
            wrap(to, if saturate { clamp(to, value) } else { value })
        }
        (None, Some(format)) => encode(from_integer(integer_value(from, a)), format, rounding),
        (Some(format), None) => wrap(to, clamp(to, to_integer(decode(format, a), rounding))),
        (Some(format), Some(into)) => encode(decode(format, a), into, rounding),
    }
}

/// The same of what is converted most, as the machine does it: integers of at most 64 bits to floats that round to the
/// nearest, and floats to integers towards zero.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "integers round; floats saturate, and a NaN is 0"
)]
fn common(from: ScalarType, to: ScalarType, rounding: Rounding, a: u64) -> Option<u64> {
    let float = |ty: ScalarType| match ty {
        ScalarType::F32 => Some(f64::from(f32::from_bits(a as u32))),
        ScalarType::F64 => Some(f64::from_bits(a)),
        _ => None,
    };
    if let Some(value) = float(from) {
        return (rounding == Rounding::TowardsZero).then_some(match to {
            ScalarType::I32 => u64::from((value as i32).cast_unsigned()),
            ScalarType::U32 => u64::from(value as u32),
            ScalarType::I64 => (value as i64).cast_unsigned(),
            ScalarType::U64 => value as u64,
            _ => return None,
        });
    }
    let is_nearest = rounding == Rounding::NearestEven;
    let value = match from {
        ScalarType::I32 => i64::from((a as u32).cast_signed()),
        ScalarType::U32 => i64::from(a as u32),
        ScalarType::I64 => a.cast_signed(),
        _ => return None,
    };
    match to {
        ScalarType::F32 if is_nearest => Some(u64::from((value as f32).to_bits())),
        ScalarType::F64 if is_nearest => Some((value as f64).to_bits()),
        _ => None,
    }
}

/// The integer of `to` nearest to `value`.
fn clamp(to: ScalarType, value: i128) -> i128 {
    let values = 1_i128 << to.bits();
    if to.is_signed() {
        value.clamp(-values / 2, values / 2 - 1)
    } else {
        value.clamp(0, values - 1)
    }
}

fn from_integer(value: i128) -> Number {
    Number::Finite {
        negative: value < 0,
        significand: u64::try_from(value.unsigned_abs()).unwrap_or(u64::MAX),
        exponent: 0,
    }
}

fn decode(format: Format, bits: u64) -> Number {
    let negative = bits & format.sign() != 0;
    let magnitude = bits & (format.sign() - 1);
    let fraction = magnitude & ((1 << format.fraction) - 1);
    let biased = i32::try_from(magnitude >> format.fraction).unwrap_or(0);
    let scale = format.least - format.fraction.cast_signed();
    if magnitude > format.infinity() {
        Number::Nan
    } else if magnitude == format.infinity() {
        Number::Infinite { negative }
    } else if biased == 0 {
        Number::Finite {
            negative,
            significand: fraction,
            exponent: scale,
        }
    } else {
        Number::Finite {
            negative,
            significand: fraction | 1 << format.fraction,
            exponent: scale + biased - 1,
        }
    }
}

/// A significand shifted right by `by`, rounded.
fn shift_round(significand: u64, by: i32, negative: bool, rounding: Rounding) -> u64 {
    let Ok(by) = u32::try_from(by) else {
        return significand
            .checked_shl(by.unsigned_abs())
            .unwrap_or(u64::MAX);
    };
    if by == 0 {
        return significand;
    }
    let wide = u128::from(significand);
    let by = by.min(100);
    let (whole, rest) = (wide >> by, wide & ((1 << by) - 1));
    let half = 1_u128 << (by - 1);
    let up = match rounding {
        Rounding::NearestEven => rest > half || (rest == half && whole & 1 == 1),
        Rounding::TowardsZero => false,
        Rounding::Down => negative && rest != 0,
        Rounding::Up => !negative && rest != 0,
    };
    u64::try_from(whole).unwrap_or(u64::MAX) + u64::from(up)
}

fn to_integer(number: Number, rounding: Rounding) -> i128 {
    let (negative, magnitude) = match number {
        Number::Nan => return 0,
        Number::Infinite { negative } => (negative, i128::MAX),
        Number::Finite {
            negative,
            significand,
            exponent,
        } if exponent <= 0 => {
            let rounded = shift_round(significand, -exponent, negative, rounding);
            (negative, i128::from(rounded))
        }
        Number::Finite {
            negative,
            significand,
            exponent,
        } => {
            let wide = i128::from(significand);
            let fits = significand == 0 || exponent < 64;
            (
                negative,
                if fits {
                    wide << exponent.min(63)
                } else {
                    i128::MAX
                },
            )
        }
    };
    if negative { -magnitude } else { magnitude }
}

fn encode(number: Number, format: Format, rounding: Rounding) -> u64 {
    let signed = |negative: bool, bits: u64| bits | if negative { format.sign() } else { 0 };
    let (negative, significand, exponent) = match number {
        Number::Nan => return format.nan(),
        Number::Infinite { negative } => return signed(negative, format.infinity()),
        Number::Finite {
            negative,
            significand,
            exponent,
        } => (negative, significand, exponent),
    };
    let Some(top) = significand.checked_ilog2() else {
        return signed(negative, 0);
    };
    let fraction = format.fraction.cast_signed();
    let leading = (top.cast_signed() + exponent).max(format.least);
    let rounded = shift_round(
        significand,
        leading - fraction - exponent,
        negative,
        rounding,
    );
    // A carry out of the significand, or into the least normal number, comes out right by addition.
    let above = u64::try_from(leading - format.least).unwrap_or(0);
    let bits = (above << format.fraction).saturating_add(rounded);
    if bits < format.infinity() {
        return signed(negative, bits);
    }
    let to_infinity = match rounding {
        Rounding::NearestEven => true,
        Rounding::TowardsZero => false,
        Rounding::Down => negative,
        Rounding::Up => !negative,
    };
    signed(negative, format.infinity() - u64::from(!to_infinity))
}
