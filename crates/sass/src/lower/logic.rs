//! Bits: `LOP3`, shifts, `PRMT`, `SGXT`, `BMSK`, `BREV`, `FLO`, `POPC`, moves and selects.

use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Kind;
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, TernaryOp, UnaryOp};

const U32: ScalarType = ScalarType::U32;
const WORD: Operand = Operand::Constant(32);

/// `MOV d, a`; `.64` moves pairs.
pub(crate) fn move_word(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    if i.has("64") {
        let value = builder.pair(i.operand(1)?)?;
        return builder.write_pair(i.operand(0)?, value);
    }
    let value = builder.word(i.operand(1)?)?;
    let dst = builder.destination(i.operand(0)?)?;
    builder.assign(dst, U32, value);
    Ok(())
}

/// `SEL d, a, b, p`.
pub(crate) fn select(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let parts = i.parts(1);
    let predicate = builder.condition(parts.inputs.first().ok_or(Refused)?)?;
    if i.has("64") {
        let (yes, no) = (
            builder.pair(parts.value(0)?)?,
            builder.pair(parts.value(1)?)?,
        );
        let value = builder.select(64, predicate, yes, no);
        return builder.write_pair(i.operand(0)?, value);
    }
    let (yes, no) = (
        builder.word(parts.value(0)?)?,
        builder.word(parts.value(1)?)?,
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

/// `LOP3.LUT [p,] d, a, b, c, table, q`: any function of three bits; `p` says whether the result is not zero, or `q`.
pub(crate) fn logic(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let first = i.operand(0)?;
    let has_predicate = matches!(first.kind, Kind::Predicate(_));
    let at = usize::from(has_predicate);
    let parts = i.parts(at + 1);
    let Kind::Integer(table) = parts.value(3)?.kind else {
        return Err(Refused);
    };
    let table = u8::try_from(table).map_err(|_| Refused)?;
    let a = builder.word(parts.value(0)?)?;
    let b = builder.word(parts.value(1)?)?;
    let c = builder.word(parts.value(2)?)?;
    let target = match has_predicate {
        true => builder.target(first)?,
        false => None,
    };
    let input = match parts.inputs.first() {
        Some(input) => builder.condition(input)?,
        None => ZERO,
    };
    let dst = builder.destination(i.operand(at)?)?;
    let Some(target) = target else {
        builder.emit(logic_op(table, dst, [a, b, c]));
        return Ok(());
    };
    // The predicate is computed before the destination, which may be an operand, changes.
    let value = builder.value(32, |dst| logic_op(table, dst, [a, b, c]));
    let set = builder.value(1, |dst| Op::Compare {
        op: Comparison::NotEqual,
        ty: U32,
        unordered: false,
        dst,
        a: value,
        b: ZERO,
    });
    let op = match i.has("PAND") {
        true => BinaryOp::And,
        false => BinaryOp::Or,
    };
    let set = match (op, input) {
        (BinaryOp::Or, ZERO) => set,
        _ => builder.binary(op, ScalarType::Bool, set, input),
    };
    builder.assign(dst, U32, value);
    builder.write_predicates(&[(Some(target), set)]);
    Ok(())
}

/// The instruction for a truth table, with the usual ones as what they are.
fn logic_op(table: u8, dst: lanescope_ir::Register, [a, b, c]: [Operand; 3]) -> Op {
    let binary = |op| Op::Binary {
        op,
        ty: U32,
        dst,
        a,
        b,
    };
    let unary = |op, a| Op::Unary {
        op,
        ty: U32,
        dst,
        a,
    };
    match table {
        0xc0 => binary(BinaryOp::And),
        0xfc => binary(BinaryOp::Or),
        0x3c => binary(BinaryOp::Xor),
        0x33 => unary(UnaryOp::Not, b),
        0x0f => unary(UnaryOp::Not, a),
        0xf0 => unary(UnaryOp::Move, a),
        0xcc => unary(UnaryOp::Move, b),
        _ => Op::Lop3 {
            table,
            wide: false,
            dst,
            a,
            b,
            c,
        },
    }
}

/// `SHF.{L,R}{.W}{.type}{.HI} d, low, amount, high`: a word of the pair `high:low` shifted.
pub(crate) fn funnel_shift(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    let low = builder.word(parts.value(0)?)?;
    let mut amount = builder.word(parts.value(1)?)?;
    let high = builder.word(parts.value(2)?)?;
    let wraps = i.has("W");
    let is_wide = i.has("U64") || i.has("S64");
    let is_signed = i.has("S32") || i.has("S64");
    let takes_high = i.has("HI");
    if wraps {
        let mask = Operand::Constant(if is_wide { 63 } else { 31 });
        amount = builder.binary(BinaryOp::And, U32, amount, mask);
    }
    let dst = builder.destination(i.operand(0)?)?;
    let is_left = i.has("L");
    if is_left == i.has("R") {
        return Err(Refused);
    }
    let signed = |narrow: bool| match (narrow, is_signed) {
        (true, true) => ScalarType::I32,
        (true, false) => U32,
        (false, true) => ScalarType::I64,
        (false, false) => ScalarType::U64,
    };
    if is_left && !takes_high {
        let op = BinaryOp::ShiftLeft;
        builder.emit(Op::Binary {
            op,
            ty: U32,
            dst,
            a: low,
            b: amount,
        });
    } else if !is_left && takes_high {
        let (op, ty) = (BinaryOp::ShiftRight, signed(true));
        builder.emit(Op::Binary {
            op,
            ty,
            dst,
            a: high,
            b: amount,
        });
    } else if is_wide || is_signed {
        let whole = builder.pack(low, high);
        let op = match is_left {
            true => BinaryOp::ShiftLeft,
            false => BinaryOp::ShiftRight,
        };
        let amount = match is_wide || wraps {
            true => amount,
            false => builder.binary(BinaryOp::Minimum, U32, amount, WORD),
        };
        let shifted = builder.binary(op, signed(false), whole, amount);
        let mut words = vec![None, None];
        if let Some(slot) = words.get_mut(usize::from(is_left)) {
            *slot = Some(dst);
        }
        builder.emit(Op::Unpack {
            parts: words,
            part_bits: 32,
            a: shifted,
        });
    } else {
        let op = match is_left {
            true => TernaryOp::FunnelShiftLeftClamped,
            false => TernaryOp::FunnelShiftRightClamped,
        };
        builder.emit(Op::Ternary {
            op,
            ty: U32,
            dst,
            a: low,
            b: high,
            c: amount,
        });
    }
    Ok(())
}

/// `PRMT d, a, selector, b`.
pub(crate) fn permute(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    if !i.modifiers.is_empty() {
        return Err(Refused);
    }
    let a = builder.word(i.operand(1)?)?;
    let c = builder.word(i.operand(2)?)?;
    let b = builder.word(i.operand(3)?)?;
    let dst = builder.destination(i.operand(0)?)?;
    let op = TernaryOp::BytePermute;
    builder.emit(Op::Ternary {
        op,
        ty: U32,
        dst,
        a,
        b,
        c,
    });
    Ok(())
}

/// `SGXT d, a, n`: the low n bits, extended.
pub(crate) fn extend(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let a = builder.word(i.operand(1)?)?;
    let mut c = builder.word(i.operand(2)?)?;
    if i.has("W") {
        c = builder.binary(BinaryOp::And, U32, c, Operand::Constant(31));
    }
    let ty = match i.has("U32") {
        true => U32,
        false => ScalarType::I32,
    };
    let dst = builder.destination(i.operand(0)?)?;
    let op = TernaryOp::BitFieldExtract;
    builder.emit(Op::Ternary {
        op,
        ty,
        dst,
        a,
        b: ZERO,
        c,
    });
    Ok(())
}

/// `BMSK d, position, width`: ones from a position on.
pub(crate) fn bit_mask(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let mut position = builder.word(i.operand(1)?)?;
    let mut width = builder.word(i.operand(2)?)?;
    if i.has("W") {
        let mask = Operand::Constant(31);
        position = builder.binary(BinaryOp::And, U32, position, mask);
        width = builder.binary(BinaryOp::And, U32, width, mask);
    }
    let all = Operand::Constant(0xffff_ffff);
    let above = builder.binary(BinaryOp::ShiftLeft, U32, all, width);
    let ones = builder.unary(UnaryOp::Not, U32, above);
    let dst = builder.destination(i.operand(0)?)?;
    let op = BinaryOp::ShiftLeft;
    builder.emit(Op::Binary {
        op,
        ty: U32,
        dst,
        a: ones,
        b: position,
    });
    Ok(())
}

fn unary(builder: &mut Builder<'_>, i: &SassInstruction<'_>, op: UnaryOp) -> Result<(), Refused> {
    let a = builder.word(i.operand(1)?)?;
    let dst = builder.destination(i.operand(0)?)?;
    builder.emit(Op::Unary {
        op,
        ty: U32,
        dst,
        a,
    });
    Ok(())
}

/// `BREV d, a`.
pub(crate) fn reverse(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    unary(builder, i, UnaryOp::ReverseBits)
}

/// `POPC d, a`.
pub(crate) fn count_ones(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    unary(builder, i, UnaryOp::PopCount)
}

/// `FLO d, a`: position of the leading bit; with `.SH` its distance from the top.
pub(crate) fn find_leading(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    if parts
        .outputs
        .iter()
        .any(|output| !matches!(output.kind, Kind::Predicate(name) if name.index.is_none()))
    {
        return Err(Refused);
    }
    let a = builder.word(parts.value(0)?)?;
    let ty = match i.has("U32") {
        true => U32,
        false => ScalarType::I32,
    };
    let found = builder.unary(UnaryOp::FindLeading, ty, a);
    let dst = builder.destination(i.operand(0)?)?;
    if !i.has("SH") {
        builder.assign(dst, U32, found);
        return Ok(());
    }
    let none = Operand::Constant(0xffff_ffff);
    let distance = builder.binary(BinaryOp::Subtract, U32, Operand::Constant(31), found);
    let predicate = builder.value(1, |dst| Op::Compare {
        op: Comparison::Equal,
        ty: U32,
        unordered: false,
        dst,
        a: found,
        b: none,
    });
    builder.emit(Op::Select {
        dst,
        predicate,
        yes: none,
        no: distance,
    });
    Ok(())
}
