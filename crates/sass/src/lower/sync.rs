//! Fences and convergence barriers outside of control flow: `MEMBAR`, `WARPSYNC`, `BMOV`, `UCGABAR`.

use crate::builder::Builder;
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Kind;
use lanescope_ir::{BarrierId, Op, Operand};

/// `MEMBAR`, `FENCE`.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn fence(builder: &mut Builder<'_>, _: &SassInstruction<'_>) -> Result<(), Refused> {
    builder.emit(Op::Fence);
    Ok(())
}

/// `WARPSYNC{.ALL,.COLLECTIVE} {mask}`.
pub(crate) fn warp(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let first = i
        .operands
        .iter()
        .find(|operand| !matches!(operand.kind, Kind::Predicate(_)));
    let mask = match first {
        Some(mask) => builder.word(mask)?,
        None => Operand::Constant(0xffff_ffff),
    };
    builder.emit(Op::WarpSync { mask });
    Ok(())
}

/// A convergence barrier that a listing names.
pub(crate) fn convergence(builder: &mut Builder<'_>, number: u8) -> BarrierId {
    let id = u32::from(number);
    builder.kernel.barriers = builder.kernel.barriers.max(id + 1);
    BarrierId(id)
}

/// `BMOV.32{.CLEAR} d, B` saves a convergence barrier's lanes, `BMOV.32 B, a` restores them.
pub(crate) fn move_barrier(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let (first, second) = (i.operand(0)?, i.operand(1)?);
    match (&first.kind, &second.kind) {
        (Kind::Register(name), Kind::Barrier(number)) => {
            // Saved to no register it is cleared; the `BSSY` that follows arms it anew.
            let Some(dst) = builder.register(*name) else {
                return Ok(());
            };
            let barrier = convergence(builder, *number);
            builder.emit(Op::SaveBarrier { dst, barrier });
        }
        (Kind::Barrier(number), Kind::Register(_)) => {
            let a = builder.word(second)?;
            let barrier = convergence(builder, *number);
            builder.emit(Op::RestoreBarrier { barrier, a });
        }
        _ => return Err(Refused),
    }
    Ok(())
}

/// `UCGABAR_ARV`, `UCGABAR_WAIT`: the cluster's barrier.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn cluster(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let arrive = i.name.ends_with("ARV");
    builder.emit(Op::WideBarrier { arrive });
    Ok(())
}
