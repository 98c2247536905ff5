//! Upward-exposed registers: read in a stretch of instructions before they are written there.
//!
//! The names whose values come into a block from others (Cooper and Torczon, *Engineering a Compiler*, section 9.2.2,
//! `UEVar`). A write under a guard keeps the old value in the other lanes, and so reads it.

use crate::{Guard, Instruction, Kernel, Op, Operand, Register, Slot, Terminator};

/// Collects the registers that stretches read before they write them, as their instructions are passed.
#[derive(Clone, Debug)]
pub struct UpwardExposed {
    is_exposed: Vec<bool>,
    /// By register: the stretch that wrote it last, counted from 1.
    written_in: Vec<usize>,
    stretch: usize,
}

impl UpwardExposed {
    /// The registers that a block of a kernel reads before it writes them, in their order.
    #[must_use]
    pub fn of(kernel: &Kernel) -> Vec<Register> {
        let mut exposed = Self::among(kernel.registers.len());
        for block in &kernel.blocks {
            for Instruction { guard, op, .. } in &block.instructions {
                exposed.pass(*guard, op);
            }
            exposed.end_block(&block.terminator);
        }
        exposed.registers()
    }

    /// None yet, among so many registers.
    #[must_use]
    pub fn among(registers: usize) -> Self {
        Self {
            is_exposed: vec![false; registers],
            written_in: vec![0; registers],
            stretch: 1,
        }
    }

    /// Goes on over an instruction of the stretch.
    pub fn pass(&mut self, guard: Option<Guard>, op: &Op) {
        if let Some(guard) = guard {
            self.read(guard.predicate);
        }
        op.visit(&mut |slot| match slot {
            Slot::Use(Operand::Register(register)) => self.read(*register),
            Slot::Use(Operand::Constant(_)) | Slot::Site(_) => {}
            Slot::Def(register) => {
                if guard.is_some() {
                    self.read(*register);
                }
                if let Some(written) = self.written_in.get_mut(register.index()) {
                    *written = self.stretch;
                }
            }
        });
    }

    /// Ends the stretch: what follows reads what others have written.
    pub const fn end_stretch(&mut self) {
        self.stretch += 1;
    }

    /// Ends the stretch with the end of a block.
    pub fn end_block(&mut self, terminator: &Terminator) {
        if let Some(Operand::Register(register)) = terminator.operand() {
            self.read(register);
        }
        self.end_stretch();
    }

    /// Those found, in their order.
    #[must_use]
    pub fn registers(&self) -> Vec<Register> {
        let all = (0_u32..).map(Register).zip(&self.is_exposed);
        all.filter_map(|(register, is_exposed)| is_exposed.then_some(register))
            .collect()
    }

    fn read(&mut self, register: Register) {
        let is_written = self.written_in.get(register.index()) == Some(&self.stretch);
        if let Some(is_exposed) = self.is_exposed.get_mut(register.index()) {
            *is_exposed |= !is_written;
        }
    }
}
