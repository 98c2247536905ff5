//! Code sinking into a loop's guard: a load whose value only a loop needs is done behind the test that the turned loop
//! makes before its first iteration, so that a warp without an iteration does not load.
//!
//! As nvcc of CUDA 13 compiles 55 kernels of ours for CC 9.0: of any loop whose header tests and does nothing else, other
//! exits or not; past arithmetic and other loads, and past stores, barriers and atomics too where the load is of memory
//! that a kernel only reads. The load does not go into a deeper loop, nor where the test or anything behind the loop
//! needs its value.
//!
//! The value is dead on the way past the loop, and the load's address depends on nothing between its old place and the new
//! one; no store there may alias it unless its memory is only read.

use crate::code_sinking::{may_move, stops, uses};
use crate::facts::Facts;
use crate::loop_invariants::{enter, guard, precede};
use crate::mentions::Mentions;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{BlockId, Kernel, Op, Register, Terminator};
use std::collections::BTreeSet;

/// Loops that get a guard in one kernel, at most.
const LOOPS: usize = 64;

/// Sinks loads behind the guards of loops.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    for _ in 0..LOOPS {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let mentions = Mentions::of(kernel);
        let found = facts.loops.all().iter().find_map(|natural_loop| {
            let before = preheader(kernel, &facts, natural_loop)?;
            let moved = sinkable(kernel, (&facts, &mentions), natural_loop, before, work);
            (!moved.is_empty()).then(|| (natural_loop.clone(), before, moved))
        });
        let Some((natural_loop, before, moved)) = found else {
            return;
        };
        sink(kernel, &natural_loop, before, &moved, remarks);
    }
}

/// The one block that comes to a loop from outside, where the loop's header is a test that can be made once more.
fn preheader(kernel: &Kernel, facts: &Facts, natural_loop: &NaturalLoop) -> Option<BlockId> {
    let header = kernel.blocks.get(natural_loop.header.index())?;
    let Terminator::Branch {
        taken, otherwise, ..
    } = header.terminator
    else {
        return None;
    };
    let is_test = header.instructions.iter().all(|instruction| {
        instruction.guard.is_none()
            && (instruction.op.is_pure() || matches!(instruction.op, Op::BoundsCheck { .. }))
    });
    if !is_test || natural_loop.contains(taken) == natural_loop.contains(otherwise) {
        return None;
    }
    let mut outside = facts
        .flow
        .predecessors(natural_loop.header)
        .iter()
        .filter(|block| !natural_loop.contains(**block));
    let before = *outside.next()?;
    let is_alone = outside.next().is_none()
        && matches!(
            kernel.blocks.get(before.index())?.terminator,
            Terminator::Jump(_)
        );
    is_alone.then_some(before)
}

/// The instructions before a loop that can be done behind its guard: loads, and what is computed from them.
fn sinkable(
    kernel: &Kernel,
    looked_at: (&Facts, &Mentions),
    natural_loop: &NaturalLoop,
    before: BlockId,
    work: &mut Work,
) -> BTreeSet<usize> {
    let mut moved = BTreeSet::new();
    let Some(block) = kernel.blocks.get(before.index()) else {
        return moved;
    };
    let mut is_stopped = false;
    for (at, instruction) in block.instructions.iter().enumerate().rev() {
        is_stopped |= stops(instruction);
        if !may_move(kernel, instruction, is_stopped) {
            continue;
        }
        if !work.spend(kernel.blocks.len()) {
            return moved;
        }
        if let Some(list) = with_users(kernel, looked_at, natural_loop, (before, at), &moved) {
            moved.extend(list);
        }
    }
    moved
}

/// A load and what is computed from it before the loop, where all of that is needed in the loop's iterations alone.
fn with_users(
    kernel: &Kernel,
    looked_at: (&Facts, &Mentions),
    natural_loop: &NaturalLoop,
    (before, load): (BlockId, usize),
    moved: &BTreeSet<usize>,
) -> Option<BTreeSet<usize>> {
    let instructions = &kernel.blocks.get(before.index())?.instructions;
    let mut list: BTreeSet<usize> = [load].into();
    let mut pending = vec![load];
    while let Some(at) = pending.pop() {
        for register in instructions.get(at)?.op.defs() {
            for (user, index) in uses(kernel, looked_at, (before, at), register)? {
                if user == before {
                    let instruction = instructions.get(index).filter(|_| index > at)?;
                    if !moved.contains(&index)
                        && (!instruction.op.is_pure() || instruction.guard.is_some())
                    {
                        return None;
                    }
                    if !moved.contains(&index) && list.insert(index) {
                        pending.push(index);
                    }
                } else if user == natural_loop.header || !natural_loop.contains(user) {
                    return None;
                }
            }
        }
    }
    keeps_values(kernel, before, load, &list, moved).then_some(list)
}

/// Whether what moves reads behind the block what it read in it, and what stays neither reads nor writes what it wrote.
fn keeps_values(
    kernel: &Kernel,
    before: BlockId,
    load: usize,
    list: &BTreeSet<usize>,
    moved: &BTreeSet<usize>,
) -> bool {
    let Some(block) = kernel.blocks.get(before.index()) else {
        return false;
    };
    let mut held: BTreeSet<Register> = BTreeSet::new();
    for (at, instruction) in block.instructions.iter().enumerate().skip(load) {
        if list.contains(&at) {
            held.extend(instruction.registers_read());
            held.extend(instruction.op.defs());
        } else if !moved.contains(&at)
            && instruction
                .op
                .defs()
                .iter()
                .any(|register| held.contains(register))
        {
            return false;
        }
    }
    true
}

/// Gives the loop a guard and moves instructions of the block before it behind that.
fn sink(
    kernel: &mut Kernel,
    natural_loop: &NaturalLoop,
    before: BlockId,
    moved: &BTreeSet<usize>,
    remarks: &mut Vec<Remark>,
) {
    let Some(header) = kernel.blocks.get(natural_loop.header.index()).cloned() else {
        return;
    };
    let place = header.place;
    let number = |more: usize| {
        let at = kernel.blocks.len() + more;
        BlockId(u32::try_from(at).unwrap_or(u32::MAX))
    };
    let (test, inside) = (number(0), number(1));
    let (tested, terminator) = guard(kernel, natural_loop, &header, inside);
    let mut sunk = Vec::with_capacity(moved.len());
    if let Some(block) = kernel.blocks.get_mut(before.index()) {
        let old = std::mem::take(&mut block.instructions);
        for (at, instruction) in old.into_iter().enumerate() {
            if moved.contains(&at) {
                sunk.push(instruction);
            } else {
                block.instructions.push(instruction);
            }
        }
    }
    for site in sunk.iter().flat_map(|instruction| instruction.op.sites()) {
        note(remarks, site, RemarkKind::Sunk);
    }
    enter(kernel, natural_loop, test);
    precede(kernel, natural_loop, (tested, terminator), sunk, place);
}
