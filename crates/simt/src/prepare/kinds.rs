//! Kinds of instructions that passes ask for.

use lanescope_ir::{Effect, Op};

/// Whether warps wait for others of their block there.
pub(super) const fn waits_for_block(op: &Op) -> bool {
    op.effects().has(Effect::WaitsForBlock)
}

/// Whether the lanes of a split may wait there while others of their warp go on.
pub(super) const fn may_wait(op: &Op) -> bool {
    waits_for_block(op) || op.effects().has(Effect::WaitsForWarp)
}

/// Whether lanes may go on behind an instruction that did not execute those before it: they met at a convergence barrier.
pub(super) const fn joins_others(op: &Op) -> bool {
    matches!(op, Op::Join { .. })
}

/// Whether an instruction computes one register from others alone.
pub(super) const fn is_pure(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Ternary { .. }
            | Op::Lop3 { .. }
            | Op::BitFieldInsert { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert { .. }
            | Op::Pack { .. }
    )
}
