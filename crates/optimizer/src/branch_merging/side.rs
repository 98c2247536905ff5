//! One side of a branch, cut at each access that both sides have.

use lanescope_ir::{BlockId, Instruction, Kernel};

use super::merged::Merged;

/// What is left of a side.
pub(super) struct Side {
    /// The instructions of its last block, as they were.
    pub(super) body: Vec<Instruction>,
    /// The block that what comes next goes to.
    pub(super) block: BlockId,
    /// Position in `body` of the next instruction.
    begin: usize,
    /// What the last access left to be done before that.
    head: Vec<Instruction>,
}

impl Side {
    /// The side that ends in `block`, not yet cut.
    pub(super) fn of(kernel: &Kernel, block: BlockId) -> Self {
        let whole = kernel.blocks.get(block.index());
        Self {
            body: whole
                .map(|block| block.instructions.clone())
                .unwrap_or_default(),
            block,
            begin: 0,
            head: Vec::new(),
        }
    }

    /// Whether nothing is left.
    pub(super) fn is_over(&self) -> bool {
        self.begin >= self.body.len() && self.head.is_empty()
    }

    /// Writes what stands before the access at `end`, which `merged` does for both sides.
    pub(super) fn cut(&mut self, kernel: &mut Kernel, merged: &Merged, end: usize) {
        let mut list = self.taken_until(end);
        self.begin = end + 1;
        if let Some(access) = self.body.get(end) {
            list.extend(merged.before(kernel, access));
            self.head = merged.behind(kernel, access);
        }
        self.write(kernel, list);
    }

    /// Writes what is left.
    pub(super) fn finish(mut self, kernel: &mut Kernel) {
        let list = self.taken_until(self.body.len());
        self.write(kernel, list);
    }

    fn taken_until(&mut self, end: usize) -> Vec<Instruction> {
        let mut list = std::mem::take(&mut self.head);
        let rest = self.body.get(self.begin..end);
        list.extend(rest.into_iter().flatten().cloned());
        list
    }

    fn write(&self, kernel: &mut Kernel, list: Vec<Instruction>) {
        if let Some(block) = kernel.blocks.get_mut(self.block.index()) {
            block.instructions = list;
        }
    }
}
