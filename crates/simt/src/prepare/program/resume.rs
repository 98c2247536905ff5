//! Where lanes go on that wait or run apart, and the registers that are read from there on.

use std::collections::BTreeMap;

use lanescope_ir::analysis::{Liveness, RegisterSet};
use lanescope_ir::{BlockId, Kernel};

use crate::prepare::kinds::may_wait;

/// The registers that are read from a slot on, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Resumed(BTreeMap<u32, RegisterSet>);

impl Resumed {
    /// Of the slots at which lanes may go on: where blocks begin, at `starts`, and behind what they wait at. `kernel` is as
    /// it is executed.
    pub(super) fn of(kernel: &Kernel, starts: &[u32]) -> Self {
        let liveness = Liveness::of(kernel, &|_| true);
        let mut resumed = BTreeMap::new();
        let blocks = (0..).map(BlockId).zip(&kernel.blocks).zip(starts);
        for ((id, block), start) in blocks {
            let mut live = liveness.before_terminator(kernel, id);
            let slots = (*start..).zip(&block.instructions);
            for (slot, instruction) in slots.collect::<Vec<_>>().into_iter().rev() {
                if may_wait(&instruction.op) {
                    resumed.insert(slot + 1, live.clone());
                }
                live.step_back(instruction, true);
            }
            resumed.insert(*start, live);
        }
        Self(resumed)
    }

    /// The registers that are read from a slot on; `None` of a slot at which no lane goes on.
    pub(crate) fn live_at(&self, slot: u32) -> Option<&RegisterSet> {
        self.0.get(&slot)
    }
}

#[cfg(test)]
mod tests {
    use lanescope_ir::{BlockId, Kernel, Register};

    use crate::prepare::program::Program;

    /// Lanes leave a loop one by one: behind it the place is read that each has come to, and not what it counts with. What
    /// is stored there does not matter, as nothing reads it.
    #[test]
    fn what_a_loop_counts_with_is_dead_behind_it() {
        let text = "kernel \"k\" stage=ptx {
  parameter \"out\" \"\" offset=0 bytes=8
  s0 \"\" store global u32 bytes=4
b0: d0 = parameter.u64 0; r1 = special.thread.x; r2 = mov.u32 0; r3 = mov.u32 0
  jump b1
b1: r2 = add.u32 r2, 1; r3 = add.u32 r3, r2; p4 = lt.u32 r2, r1
  branch p4, b1, b2, b2
b2: d5 = mul_wide.u32 r3, 4; d6 = add.u64 d0, d5; store s0 [d6], r2
  exit
}";
        let kernel: Kernel = text.parse().expect("the text is a kernel");
        let program = Program::of(&kernel).expect("the kernel is valid");
        let live = |block| program.resumed.live_at(program.start(BlockId(block)));
        let is_live = |block, register| {
            let live = live(block).expect("a block begins there");
            live.contains(Register(register))
        };
        assert!(is_live(1, 2), "the loop counts with it");
        assert!(!is_live(2, 2), "what is stored does not matter");
        assert!(is_live(2, 3), "where it is stored does");
    }
}
