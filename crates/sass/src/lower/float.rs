//! Floating point of 32 bits. Denormal numbers are kept where the hardware flushes them (`.FTZ`).

use super::integer::extreme;
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Kind;
use lanescope_ir::{BinaryOp, Op, Operand, Register, Rounding, ScalarType, TernaryOp, UnaryOp};

const F32: ScalarType = ScalarType::F32;
const F64: ScalarType = ScalarType::F64;

/// A direction other than to the nearest.
pub(crate) fn direction(i: &SassInstruction<'_>) -> Option<Rounding> {
    i.modifiers.iter().find_map(|name| match *name {
        "RM" | "FLOOR" => Some(Rounding::Down),
        "RP" | "CEIL" => Some(Rounding::Up),
        "RZ" | "TRUNC" => Some(Rounding::TowardsZero),
        _ => None,
    })
}

/// The sum, product or both of floats: `a * b + c`, with what is left out `None`.
fn compute(
    builder: &mut Builder<'_>,
    ty: ScalarType,
    a: Operand,
    b: Option<Operand>,
    c: Option<Operand>,
) -> Operand {
    match (b, c) {
        (Some(b), Some(c)) => {
            let op = TernaryOp::MultiplyAdd;
            builder.value(ty.bits(), |dst| Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            })
        }
        (Some(b), None) => builder.binary(BinaryOp::Multiply, ty, a, b),
        (None, Some(c)) => builder.binary(BinaryOp::Add, ty, a, c),
        (None, None) => a,
    }
}

fn widen(builder: &mut Builder<'_>, a: Operand) -> Operand {
    builder.value(64, |dst| Op::Convert {
        from: F32,
        to: F64,
        rounding: Rounding::NearestEven,
        saturate: false,
        dst,
        a,
    })
}

/// Computes and writes; directed rounding goes through 64 bits.
fn arithmetic(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    a: Operand,
    b: Option<Operand>,
    c: Option<Operand>,
) -> Result<(), Refused> {
    let value = match direction(i) {
        None => compute(builder, F32, a, b, c),
        Some(rounding) => {
            let a = widen(builder, a);
            let b = b.map(|b| widen(builder, b));
            let c = c.map(|c| widen(builder, c));
            let wide = compute(builder, F64, a, b, c);
            builder.value(32, |dst| Op::Convert {
                from: F64,
                to: F32,
                rounding,
                saturate: false,
                dst,
                a: wide,
            })
        }
    };
    let dst = builder.destination(i.operand(0)?)?;
    finish(builder, i, dst, value);
    Ok(())
}

fn finish(builder: &mut Builder<'_>, i: &SassInstruction<'_>, dst: Register, value: Operand) {
    let value = match i.has("SAT") {
        true => {
            let one = Operand::Constant(u64::from(1.0_f32.to_bits()));
            let low = builder.binary(BinaryOp::Maximum, F32, value, ZERO);
            builder.binary(BinaryOp::Minimum, F32, low, one)
        }
        false => value,
    };
    // The last instruction may as well write the destination itself.
    let renamed = builder.instructions.last_mut().and_then(|last| {
        if let Op::Ternary { dst, .. } | Op::Binary { dst, .. } | Op::Convert { dst, .. } =
            &mut last.op
        {
            Some(dst)
        } else {
            None
        }
    });
    match (renamed, value) {
        (Some(last), Operand::Register(written)) if *last == written => *last = dst,
        _ => builder.assign(dst, F32, value),
    }
}

/// `FADD d, a, b`.
pub(crate) fn add(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let (a, c) = (builder.float(i.operand(1)?)?, builder.float(i.operand(2)?)?);
    arithmetic(builder, i, a, None, Some(c))
}

/// `FMUL d, a, b`.
pub(crate) fn multiply(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let (a, b) = (builder.float(i.operand(1)?)?, builder.float(i.operand(2)?)?);
    arithmetic(builder, i, a, Some(b), None)
}

/// `FFMA d, a, b, c`.
pub(crate) fn multiply_add(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let (a, b) = (builder.float(i.operand(1)?)?, builder.float(i.operand(2)?)?);
    let c = builder.float(i.operand(3)?)?;
    arithmetic(builder, i, a, Some(b), Some(c))
}

/// `FMNMX d, a, b, p`, `FMNMX3 d, a, b, c, p`.
pub(crate) fn minimum_maximum(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    let is_minimum = builder.condition(parts.inputs.last().ok_or(Refused)?)?;
    let mut best = builder.float(parts.value(0)?)?;
    for value in parts.values.get(1..).unwrap_or_default() {
        let value = builder.float(value)?;
        best = extreme(builder, F32, is_minimum, best, value);
    }
    let dst = builder.destination(i.operand(0)?)?;
    builder.assign(dst, F32, best);
    Ok(())
}

/// `FSEL d, a, b, p`.
pub(crate) fn select(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let parts = i.parts(1);
    let predicate = builder.condition(parts.inputs.first().ok_or(Refused)?)?;
    let (yes, no) = (
        builder.float(parts.value(0)?)?,
        builder.float(parts.value(1)?)?,
    );
    let dst = builder.destination(i.operand(0)?)?;
    builder.emit(Op::Select {
        dst,
        predicate,
        yes,
        no,
    });
    Ok(())
}

/// `MUFU.function d, a`: the special function unit, here to the last bit of a 32-bit float. Sine and cosine take
/// turns, not radians; `RCP64H` and `RSQ64H` the high word of 64 bits.
pub(crate) fn special_function(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let name = *i.modifiers.first().ok_or(Refused)?;
    let op = match name {
        "RCP" | "RCP64H" => UnaryOp::Reciprocal,
        "RSQ" | "RSQ64H" => UnaryOp::ReciprocalSqrt,
        "SQRT" => UnaryOp::Sqrt,
        "EX2" => UnaryOp::Exp2,
        "LG2" => UnaryOp::Log2Approx,
        "SIN" => UnaryOp::SinApprox,
        "COS" => UnaryOp::CosApprox,
        "TANH" => UnaryOp::Tanh,
        _ => return Err(Refused),
    };
    if i.has("F16") || i.has("BF16") {
        return Err(Refused);
    }
    if name.ends_with("64H") {
        let operand = i.operand(1)?;
        // A number is printed as the double whose upper half the instruction holds.
        let high = match operand.kind {
            Kind::Number(value) => Operand::Constant(value.to_bits() >> 32),
            _ => builder.bits(operand)?,
        };
        let whole = builder.pack(ZERO, high);
        let value = builder.unary(op, F64, whole);
        let dst = builder.destination(i.operand(0)?)?;
        builder.emit(Op::Unpack {
            parts: vec![None, Some(dst)],
            part_bits: 32,
            a: value,
        });
        return Ok(());
    }
    let mut a = builder.float(i.operand(1)?)?;
    if matches!(name, "SIN" | "COS") {
        let turn = Operand::Constant(u64::from(std::f32::consts::TAU.to_bits()));
        a = builder.binary(BinaryOp::Multiply, F32, a, turn);
    }
    let dst = builder.destination(i.operand(0)?)?;
    builder.emit(Op::Unary {
        op,
        ty: F32,
        dst,
        a,
    });
    Ok(())
}

/// `FCHK p, a, b`: whether a division must take the slow path, which is for quotients near the limits of the format.
/// It is taken as not; both paths touch no memory and give the same quotient elsewhere.
pub(crate) fn check_division(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let dst = builder.target(i.operand(0)?)?;
    builder.write_predicates(&[(dst, ZERO)]);
    Ok(())
}
