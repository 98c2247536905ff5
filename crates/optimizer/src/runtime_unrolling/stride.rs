//! Strides: what an iteration adds to a counter where it is no constant, as in `for (…; i += stride)`.

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{BinaryOp, Kernel, Op, Operand, Register, ScalarType, UnaryOp};

use super::ops;
use crate::code_sinking::is_assembly;
use crate::facts::Facts;
use crate::loop_invariants::is_always;

/// The register that every iteration adds once to a counter, and that the loop does not change.
///
/// The sum must be one of integers with sign, which does not wrap around: that of `i += blockDim.x` is one without, and
/// such a loop is not cut.
pub(super) fn stride(
    kernel: &Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    counter: Operand,
) -> Option<Register> {
    let counter = counter.register()?;
    let sum = match only_write(kernel, facts, one, counter)? {
        Op::Unary {
            op: UnaryOp::Move,
            a: Operand::Register(sum),
            ..
        } => only_write(kernel, facts, one, *sum)?,
        sum => sum,
    };
    let Op::Binary {
        op: BinaryOp::Add,
        ty: ScalarType::I32,
        a: Operand::Register(a),
        b: Operand::Register(b),
        ..
    } = sum
    else {
        return None;
    };
    let stride = match (*a == counter, *b == counter) {
        (true, false) => *b,
        (false, true) => *a,
        (true, true) | (false, false) => return None,
    };
    let is_changed = ops(kernel, one).any(|op| op.defs().contains(&stride));
    (!is_changed).then_some(stride)
}

/// The only write of a register in a loop, where every iteration does it.
fn only_write<'k>(
    kernel: &'k Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    register: Register,
) -> Option<&'k Op> {
    let mut found = None;
    for block in &one.blocks {
        for instruction in &kernel.blocks.get(block.index())?.instructions {
            if !instruction.op.defs().contains(&register) {
                continue;
            }
            if found.is_some() || instruction.guard.is_some() || !is_always(facts, one, *block) {
                return None;
            }
            found = Some(&instruction.op);
        }
    }
    found
}

/// Whether a loop is known to end: nothing in it may wait or trap, as atomics, barriers, volatile accesses and inline
/// assembly may. Of one with a stride LLVM finds the trip count only then.
pub(super) fn is_finite(kernel: &Kernel, natural_loop: &NaturalLoop) -> bool {
    ops(kernel, natural_loop).all(|op| match op {
        Op::Load { site, .. } | Op::Store { site, .. } => kernel
            .sites
            .get(site.index())
            .is_some_and(|site| !site.is_volatile),
        other => other.is_pure() && !is_assembly(other),
    })
}
