//! Values of scalar types from their representation in memory.

use crate::ArgumentValue;
use crate::scalar::Scalar;

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

/// The value of type `scalar` whose representation in memory is the lowest bits of `bits`.
pub(crate) fn value_of_bits(scalar: Scalar, bits: u64) -> ArgumentValue {
    let low = |bytes: u64| bits & (u64::MAX >> (64 - 8 * bytes));
    match scalar {
        Scalar::F16 => ArgumentValue::Real(half_of_bits(low(2))),
        Scalar::F32 => {
            let bits = u32::try_from(low(4)).unwrap_or(0);
            ArgumentValue::Real(f32::from_bits(bits).into())
        }
        Scalar::F64 => ArgumentValue::Real(f64::from_bits(bits)),
        Scalar::Bool
        | Scalar::I8
        | Scalar::SignedChar
        | Scalar::U8
        | Scalar::I16
        | Scalar::U16
        | Scalar::I32
        | Scalar::U32
        | Scalar::I64
        | Scalar::U64 => ArgumentValue::Integer(scalar.wrap(bits.cast_signed())),
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
            assert_eq!(value_of_bits(scalar, bits), expected, "{scalar:?} {bits:x}");
        }
    }
}
