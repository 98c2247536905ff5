//! Special registers: `S2R`, `S2UR`, `CS2R`, and moves between register files: `R2UR`, `UR2UP`, `LEPC`.

use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Kind;
use lanescope_ir::{Op, Operand, ScalarType, SpecialRegister};

const U32: ScalarType = ScalarType::U32;

/// What a special register's name says.
enum Value {
    /// A special register of 32 bits.
    Register(SpecialRegister),
    /// High half of one of 64 bits.
    HighHalf(SpecialRegister),
    /// `threadIdx` in 16 + 10 + 6 bits.
    PackedThreadIndex,
    /// Zero.
    Zero,
}

fn named(name: &str) -> Value {
    use SpecialRegister as S;
    Value::Register(match name {
        "SR_TID.X" => S::ThreadIndex(0),
        "SR_TID.Y" => S::ThreadIndex(1),
        "SR_TID.Z" => S::ThreadIndex(2),
        "SR_CTAID.X" => S::BlockIndex(0),
        "SR_CTAID.Y" => S::BlockIndex(1),
        "SR_CTAID.Z" => S::BlockIndex(2),
        "SR_NTID.X" => S::BlockSize(0),
        "SR_NTID.Y" => S::BlockSize(1),
        "SR_NTID.Z" => S::BlockSize(2),
        "SR_NCTAID.X" => S::GridSize(0),
        "SR_NCTAID.Y" => S::GridSize(1),
        "SR_NCTAID.Z" => S::GridSize(2),
        "SR_LANEID" => S::Lane,
        "SR_EQMASK" => S::LaneMaskEqual,
        "SR_LTMASK" => S::LaneMaskLess,
        "SR_LEMASK" => S::LaneMaskLessEqual,
        "SR_GTMASK" => S::LaneMaskGreater,
        "SR_GEMASK" => S::LaneMaskGreaterEqual,
        "SR_CgaCtaId" => S::ClusterRank,
        "SR_CgaSize" => S::ClusterSize(0),
        "SR_SWINLO" => S::SharedWindow,
        "SR_SMEMSZ" => S::TotalSharedBytes,
        "SR_SWINHI" => return Value::HighHalf(S::SharedWindow),
        "SR_LWINHI" => return Value::HighHalf(S::LocalWindow),
        "SR_LWINLO" => S::LocalWindow,
        "SR_TID" => return Value::PackedThreadIndex,
        "SRZ" => return Value::Zero,
        _ => S::Unpredictable,
    })
}

fn read(builder: &mut Builder<'_>, name: &str) -> Operand {
    match named(name) {
        Value::Register(
            register @ (SpecialRegister::SharedWindow | SpecialRegister::LocalWindow),
        ) => builder.special_half(register, 0),
        Value::Register(register) => builder.value(32, |dst| Op::Special { dst, register }),
        Value::HighHalf(register) => builder.special_half(register, 1),
        Value::PackedThreadIndex => packed_thread_index(builder),
        Value::Zero => ZERO,
    }
}

fn packed_thread_index(builder: &mut Builder<'_>) -> Operand {
    let mut whole = ZERO;
    for (axis, shift) in [(0, 0), (1, 16), (2, 26)] {
        let register = SpecialRegister::ThreadIndex(axis);
        let index = builder.value(32, |dst| Op::Special { dst, register });
        let placed = builder.shifted(index, shift);
        whole = builder.binary(lanescope_ir::BinaryOp::Or, U32, whole, placed);
    }
    whole
}

/// `S2R d, SR_…`, `S2UR d, SR_…`.
pub(crate) fn read_special(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let Kind::Word(name) = i.operand(1)?.kind else {
        return Err(Refused);
    };
    let dst = builder.destination(i.operand(0)?)?;
    if let Value::Register(register) = named(name)
        && !matches!(
            register,
            SpecialRegister::SharedWindow | SpecialRegister::LocalWindow
        )
    {
        builder.emit(Op::Special { dst, register });
        return Ok(());
    }
    let value = read(builder, name);
    builder.assign(dst, U32, value);
    Ok(())
}

/// `CS2R d, SR_…`: a pair, unless `.32`.
pub(crate) fn read_special_pair(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let Kind::Word(name) = i.operand(1)?.kind else {
        return Err(Refused);
    };
    let low = read(builder, name);
    if i.has("32") {
        let dst = builder.destination(i.operand(0)?)?;
        builder.assign(dst, U32, low);
        return Ok(());
    }
    let high = match named(name) {
        Value::Register(SpecialRegister::Unpredictable) => read(builder, name),
        _ => ZERO,
    };
    let Kind::Register(dst) = i.operand(0)?.kind else {
        return Err(Refused);
    };
    for (distance, value) in [(0, low), (1, high)] {
        if let Some(dst) = builder.behind_register(dst, distance) {
            builder.assign(dst, U32, value);
        }
    }
    Ok(())
}

/// `R2UR [p,] d, a`: a value that all lanes share.
pub(crate) fn to_uniform(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let mut list = i
        .operands
        .iter()
        .filter(|operand| !matches!(operand.kind, Kind::Predicate(_)));
    let (dst, source) = (list.next().ok_or(Refused)?, list.next().ok_or(Refused)?);
    let has_target = i
        .operands
        .iter()
        .any(|operand| matches!(operand.kind, Kind::Predicate(name) if name.index.is_some()));
    if has_target || i.has("OR") || i.has("FILL") {
        return Err(Refused);
    }
    let value = builder.word(source)?;
    let dst = builder.destination(dst)?;
    builder.assign(dst, U32, value);
    Ok(())
}

/// `UTCATOMSWS.FIND_AND_SET p, d, a`: columns of tensor memory for this block, which are taken as free at once: the first,
/// as where a block is alone on its multiprocessor. `UTCATOMSWS.AND` gives them back.
pub(crate) fn allocate_tensor_memory(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    if !i.has("FIND_AND_SET") {
        return Ok(());
    }
    for operand in i.operands.iter().take(2) {
        match operand.kind {
            Kind::Predicate(_) => {
                let found = builder.target(operand)?;
                builder.write_predicates(&[(found, Operand::Constant(1))]);
            }
            Kind::Register(_) => {
                let first = builder.destination(operand)?;
                builder.assign(first, U32, ZERO);
            }
            _ => return Err(Refused),
        }
    }
    Ok(())
}

/// `LEPC d{, target}`: the address of the next instruction, or of a target.
pub(crate) fn program_counter(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let address = match i.operands.get(1) {
        Some(target) => builder.bits(target)?,
        None => Operand::Constant(builder.next_address),
    };
    let Kind::Register(dst) = i.operand(0)?.kind else {
        return Err(Refused);
    };
    for (distance, value) in [(0, address), (1, ZERO)] {
        if let Some(dst) = builder.behind_register(dst, distance) {
            builder.assign(dst, U32, value);
        }
    }
    Ok(())
}
