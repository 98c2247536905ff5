//! Integer arithmetic: `IADD3`, `IMAD`, `LEA`, `IABS`, minima and maxima, `IDP`.

mod extreme;

use lanescope_ir::{BinaryOp, Comparison, Op, Operand, Register, ScalarType, TernaryOp, UnaryOp};

use crate::builder::{Builder, ZERO};
use crate::instruction::{Parts, Refused, SassInstruction};
use crate::operand::{Kind, Operand as Written};

use extreme::sign;

pub(crate) use extreme::{add_minimum_maximum, extreme, minimum_maximum};

const U32: ScalarType = ScalarType::U32;

const U64: ScalarType = ScalarType::U64;

fn is_zero(written: &Written<'_>) -> bool {
    matches!(written.kind, Kind::Register(name) if name.index.is_none())
        || matches!(written.kind, Kind::Integer(0))
}

/// Whether a carry is asked for or taken.
fn has_carry(builder: &mut Builder<'_>, parts: &Parts<'_, '_>) -> Result<bool, Refused> {
    for output in parts.outputs {
        if builder.target(output)?.is_some() {
            return Ok(true);
        }
    }
    Ok(!parts.inputs.is_empty())
}

/// Predicates that get carries.
fn carries_out(
    builder: &mut Builder<'_>,
    parts: &Parts<'_, '_>,
) -> Result<[Option<Register>; 2], Refused> {
    let mut carries = [None; 2];
    for (slot, output) in carries.iter_mut().zip(parts.outputs) {
        *slot = builder.target(output)?;
    }
    Ok(carries)
}

/// `IADD3 d, {carry out}, a, b, c, {carry in}`; with two operands `IADD`, `VIADD`. Negated registers are added as their
/// complement and one, so that carries are the hardware's.
pub(crate) fn add(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let parts = i.parts(1);
    if parts.values.len() < 2 || parts.values.len() > 3 {
        return Err(Refused);
    }
    if i.has("64") {
        return add_pairs(builder, i, &parts);
    }
    if has_carry(builder, &parts)? {
        return add_carry(builder, i, &parts);
    }
    let live: Vec<&Written<'_>> = parts
        .values
        .iter()
        .filter(|value| !is_zero(value))
        .collect();
    let dst = i.operand(0)?;
    match live.as_slice() {
        [] => {
            let dst = builder.destination(dst)?;
            builder.assign(dst, U32, ZERO);
        }
        [a] => {
            let a = builder.word(a)?;
            let dst = builder.destination(dst)?;
            builder.assign(dst, U32, a);
        }
        [a, b] => {
            let is_register = |one: &Written<'_>| matches!(one.kind, Kind::Register(_));
            let (op, a, b) = if b.negated && is_register(b) {
                (BinaryOp::Subtract, builder.word(a)?, builder.bits(b)?)
            } else if a.negated && is_register(a) {
                (BinaryOp::Subtract, builder.word(b)?, builder.bits(a)?)
            } else {
                (BinaryOp::Add, builder.word(a)?, builder.word(b)?)
            };
            let dst = builder.destination(dst)?;
            builder.emit(Op::Binary {
                op,
                ty: U32,
                dst,
                a,
                b,
            });
        }
        _ => {
            let (a, b, c) = three(builder, &parts)?;
            let dst = builder.destination(dst)?;
            builder.emit(Op::Ternary {
                op: TernaryOp::Add3,
                ty: U32,
                dst,
                a,
                b,
                c,
            });
        }
    }
    Ok(())
}

fn three(
    builder: &mut Builder<'_>,
    parts: &Parts<'_, '_>,
) -> Result<(Operand, Operand, Operand), Refused> {
    let a = builder.word(parts.value(0)?)?;
    let b = builder.word(parts.value(1)?)?;
    let c = match parts.values.get(2) {
        Some(c) => builder.word(c)?,
        None => ZERO,
    };
    Ok((a, b, c))
}

fn add_carry(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    parts: &Parts<'_, '_>,
) -> Result<(), Refused> {
    let mut carry_in = Vec::new();
    for input in parts.inputs {
        let carry = builder.condition(input)?;
        if carry != ZERO {
            carry_in.push(carry);
        }
    }
    let mut terms = [ZERO; 3];
    for (slot, value) in terms.iter_mut().zip(parts.values) {
        let is_complement =
            value.negated && !matches!(value.kind, Kind::Number(_) | Kind::Integer(_));
        *slot = if is_complement {
            let mut plain = value.clone();
            (plain.negated, plain.inverted) = (false, !plain.inverted);
            // With a carry in, the one comes with the carry.
            if !i.has("X") {
                carry_in.push(Operand::Constant(1));
            }
            builder.word(&plain)?
        } else {
            builder.word(value)?
        };
    }
    if carry_in.len() > 2 {
        return Err(Refused);
    }
    let carry_out = carries_out(builder, parts)?;
    let dst = builder.destination(i.operand(0)?)?;
    let [a, b, c] = terms;
    let mut carries = carry_in.into_iter();
    builder.emit(Op::AddCarry {
        dst,
        carry_out,
        a,
        b,
        c,
        carry_in: [carries.next(), carries.next()],
    });
    Ok(())
}

fn add_pairs(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    parts: &Parts<'_, '_>,
) -> Result<(), Refused> {
    if has_carry(builder, parts)? {
        return Err(Refused);
    }
    let mut total = None;
    for value in parts.values.iter().filter(|value| !is_zero(value)) {
        let value = builder.pair(value)?;
        total = Some(match total {
            None => value,
            Some(sum) => builder.binary(BinaryOp::Add, U64, sum, value),
        });
    }
    builder.write_pair(i.operand(0)?, total.unwrap_or(ZERO))
}

/// `IMAD d, a, b, c`: the low word of `a b + c`; `.HI` and `.WIDE` add a pair.
pub(crate) fn multiply_add(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    if i.has("WIDE") {
        return multiply_add_wide(builder, i, &parts);
    }
    if i.has("HI") {
        let wide = wide_product(builder, i, &parts)?;
        let dst = builder.destination(i.operand(0)?)?;
        builder.emit(Op::Unpack {
            parts: vec![None, Some(dst)],
            part_bits: 32,
            a: wide,
        });
        return Ok(());
    }
    if parts.outputs.iter().any(|output| !is_true(output)) {
        return Err(Refused);
    }
    let (a, b, c) = three(builder, &parts)?;
    let dst = i.operand(0)?;
    if i.has("X") {
        let carry = builder.condition(parts.inputs.first().ok_or(Refused)?)?;
        let product = product(builder, a, b);
        let dst = builder.destination(dst)?;
        builder.emit(Op::AddCarry {
            dst,
            carry_out: [None; 2],
            a: product,
            b: c,
            c: ZERO,
            carry_in: [Some(carry), None],
        });
        return Ok(());
    }
    let dst = builder.destination(dst)?;
    if a == ZERO || b == ZERO {
        builder.assign(dst, U32, c);
    } else if b == Operand::Constant(1) {
        let op = BinaryOp::Add;
        builder.emit(Op::Binary {
            op,
            ty: U32,
            dst,
            a,
            b: c,
        });
    } else if c == ZERO {
        let op = BinaryOp::Multiply;
        builder.emit(Op::Binary {
            op,
            ty: U32,
            dst,
            a,
            b,
        });
    } else {
        let op = TernaryOp::MultiplyAdd;
        builder.emit(Op::Ternary {
            op,
            ty: U32,
            dst,
            a,
            b,
            c,
        });
    }
    Ok(())
}

fn is_true(written: &Written<'_>) -> bool {
    matches!(written.kind, Kind::Predicate(name) if name.index.is_none())
}

fn product(builder: &mut Builder<'_>, a: Operand, b: Operand) -> Operand {
    if a == ZERO || b == ZERO {
        return ZERO;
    }
    builder.binary(BinaryOp::Multiply, U32, a, b)
}

fn wide_type(i: &SassInstruction<'_>) -> ScalarType {
    if i.has("U32") { U32 } else { ScalarType::I32 }
}

/// `a b + c` of 64 bits.
fn wide_product(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    parts: &Parts<'_, '_>,
) -> Result<Operand, Refused> {
    let ty = wide_type(i);
    let a = builder.word(parts.value(0)?)?;
    let b = builder.word(parts.value(1)?)?;
    let addend = parts.value(2)?;
    if is_zero(addend) {
        return Ok(builder.binary(BinaryOp::MultiplyWide, ty, a, b));
    }
    let c = builder.pair(addend)?;
    if a == ZERO || b == ZERO {
        return Ok(c);
    }
    let op = TernaryOp::MultiplyAddWide;
    Ok(builder.value(64, |dst| Op::Ternary {
        op,
        ty,
        dst,
        a,
        b,
        c,
    }))
}

fn multiply_add_wide(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    parts: &Parts<'_, '_>,
) -> Result<(), Refused> {
    let mut sum = wide_product(builder, i, parts)?;
    let carry_out = carries_out(builder, parts)?;
    let mut carries = Vec::new();
    if let [Some(_), _] = carry_out {
        let addend = builder.pair(parts.value(2)?)?;
        carries.push(less(builder, sum, addend));
    }
    if i.has("X") {
        let carry = builder.condition(parts.inputs.first().ok_or(Refused)?)?;
        let one = builder.select(64, carry, Operand::Constant(1), ZERO);
        let with_carry = builder.binary(BinaryOp::Add, U64, sum, one);
        carries.push(less(builder, with_carry, sum));
        sum = with_carry;
    }
    if let [Some(dst), _] = carry_out {
        let mut any = ZERO;
        for carry in carries {
            any = builder.binary(BinaryOp::Or, ScalarType::Bool, any, carry);
        }
        builder.write_pair(i.operand(0)?, sum)?;
        builder.write_predicates(&[(Some(dst), any)]);
        return Ok(());
    }
    builder.write_pair(i.operand(0)?, sum)
}

fn less(builder: &mut Builder<'_>, a: Operand, b: Operand) -> Operand {
    builder.value(1, |dst| Op::Compare {
        op: Comparison::Less,
        ty: U64,
        unordered: false,
        dst,
        a,
        b,
    })
}

/// `LEA d, {carry out}, a, b, s`: `(a << s) + b`; `.HI` takes the word above, from `c:a` or a's sign (`.SX32`).
pub(crate) fn scaled_add(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    let is_high = i.has("HI");
    let is_signed = i.has("SX32");
    let has_high_word = is_high && !is_signed;
    if parts.values.len() != 3 + usize::from(has_high_word) {
        return Err(Refused);
    }
    let Kind::Integer(shift) = parts.values.last().ok_or(Refused)?.kind else {
        return Err(Refused);
    };
    let shift = u8::try_from(shift)
        .ok()
        .filter(|shift| *shift < 32)
        .ok_or(Refused)?;
    let a = builder.word(parts.value(0)?)?;
    let b = builder.word(parts.value(1)?)?;
    let amount = Operand::Constant(u64::from(32 - shift));
    let scaled = if has_high_word {
        let c = builder.word(parts.value(2)?)?;
        let op = TernaryOp::FunnelShiftRightClamped;
        let (low, high) = (a, c);
        if high == ZERO {
            builder.binary(BinaryOp::ShiftRight, U32, low, amount)
        } else {
            builder.value(32, |dst| Op::Ternary {
                op,
                ty: U32,
                dst,
                a: low,
                b: high,
                c: amount,
            })
        }
    } else if is_signed {
        builder.binary(BinaryOp::ShiftRight, ScalarType::I32, a, amount)
    } else {
        builder.shifted(a, shift)
    };
    let carry_out = carries_out(builder, &parts)?;
    let carry_in = match parts.inputs.first() {
        Some(input) if i.has("X") => Some(builder.condition(input)?),
        _ => None,
    };
    let dst = builder.destination(i.operand(0)?)?;
    if carry_in.is_none() && carry_out == [None; 2] {
        let op = BinaryOp::Add;
        builder.emit(Op::Binary {
            op,
            ty: U32,
            dst,
            a: scaled,
            b,
        });
    } else {
        builder.emit(Op::AddCarry {
            dst,
            carry_out,
            a: scaled,
            b,
            c: ZERO,
            carry_in: [carry_in, None],
        });
    }
    Ok(())
}

/// `IABS d, a`.
pub(crate) fn absolute(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let a = builder.word(i.operand(1)?)?;
    let dst = builder.destination(i.operand(0)?)?;
    let (op, ty) = (UnaryOp::Abs, ScalarType::I32);
    builder.emit(Op::Unary { op, ty, dst, a });
    Ok(())
}

/// `IDP.4A d, a, b, c`: dot product of four bytes; both operands of one sign.
pub(crate) fn dot_product(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let ty = match i.modifiers.as_slice() {
        ["4A", "U8", "U8"] => U32,
        ["4A", "S8", "S8"] => ScalarType::I32,
        _ => return Err(Refused),
    };
    let (a, b, c) = three(builder, &i.parts(1))?;
    let dst = builder.destination(i.operand(0)?)?;
    let op = TernaryOp::DotProduct4;
    builder.emit(Op::Ternary {
        op,
        ty,
        dst,
        a,
        b,
        c,
    });
    Ok(())
}

/// `VABSDIFF d, a, b, c`: `|a - b| + c`.
pub(crate) fn absolute_difference(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let (a, b, c) = three(builder, &i.parts(1))?;
    let dst = builder.destination(i.operand(0)?)?;
    let op = TernaryOp::SumAbsoluteDifference;
    builder.emit(Op::Ternary {
        op,
        ty: sign(i),
        dst,
        a,
        b,
        c,
    });
    Ok(())
}
