//! Writes in place: what is computed only to be moved, as a loop's counter is, is written to where it is moved.

use lanescope_ir::{Instruction, Kernel, Op, Operand, Register, Slot, SlotMut};

use super::kinds::{is_pure, joins_others};
use crate::prepare::copy_propagation::copied;

/// Leaves out moves of what the same block computed for nothing else.
pub(crate) fn write_in_place(kernel: &mut Kernel) {
    let uses = Uses::of(kernel);
    let bits = kernel.registers.clone();
    for block in &mut kernel.blocks {
        let mut kept: Vec<Instruction> = Vec::with_capacity(block.instructions.len());
        for instruction in block.instructions.drain(..) {
            let moved = copied(&instruction, &bits);
            let target = moved.filter(|(_, source)| uses.is_only_moved(*source));
            if let Some((to, source)) = target
                && let Some(writer) = writer(&kept, to, source)
            {
                kept[writer].op.visit_mut(&mut |slot| {
                    if let SlotMut::Def(register) = slot {
                        *register = to;
                    }
                });
            } else {
                kept.push(instruction);
            }
        }
        block.instructions = kept;
    }
}

/// Instructions before a move among which its writer is looked for: a long block takes no longer for each of its moves.
const NEAR: usize = 64;

/// The last instruction that computes `source`, if it is near and nothing behind it touches `to`.
fn writer(before: &[Instruction], to: Register, source: Register) -> Option<usize> {
    for (at, instruction) in before.iter().enumerate().rev().take(NEAR) {
        if instruction.op.defs().contains(&source) {
            return (instruction.guard.is_none() && is_pure(&instruction.op)).then_some(at);
        }
        if joins_others(&instruction.op) || touches(instruction, to) {
            return None;
        }
    }
    None
}

fn touches(instruction: &Instruction, register: Register) -> bool {
    let mut touches = instruction
        .guard
        .is_some_and(|guard| guard.predicate == register);
    instruction.op.visit(&mut |slot| {
        touches |= match slot {
            Slot::Use(operand) => *operand == Operand::Register(register),
            Slot::Def(written) => *written == register,
            Slot::Site(_) => false,
        };
    });
    touches
}

/// `[register]`: how many instructions write it, and how many places read it.
struct Uses(Vec<(u32, u32)>);

impl Uses {
    fn of(kernel: &Kernel) -> Self {
        let mut uses = Self(vec![(0, 0); kernel.registers.len()]);
        for block in &kernel.blocks {
            for instruction in &block.instructions {
                uses.note(&instruction.op);
                if let Some(guard) = instruction.guard {
                    uses.0[guard.predicate.index()].1 += 1;
                }
            }
            if let Some(read) = block.terminator.operand().and_then(Operand::register) {
                uses.0[read.index()].1 += 1;
            }
        }
        uses
    }

    fn note(&mut self, op: &Op) {
        op.visit(&mut |slot| match slot {
            Slot::Use(operand) => {
                if let Some(read) = operand.register() {
                    self.0[read.index()].1 += 1;
                }
            }
            Slot::Def(written) => self.0[written.index()].0 += 1,
            Slot::Site(_) => {}
        });
    }

    fn is_only_moved(&self, register: Register) -> bool {
        self.0[register.index()] == (1, 1)
    }
}
