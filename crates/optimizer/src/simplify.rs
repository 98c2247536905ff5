//! Control-flow simplification: branches on known predicates, blocks that nothing reaches, chains of blocks.
//!
//! Each step keeps the sequence of instructions that every lane executes: a branch on a constant goes where it always went, a
//! block that no way leads to ran never, and a block with one predecessor that has one successor ran right behind it.

use crate::facts::Facts;
use crate::work::Work;
use lanescope_ir::analysis::ControlFlow;
use lanescope_ir::{Block, BlockId, Kernel, Op, Operand, ScalarType, Terminator};

/// Simplifies the control flow.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    fold(kernel, work);
    straighten(kernel);
    drop_unreachable(kernel);
}

/// Branches whose predicate is known become jumps.
fn fold(kernel: &mut Kernel, work: &mut Work) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let mut jumps = Vec::new();
    for block in facts.flow.reverse_postorder() {
        let terminator = kernel
            .blocks
            .get(block.index())
            .map(|block| &block.terminator);
        let Some(Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
            ..
        }) = terminator
        else {
            continue;
        };
        let Some(values) = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, _, _| {})
        else {
            continue;
        };
        let value = values.operand(*predicate, ScalarType::Bool);
        if value.is_known() {
            let is_taken = (value.number & 1 == 1) != *negated;
            jumps.push((*block, if is_taken { *taken } else { *otherwise }));
        } else if taken == otherwise {
            jumps.push((*block, *taken));
        }
    }
    for (block, target) in jumps {
        if let Some(body) = kernel.blocks.get_mut(block.index()) {
            body.terminator = Terminator::Jump(target);
        }
    }
}

/// A block that alone goes to another which nothing else goes to takes its instructions.
fn straighten(kernel: &mut Kernel) {
    let flow = ControlFlow::of(kernel);
    let mut named = vec![0_u32; kernel.blocks.len()];
    let mut name = |block: BlockId| {
        if let Some(one) = named.get_mut(block.index()) {
            *one += 1;
        }
    };
    for (_, block) in &kernel.code_addresses {
        name(*block);
    }
    for (at, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        if !flow.is_reachable(at) {
            continue;
        }
        if let Terminator::Branch {
            join: Some(join), ..
        } = &block.terminator
        {
            name(*join);
        }
        for instruction in &block.instructions {
            if let Op::Arm { join, .. } = &instruction.op {
                name(*join);
            }
        }
    }
    for block in flow.reverse_postorder() {
        while let Some(Terminator::Jump(next)) = kernel
            .blocks
            .get(block.index())
            .map(|block| &block.terminator)
        {
            let next = *next;
            let reachable = |from: &&BlockId| flow.is_reachable(**from);
            let sources = flow.predecessors(next).iter().filter(reachable).count();
            if next == *block || next.0 == 0 || sources != 1 || named.get(next.index()) != Some(&0)
            {
                break;
            }
            let Some(taken) = kernel.blocks.get_mut(next.index()) else {
                break;
            };
            let taken = std::mem::replace(
                taken,
                Block {
                    instructions: Vec::new(),
                    terminator: Terminator::Exit,
                    place: taken.place,
                },
            );
            let Some(body) = kernel.blocks.get_mut(block.index()) else {
                break;
            };
            body.instructions.extend(taken.instructions);
            body.terminator = taken.terminator;
            body.place = taken.place;
        }
    }
}

/// Removes blocks that nothing reaches, and numbers the rest anew.
pub(crate) fn drop_unreachable(kernel: &mut Kernel) {
    let flow = ControlFlow::of(kernel);
    let mut keeps: Vec<bool> = (0..)
        .map(BlockId)
        .take(kernel.blocks.len())
        .map(|block| flow.is_reachable(block))
        .collect();
    let mut keep = |block: BlockId| {
        if let Some(keep) = keeps.get_mut(block.index()) {
            *keep = true;
        }
    };
    for (_, block) in &kernel.code_addresses {
        keep(*block);
    }
    // A join that nothing reaches is no join.
    for (at, block) in (0..).map(BlockId).zip(&mut kernel.blocks) {
        if !flow.is_reachable(at) {
            continue;
        }
        if let Terminator::Branch { join, .. } = &mut block.terminator {
            *join = join.filter(|join| flow.is_reachable(*join));
        }
        for instruction in &block.instructions {
            if let Op::Arm { join, .. } = &instruction.op {
                keep(*join);
            }
        }
    }
    let mut numbers = Vec::with_capacity(keeps.len());
    let mut next = 0;
    for keeps in &keeps {
        numbers.push(BlockId(next));
        next += u32::from(*keeps);
    }
    if next as usize == keeps.len() {
        return;
    }
    let mut at = 0;
    kernel.blocks.retain(|_| {
        at += 1;
        keeps.get(at - 1) == Some(&true)
    });
    let rename = |block: &mut BlockId| {
        if let Some(number) = numbers.get(block.index()) {
            *block = *number;
        }
    };
    for block in &mut kernel.blocks {
        block
            .terminator
            .visit_blocks_mut(&mut |block| rename(block));
        for instruction in &mut block.instructions {
            if let Op::Arm { join, .. } = &mut instruction.op {
                rename(join);
            }
        }
    }
    for (_, block) in &mut kernel.code_addresses {
        rename(block);
    }
    kernel
        .loop_hints
        .retain(|hint| keeps.get(hint.header.index()) == Some(&true));
    for hint in &mut kernel.loop_hints {
        rename(&mut hint.header);
    }
}

/// A predicate that always holds.
pub(crate) const TRUE: Operand = Operand::Constant(1);
