//! Code sinking: a load whose value only one branch needs is done in that branch, with what is computed from it.
//!
//! As nvcc of CUDA 13 does on an H200 (`loads_sunk`): past arithmetic and other loads, up to the next branch; a store, a
//! barrier or an atomic keeps the load where it is, unless the kernel only reads that memory. It goes on from branch to branch within.
//!
//! Arithmetic of halves is inline assembly (`cuda_fp16.hpp`), which LLVM neither moves nor moves loads past. ptxas then
//! does, but not into what it predicates, and of such arithmetic only what has one operand (105 kernels compiled: 21
//! functions before five shapes of `if`).
//!
//! The value is dead on the other way, and nothing between the old place and the new one may write what the load reads, so
//! that those lanes which need the value read the same; the others make no request.
//!
//! NB: inline assembly in the source keeps loads before a short `if`; here they sink.

use crate::facts::Facts;
use crate::mentions::Mentions;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::{
    BinaryOp, BlockId, Instruction, Kernel, Op, Register, ScalarType, Terminator, UnaryOp,
};
use std::collections::BTreeSet;

/// Branches that a load moves into, one within another.
const DEPTH: usize = 4;
/// Blocks looked at for one value, at most.
const BLOCKS: usize = 2048;
/// Instructions of an `if`'s side that ptxas predicates, at most. Fitted to sides of one store, which it predicates, and
/// of a loop, which it does not.
const PREDICATED: usize = 12;

/// Sinks loads.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    for _ in 0..DEPTH {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let mut moved = false;
        let mut mentions = Mentions::of(kernel);
        for block in facts.flow.reverse_postorder() {
            moved |= sink_from(kernel, &facts, &mut mentions, *block, work, remarks);
        }
        if !moved {
            return;
        }
    }
}

/// Sinks loads from one block, the last first.
fn sink_from(
    kernel: &mut Kernel,
    facts: &Facts,
    mentions: &mut Mentions,
    block: BlockId,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) -> bool {
    let Some(body) = kernel.blocks.get(block.index()) else {
        return false;
    };
    let Terminator::Branch {
        taken, otherwise, ..
    } = body.terminator
    else {
        return false;
    };
    if taken == otherwise {
        return false;
    }
    let mut moved = false;
    let mut is_stopped = false;
    let mut at = body.instructions.len();
    while at > 0 {
        at -= 1;
        let Some(instruction) = kernel
            .blocks
            .get(block.index())
            .and_then(|block| block.instructions.get(at))
        else {
            continue;
        };
        is_stopped |= stops(instruction);
        let Op::Load { site, .. } = instruction.op else {
            continue;
        };
        if !may_move(kernel, instruction, is_stopped) {
            continue;
        }
        if !work.spend(kernel.blocks.len()) {
            return moved;
        }
        if let Some((list, to)) = sinks(kernel, (facts, mentions), block, at, [taken, otherwise]) {
            carry(kernel, block, &list, to);
            mentions.carry(block, to);
            note(remarks, site, RemarkKind::Sunk);
            moved = true;
        }
    }
    moved
}

/// Whether an instruction is a load that may move behind what follows it in its block; `is_stopped` says whether
/// something there writes or waits.
pub(crate) fn may_move(kernel: &Kernel, instruction: &Instruction, is_stopped: bool) -> bool {
    let Op::Load { site, .. } = instruction.op else {
        return false;
    };
    let site = kernel.sites.get(site.index());
    instruction.guard.is_none()
        && site.is_some_and(|site| !site.is_volatile && (site.is_read_only || !is_stopped))
}

/// Whether no load of memory that may be written moves past an instruction.
pub(crate) fn stops(instruction: &Instruction) -> bool {
    let op = &instruction.op;
    !op.is_pure() && !matches!(op, Op::Load { .. } | Op::BoundsCheck { .. })
}

/// What moves with a load, in order, and where to.
fn sinks(
    kernel: &Kernel,
    (facts, mentions): (&Facts, &Mentions),
    block: BlockId,
    load: usize,
    sides: [BlockId; 2],
) -> Option<(Vec<usize>, BlockId)> {
    let instructions = &kernel.blocks.get(block.index())?.instructions;
    let mut list: BTreeSet<usize> = [load].into();
    let mut pending = vec![load];
    let mut side = None;
    while let Some(at) = pending.pop() {
        for register in instructions.get(at)?.op.defs() {
            for (user, index) in uses(kernel, (facts, mentions), (block, at), register)? {
                if user == block && index > at {
                    // Something computed in the block: it moves too, if nothing else keeps it.
                    let instruction = instructions.get(index)?;
                    if !instruction.op.is_pure() || instruction.guard.is_some() {
                        return None;
                    }
                    if list.insert(index) {
                        pending.push(index);
                    }
                    continue;
                }
                let into = sides.into_iter().find(|to| {
                    facts.flow.predecessors(*to) == [block] && facts.dominators.dominates(*to, user)
                })?;
                if *side.get_or_insert(into) != into {
                    return None;
                }
            }
        }
    }
    let to = side?;
    if instructions
        .iter()
        .skip(load)
        .any(|instruction| is_assembly(&instruction.op))
    {
        let stays = |at: &usize| {
            instructions
                .get(*at)
                .is_none_or(|instruction| is_pinned(&instruction.op))
        };
        if is_predicated(kernel, facts, sides, to) || list.iter().any(stays) {
            return None;
        }
    }
    // What moves reads in the end what it read here, and nothing here reads or writes what it wrote.
    let mut read: BTreeSet<Register> = BTreeSet::new();
    let mut written: BTreeSet<Register> = BTreeSet::new();
    for (at, instruction) in instructions.iter().enumerate().skip(load) {
        if list.contains(&at) {
            read.extend(instruction.registers_read());
            written.extend(instruction.op.defs());
        } else {
            let defs = instruction.op.defs();
            if defs
                .iter()
                .any(|register| read.contains(register) || written.contains(register))
            {
                return None;
            }
        }
    }
    Some((list.into_iter().collect(), to))
}

/// Whether an instruction is inline assembly in the headers of halves.
pub(crate) fn is_assembly(op: &Op) -> bool {
    let is_half = |ty: ScalarType| matches!(ty, ScalarType::F16 | ScalarType::BF16);
    if let Op::Convert { from, to, .. } = op {
        return is_half(*from) || is_half(*to);
    }
    matches!(
        op,
        Op::Unary { ty, .. } | Op::Binary { ty, .. } | Op::Ternary { ty, .. } | Op::Compare { ty, .. }
            if is_half(*ty) && !op.is_move()
    )
}

/// Whether ptxas leaves it where it is too: it has two operands, or is made of several instructions.
fn is_pinned(op: &Op) -> bool {
    let is_negation = matches!(
        op,
        Op::Binary { op: BinaryOp::Subtract, a, .. } if a.register().is_none()
    );
    let is_one = is_negation
        || matches!(
            op,
            Op::Unary {
                op: UnaryOp::Negate | UnaryOp::Abs | UnaryOp::Sqrt,
                ..
            } | Op::Convert { .. }
                | Op::Compare { .. }
        );
    is_assembly(op) && !is_one
}

/// Whether a side of an `if` is so short that ptxas predicates it: lanes that do not need it pass through it all the same.
fn is_predicated(kernel: &Kernel, facts: &Facts, sides: [BlockId; 2], to: BlockId) -> bool {
    let Some(block) = kernel.blocks.get(to.index()) else {
        return false;
    };
    let Terminator::Jump(join) = block.terminator else {
        return false;
    };
    let is_exit = kernel.blocks.get(join.index()).is_some_and(|block| {
        block.instructions.is_empty() && matches!(block.terminator, Terminator::Exit)
    });
    let meets = sides
        .into_iter()
        .filter(|side| *side != to)
        .all(|side| side == join || facts.flow.successors(side) == [join]);
    !is_exit && meets && block.instructions.len() <= PREDICATED
}

/// The instructions that may read what `register` is given at `at`, a block's terminator as the index behind its last.
pub(crate) fn uses(
    kernel: &Kernel,
    (facts, mentions): (&Facts, &Mentions),
    (block, at): (BlockId, usize),
    register: Register,
) -> Option<Vec<(BlockId, usize)>> {
    let mut found = Vec::new();
    let mut seen = vec![false; kernel.blocks.len()];
    let mut pending = vec![(block, at + 1)];
    let mut looked = 0;
    while let Some((here, from)) = pending.pop() {
        looked += 1;
        if looked > BLOCKS {
            return None;
        }
        let block = kernel.blocks.get(here.index())?;
        let instructions = match mentions.has(here, register) {
            true => block.instructions.as_slice(),
            false => &[],
        };
        let mut ends = false;
        for (index, instruction) in instructions.iter().enumerate().skip(from) {
            if instruction.reads(register) {
                found.push((here, index));
            }
            if instruction.guard.is_none() && instruction.writes(register) {
                ends = true;
                break;
            }
        }
        if ends {
            continue;
        }
        if block
            .terminator
            .operand()
            .and_then(lanescope_ir::Operand::register)
            == Some(register)
        {
            found.push((here, block.instructions.len()));
        }
        for next in facts.flow.successors(here) {
            if let Some(slot) = seen.get_mut(next.index())
                && !*slot
            {
                *slot = true;
                pending.push((*next, 0));
            }
        }
    }
    Some(found)
}

/// Moves instructions of a block to the beginning of another.
fn carry(kernel: &mut Kernel, block: BlockId, list: &[usize], to: BlockId) {
    let Some(body) = kernel.blocks.get_mut(block.index()) else {
        return;
    };
    let mut taken = Vec::with_capacity(list.len());
    let mut at = 0;
    body.instructions.retain(|instruction| {
        let moves = list.binary_search(&at).is_ok();
        if moves {
            taken.push(instruction.clone());
        }
        at += 1;
        !moves
    });
    if let Some(target) = kernel.blocks.get_mut(to.index()) {
        // A convergence barrier's join stays first.
        let first = target
            .instructions
            .iter()
            .take_while(|instruction| matches!(instruction.op, Op::Join { .. }))
            .count();
        target.instructions.splice(first..first, taken);
    }
}
