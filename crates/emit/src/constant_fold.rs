//! Constant folding: what compilers of WGSL refuse as a constant expression that overflows is computed before.

use lanescope_ir::{Op, ScalarType, UnaryOp, eval};

/// What an operation gives whose operands are all constants.
pub(crate) fn folded(op: &Op) -> Option<(ScalarType, u64)> {
    let bits_of = |bits: u32| match bits {
        1 => ScalarType::Bool,
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        64 => ScalarType::U64,
        _ => ScalarType::U32,
    };
    match op {
        Op::Unary { op, ty, a, .. } if *op != UnaryOp::Move && *ty != ScalarType::F64 => {
            let value = eval::unary(*op, *ty, a.constant()?);
            let bits = op.result_bits(*ty);
            Some((
                if bits == ty.bits() {
                    *ty
                } else {
                    bits_of(bits)
                },
                value,
            ))
        }
        Op::Binary { op, ty, a, b, .. } if *ty != ScalarType::F64 => {
            let value = eval::binary(*op, *ty, a.constant()?, b.constant()?);
            let bits = op.result_bits(*ty);
            Some((
                if bits == ty.bits() {
                    *ty
                } else {
                    bits_of(bits)
                },
                value,
            ))
        }
        Op::Ternary {
            op, ty, a, b, c, ..
        } if *ty != ScalarType::F64 => {
            let (a, b, c) = (a.constant()?, b.constant()?, c.constant()?);
            let bits = op.result_bits(*ty);
            let ty_of = if bits == ty.bits() {
                *ty
            } else {
                bits_of(bits)
            };
            Some((ty_of, eval::ternary(*op, *ty, a, b, c)))
        }
        Op::Compare {
            op,
            ty,
            unordered,
            a,
            b,
            ..
        } if *ty != ScalarType::F64 => {
            let holds = eval::compare(*op, *ty, *unordered, a.constant()?, b.constant()?);
            Some((ScalarType::Bool, u64::from(holds)))
        }
        Op::Convert {
            from,
            to,
            rounding,
            saturate,
            a,
            ..
        } if *from != ScalarType::F64 && *to != ScalarType::F64 => {
            let a = a.constant()?;
            Some((*to, eval::convert(*from, *to, *rounding, *saturate, a)))
        }
        // It is written as it stands.
        _ => None,
    }
}
