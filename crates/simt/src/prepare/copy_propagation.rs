//! Local copy propagation: behind a move the block reads what was moved.
//!
//! The moves themselves are then mostly not needed, and the slice leaves them out.

use lanescope_ir::{Instruction, Kernel, Op, Operand, Register, SlotMut, UnaryOp};

use super::kinds::joins_others;

/// Reads the source of each move where it still holds the same.
pub(crate) fn propagate_copies(kernel: &mut Kernel) {
    let bits = kernel.registers.clone();
    let mut copies = Copies {
        sources: vec![None; bits.len()],
        written: vec![0; bits.len()],
        start: 0,
    };
    let mut here: Place = 0;
    for block in &mut kernel.blocks {
        copies.start = here;
        for instruction in &mut block.instructions {
            // Lanes that join did not execute what stands before.
            if joins_others(&instruction.op) {
                copies.start = here;
            }
            here += 1;
            copies.read_sources(instruction);
            for written in instruction.op.defs() {
                copies.sources[written.index()] = None;
                copies.written[written.index()] = here;
            }
            if let Some((copy, source)) = copied(instruction, &bits) {
                copies.sources[copy.index()] = Some((source, here));
            }
        }
        if let Some(Operand::Register(register)) = block.terminator.operand_mut() {
            *register = copies.source(*register);
        }
    }
}

/// The place of an instruction: of all blocks, one behind another, from 1.
type Place = usize;

/// Which registers hold what others do.
struct Copies {
    /// `[register]`: what it was copied from, and where.
    sources: Vec<Option<(Register, Place)>>,
    /// `[register]`: where it was written last; 0: nowhere yet.
    written: Vec<Place>,
    /// Copies that were made up to here are not known.
    start: Place,
}

impl Copies {
    /// The register to read in the place of one.
    fn source(&self, register: Register) -> Register {
        match self.sources[register.index()] {
            Some((source, at)) if at > self.start && self.written[source.index()] < at => source,
            Some(_) | None => register,
        }
    }

    fn read_sources(&self, instruction: &mut Instruction) {
        instruction.op.visit_mut(&mut |slot| {
            if let SlotMut::Use(Operand::Register(register)) = slot {
                *register = self.source(*register);
            }
        });
        if let Some(guard) = &mut instruction.guard {
            guard.predicate = self.source(guard.predicate);
        }
    }
}

/// The registers of a move that changes nothing: to one of as many bits, all of them moved.
pub(crate) fn copied(instruction: &Instruction, bits: &[u8]) -> Option<(Register, Register)> {
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
