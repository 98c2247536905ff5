//! Copies without registers: `LDGSTS`, `UBLKCP`, `UTMALDG`, and barrier objects: `SYNCS`, `ARRIVES`.

use super::memory::{address, memory, shape, sum_address};
use crate::builder::{Builder, ZERO};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Kind;
use crate::site::SiteForm;
use lanescope_ir::{AddressSpace, BinaryOp, Op, Operand, ScalarType};
use lanescope_model::Operation;

/// `LDGSTS{.BYPASS}{.width} [shared], [global]{, p}`: where the predicate does not hold, zeros are written and nothing is
/// read.
pub(crate) fn copy(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let destination = address(builder, AddressSpace::Shared, memory(i, 0)?)?;
    let source = address(builder, AddressSpace::Global, memory(i, 1)?)?;
    let shape = shape(i);
    let bytes = shape.element.bytes() * u32::from(shape.count);
    let predicate = i
        .operands
        .iter()
        .find(|operand| matches!(operand.kind, Kind::Predicate(_)));
    let source_bytes = match predicate {
        None => None,
        Some(predicate) => match builder.condition(predicate)? {
            Operand::Constant(1) => None,
            holds => Some(builder.select(32, holds, Operand::Constant(bytes.into()), ZERO)),
        },
    };
    let mut form = |space, operation| {
        builder.site(SiteForm {
            text: i.text.to_owned(),
            space,
            operation,
            element: ScalarType::U32,
            bytes,
            ..SiteForm::default()
        })
    };
    let site = form(AddressSpace::Shared, Operation::AsyncCopy);
    let source_site = form(AddressSpace::Global, Operation::Load);
    builder.emit(Op::AsyncCopy {
        destination,
        source,
        bytes: u8::try_from(bytes).map_err(|_| Refused)?,
        source_bytes,
        bypasses_l1: i.has("BYPASS"),
        site,
        source_site,
    });
    Ok(())
}

/// `UBLKCP`, `UBLKRED`, `UTMALDG`, `UTMASTG`: traffic that is no warp's request.
pub(crate) fn bulk(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    // `UBLKCP.S.G` goes to shared memory, `UBLKCP.G.S` comes from there.
    let writes_shared = i.text.contains("UBLKCP.S") || i.text.contains("UTMALDG");
    let site = builder.site(SiteForm {
        text: i.text.to_owned(),
        space: AddressSpace::Shared,
        operation: if writes_shared {
            Operation::Store
        } else {
            Operation::Load
        },
        ..SiteForm::default()
    });
    let addresses = builder.reads(i);
    let bytes = match writes_shared {
        true => None,
        false => stored_bytes(builder, i)?.map(|bytes| once(builder, bytes)),
    };
    builder.emit(Op::BulkAccess {
        addresses,
        dst: Vec::new(),
        site,
        bytes,
    });
    Ok(())
}

/// The bytes that a warp copies by an instruction that it executes once, not each of its lanes: those of one lane.
fn once(builder: &mut Builder<'_>, bytes: Operand) -> Operand {
    let first = builder.value(1, |dst| Op::Elect { dst });
    builder.select(32, first, bytes, ZERO)
}

/// The bytes of a copy to global memory: the operand behind both places has units of 16 (`cp.async.bulk` of 4,096 bytes is
/// 0x100 as nvcc 13 compiles it). Of a tensor's box they are not known: its map is not in the code.
fn stored_bytes(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<Option<Operand>, Refused> {
    if i.name.starts_with("UTMA") {
        return Ok(Some(builder.unknown(32, i.text.to_owned(), Vec::new())));
    }
    let size = i
        .operands
        .iter()
        .find(|operand| matches!(operand.kind, Kind::Register(_) | Kind::Integer(_)));
    let Some(units) = size.map(|size| builder.word(size)).transpose()? else {
        return Ok(None);
    };
    let unit = Operand::Constant(16);
    Ok(Some(builder.binary(
        BinaryOp::Multiply,
        ScalarType::U32,
        units,
        unit,
    )))
}

/// `SYNCS.… [p,] [d,] [address], …`: an operation on a barrier object; a wait finds its phase complete.
pub(crate) fn barrier_object(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let Kind::Memory(sum) = &memory(i, 0)?.kind else {
        return Err(Refused);
    };
    let address = sum_address(builder, sum, false)?;
    let mut done = None;
    let mut state = None;
    for operand in i
        .operands
        .iter()
        .take_while(|operand| !matches!(operand.kind, Kind::Memory(_)))
    {
        match operand.kind {
            Kind::Predicate(_) => done = builder.target(operand)?,
            Kind::Register(name) => state = builder.register(name),
            _ => return Err(Refused),
        }
    }
    let expected_bytes = expected_bytes(builder, i)?;
    builder.emit(Op::ObjectBarrier {
        done,
        state,
        address,
        expected_bytes,
    });
    Ok(())
}

/// The bytes that `SYNCS.ARRIVE.TRANS64` (`mbarrier.arrive.expect_tx`) and its form `.A0TR` (`mbarrier.expect_tx`) expect; with
/// `.A1T0` a thread arrives and expects none.
fn expected_bytes(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<Option<Operand>, Refused> {
    if !i.has("ARRIVE") || !i.has("TRANS64") || i.has("A1T0") {
        return Ok(None);
    }
    let bytes = i
        .operands
        .iter()
        .skip_while(|operand| !matches!(operand.kind, Kind::Memory(_)))
        .nth(1);
    bytes.map(|bytes| builder.word(bytes)).transpose()
}
