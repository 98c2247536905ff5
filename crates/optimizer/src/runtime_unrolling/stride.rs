//! Strides: what an iteration adds to a counter where it is no constant, as in `for (…; i += stride)`.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{BinaryOp, BlockId, Kernel, Op, Operand, Register, ScalarType, UnaryOp};

use super::ops;
use crate::code_sinking::is_assembly;
use crate::facts::{Facts, size};
use crate::loop_invariants::is_always;
use crate::work::Work;

/// The register that every iteration adds once to a counter, and that the loop does not change.
///
/// The sum must be one of integers with sign, which does not wrap around: that of `i += blockDim.x` is one without, and
/// such a loop is not cut.
pub(super) fn stride(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    counter: Operand,
) -> Option<Register> {
    let counter = counter.register()?;
    let mut sum = only_write(kernel, facts, natural_loop, counter)?;
    if let Op::Unary {
        op: UnaryOp::Move,
        a: Operand::Register(moved),
        ..
    } = sum
    {
        sum = only_write(kernel, facts, natural_loop, *moved)?;
    }
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
    let is_changed = ops(kernel, natural_loop).any(|op| op.defs().contains(&stride));
    (!is_changed).then_some(stride)
}

/// Moves what strides are made of before their loops, where the loops do not change it (LLVM's LICM): `i += m + 9` adds a
/// register.
pub(super) fn hoist(kernel: &mut Kernel, work: &mut Work) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    for natural_loop in facts.loops.all() {
        let mut outside = facts.flow.predecessors(natural_loop.header).iter();
        let mut outside = outside
            .by_ref()
            .filter(|from| !natural_loop.contains(**from));
        let (Some(before), None) = (outside.next(), outside.next()) else {
            continue;
        };
        while work.spend(size(kernel))
            && let Some((block, at)) = made_in(kernel, natural_loop)
        {
            let from = kernel.blocks.get_mut(block.index());
            let Some(moved) = from.map(|block| block.instructions.remove(at)) else {
                return;
            };
            if let Some(before) = kernel.blocks.get_mut(before.index()) {
                before.instructions.push(moved);
            }
        }
    }
}

/// Arithmetic of what a loop does not change, whose only use in it is that a sum of integers with sign adds it to a
/// register that the loop moves.
fn made_in(kernel: &Kernel, natural_loop: &NaturalLoop) -> Option<(BlockId, usize)> {
    let changed: BTreeSet<Register> = ops(kernel, natural_loop).flat_map(|op| op.defs()).collect();
    let mut added = BTreeSet::new();
    for op in ops(kernel, natural_loop) {
        if let Op::Binary {
            op: BinaryOp::Add,
            ty: ScalarType::I32,
            a: Operand::Register(a),
            b: Operand::Register(b),
            ..
        } = op
        {
            added.extend(changed.contains(b).then_some(*a));
            added.extend(changed.contains(a).then_some(*b));
        }
    }
    let mut written: BTreeMap<Register, u32> = BTreeMap::new();
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    for register in all.flat_map(|instruction| instruction.op.defs()) {
        if added.contains(&register) {
            *written.entry(register).or_default() += 1;
        }
    }
    natural_loop.blocks.iter().find_map(|id| {
        let instructions = &kernel.blocks.get(id.index())?.instructions;
        let found = instructions.iter().position(|instruction| {
            let Op::Binary {
                ty: ScalarType::I32,
                dst,
                ..
            } = instruction.op
            else {
                return false;
            };
            let mut read = instruction.registers_read().into_iter();
            instruction.guard.is_none()
                && read.all(|register| !changed.contains(&register))
                && added.contains(&dst)
                && written.get(&dst) == Some(&1)
        });
        Some((*id, found?))
    })
}

/// The only write of a register in a loop, where every iteration does it.
fn only_write<'k>(
    kernel: &'k Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    register: Register,
) -> Option<&'k Op> {
    let mut found = None;
    for block in &natural_loop.blocks {
        for instruction in &kernel.blocks.get(block.index())?.instructions {
            if !instruction.op.defs().contains(&register) {
                continue;
            }
            if found.is_some()
                || instruction.guard.is_some()
                || !is_always(facts, natural_loop, *block)
            {
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
    ops(kernel, natural_loop).all(|op| {
        op.plain_access().map_or_else(
            || op.is_pure() && !is_assembly(op),
            |access| {
                let site = kernel.sites.get(access.site.index());
                site.is_some_and(|site| !site.is_volatile)
            },
        )
    })
}
