//! Loop-invariant code motion: what every iteration computes of the same values is computed once before the loop.
//!
//! Only arithmetic moves, of registers that one instruction writes and that are read behind it alone. That it is computed
//! where the loop makes no iteration too costs a step and changes nothing.

use lanescope_ir::analysis::{ControlFlow, Dominators, Loops, NaturalLoop};
use lanescope_ir::{BlockId, Instruction, Kernel, Register};

use super::kinds::is_pure;

/// Instructions that leave one loop, at most: what is kept over a loop is compared when its iterations are.
const MOST: usize = 32;

/// Moves what does not change in a loop before it, out of inner loops first.
pub(crate) fn hoist_invariants(kernel: &mut Kernel) {
    let flow = ControlFlow::of(kernel);
    let dominators = Dominators::of(&flow);
    let loops = Loops::of(&flow, &dominators);
    if loops.all().is_empty() {
        return;
    }
    let mut places = Places::of(kernel, &flow, &dominators);
    // Outer loops come first.
    for natural_loop in loops.all().iter().rev() {
        let Some(before) = preheader(&flow, natural_loop) else {
            continue;
        };
        let mut moved = Vec::new();
        for (id, block) in (0..).map(BlockId).zip(&mut kernel.blocks) {
            if natural_loop.contains(id) {
                places.take_invariants(
                    natural_loop,
                    (id, before),
                    &mut block.instructions,
                    &mut moved,
                );
            }
        }
        if let Some(block) = kernel.blocks.get_mut(before.index()) {
            block.instructions.extend(moved);
        }
    }
}

/// The one block that leads into a loop from outside.
fn preheader(flow: &ControlFlow, natural_loop: &NaturalLoop) -> Option<BlockId> {
    let predecessors = flow.predecessors(natural_loop.header).iter();
    let mut outside = predecessors.filter(|from| !natural_loop.contains(**from));
    let before = *outside.next()?;
    (outside.next().is_none() && flow.is_reachable(before)).then_some(before)
}

/// Where registers are written and read.
struct Places {
    /// `[register]`: how many instructions write it.
    writes: Vec<u32>,
    /// `[register]`: the block of the last of them.
    written_in: Vec<Option<BlockId>>,
    /// `[register]`: whether each that reads it stands behind the one that writes it.
    is_written_first: Vec<bool>,
}

impl Places {
    fn of(kernel: &Kernel, flow: &ControlFlow, dominators: &Dominators) -> Self {
        let count = kernel.registers.len();
        let mut places = Self {
            writes: vec![0; count],
            written_in: vec![None; count],
            is_written_first: vec![true; count],
        };
        let mut at = vec![0; count];
        let blocks = || (0..).map(BlockId).zip(&kernel.blocks);
        for (id, block) in blocks() {
            for (place, instruction) in block.instructions.iter().enumerate() {
                for register in instruction.op.defs() {
                    places.writes[register.index()] += 1;
                    places.written_in[register.index()] = Some(id);
                    at[register.index()] = place;
                }
            }
        }
        let mut read = |register: Register, id: BlockId, place: usize| {
            let is_behind = match places.written_in[register.index()] {
                Some(from) if from == id => at[register.index()] < place,
                Some(from) => flow.is_reachable(id) && dominators.dominates(from, id),
                None => false,
            };
            places.is_written_first[register.index()] &= is_behind;
        };
        for (id, block) in blocks() {
            for (place, instruction) in block.instructions.iter().enumerate() {
                for register in instruction.registers_read() {
                    read(register, id, place);
                }
                if let Some(guard) = instruction.guard {
                    read(guard.predicate, id, place);
                }
            }
            if let Some(register) = block
                .terminator
                .operand()
                .and_then(|operand| operand.register())
            {
                read(register, id, block.instructions.len());
            }
        }
        places
    }

    /// Takes what does not change in a loop out of one of its blocks.
    fn take_invariants(
        &mut self,
        one: &NaturalLoop,
        (block, before): (BlockId, BlockId),
        instructions: &mut Vec<Instruction>,
        moved: &mut Vec<Instruction>,
    ) {
        instructions.retain(|instruction| {
            let is_moved = moved.len() < MOST && self.is_invariant(one, block, instruction);
            if is_moved {
                for register in instruction.op.defs() {
                    self.written_in[register.index()] = Some(before);
                }
                moved.push(instruction.clone());
            }
            !is_moved
        });
    }

    fn is_invariant(
        &self,
        natural_loop: &NaturalLoop,
        block: BlockId,
        instruction: &Instruction,
    ) -> bool {
        if instruction.guard.is_some() || !is_pure(&instruction.op) {
            return false;
        }
        let is_own = |register: &Register| {
            self.writes[register.index()] == 1
                && self.is_written_first[register.index()]
                && self.written_in[register.index()] == Some(block)
        };
        let is_outside = |register: &Register| match self.written_in[register.index()] {
            Some(from) => self.writes[register.index()] == 1 && !natural_loop.contains(from),
            None => true,
        };
        instruction.op.defs().iter().all(is_own)
            && instruction.registers_read().iter().all(is_outside)
    }
}
