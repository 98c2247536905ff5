//! What lanes say to each other: `SHFL`, `VOTE`, `MATCH`, `REDUX`, `ELECT`.

use super::predicate::combine;
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::{Kind, Name, Operand as Written};
use lanescope_ir::{
    BinaryOp, MatchMode, Op, Operand, ScalarType, ShuffleMode, VoteMode, WarpReduceOp,
    WarpReduceScope,
};

const U32: ScalarType = ScalarType::U32;
const BOOL: ScalarType = ScalarType::Bool;

/// `SHFL.mode p, d, a, lane, clamp`.
pub(crate) fn shuffle(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let mode = match *i.modifiers.first().ok_or(Refused)? {
        "IDX" => ShuffleMode::Index,
        "UP" => ShuffleMode::Up,
        "DOWN" => ShuffleMode::Down,
        "BFLY" => ShuffleMode::Butterfly,
        _ => return Err(Refused),
    };
    let at = usize::from(matches!(i.operand(0)?.kind, Kind::Predicate(_)));
    let a = builder.word(i.operand(at + 1)?)?;
    let lane = builder.word(i.operand(at + 2)?)?;
    let clamp = builder.word(i.operand(at + 3)?)?;
    let in_range = match at {
        0 => None,
        _ => builder.target(i.operand(0)?)?,
    };
    let dst = builder.destination(i.operand(at)?)?;
    builder.emit(Op::Shuffle {
        mode,
        dst,
        in_range,
        a,
        lane,
        clamp,
    });
    Ok(())
}

/// A register or predicates before the last operand, which is asked about.
struct Question<'s, 'a> {
    mask: Option<&'s Written<'a>>,
    answer: Option<&'s Written<'a>>,
    question: &'s Written<'a>,
}

fn question<'s, 'a>(i: &'s SassInstruction<'a>) -> Result<Question<'s, 'a>, Refused> {
    let (question, before) = i.operands.split_last().ok_or(Refused)?;
    let mask = before
        .iter()
        .find(|one| matches!(one.kind, Kind::Register(_)));
    let answer = before
        .iter()
        .find(|one| matches!(one.kind, Kind::Predicate(_)));
    Ok(Question {
        mask,
        answer,
        question,
    })
}

/// `VOTE.{ALL,ANY,EQ} [d,] p, q`: a ballot, and whether `q` holds in all, any, or the same way.
pub(crate) fn vote(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let mode = match i.modifiers.first() {
        Some(&"ALL") => VoteMode::All,
        Some(&"ANY") => VoteMode::Any,
        Some(&"EQ") => VoteMode::Uniform,
        _ => return Err(Refused),
    };
    let operands = question(i)?;
    let a = builder.condition(operands.question)?;
    let answer = match operands.answer {
        Some(answer) => builder.target(answer)?,
        None => None,
    };
    let mask = match operands.mask {
        Some(Written {
            kind: Kind::Register(Name { index: Some(_), .. }),
            ..
        }) => operands.mask,
        _ => None,
    };
    if let Some(mask) = mask {
        let mode = VoteMode::Ballot;
        let dst = builder.destination(mask)?;
        builder.emit(Op::Vote { mode, dst, a });
    }
    if let Some(dst) = answer {
        builder.emit(Op::Vote { mode, dst, a });
    }
    Ok(())
}

/// `MATCH.{ANY,ALL}{.U64} [p,] d, a`.
pub(crate) fn find_equal(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let mode = match i.has("ALL") {
        true => MatchMode::All,
        false => MatchMode::Any,
    };
    let operands = question(i)?;
    let (ty, a) = match i.has("U64") || i.has("64") {
        true => (ScalarType::U64, builder.pair(operands.question)?),
        false => (U32, builder.word(operands.question)?),
    };
    let predicate = match operands.answer {
        Some(answer) => builder.target(answer)?,
        None => None,
    };
    let dst = builder.destination(operands.mask.ok_or(Refused)?)?;
    builder.emit(Op::Match {
        mode,
        ty,
        dst,
        predicate,
        a,
    });
    Ok(())
}

/// `REDUX{.op}{.S32} d, a`, `CREDUX{.op}{.S32,.F32} d, a`.
pub(crate) fn reduce(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let mut op = WarpReduceOp::And;
    for name in &i.modifiers {
        op = match *name {
            "SUM" | "ADD" => WarpReduceOp::Add,
            "MIN" => WarpReduceOp::Minimum,
            "MAX" => WarpReduceOp::Maximum,
            "AND" => WarpReduceOp::And,
            "OR" => WarpReduceOp::Or,
            "XOR" => WarpReduceOp::Xor,
            "S32" | "U32" | "F32" | "FTZ" | "NAN" => op,
            _ => return Err(Refused),
        };
    }
    let ty = match (i.has("S32"), i.has("F32")) {
        (true, _) => ScalarType::I32,
        (_, true) => ScalarType::F32,
        (false, false) => U32,
    };
    let a = builder.word(i.operand(1)?)?;
    let dst = builder.destination(i.operand(0)?)?;
    let scope = WarpReduceScope::All;
    builder.emit(Op::WarpReduce {
        op,
        scope,
        ty,
        dst,
        a,
    });
    Ok(())
}

/// `ELECT p, d, q`: whether this lane is the first active one, and that lane's number.
pub(crate) fn elect(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let p = builder.target(i.operand(0)?)?;
    let with = builder.condition(i.operand(2)?)?;
    if matches!(i.operand(1)?.kind, Kind::Register(name) if name.index.is_some()) {
        let dst = builder.destination(i.operand(1)?)?;
        let mask = builder.value(32, |dst| Op::ActiveMask { dst });
        let first = builder.unary(lanescope_ir::UnaryOp::FindFirst, U32, mask);
        let op = BinaryOp::Subtract;
        let b = Operand::Constant(1);
        builder.emit(Op::Binary {
            op,
            ty: U32,
            dst,
            a: first,
            b,
        });
    }
    let chosen = builder.value(1, |dst| Op::Elect { dst });
    let chosen = combine(builder, BinaryOp::And, chosen, with);
    builder.write_predicates(&[(p, chosen)]);
    Ok(())
}

/// `BAR.RED.{POPC,AND,OR}` writes a predicate, `B2R.RESULT` reads what it left.
pub(crate) fn barrier_result(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    if !i.has("RESULT") {
        return Err(Refused);
    }
    let (count, holds) = builder.barrier_result();
    let dst = builder.destination(i.operand(0)?)?;
    builder.assign(dst, U32, count.into());
    if let Some(target) = i.operands.get(1) {
        let target = builder.target(target)?;
        builder.write_predicates(&[(target, holds.into())]);
    }
    Ok(())
}

/// `BAR.SYNC`, `BAR.ARV`, `BAR.RED`.
pub(crate) fn barrier(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let (inputs, mut values): (Vec<_>, Vec<_>) = i
        .operands
        .iter()
        .partition(|operand| matches!(operand.kind, Kind::Predicate(_)));
    values.retain(|value| {
        matches!(
            value.kind,
            Kind::Register(_) | Kind::Integer(_) | Kind::Constant(..)
        )
    });
    let id = match values.first() {
        Some(id) => builder.word(id)?,
        None => ZERO,
    };
    let threads = match values.get(1) {
        Some(threads) => Some(builder.word(threads)?),
        None => None,
    };
    if i.has("RED") {
        let op = match (i.has("POPC"), i.has("AND")) {
            (true, _) => WarpReduceOp::Add,
            (false, true) => WarpReduceOp::And,
            (false, false) => WarpReduceOp::Or,
        };
        let a = match inputs.last() {
            Some(input) => builder.condition(input)?,
            None => ZERO,
        };
        let (count, holds) = builder.barrier_result();
        let dst = if op == WarpReduceOp::Add {
            count
        } else {
            holds
        };
        builder.emit(Op::BarrierReduce { op, dst, a, id });
        return Ok(());
    }
    let arrive = i.has("ARV");
    if !arrive && !i.has("SYNC") {
        return Err(Refused);
    }
    builder.emit(Op::Barrier {
        id,
        threads,
        arrive,
    });
    Ok(())
}

/// A predicate that holds in any active lane.
pub(crate) fn any(builder: &mut Builder<'_>, a: Operand, mode: VoteMode) -> Operand {
    builder.value(BOOL.bits(), |dst| Op::Vote { mode, dst, a })
}
