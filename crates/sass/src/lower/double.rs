//! Floating point of 64 bits.

use super::integer::extreme;
use crate::builder::Builder;
use crate::instruction::{Refused, SassInstruction};
use lanescope_ir::{BinaryOp, Op, ScalarType, TernaryOp};

const F64: ScalarType = ScalarType::F64;

/// `DADD d, a, b`.
pub(crate) fn add(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    binary(builder, i, BinaryOp::Add)
}

/// `DMUL d, a, b`.
pub(crate) fn multiply(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    binary(builder, i, BinaryOp::Multiply)
}

fn binary(builder: &mut Builder<'_>, i: &SassInstruction<'_>, op: BinaryOp) -> Result<(), Refused> {
    let values: Vec<_> = i.parts(1).values.iter().collect();
    let [a, .., b] = values.as_slice() else {
        return Err(Refused);
    };
    let (a, b) = (builder.double(a)?, builder.double(b)?);
    let value = builder.binary(op, F64, a, b);
    builder.write_pair(i.operand(0)?, value)
}

/// `DFMA d, a, b, c`.
pub(crate) fn multiply_add(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let (a, b) = (
        builder.double(i.operand(1)?)?,
        builder.double(i.operand(2)?)?,
    );
    let c = builder.double(i.operand(3)?)?;
    let op = TernaryOp::MultiplyAdd;
    let value = builder.value(64, |dst| Op::Ternary {
        op,
        ty: F64,
        dst,
        a,
        b,
        c,
    });
    builder.write_pair(i.operand(0)?, value)
}

/// `DMNMX d, a, b, p`.
pub(crate) fn minimum_maximum(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    let is_minimum = builder.condition(parts.inputs.last().ok_or(Refused)?)?;
    let (a, b) = (
        builder.double(parts.value(0)?)?,
        builder.double(parts.value(1)?)?,
    );
    let best = extreme(builder, F64, is_minimum, a, b);
    builder.write_pair(i.operand(0)?, best)
}
