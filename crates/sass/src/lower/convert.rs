//! Conversions: `I2F`, `F2I`, `F2F`, `F2FP`, `FRND`, `I2I`.

use super::float::direction;
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Operand as Written;
use lanescope_ir::{Op, Operand, Rounding, ScalarType, UnaryOp};

fn scalar(name: &str) -> Option<ScalarType> {
    Some(match name {
        "F16" => ScalarType::F16,
        "BF16" => ScalarType::BF16,
        "F32" => ScalarType::F32,
        "F64" => ScalarType::F64,
        "S8" => ScalarType::I8,
        "U8" => ScalarType::U8,
        "S16" => ScalarType::I16,
        "U16" => ScalarType::U16,
        "S32" => ScalarType::I32,
        "U32" => ScalarType::U32,
        "S64" => ScalarType::I64,
        "U64" => ScalarType::U64,
        _ => return None,
    })
}

/// The types among the modifiers, in order.
fn scalars(i: &SassInstruction<'_>) -> impl Iterator<Item = ScalarType> {
    i.modifiers.iter().filter_map(|name| scalar(name))
}

/// Reads an operand as a type: its low bits, or the byte or half that its suffix names.
fn read(
    builder: &mut Builder<'_>,
    written: &Written<'_>,
    ty: ScalarType,
) -> Result<Operand, Refused> {
    match ty.bits() {
        64 if ty.is_float() => builder.double(written),
        64 => builder.pair(written),
        32 if ty.is_float() => builder.float(written),
        32 => builder.word(written),
        bits => {
            let mut value = builder.bits(written)?;
            if !matches!(written.suffix, "" | ".H0" | ".H0_H0" | ".B0") {
                let (byte, half) = (ScalarType::U8, ScalarType::U16);
                value = builder.part(value, written.suffix, byte, half)?;
            }
            let parts = 32 / bits;
            let dst = builder.fresh(bits);
            let mut list = vec![None; usize::try_from(parts).unwrap_or(4)];
            if let Some(slot) = list.first_mut() {
                *slot = Some(dst);
            }
            builder.emit(Op::Unpack {
                parts: list,
                part_bits: bits,
                a: value,
            });
            let narrow = Operand::Register(dst);
            let op = match (ty.is_float(), written.absolute, written.negated) {
                (_, false, false) => return Ok(narrow),
                (_, true, false) => UnaryOp::Abs,
                (_, false, true) => UnaryOp::Negate,
                (_, true, true) => return Err(Refused),
            };
            Ok(builder.unary(op, ty, narrow))
        }
    }
}

/// Writes a value of a type, narrow ones extended with zeros (integers as their sign says).
fn write(
    builder: &mut Builder<'_>,
    written: &Written<'_>,
    ty: ScalarType,
    value: Operand,
) -> Result<(), Refused> {
    if ty.bits() == 64 {
        return builder.write_pair(written, value);
    }
    let dst = builder.destination(written)?;
    match ty.bits() {
        32 => builder.assign(dst, ScalarType::U32, value),
        8 | 16 => {
            let (from, to) = match ty {
                ScalarType::I8 | ScalarType::I16 => (ty, ScalarType::I32),
                ScalarType::U8 => (ty, ScalarType::U32),
                _ => (ScalarType::U16, ScalarType::U32),
            };
            builder.emit(Op::Convert {
                from,
                to,
                rounding: Rounding::NearestEven,
                saturate: false,
                dst,
                a: value,
            });
        }
        _ => return Err(Refused),
    }
    Ok(())
}

fn convert(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    from: ScalarType,
    to: ScalarType,
) -> Result<(), Refused> {
    let source = i.parts(1);
    let a = read(builder, source.value(0)?, from)?;
    let rounding = direction(i).unwrap_or(Rounding::NearestEven);
    let value = builder.value(to.bits(), |dst| Op::Convert {
        from,
        to,
        rounding,
        saturate: !to.is_float(),
        dst,
        a,
    });
    write(builder, i.operand(0)?, to, value)
}

/// `I2F{.to}{.from} d, a`: 32-bit signed integer to 32-bit float unless said.
pub(crate) fn from_integer(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let to = scalars(i)
        .find(|ty| ty.is_float())
        .unwrap_or(ScalarType::F32);
    let from = scalars(i)
        .find(|ty| !ty.is_float())
        .unwrap_or(ScalarType::I32);
    convert(builder, i, from, to)
}

/// `F2I{.to}{.from}{.TRUNC} d, a`.
pub(crate) fn to_integer(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let from = scalars(i)
        .find(|ty| ty.is_float())
        .unwrap_or(ScalarType::F32);
    let to = scalars(i)
        .find(|ty| !ty.is_float())
        .unwrap_or(ScalarType::I32);
    convert(builder, i, from, to)
}

/// `F2F.to.from d, a`; with a direction and one type it rounds to an integer.
pub(crate) fn between_floats(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let mut types = scalars(i);
    let to = types.next().unwrap_or(ScalarType::F32);
    let from = types.next().unwrap_or(ScalarType::F32);
    drop(types);
    if to == from {
        return round(builder, i);
    }
    convert(builder, i, from, to)
}

/// `FRND{.type}{.direction} d, a`: to an integer, as a float.
pub(crate) fn round(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let ty = scalars(i)
        .find(|ty| ty.is_float())
        .unwrap_or(ScalarType::F32);
    let op = match direction(i) {
        None => UnaryOp::RoundEven,
        Some(Rounding::Down) => UnaryOp::Floor,
        Some(Rounding::Up) => UnaryOp::Ceil,
        Some(Rounding::TowardsZero | Rounding::NearestEven) => UnaryOp::Truncate,
    };
    let a = read(builder, i.operand(1)?, ty)?;
    let value = builder.unary(op, ty, a);
    write(builder, i.operand(0)?, ty, value)
}

/// `F2FP{.type}.PACK_AB d, a, b`: two 32-bit floats as halves, the first above.
pub(crate) fn pack(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let mut types = scalars(i);
    let to = types.next().unwrap_or(ScalarType::F16);
    let is_half = matches!(to, ScalarType::F16 | ScalarType::BF16);
    if !is_half || types.next().is_some_and(|from| from != ScalarType::F32) {
        return Err(Refused);
    }
    drop(types);
    if i.has("RELU") || i.has("RZ") || !(i.has("PACK_AB") || i.has("PACK_B")) {
        return Err(Refused);
    }
    let mut halves = [ZERO; 2];
    for (at, slot) in [2, 1].into_iter().zip(halves.iter_mut()) {
        let a = builder.float(i.operand(at)?)?;
        *slot = builder.value(16, |dst| Op::Convert {
            from: ScalarType::F32,
            to,
            rounding: Rounding::NearestEven,
            saturate: false,
            dst,
            a,
        });
    }
    let dst = builder.destination(i.operand(0)?)?;
    builder.emit(Op::Pack {
        dst,
        parts: halves.to_vec(),
    });
    Ok(())
}

/// `I2I.to.from{.SAT} d, a`.
pub(crate) fn between_integers(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let mut types = scalars(i);
    let to = types.next().unwrap_or(ScalarType::I32);
    let from = types.next().unwrap_or(ScalarType::I32);
    drop(types);
    let a = read(builder, i.operand(1)?, from)?;
    let saturate = i.has("SAT");
    let value = builder.value(to.bits(), |dst| Op::Convert {
        from,
        to,
        rounding: Rounding::NearestEven,
        saturate,
        dst,
        a,
    });
    write(builder, i.operand(0)?, to, value)
}
