//! Pairs of 16-bit floats: `HADD2`, `HMUL2`, `HFMA2`, `HMNMX2`, `HSETP2`, `HSET2`.

use super::integer::extreme;
use super::predicate::{combine, combiner, compare, relation};
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::{Kind, Operand as Written};
use lanescope_ir::{BinaryOp, Op, Operand, Rounding, ScalarType, TernaryOp, UnaryOp};

/// The values behind the destination: an immediate takes two operands, the upper half first.
struct Values<'s, 'a> {
    rest: &'s [Written<'a>],
    ty: ScalarType,
}

impl Values<'_, '_> {
    /// The next value's halves, the lower first.
    fn next(&mut self, builder: &mut Builder<'_>) -> Result<[Operand; 2], Refused> {
        let (first, rest) = self.rest.split_first().ok_or(Refused)?;
        self.rest = rest;
        if let Kind::Number(high) = first.kind {
            let (second, rest) = self.rest.split_first().ok_or(Refused)?;
            self.rest = rest;
            let Kind::Number(low) = second.kind else {
                return Err(Refused);
            };
            return Ok([low, high].map(|value| Operand::Constant(constant(value, self.ty))));
        }
        let whole = builder.bits(first)?;
        let halves = match whole {
            Operand::Constant(bits) => [bits & 0xffff, bits >> 16 & 0xffff].map(Operand::Constant),
            Operand::Register(_) => {
                let (low, high) = (builder.fresh(16), builder.fresh(16));
                let parts = vec![Some(low), Some(high)];
                builder.emit(Op::Unpack {
                    parts,
                    part_bits: 16,
                    a: whole,
                });
                [low.into(), high.into()]
            }
        };
        let [low, high] = halves;
        let halves = match first.suffix {
            "" | ".H1_H0" => [low, high],
            ".H0_H0" => [low, low],
            ".H1_H1" => [high, high],
            ".H0_H1" => [high, low],
            _ => return Err(Refused),
        };
        Ok(halves.map(|half| {
            let half = match first.absolute {
                true => builder.unary(UnaryOp::Abs, self.ty, half),
                false => half,
            };
            match first.negated {
                true => builder.unary(UnaryOp::Negate, self.ty, half),
                false => half,
            }
        }))
    }
}

/// The bits of a number that a 16-bit float can hold; listings print no others.
fn constant(value: f64, ty: ScalarType) -> u64 {
    let bits = value.to_bits();
    let sign = bits >> 63 << 15;
    if ty == ScalarType::BF16 {
        #[allow(clippy::cast_possible_truncation)]
        let single = (value as f32).to_bits();
        return u64::from(single >> 16);
    }
    let exponent = i64::from_ne_bytes((bits >> 52 & 0x7ff).to_ne_bytes()) - 1023;
    let fraction = bits & ((1 << 52) - 1);
    match exponent {
        1024 => sign | 0x7c00 | u64::from(fraction != 0) << 9,
        -14..=15 => sign | (exponent + 15).cast_unsigned() << 10 | fraction >> 42,
        -24..=-15 => {
            let shift = 42 + (-14 - exponent).cast_unsigned();
            sign | (fraction | 1 << 52) >> shift
        }
        16.. => sign | 0x7c00,
        _ => sign,
    }
}

fn element(i: &SassInstruction<'_>) -> ScalarType {
    match i.has("BF16_V2") || i.has("BF16") {
        true => ScalarType::BF16,
        false => ScalarType::F16,
    }
}

fn values<'s, 'a>(i: &'s SassInstruction<'a>) -> Values<'s, 'a> {
    Values {
        rest: i.operands.get(1..).unwrap_or_default(),
        ty: element(i),
    }
}

fn write(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    halves: [Operand; 2],
) -> Result<(), Refused> {
    if i.has("SAT") || i.has("RELU") || i.has("F32") {
        return Err(Refused);
    }
    let dst = builder.destination(i.operand(0)?)?;
    builder.emit(Op::Pack {
        dst,
        parts: halves.to_vec(),
    });
    Ok(())
}

fn binary(builder: &mut Builder<'_>, i: &SassInstruction<'_>, op: BinaryOp) -> Result<(), Refused> {
    let mut values = values(i);
    let ([a0, a1], [b0, b1]) = (values.next(builder)?, values.next(builder)?);
    let ty = values.ty;
    let low = builder.binary(op, ty, a0, b0);
    let high = builder.binary(op, ty, a1, b1);
    write(builder, i, [low, high])
}

/// `HADD2 d, a, b`; `HADD2.F32` gives the sum of the lower halves in 32 bits.
pub(crate) fn add(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    if !i.has("F32") {
        return binary(builder, i, BinaryOp::Add);
    }
    let mut values = values(i);
    let ([a, _], [b, _]) = (values.next(builder)?, values.next(builder)?);
    let from = values.ty;
    let mut wide = |a| {
        builder.value(32, |dst| Op::Convert {
            from,
            to: ScalarType::F32,
            rounding: Rounding::NearestEven,
            saturate: false,
            dst,
            a,
        })
    };
    let (a, b) = (wide(a), wide(b));
    let dst = builder.destination(i.operand(0)?)?;
    let (op, ty) = (BinaryOp::Add, ScalarType::F32);
    builder.emit(Op::Binary { op, ty, dst, a, b });
    Ok(())
}

/// `HMNMX2 d, a, b, p`: the lesser halves where `p` holds, the greater otherwise.
pub(crate) fn minimum_maximum(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let is_minimum = builder.condition(i.operands.last().ok_or(Refused)?)?;
    let mut values = values(i);
    let ([a0, a1], [b0, b1]) = (values.next(builder)?, values.next(builder)?);
    let ty = values.ty;
    let low = extreme(builder, ty, is_minimum, a0, b0);
    let high = extreme(builder, ty, is_minimum, a1, b1);
    write(builder, i, [low, high])
}

/// `HMUL2 d, a, b`.
pub(crate) fn multiply(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    binary(builder, i, BinaryOp::Multiply)
}

/// `HFMA2 d, a, b, c`: with zeros for `a` and `b` it makes constants.
pub(crate) fn multiply_add(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let is_zero = |at: usize| matches!(i.operands.get(at), Some(Written { kind: Kind::Register(name), .. }) if name.index.is_none());
    let mut values = values(i);
    if is_zero(1) && is_zero(2) {
        let _ = (values.next(builder)?, values.next(builder)?);
        if let [Operand::Constant(low), Operand::Constant(high)] = values.next(builder)? {
            let dst = builder.destination(i.operand(0)?)?;
            let word = Operand::Constant(high << 16 | low);
            builder.assign(dst, ScalarType::U32, word);
            return Ok(());
        }
        values = self::values(i);
    }
    let ([a0, a1], [b0, b1]) = (values.next(builder)?, values.next(builder)?);
    let [c0, c1] = values.next(builder)?;
    let (op, ty) = (TernaryOp::MultiplyAdd, values.ty);
    let low = builder.value(16, |dst| Op::Ternary {
        op,
        ty,
        dst,
        a: a0,
        b: b0,
        c: c0,
    });
    let high = builder.value(16, |dst| Op::Ternary {
        op,
        ty,
        dst,
        a: a1,
        b: b1,
        c: c1,
    });
    write(builder, i, [low, high])
}

/// Whether a comparison, combined with the predicate behind it, holds of the lower halves and of the upper ones. The
/// values begin at operand `first`.
fn comparisons(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    first: usize,
) -> Result<[Operand; 2], Refused> {
    let relation = relation(i).ok_or(Refused)?;
    let mut values = Values {
        rest: i.operands.get(first..).unwrap_or_default(),
        ty: element(i),
    };
    let ([a0, a1], [b0, b1]) = (values.next(builder)?, values.next(builder)?);
    let (ty, with) = (values.ty, values.rest.first().ok_or(Refused)?);
    let with = builder.condition(with)?;
    Ok([(a0, b0), (a1, b1)].map(|(a, b)| {
        let holds = compare(builder, relation, ty, a, b);
        combine(builder, combiner(i), holds, with)
    }))
}

/// `HSETP2.relation.{AND,OR,XOR} p, q, a, b, with`: `p` is that of the lower halves, `q` that of the upper ones, as nvcc
/// writes `setp.f16x2 p|q` (`tests/golden/compiled/halves_apart.cu`).
pub(crate) fn compare_pair(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let [low, high] = comparisons(builder, i, 2)?;
    let p = builder.target(i.operand(0)?)?;
    let q = builder.target(i.operand(1)?)?;
    builder.write_predicates(&[(p, low), (q, high)]);
    Ok(())
}

/// `HSET2.{BF}.relation.{AND,OR,XOR} d, a, b, with`: 1.0 or all ones in each half for which it holds.
pub(crate) fn compare_to_register(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let yes = match i.has("BF") {
        true => constant(1.0, element(i)),
        false => 0xffff,
    };
    let halves = comparisons(builder, i, 1)?
        .map(|holds| builder.select(16, holds, Operand::Constant(yes), ZERO));
    write(builder, i, halves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_numbers() {
        for (value, bits) in [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (5.960_464_477_539_063e-8, 0x0001),
            (2.384_185_791_015_625e-7, 0x0004),
            (6.097_555_160_522_461e-5, 0x03ff),
            (f64::INFINITY, 0x7c00),
        ] {
            assert_eq!(constant(value, ScalarType::F16), bits, "{value}");
        }
        assert_eq!(constant(f64::NAN, ScalarType::F16) & 0x7fff, 0x7e00);
        assert_eq!(constant(1.0, ScalarType::BF16), 0x3f80);
    }
}
