//! Full loop unrolling: a loop whose trip count is known as it begins is written out.
//!
//! The trip count is found by abstract interpretation of the loop: its blocks are run on what is known before it, and
//! where a branch that stays in the loop is not known, what it may write is forgotten. So counters that are halved or
//! doubled are followed as well as affine ones.

use crate::facts::Facts;
use crate::profile::Thresholds;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::{NaturalLoop, Value, Values};
use lanescope_ir::{BlockId, Kernel, LoopHint, Op, Operand, Register, ScalarType, Terminator};
use std::collections::BTreeSet;

/// Loops that are unrolled in one kernel, at most.
const LOOPS: usize = 256;
/// Blocks that are run to find a trip count, at most.
const STEPS: usize = 8192;

/// Work that finding a trip count takes for each block of a loop: that of a few dozen iterations.
const LOOK: usize = 64;

/// Unrolls all loops with a known trip count, inner ones first.
pub(crate) fn run(
    kernel: &mut Kernel,
    thresholds: Thresholds,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    for _ in 0..LOOPS {
        if !unroll_one(kernel, thresholds, work, remarks) {
            return;
        }
        crate::simplify::run(kernel, work);
    }
}

fn unroll_one(
    kernel: &mut Kernel,
    thresholds: Thresholds,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) -> bool {
    let Some(facts) = Facts::of(kernel, work) else {
        return false;
    };
    // Inner loops stand behind outer ones.
    for index in (0..facts.loops.all().len()).rev() {
        let Some(one) = facts.loops.get(index) else {
            continue;
        };
        let asked = hint(kernel, one.header);
        if asked == Some(1) {
            continue;
        }
        if !work.spend(LOOK * one.blocks.len()) {
            return false;
        }
        let most = match asked {
            Some(asked) => asked.min(thresholds.asked_instructions.value),
            None => thresholds.unrolled_iterations.value,
        };
        let Some(trips) = trip_count(kernel, &facts, one, most) else {
            continue;
        };
        let size = size(kernel, &facts, index, one);
        let limit = match asked {
            Some(asked) if asked >= trips => thresholds.asked_instructions,
            Some(_) => continue,
            None => thresholds.unrolled_instructions,
        };
        if size.saturating_mul(trips as usize) > limit.value as usize {
            continue;
        }
        let sites: Vec<_> = one
            .blocks
            .iter()
            .filter_map(|block| kernel.blocks.get(block.index()))
            .flat_map(|block| block.instructions.iter().flat_map(|one| one.op.sites()))
            .collect();
        write_out(kernel, one, trips);
        if trips > 1 {
            for site in sites {
                note(remarks, site, RemarkKind::Unrolled { times: trips });
            }
        }
        return true;
    }
    false
}

/// What the source asks of a loop.
pub(crate) fn hint(kernel: &Kernel, header: BlockId) -> Option<u32> {
    let mut hints = kernel.loop_hints.iter();
    hints
        .find(|hint| hint.header == header)
        .map(|hint| hint.unroll)
}

/// About how many instructions a compiler makes of an iteration: what the loop does not change stands before it, and
/// the same arithmetic is done once.
fn size(kernel: &Kernel, facts: &Facts, index: usize, one: &NaturalLoop) -> usize {
    let mut seen = BTreeSet::new();
    let mut size = 0;
    for block in &one.blocks {
        let mut last: Option<Register> = None;
        let mut settle = |last: Option<Register>, values: &Values<'_>| {
            let Some(register) = last else { return };
            let value = values.register(register);
            let scope = usize::try_from(value.scope).unwrap_or(usize::MAX);
            let moves = scope
                .checked_sub(1)
                .is_some_and(|scope| facts.loops.is_within(scope, index));
            size += usize::from(moves && seen.insert(value.number));
        };
        let mut others = 0;
        let behind = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, instruction, values| {
                settle(last.take(), values);
                let op = &instruction.op;
                if !counts(op) {
                    return;
                }
                match op.defs().as_slice() {
                    [def] if op.is_pure() => last = Some(*def),
                    _ => others += 1,
                }
            });
        if let Some(values) = behind {
            settle(last.take(), &values);
        }
        size += others;
    }
    size
}

/// Whether a compiler makes an instruction of it.
fn counts(op: &Op) -> bool {
    !matches!(
        op,
        Op::Unary {
            op: lanescope_ir::UnaryOp::Move,
            ..
        } | Op::Convert { .. }
            | Op::BoundsCheck { .. }
            | Op::Special { .. }
    )
}

/// How often the loop goes back to its header before it is left, if that is known as it begins.
fn trip_count(kernel: &Kernel, facts: &Facts, one: &NaturalLoop, most: u32) -> Option<u32> {
    let mut outer = facts
        .flow
        .predecessors(one.header)
        .iter()
        .filter(|from| !one.contains(**from) && facts.flow.is_reachable(**from));
    let (before, None) = (outer.next()?, outer.next()) else {
        return None;
    };
    let mut values = facts
        .numbers
        .walk(kernel, *before, &facts.loops, |_, _, _| {})?;
    let mut block = one.header;
    let mut trips = 0;
    for step in 0..STEPS {
        if step > 0 && block == one.header {
            trips += 1;
            if trips > most {
                return None;
            }
        }
        if !one.contains(block) {
            // A loop that goes back once at least; a header that is left at once is no loop at all.
            return Some(trips);
        }
        values.run(block, &facts.loops, |_, _, _| {});
        block = match &kernel.blocks.get(block.index())?.terminator {
            Terminator::Jump(next) => *next,
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
                ..
            } => match known(&values, *predicate) {
                Some(holds) if holds != *negated => *taken,
                Some(_) => *otherwise,
                None => {
                    let join = facts.post_dominators.immediate(block)?;
                    let inside = |block: BlockId| one.contains(block);
                    if !inside(join) || join == one.header && block == one.header {
                        return None;
                    }
                    forget(kernel, facts, block, join, &mut values, one)?;
                    join
                }
            },
            Terminator::Switch { .. } | Terminator::Indirect { .. } | Terminator::Exit => {
                return None;
            }
        };
    }
    None
}

fn known(values: &Values<'_>, predicate: Operand) -> Option<bool> {
    let value = values.operand(predicate, ScalarType::Bool);
    value.is_known().then_some(value.number & 1 == 1)
}

/// Forgets what the blocks between a branch and its join write; `None` where one leaves the loop.
fn forget(
    kernel: &Kernel,
    facts: &Facts,
    block: BlockId,
    join: BlockId,
    values: &mut Values<'_>,
    one: &NaturalLoop,
) -> Option<()> {
    let reached = facts.flow.reachable_from(block, Some(join));
    for (at, _) in (0..)
        .map(BlockId)
        .zip(&reached)
        .filter(|(_, reached)| **reached)
    {
        if !one.contains(at) || at == one.header {
            return None;
        }
        for instruction in &kernel.blocks.get(at.index())?.instructions {
            for register in instruction.op.defs() {
                values.set(register, Value::unknown(u64::from(at.0), 0));
            }
        }
    }
    Some(())
}

/// Copies a loop's blocks for each trip, and once more for the way out.
fn write_out(kernel: &mut Kernel, one: &NaturalLoop, trips: u32) {
    let count = one.blocks.len();
    let first = kernel.blocks.len();
    let number = |block: BlockId, copy: usize| -> Option<BlockId> {
        let at = one.blocks.binary_search(&block).ok()?;
        u32::try_from(first + copy * count + at).ok().map(BlockId)
    };
    let copies = trips as usize + 1;
    let mut added = Vec::with_capacity(copies * count);
    for copy in 0..copies {
        for block in &one.blocks {
            let Some(mut new) = kernel.blocks.get(block.index()).cloned() else {
                return;
            };
            let rename = |target: &mut BlockId, is_join: bool| {
                let next = *target == one.header && (!is_join || *block != one.header);
                let copy = if next { copy + 1 } else { copy };
                if copy == copies {
                    // The last copy is left before it gets here.
                    return;
                }
                if let Some(number) = number(*target, copy) {
                    *target = number;
                }
            };
            new.terminator
                .visit_blocks_mut(&mut |target| rename(target, false));
            for instruction in &mut new.instructions {
                if let Op::Arm { join, .. } = &mut instruction.op {
                    rename(join, true);
                }
            }
            added.push(new);
        }
    }
    kernel.blocks.extend(added);
    let inner: Vec<LoopHint> = kernel
        .loop_hints
        .iter()
        .filter(|hint| hint.header != one.header && one.contains(hint.header))
        .copied()
        .collect();
    for copy in 0..copies {
        kernel.loop_hints.extend(inner.iter().filter_map(|hint| {
            Some(LoopHint {
                header: number(hint.header, copy)?,
                ..*hint
            })
        }));
    }
    let Some(begin) = number(one.header, 0) else {
        return;
    };
    let outside: Vec<usize> = (0..first)
        .filter(|at| u32::try_from(*at).is_ok_and(|at| !one.contains(BlockId(at))))
        .collect();
    for at in outside {
        if let Some(block) = kernel.blocks.get_mut(at) {
            block.terminator.visit_blocks_mut(&mut |target| {
                if *target == one.header {
                    *target = begin;
                }
            });
        }
    }
}
