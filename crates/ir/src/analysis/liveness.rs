//! Strongly live variables: the registers whose values something needs later, by block.
//!
//! A register is strongly live where a later instruction reads it that acts itself or writes a strongly live register
//! (Nielson, Nielson and Hankin, *Principles of Program Analysis*, section 2.1). A value that only dead instructions
//! read is therefore dead too, and so is one that is overwritten before it is read.

use super::ControlFlow;
use crate::{BlockId, Instruction, Kernel, Operand, Register};

/// A set of registers, a bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(Vec<u64>);

impl RegisterSet {
    fn empty(registers: usize) -> Self {
        Self(vec![0; registers.div_ceil(64)])
    }

    /// Takes all registers out of it, and makes room for so many.
    pub fn reset(&mut self, registers: usize) {
        self.0.clear();
        self.0.resize(registers.div_ceil(64), 0);
    }

    /// Whether a register is in it.
    #[must_use]
    pub fn contains(&self, register: Register) -> bool {
        let index = register.index();
        self.0
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// The registers in it, in their order.
    pub fn iter(&self) -> impl Iterator<Item = Register> {
        let words = (0_u32..).zip(&self.0);
        words.flat_map(|(number, word)| {
            let bits = (0..64_u32).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| Register(number * 64 + bit))
        })
    }

    fn insert(&mut self, register: Register) {
        let index = register.index();
        if let Some(word) = self.0.get_mut(index / 64) {
            *word |= 1 << (index % 64);
        }
    }

    fn remove(&mut self, register: Register) {
        let index = register.index();
        if let Some(word) = self.0.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    /// Adds the other's registers, as far as there is room; returns whether there are more now.
    pub fn unite(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grew |= *more & !*word != 0;
            *word |= more;
        }
        grew
    }

    /// Goes back over an instruction, from the registers live behind it to those live before it. Returns whether it is
    /// needed: it acts, or it writes a live register.
    pub fn step_back(&mut self, instruction: &Instruction, acts: bool) -> bool {
        let defs = instruction.op.defs();
        if !acts && !defs.iter().any(|register| self.contains(*register)) {
            return false;
        }
        // Lanes whose guard is false keep the old value.
        if instruction.guard.is_none() {
            defs.iter().for_each(|register| self.remove(*register));
        }
        let read = instruction.registers_read();
        read.into_iter().for_each(|register| self.insert(register));
        true
    }
}

/// The registers that are strongly live at the end of each block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Liveness {
    live_out: Vec<RegisterSet>,
}

impl Liveness {
    /// Solves the backward data-flow equations. `acts` says which instructions do more than write registers.
    #[must_use]
    pub fn of(kernel: &Kernel, acts: &dyn Fn(&Instruction) -> bool) -> Self {
        let flow = ControlFlow::of(kernel);
        let empty = RegisterSet::empty(kernel.registers.len());
        let mut liveness = Self {
            live_out: vec![empty; kernel.blocks.len()],
        };
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for block in flow.reverse_postorder().iter().rev() {
                let live_in = liveness.at_start(kernel, *block, acts);
                for before in flow.predecessors(*block) {
                    if let Some(out) = liveness.live_out.get_mut(before.index()) {
                        changed |= out.unite(&live_in);
                    }
                }
            }
        }
        liveness
    }

    /// The registers live behind the last instruction of a block, before its terminator's operand is read; none for a
    /// block that the kernel lacks.
    #[must_use]
    pub fn before_terminator(&self, kernel: &Kernel, block: BlockId) -> RegisterSet {
        let mut live = self
            .live_out
            .get(block.index())
            .cloned()
            .unwrap_or_default();
        let decides = kernel.blocks.get(block.index());
        if let Some(Operand::Register(register)) =
            decides.and_then(|block| block.terminator.operand())
        {
            live.insert(register);
        }
        live
    }

    /// The registers live before the first instruction of a block.
    #[must_use]
    pub fn at_start(
        &self,
        kernel: &Kernel,
        block: BlockId,
        acts: &dyn Fn(&Instruction) -> bool,
    ) -> RegisterSet {
        let mut live = self.before_terminator(kernel, block);
        let instructions = kernel.blocks.get(block.index());
        for instruction in instructions
            .iter()
            .flat_map(|block| block.instructions.iter().rev())
        {
            live.step_back(instruction, acts(instruction));
        }
        live
    }
}
