//! Minima and maxima.

use lanescope_ir::{BinaryOp, Operand, ScalarType};

use super::{U32, is_true, three};
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};

pub(super) fn sign(i: &SassInstruction<'_>) -> ScalarType {
    if i.has("U32") { U32 } else { ScalarType::I32 }
}

/// The lesser of `a` and `b` where the predicate holds, else the greater.
pub(crate) fn extreme(
    builder: &mut Builder<'_>,
    ty: ScalarType,
    is_minimum: Operand,
    a: Operand,
    b: Operand,
) -> Operand {
    match is_minimum {
        Operand::Constant(0) => builder.binary(BinaryOp::Maximum, ty, a, b),
        Operand::Constant(_) => builder.binary(BinaryOp::Minimum, ty, a, b),
        Operand::Register(_) => {
            let least = builder.binary(BinaryOp::Minimum, ty, a, b);
            let most = builder.binary(BinaryOp::Maximum, ty, a, b);
            builder.select(ty.bits(), is_minimum, least, most)
        }
    }
}

/// `IMNMX`, `VIMNMX`, `VIMNMX3 d, a, b, [c], p`.
pub(crate) fn minimum_maximum(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    if parts.outputs.iter().any(|output| !is_true(output)) || parts.values.len() < 2 {
        return Err(Refused);
    }
    let is_minimum = builder.condition(parts.inputs.last().ok_or(Refused)?)?;
    let ty = sign(i);
    let mut best = builder.word(parts.value(0)?)?;
    for value in parts.values.get(1..).unwrap_or_default() {
        let value = builder.word(value)?;
        best = extreme(builder, ty, is_minimum, best, value);
    }
    finish_extreme(builder, i, best)
}

/// `VIADDMNMX d, a, b, c, p`: the lesser (or greater) of `a + b` and `c`.
pub(crate) fn add_minimum_maximum(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    if parts.outputs.iter().any(|output| !is_true(output)) {
        return Err(Refused);
    }
    let is_minimum = builder.condition(parts.inputs.last().ok_or(Refused)?)?;
    let (a, b, c) = three(builder, &parts)?;
    let sum = builder.binary(BinaryOp::Add, U32, a, b);
    let best = extreme(builder, sign(i), is_minimum, sum, c);
    finish_extreme(builder, i, best)
}

fn finish_extreme(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    best: Operand,
) -> Result<(), Refused> {
    let best = if i.has("RELU") {
        builder.binary(BinaryOp::Maximum, ScalarType::I32, best, ZERO)
    } else {
        best
    };
    let dst = builder.destination(i.operand(0)?)?;
    builder.assign(dst, U32, best);
    Ok(())
}
