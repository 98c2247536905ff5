//! Order of basic blocks and registers, and removal of what nothing reaches.

use super::Item;
use crate::analysis::Liveness;
use crate::{Block, BlockId, Instruction, Kernel, Op, Operand, Register, SlotMut, Terminator};
use std::collections::BTreeSet;

/// The operations of the entry whose values are read, in their order.
pub(super) fn needed(entry: &[Op], items: &[Item]) -> Vec<Op> {
    let mut read: BTreeSet<Register> = BTreeSet::new();
    for item in items {
        match item {
            Item::Op(instruction) => read.extend(instruction.registers_read()),
            Item::If(operand) | Item::StayIf(operand) => read.extend(operand.register()),
            Item::Else
            | Item::EndIf
            | Item::Scope
            | Item::EndScope
            | Item::Loop
            | Item::Repeat(_)
            | Item::Leave(_)
            | Item::Exit => {}
        }
    }
    let mut kept = Vec::new();
    for op in entry.iter().rev() {
        if op
            .defs()
            .into_iter()
            .any(|register| read.contains(&register))
        {
            read.extend(op.uses().into_iter().filter_map(Operand::register));
            kept.push(op.clone());
        }
    }
    kept.reverse();
    kept
}

/// Removes [`Op::Undefined`] of registers that are written before they are read, whichever way lanes go.
pub(super) fn drop_overwritten(kernel: &mut Kernel) {
    let is_undefined = |instruction: &Instruction| matches!(instruction.op, Op::Undefined { .. });
    let mut instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    if !instructions.any(is_undefined) {
        return;
    }
    let acts = |instruction: &Instruction| !instruction.op.is_pure();
    let live = Liveness::of(kernel, &acts);
    for index in 0..kernel.blocks.len() {
        let at = BlockId(u32::try_from(index).unwrap_or(u32::MAX));
        let mut after = live.before_terminator(kernel, at);
        let Some(block) = kernel.blocks.get_mut(index) else {
            continue;
        };
        let mut kept: Vec<Instruction> = Vec::with_capacity(block.instructions.len());
        for instruction in std::mem::take(&mut block.instructions).into_iter().rev() {
            let is_needed = after.step_back(&instruction, acts(&instruction));
            if is_needed || !is_undefined(&instruction) {
                kept.push(instruction);
            }
        }
        kept.reverse();
        block.instructions = kept;
    }
}

/// Puts blocks in `order`, without those that the entry does not lead to, by branches or as the place where lanes meet.
pub(super) fn order_reachable(kernel: &mut Kernel, order: &[BlockId]) {
    let is_reached = reached(kernel);
    let mut numbers: Vec<Option<BlockId>> = vec![None; kernel.blocks.len()];
    let mut blocks = Vec::new();
    for at in order {
        let is_new = numbers.get(at.index()) == Some(&None);
        let (true, Some(true), Some(block), Some(number)) = (
            is_new,
            is_reached.get(at.index()).copied(),
            kernel.blocks.get_mut(at.index()),
            numbers.get_mut(at.index()),
        ) else {
            continue;
        };
        *number = Some(BlockId(u32::try_from(blocks.len()).unwrap_or(u32::MAX)));
        let place = block.place;
        blocks.push(std::mem::replace(
            block,
            Block {
                instructions: Vec::new(),
                terminator: Terminator::Exit,
                place,
            },
        ));
    }
    let number = |id: BlockId| numbers.get(id.index()).copied().flatten().unwrap_or(id);
    kernel.loop_hints.retain_mut(|hint| {
        let header = numbers.get(hint.header.index()).copied().flatten();
        hint.header = header.unwrap_or(hint.header);
        header.is_some()
    });
    for block in &mut blocks {
        block
            .terminator
            .visit_blocks_mut(&mut |target| *target = number(*target));
        for instruction in &mut block.instructions {
            if let Op::Arm { join, .. } = &mut instruction.op {
                *join = number(*join);
            }
        }
    }
    kernel.blocks = blocks;
}

/// The blocks that the entry leads to.
fn reached(kernel: &Kernel) -> Vec<bool> {
    let mut is_reached = vec![false; kernel.blocks.len()];
    let mut work = vec![BlockId(0)];
    while let Some(at) = work.pop() {
        let Some(block) = kernel.blocks.get(at.index()) else {
            continue;
        };
        match is_reached.get_mut(at.index()) {
            Some(reached) if !*reached => *reached = true,
            _ => continue,
        }
        work.extend(block.terminator.targets());
        if let Terminator::Branch {
            join: Some(join), ..
        } = block.terminator
        {
            work.push(join);
        }
        work.extend(block.instructions.iter().filter_map(|instruction| {
            let Op::Arm { join, .. } = instruction.op else {
                return None;
            };
            Some(join)
        }));
    }
    is_reached
}

/// Numbers registers by where they are first written or read, and drops those that nothing names.
pub(super) fn number_registers(kernel: &mut Kernel) {
    let mut numbers: Vec<Option<Register>> = vec![None; kernel.registers.len()];
    let mut bits = Vec::new();
    let widths = std::mem::take(&mut kernel.registers);
    let mut number = |register: &mut Register| {
        let Some(known) = numbers.get_mut(register.index()) else {
            return;
        };
        *register = *known.get_or_insert_with(|| {
            let next = Register(u32::try_from(bits.len()).unwrap_or(u32::MAX));
            bits.push(widths.get(register.index()).copied().unwrap_or(64));
            next
        });
    };
    for block in &mut kernel.blocks {
        for Instruction { guard, op, .. } in &mut block.instructions {
            if let Some(guard) = guard {
                number(&mut guard.predicate);
            }
            op.visit_mut(&mut |slot| match slot {
                SlotMut::Use(Operand::Register(register)) | SlotMut::Def(register) => {
                    number(register);
                }
                SlotMut::Use(Operand::Constant(_)) | SlotMut::Site(_) => {}
            });
        }
        if let Some(Operand::Register(register)) = block.terminator.operand_mut() {
            number(register);
        }
    }
    kernel.registers = bits;
}
