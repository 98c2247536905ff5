//! Local common-subexpression elimination: what a basic block computes twice of the same values is computed once.
//!
//! Only registers take part that one instruction writes. Two that the same block gives the same value then hold it
//! wherever they are read, but between the two instructions, where the second one holds what an earlier iteration left.

use lanescope_ir::{
    Block, Instruction, Kernel, Op, Operand, Origin, Register, Slot, SlotMut, SpecialRegister,
};
use std::collections::HashMap;

use super::kinds::{is_pure, joins_others};

/// Leaves out what a block computes again; who reads that reads the first one.
pub(crate) fn share_common(kernel: &mut Kernel) {
    let mut sharing = Sharing::of(kernel);
    let mut blocks = std::mem::take(&mut kernel.blocks);
    for block in &mut blocks {
        sharing.share(block, &kernel.registers);
    }
    if sharing.any {
        blocks.iter_mut().for_each(|block| sharing.rename(block));
    }
    kernel.blocks = blocks;
}

/// The place of an instruction: of all blocks, one behind another, from 1.
type Place = usize;

/// What is known of each register while blocks are walked.
struct Sharing {
    /// `[register]`: how many instructions write it.
    writes: Vec<u32>,
    /// `[register]`: the one that is read in its stead.
    names: Vec<Register>,
    /// `[register]`: where it was read last, and written; 0: nowhere yet.
    read: Vec<Place>,
    written: Vec<Place>,
    here: Place,
    any: bool,
}

/// What an instruction computes, with no register to write.
type Key = (std::mem::Discriminant<Op>, [Operand; 2]);

impl Sharing {
    fn of(kernel: &Kernel) -> Self {
        let count = kernel.registers.len();
        let mut writes = vec![0_u32; count];
        let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            for register in instruction.op.defs() {
                writes[register.index()] += 1;
            }
        }
        Self {
            writes,
            names: (0..).map(Register).take(count).collect(),
            read: vec![0; count],
            written: vec![0; count],
            here: 0,
            any: false,
        }
    }

    /// Shares what one block computes.
    fn share(&mut self, block: &mut Block, bits: &[u8]) {
        let mut start = self.here;
        let mut found: HashMap<Key, Vec<(Op, Register, Place)>> = HashMap::new();
        block.instructions.retain_mut(|instruction| {
            self.here += 1;
            self.rename_one(instruction);
            self.note_reads(instruction);
            if joins_others(&instruction.op) {
                start = self.here;
                found.clear();
            }
            let Some((key, op, dst)) = self.candidate(instruction, start) else {
                self.note_writes(instruction);
                return true;
            };
            let alike = found.entry(key).or_default();
            let fits = |(first, register, place): &&(Op, Register, Place)| {
                *first == op
                    && bits[register.index()] == bits[dst.index()]
                    && self.is_unchanged(&op, *place)
            };
            if let Some((_, first, _)) = alike.iter().find(fits) {
                self.names[dst.index()] = *first;
                self.any = true;
                return false;
            }
            alike.push((op, dst, self.here));
            self.note_writes(instruction);
            true
        });
    }

    /// What an instruction computes, apart from the register that it writes, if it can be shared.
    fn candidate(&self, instruction: &Instruction, start: Place) -> Option<(Key, Op, Register)> {
        if instruction.guard.is_some() || !is_repeatable(&instruction.op) {
            return None;
        }
        let dst = *instruction.op.defs().first()?;
        let once = |register: Register| self.writes[register.index()] == 1;
        if !once(dst) || self.read[dst.index()] > start {
            return None;
        }
        let uses = instruction.op.uses();
        let mut registers = uses.iter().filter_map(|operand| operand.register());
        if !registers.all(|register| self.writes[register.index()] <= 1) {
            return None;
        }
        let mut op = instruction.op.clone();
        op.visit_mut(&mut |slot| {
            if let SlotMut::Def(register) = slot {
                *register = Register::default();
            }
        });
        let operand = |at: usize| uses.get(at).copied().unwrap_or(Operand::Constant(0));
        let key = (std::mem::discriminant(&op), [operand(0), operand(1)]);
        Some((key, op, dst))
    }

    /// Whether no operand was written since a place.
    fn is_unchanged(&self, op: &Op, since: Place) -> bool {
        let uses = op.uses();
        let mut registers = uses.iter().filter_map(|operand| operand.register());
        registers.all(|register| self.written[register.index()] < since)
    }

    fn note_reads(&mut self, instruction: &Instruction) {
        let here = self.here;
        instruction.op.visit(&mut |slot| {
            if let Slot::Use(Operand::Register(register)) = slot {
                self.read[register.index()] = here;
            }
        });
        if let Some(guard) = instruction.guard {
            self.read[guard.predicate.index()] = here;
        }
    }

    fn note_writes(&mut self, instruction: &Instruction) {
        for register in instruction.op.defs() {
            self.written[register.index()] = self.here;
        }
    }

    fn rename(&self, block: &mut Block) {
        for instruction in &mut block.instructions {
            self.rename_one(instruction);
        }
        if let Some(Operand::Register(register)) = block.terminator.operand_mut() {
            *register = self.names[register.index()];
        }
    }

    fn rename_one(&self, instruction: &mut Instruction) {
        instruction.op.visit_mut(&mut |slot| {
            if let SlotMut::Use(Operand::Register(register)) = slot {
                *register = self.names[register.index()];
            }
        });
        if let Some(guard) = &mut instruction.guard {
            guard.predicate = self.names[guard.predicate.index()];
        }
    }
}

/// Whether an instruction writes one register, and the same whenever its operands are the same.
const fn is_repeatable(op: &Op) -> bool {
    let is_unpredictable = matches!(
        op,
        Op::Special {
            register: SpecialRegister::Unpredictable,
            ..
        }
    );
    is_pure(op) || matches!(op.origin(), Origin::Launch) && !is_unpredictable
}
