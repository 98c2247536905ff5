//! Uniformity (divergence) analysis: which registers hold one value in all lanes of a warp.
//!
//! Divergence starts at thread indices, memory and exchanges between lanes, and follows data and control. A register
//! that is written once is as uniform as what it is computed from: lanes that do not write it do not read it. One that
//! is written in several places diverges where lanes part between them.

use super::{ControlFlow, PostDominators};
use crate::{BlockId, Kernel, Op, Operand, Origin, Register, Terminator, WarpReduceScope};

/// Which registers and which blocks are uniform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniformity {
    divergent: Vec<bool>,
    divergent_blocks: Vec<bool>,
}

impl Uniformity {
    /// Finds all divergent registers.
    #[must_use]
    pub fn of(kernel: &Kernel, flow: &ControlFlow) -> Self {
        Self::solve(kernel, flow, true)
    }

    /// Uniformity by data dependence alone: a value that lanes take at different times, as after a loop that some leave
    /// earlier, counts as uniform.
    #[must_use]
    pub fn of_data(kernel: &Kernel, flow: &ControlFlow) -> Self {
        Self::solve(kernel, flow, false)
    }

    fn solve(kernel: &Kernel, flow: &ControlFlow, follows_control: bool) -> Self {
        let post_dominators = PostDominators::of(flow);
        let mut writes = vec![0_u32; kernel.registers.len()];
        for block in &kernel.blocks {
            for register in block
                .instructions
                .iter()
                .flat_map(|instruction| instruction.op.defs())
            {
                if let Some(count) = writes.get_mut(register.index()) {
                    *count += 1;
                }
            }
        }
        let mut found = Self {
            divergent: vec![false; kernel.registers.len()],
            divergent_blocks: vec![false; kernel.blocks.len()],
        };
        let mut parted = vec![false; kernel.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for block in flow.reverse_postorder() {
                changed |= found.data(kernel, *block, &writes);
                let is_parted = parted.get(block.index()).copied().unwrap_or(true);
                if follows_control && !is_parted && found.parts(kernel, *block) {
                    if let Some(one) = parted.get_mut(block.index()) {
                        *one = true;
                    }
                    changed = true;
                    found.part(flow, *block, post_dominators.immediate(*block));
                }
            }
        }
        found
    }

    /// Whether all lanes hold the same in a register.
    #[must_use]
    pub fn is_uniform(&self, register: Register) -> bool {
        self.divergent.get(register.index()) == Some(&false)
    }

    /// Whether all lanes hold the same in an operand.
    #[must_use]
    pub fn is_uniform_operand(&self, operand: Operand) -> bool {
        operand
            .register()
            .is_none_or(|register| self.is_uniform(register))
    }

    /// Whether lanes of a warp may come to a block apart.
    #[must_use]
    pub fn is_divergent_block(&self, block: BlockId) -> bool {
        self.divergent_blocks.get(block.index()) == Some(&true)
    }

    fn data(&mut self, kernel: &Kernel, block: BlockId, writes: &[u32]) -> bool {
        let mut changed = false;
        let is_apart = self.is_divergent_block(block);
        let instructions = kernel
            .blocks
            .get(block.index())
            .map(|block| &block.instructions);
        for instruction in instructions.into_iter().flatten() {
            let reads = instruction.registers_read();
            let diverges = starts(&instruction.op)
                || !gathers(&instruction.op) && reads.iter().any(|read| !self.is_uniform(*read));
            for register in instruction.op.defs() {
                let several = writes.get(register.index()).is_some_and(|count| *count > 1);
                if (diverges || is_apart && several)
                    && let Some(one) = self.divergent.get_mut(register.index())
                    && !*one
                {
                    *one = true;
                    changed = true;
                }
            }
        }
        changed
    }

    /// Whether lanes part at a block's end.
    fn parts(&self, kernel: &Kernel, block: BlockId) -> bool {
        let terminator = kernel
            .blocks
            .get(block.index())
            .map(|block| &block.terminator);
        match terminator {
            Some(Terminator::Jump(_) | Terminator::Exit) | None => false,
            Some(other) => other
                .operand()
                .is_some_and(|one| !self.is_uniform_operand(one)),
        }
    }

    /// Marks the blocks between a branch and where its lanes meet.
    fn part(&mut self, flow: &ControlFlow, block: BlockId, join: Option<BlockId>) {
        let reached = flow.reachable_from(block, join);
        for (divergent_block, reached) in self.divergent_blocks.iter_mut().zip(reached) {
            *divergent_block |= reached;
        }
    }
}

/// Whether an operation gives lanes different values whatever it reads.
const fn starts(op: &Op) -> bool {
    match op.origin() {
        Origin::Memory | Origin::Lanes | Origin::Mask | Origin::Unknown => !gathers(op),
        Origin::Launch => matches!(op, Op::Special { register, .. } if register.differs_by_lane()),
        Origin::Nothing | Origin::Computed | Origin::Warp => false,
    }
}

/// Whether all active lanes get one value whatever each brings.
const fn gathers(op: &Op) -> bool {
    if let Op::WarpReduce { scope, .. } = op {
        return matches!(scope, WarpReduceScope::All);
    }
    matches!(op.origin(), Origin::Warp)
}
