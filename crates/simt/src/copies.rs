//! Local copy propagation: behind a move the block reads what was moved.
//!
//! The moves themselves are then mostly not needed, and the slice leaves them out.

use lanescope_ir::{Instruction, Kernel, Op, Operand, Register, SlotMut, UnaryOp};

use crate::program::joins_others;

/// Reads the source of each move where it still holds the same.
pub(crate) fn propagate_copies(kernel: &mut Kernel) {
    let bits = kernel.registers.clone();
    // `[register]`: what it is a copy of.
    let mut sources: Vec<Option<Register>> = vec![None; bits.len()];
    let mut copies: Vec<Register> = Vec::new();
    for block in &mut kernel.blocks {
        for instruction in &mut block.instructions {
            // Lanes that join did not execute what stands before.
            if joins_others(&instruction.op) {
                forget_all(&mut sources, &mut copies);
            }
            read_sources(instruction, &sources);
            for written in instruction.op.defs() {
                forget(&mut sources, &mut copies, written);
            }
            if let Some((copy, source)) = copied(instruction, &bits) {
                sources[copy.index()] = Some(source);
                copies.push(copy);
            }
        }
        if let Some(Operand::Register(register)) = block.terminator.operand_mut() {
            *register = sources[register.index()].unwrap_or(*register);
        }
        forget_all(&mut sources, &mut copies);
    }
}

fn forget_all(sources: &mut [Option<Register>], copies: &mut Vec<Register>) {
    for copy in copies.drain(..) {
        sources[copy.index()] = None;
    }
}

/// A register that is written is a copy no more, and has none.
fn forget(sources: &mut [Option<Register>], copies: &mut Vec<Register>, written: Register) {
    copies.retain(|copy| {
        let is_kept = *copy != written && sources[copy.index()] != Some(written);
        if !is_kept {
            sources[copy.index()] = None;
        }
        is_kept
    });
}

fn read_sources(instruction: &mut Instruction, sources: &[Option<Register>]) {
    instruction.op.visit_mut(&mut |slot| {
        if let SlotMut::Use(Operand::Register(register)) = slot {
            *register = sources[register.index()].unwrap_or(*register);
        }
    });
    if let Some(guard) = &mut instruction.guard {
        let predicate = guard.predicate;
        guard.predicate = sources[predicate.index()].unwrap_or(predicate);
    }
}

/// The registers of a move that changes nothing: to one of as many bits, all of them moved.
fn copied(instruction: &Instruction, bits: &[u8]) -> Option<(Register, Register)> {
    let Op::Unary {
        op: UnaryOp::Move,
        ty,
        dst,
        a: Operand::Register(source),
    } = instruction.op
    else {
        return None;
    };
    let (to, from) = (bits[dst.index()], bits[source.index()]);
    let is_whole = to == from && u32::from(to) == ty.bits();
    (instruction.guard.is_none() && is_whole && dst != source).then_some((dst, source))
}
