//! Operands of which no bit matters, replaced by zero: the half of a word that a byte permutation or an insertion keeps
//! but nobody reads would make unknown what is known.

use lanescope_ir::analysis::DemandedBits;
use lanescope_ir::{BlockId, Instruction, Kernel, Op, Operand, SlotMut, TernaryOp};

/// Replaces registers that the kernel's byte permutations and insertions read in vain.
pub(crate) fn clear_undemanded(kernel: &mut Kernel) {
    let mut instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    if !instructions.any(|instruction| merges(&instruction.op)) {
        return;
    }
    let acts = |instruction: &Instruction| instruction.op.shapes_requests();
    let Some(demanded) = DemandedBits::of(kernel, &acts) else {
        return;
    };
    let mut vain: Vec<(usize, usize, usize)> = Vec::new();
    for (number, id) in (0..kernel.blocks.len()).zip((0..).map(BlockId)) {
        demanded.walk(kernel, id, &acts, &mut |place, of_operands| {
            let none = of_operands
                .iter()
                .enumerate()
                .filter(|(_, bits)| **bits == 0);
            vain.extend(none.map(|(operand, _)| (number, place, operand)));
        });
    }
    for (block, place, operand) in vain {
        let blocks = kernel.blocks.get_mut(block);
        let instruction = blocks.and_then(|block| block.instructions.get_mut(place));
        if let Some(instruction) = instruction.filter(|instruction| merges(&instruction.op)) {
            clear(&mut instruction.op, operand);
        }
    }
}

/// Whether an instruction puts a part of one register beside a part of another.
const fn merges(op: &Op) -> bool {
    matches!(
        op,
        Op::BitFieldInsert { .. }
            | Op::Ternary {
                op: TernaryOp::BytePermute,
                ..
            }
    )
}

/// Makes an operand, by its place among those read, zero.
fn clear(op: &mut Op, operand: usize) {
    let mut at = 0;
    op.visit_mut(&mut |slot| {
        if let SlotMut::Use(one) = slot {
            if at == operand && one.register().is_some() {
                *one = Operand::Constant(0);
            }
            at += 1;
        }
    });
}
