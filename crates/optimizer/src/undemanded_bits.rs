//! Bit-tracking dead-code elimination (LLVM's BDCE): an operand of which no bit is demanded is 0.
//!
//! What a store to a bit field reads of its word to keep the other fields is not needed where those are all stored too:
//! `(old & 0xffff0000) | low`, of which later only the low half is kept, demands nothing of `old`. The load goes with
//! dead-code elimination behind this.
//!
//! An operand is replaced in instructions that only compute; no bit of theirs that anything reads depends on it.

use lanescope_ir::analysis::DemandedBits;
use lanescope_ir::{BinaryOp, BlockId, Instruction, Kernel, Op, Operand, SlotMut};

use crate::dead_code::acts;
use crate::facts::size;
use crate::work::Work;

/// Puts 0 in the place of operands of which nothing is demanded.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    let mut all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    if !all.any(|instruction| masks(&instruction.op)) || !work.spend(2 * size(kernel)) {
        return;
    }
    let needed = |instruction: &Instruction| acts(&instruction.op, &kernel.sites);
    let Some(demanded) = DemandedBits::of(kernel, &needed) else {
        return;
    };
    let mut free: Vec<(BlockId, usize, usize)> = Vec::new();
    for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        demanded.walk(kernel, id, &needed, &mut |at, bits| {
            let instruction = block.instructions.get(at);
            if !instruction.is_some_and(|instruction| instruction.op.is_pure()) {
                return;
            }
            let nothing = bits.iter().enumerate().filter(|(_, bits)| **bits == 0);
            free.extend(nothing.map(|(operand, _)| (id, at, operand)));
        });
    }
    for (id, at, operand) in free {
        let block = kernel.blocks.get_mut(id.index());
        let Some(instruction) = block.and_then(|block| block.instructions.get_mut(at)) else {
            continue;
        };
        let mut place = 0;
        instruction.op.visit_mut(&mut |slot| {
            if let SlotMut::Use(used) = slot {
                if place == operand && used.register().is_some() {
                    *used = Operand::Constant(0);
                }
                place += 1;
            }
        });
    }
}

/// Whether an instruction may demand a part of what it reads alone.
const fn masks(op: &Op) -> bool {
    matches!(
        op,
        Op::Binary {
            op: BinaryOp::And | BinaryOp::Or | BinaryOp::ShiftLeft | BinaryOp::ShiftRight,
            ..
        } | Op::Pack { .. }
    )
}
