//! The scalar types of a program, and how their values are held.

use crate::ArgumentValue;

/// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction.
fn half_of_bits(bits: u64) -> f64 {
    let sign = if bits >> 15 & 1 == 1 { -1.0 } else { 1.0 };
    let fraction = f64::from(u32::try_from(bits & 0x3ff).unwrap_or(0)) / 1024.0;
    sign * match i32::try_from(bits >> 10 & 0x1f).unwrap_or(0) {
        0 => fraction * 2_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    }
}

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `bool`, one byte.
    Bool,
    /// 8 bits with a sign.
    I8,
    /// 8 bits.
    U8,
    /// 16 bits with a sign.
    I16,
    /// 16 bits.
    U16,
    /// 32 bits with a sign.
    I32,
    /// 32 bits.
    U32,
    /// 64 bits with a sign.
    I64,
    /// 64 bits.
    U64,
    /// A float of 16 bits.
    F16,
    /// A float of 32 bits.
    F32,
    /// A float of 64 bits.
    F64,
}

impl Scalar {
    /// Bytes of a value.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Bool | Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// The value of this type whose representation in memory is the lowest bits of `bits`.
    pub(crate) fn value_of_bits(self, bits: u64) -> ArgumentValue {
        let low = |bytes: u64| bits & (u64::MAX >> (64 - 8 * bytes));
        match self {
            Self::F16 => ArgumentValue::Real(half_of_bits(low(2))),
            Self::F32 => {
                let bits = u32::try_from(low(4)).unwrap_or(0);
                ArgumentValue::Real(f32::from_bits(bits).into())
            }
            Self::F64 => ArgumentValue::Real(f64::from_bits(bits)),
            Self::Bool
            | Self::I8
            | Self::U8
            | Self::I16
            | Self::U16
            | Self::I32
            | Self::U32
            | Self::I64
            | Self::U64 => ArgumentValue::Integer(self.wrap(bits.cast_signed())),
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }

    pub(crate) const fn is_signed(self) -> bool {
        matches!(self, Self::I8 | Self::I16 | Self::I32 | Self::I64)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I8 => "char",
            Self::U8 => "unsigned char",
            Self::I16 => "short",
            Self::U16 => "unsigned short",
            Self::I32 => "int",
            Self::U32 => "unsigned",
            Self::I64 => "long long",
            Self::U64 => "unsigned long long",
            Self::F16 => "half",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    /// The type that an operand of this type has in arithmetic.
    pub(crate) const fn promoted(self) -> Self {
        match self {
            Self::Bool | Self::I8 | Self::U8 | Self::I16 | Self::U16 => Self::I32,
            other => other,
        }
    }

    /// The type of arithmetic on the two: C's usual conversions.
    pub(crate) fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        if a.rank() >= b.rank() { a } else { b }
    }

    const fn rank(self) -> u8 {
        match self {
            Self::F64 => 8,
            Self::F32 => 7,
            Self::F16 => 6,
            Self::U64 => 5,
            Self::I64 => 4,
            Self::U32 => 3,
            _ => 2,
        }
    }

    /// Brings a whole number into this type's range as a conversion does; floats are held as
    /// the bits of an `f64` and are left alone.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "wrapping is what the conversion means"
    )]
    pub(crate) const fn wrap(self, value: i64) -> i64 {
        match self {
            Self::Bool => (value != 0) as i64,
            Self::I8 => value as i8 as i64,
            Self::U8 => value as u8 as i64,
            Self::I16 => value as i16 as i64,
            Self::U16 => value as u16 as i64,
            Self::I32 => value as i32 as i64,
            Self::U32 => value as u32 as i64,
            Self::I64 | Self::U64 | Self::F16 | Self::F32 | Self::F64 => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_by_their_type() {
        let cases = [
            (Scalar::I32, 0xffff_fffe, ArgumentValue::Integer(-2)),
            (Scalar::U8, 0x1ff, ArgumentValue::Integer(255)),
            (Scalar::Bool, 1, ArgumentValue::Integer(1)),
            (Scalar::U64, u64::MAX, ArgumentValue::Integer(-1)),
            (Scalar::F32, 0x4020_0000, ArgumentValue::Real(2.5)),
            (Scalar::F64, 2.5_f64.to_bits(), ArgumentValue::Real(2.5)),
            (Scalar::F16, 0xc100, ArgumentValue::Real(-2.5)),
            (Scalar::F16, 0x0001, ArgumentValue::Real(2_f64.powi(-24))),
        ];
        for (scalar, bits, expected) in cases {
            assert_eq!(scalar.value_of_bits(bits), expected, "{scalar:?} {bits:x}");
        }
    }
}
