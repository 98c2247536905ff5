//! Predicates: `ISETP`, `FSETP`, `PLOP3`, `P2R`, `R2P`.

use crate::builder::{Builder, ZERO};
use crate::instruction::{Parts, Refused, SassInstruction};
use crate::operand::{File, Kind, Name};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, UnaryOp};

const BOOL: ScalarType = ScalarType::Bool;
const TRUE: Operand = Operand::Constant(1);

/// A relation as a modifier names it, and whether it also holds of what is unordered.
pub(crate) fn relation(i: &SassInstruction<'_>) -> Option<(Comparison, bool)> {
    i.modifiers.iter().find_map(|name| {
        let (op, unordered) = match *name {
            "EQ" => (Comparison::Equal, false),
            "NE" => (Comparison::NotEqual, false),
            "LT" => (Comparison::Less, false),
            "LE" => (Comparison::LessEqual, false),
            "GT" => (Comparison::Greater, false),
            "GE" => (Comparison::GreaterEqual, false),
            "EQU" => (Comparison::Equal, true),
            "NEU" => (Comparison::NotEqual, true),
            "LTU" => (Comparison::Less, true),
            "LEU" => (Comparison::LessEqual, true),
            "GTU" => (Comparison::Greater, true),
            "GEU" => (Comparison::GreaterEqual, true),
            _ => return None,
        };
        Some((op, unordered))
    })
}

/// A comparison in a fresh predicate.
pub(crate) fn compare(
    builder: &mut Builder<'_>,
    (op, unordered): (Comparison, bool),
    ty: ScalarType,
    a: Operand,
    b: Operand,
) -> Operand {
    builder.value(1, |dst| Op::Compare {
        op,
        ty,
        unordered,
        dst,
        a,
        b,
    })
}

/// The operator that combines a comparison with a predicate.
pub(crate) fn combiner(i: &SassInstruction<'_>) -> BinaryOp {
    if i.has("OR") {
        BinaryOp::Or
    } else if i.has("XOR") {
        BinaryOp::Xor
    } else {
        BinaryOp::And
    }
}

/// `a op b` of predicates, with what is constant left out.
pub(crate) fn combine(builder: &mut Builder<'_>, op: BinaryOp, a: Operand, b: Operand) -> Operand {
    match (op, b) {
        (BinaryOp::And, TRUE) | (BinaryOp::Or | BinaryOp::Xor, ZERO) => a,
        _ => builder.binary(op, BOOL, a, b),
    }
}

/// Writes a comparison's two predicates: the combined one, and that of its complement.
pub(crate) fn finish(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    parts: &Parts<'_, '_>,
    holds: Operand,
    with: Operand,
) -> Result<(), Refused> {
    let op = combiner(i);
    let mut writes = Vec::new();
    if let Some(output) = parts.outputs.first() {
        let dst = builder.target(output)?;
        writes.push((dst, combine(builder, op, holds, with)));
    }
    if let Some(output) = parts.outputs.get(1)
        && let Some(dst) = builder.target(output)?
    {
        let fails = builder.unary(UnaryOp::Not, BOOL, holds);
        writes.push((Some(dst), combine(builder, op, fails, with)));
    }
    builder.write_predicates(&writes);
    Ok(())
}

/// `ISETP.relation.{AND,OR,XOR}{.EX} p, q, a, b, with, [below]`: with `.EX` the high words of a comparison whose low
/// words gave `below`.
pub(crate) fn compare_integers(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(0);
    let is_wide = i.has("64") || i.has("U64") || i.has("S64");
    let is_unsigned = i.has("U32") || i.has("U64");
    let ty = match (is_wide, is_unsigned) {
        (true, true) => ScalarType::U64,
        (true, false) => ScalarType::I64,
        (false, true) => ScalarType::U32,
        (false, false) => ScalarType::I32,
    };
    let (first, second) = (parts.value(0)?, parts.value(1)?);
    let (a, b) = match is_wide {
        true => (builder.pair(first)?, builder.pair(second)?),
        false => (builder.word(first)?, builder.word(second)?),
    };
    let mut holds = constant_relation(i);
    if holds.is_none() {
        let relation = relation(i).ok_or(Refused)?;
        holds = Some(compare(builder, relation, ty, a, b));
    }
    let mut holds = holds.ok_or(Refused)?;
    if i.has("EX") {
        let below = builder.condition(parts.inputs.get(1).ok_or(Refused)?)?;
        let equal = compare(builder, (Comparison::Equal, false), ty, a, b);
        holds = builder.select(1, equal, below, holds);
    }
    let with = match parts.inputs.first() {
        Some(input) => builder.condition(input)?,
        None => TRUE,
    };
    finish(builder, i, &parts, holds, with)
}

/// Relations that always or never hold.
fn constant_relation(i: &SassInstruction<'_>) -> Option<Operand> {
    match *i.modifiers.first()? {
        "F" => Some(ZERO),
        "T" => Some(TRUE),
        _ => None,
    }
}

/// `FSETP`, `DSETP`.
fn compare_floats(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    ty: ScalarType,
) -> Result<(), Refused> {
    let parts = i.parts(0);
    let holds = float_relation(builder, i, &parts, ty)?;
    let with = match parts.inputs.first() {
        Some(input) => builder.condition(input)?,
        None => TRUE,
    };
    finish(builder, i, &parts, holds, with)
}

fn float_relation(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
    parts: &Parts<'_, '_>,
    ty: ScalarType,
) -> Result<Operand, Refused> {
    let (first, second) = (parts.value(0)?, parts.value(1)?);
    let (a, b) = match ty {
        ScalarType::F64 => (builder.double(first)?, builder.double(second)?),
        _ => (builder.float(first)?, builder.float(second)?),
    };
    if let Some(relation) = relation(i) {
        return Ok(compare(builder, relation, ty, a, b));
    }
    if let Some(holds) = constant_relation(i) {
        return Ok(holds);
    }
    let is_nan = |builder: &mut Builder<'_>, a| {
        let op = UnaryOp::IsNan;
        builder.value(1, |dst| Op::Unary { op, ty, dst, a })
    };
    let (a_is_nan, b_is_nan) = (is_nan(builder, a), is_nan(builder, b));
    let unordered = builder.binary(BinaryOp::Or, BOOL, a_is_nan, b_is_nan);
    if i.has("NAN") {
        Ok(unordered)
    } else if i.has("NUM") {
        Ok(builder.unary(UnaryOp::Not, BOOL, unordered))
    } else {
        Err(Refused)
    }
}

/// `FSETP.relation.{AND,OR,XOR} p, q, a, b, with`.
pub(crate) fn compare_singles(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    compare_floats(builder, i, ScalarType::F32)
}

/// `DSETP.relation.{AND,OR,XOR} p, q, a, b, with`.
pub(crate) fn compare_doubles(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    compare_floats(builder, i, ScalarType::F64)
}

/// `FSET.{BF}.relation.{AND,OR,XOR} d, a, b, with`: 1.0 or all ones where it holds.
pub(crate) fn compare_to_register(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let parts = i.parts(1);
    let holds = float_relation(builder, i, &parts, ScalarType::F32)?;
    let with = match parts.inputs.first() {
        Some(input) => builder.condition(input)?,
        None => TRUE,
    };
    let predicate = combine(builder, combiner(i), holds, with);
    let yes = match i.has("BF") {
        true => Operand::Constant(u64::from(1.0_f32.to_bits())),
        false => Operand::Constant(0xffff_ffff),
    };
    let dst = builder.destination(i.operand(0)?)?;
    builder.emit(Op::Select {
        dst,
        predicate,
        yes,
        no: ZERO,
    });
    Ok(())
}

/// A function of three predicates by its truth table: Shannon's expansion.
fn table(builder: &mut Builder<'_>, bits: u8, [a, b, c]: [Operand; 3]) -> Operand {
    let mut pair = |bits: u8| match bits & 3 {
        0 => ZERO,
        1 => builder.unary(UnaryOp::Not, BOOL, c),
        2 => c,
        _ => TRUE,
    };
    let leaves = [
        pair(bits),
        pair(bits >> 2),
        pair(bits >> 4),
        pair(bits >> 6),
    ];
    let [none, only_b, only_a, both] = leaves;
    let low = choose(builder, b, only_b, none);
    let high = choose(builder, b, both, only_a);
    choose(builder, a, high, low)
}

fn choose(builder: &mut Builder<'_>, predicate: Operand, yes: Operand, no: Operand) -> Operand {
    match (predicate, yes, no) {
        (_, yes, no) if yes == no => yes,
        (ZERO, _, no) => no,
        (Operand::Constant(_), yes, _) => yes,
        (_, TRUE, ZERO) => predicate,
        _ => builder.select(1, predicate, yes, no),
    }
}

/// `PLOP3.LUT p, q, a, b, c, table of p, table of q`.
pub(crate) fn logic(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let mut bits = i.operands.iter().filter_map(|operand| match operand.kind {
        Kind::Integer(value) => u8::try_from(value).ok(),
        _ => None,
    });
    let (first, second) = (bits.next().ok_or(Refused)?, bits.next().unwrap_or(0));
    let mut inputs = [ZERO; 3];
    for (at, slot) in inputs.iter_mut().enumerate() {
        *slot = builder.condition(i.operand(at + 2)?)?;
    }
    let p = builder.target(i.operand(0)?)?;
    let q = builder.target(i.operand(1)?)?;
    let p_value = table(builder, first, inputs);
    let mut writes = vec![(p, p_value)];
    if q.is_some() {
        writes.push((q, table(builder, second, inputs)));
    }
    builder.write_predicates(&writes);
    Ok(())
}

/// `PSETP.op.op p, q, a, b, c`: `(a op b) op c`.
pub(crate) fn combine_three(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let operator = |name: &str| match name {
        "AND" => Ok(BinaryOp::And),
        "OR" => Ok(BinaryOp::Or),
        "XOR" => Ok(BinaryOp::Xor),
        _ => Err(Refused),
    };
    let first = operator(i.modifiers.first().ok_or(Refused)?)?;
    let second = operator(i.modifiers.get(1).ok_or(Refused)?)?;
    let a = builder.condition(i.operand(2)?)?;
    let b = builder.condition(i.operand(3)?)?;
    let c = builder.condition(i.operand(4)?)?;
    let p = builder.target(i.operand(0)?)?;
    let q = builder.target(i.operand(1)?)?;
    let holds = builder.binary(first, BOOL, a, b);
    let fails = builder.unary(UnaryOp::Not, BOOL, holds);
    let p_value = builder.binary(second, BOOL, holds, c);
    let q_value = builder.binary(second, BOOL, fails, c);
    builder.write_predicates(&[(p, p_value), (q, q_value)]);
    Ok(())
}

/// Predicates of the file that an instruction names as `PR` or `UPR`.
fn file(i: &SassInstruction<'_>) -> Result<File, Refused> {
    let named = |name: &str| {
        i.operands
            .iter()
            .any(|operand| matches!(operand.kind, Kind::Word(word) if word == name))
    };
    if named("PR") {
        Ok(File::General)
    } else if named("UPR") {
        Ok(File::Uniform)
    } else {
        Err(Refused)
    }
}

fn mask(i: &SassInstruction<'_>) -> Result<u8, Refused> {
    match i.operands.last().ok_or(Refused)?.kind {
        Kind::Integer(mask) => u8::try_from(mask).map_err(|_| Refused),
        _ => Err(Refused),
    }
}

fn members(mask: u8) -> impl Iterator<Item = u8> {
    (0..7).filter(move |index| mask >> index & 1 == 1)
}

/// `P2R{.B1} d, PR, a, mask`: predicates of the mask put into a byte of `a`.
pub(crate) fn to_register(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let (file, mask) = (file(i)?, mask(i)?);
    let shift = byte(i.modifiers.first().map_or("", |name| name))?;
    let base = builder.word(i.operand(2)?)?;
    let keep = Operand::Constant(u64::from(!(u32::from(mask) << shift)));
    let mut value = match base {
        ZERO => ZERO,
        _ => builder.binary(BinaryOp::And, ScalarType::U32, base, keep),
    };
    for index in members(mask) {
        let name = Name {
            file,
            index: Some(index),
        };
        let Some(predicate) = builder.predicate(name) else {
            continue;
        };
        let yes = Operand::Constant(1 << (u32::from(index) + shift));
        let bit = builder.select(32, predicate.into(), yes, ZERO);
        value = builder.binary(BinaryOp::Or, ScalarType::U32, value, bit);
    }
    let dst = builder.destination(i.operand(0)?)?;
    builder.assign(dst, ScalarType::U32, value);
    Ok(())
}

fn byte(name: &str) -> Result<u32, Refused> {
    match name.trim_start_matches('.') {
        "" | "B0" => Ok(0),
        "B1" => Ok(8),
        "B2" => Ok(16),
        "B3" => Ok(24),
        _ => Err(Refused),
    }
}

/// `R2P PR, a{.B1}, mask`: bits of a byte put into the predicates of the mask.
pub(crate) fn from_register(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let (file, mask) = (file(i)?, mask(i)?);
    let source = i.operand(1)?;
    let shift = byte(source.suffix)?;
    let value = builder.bits(source)?;
    let mut writes = Vec::new();
    for index in members(mask) {
        let bit = Operand::Constant(1 << (u32::from(index) + shift));
        let set = builder.binary(BinaryOp::And, ScalarType::U32, value, bit);
        let is_set = compare(
            builder,
            (Comparison::NotEqual, false),
            ScalarType::U32,
            set,
            ZERO,
        );
        let name = Name {
            file,
            index: Some(index),
        };
        writes.push((builder.predicate(name), is_set));
    }
    builder.write_predicates(&writes);
    Ok(())
}
