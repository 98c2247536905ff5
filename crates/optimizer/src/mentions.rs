//! Which blocks name which registers: where a search for a register's uses need not look.

use lanescope_ir::{BlockId, Kernel, Operand, Register, Slot};

/// `[block][register]`, a bit each: whether an instruction of the block, or its terminator, reads or writes it.
pub(crate) struct Mentions {
    bits: Vec<u64>,
    /// Words of a block.
    words: usize,
}

impl Mentions {
    /// Those of a kernel as it is now.
    pub(crate) fn of(kernel: &Kernel) -> Self {
        let words = kernel.registers.len().div_ceil(64);
        let mut found = Self {
            bits: vec![0; words * kernel.blocks.len()],
            words,
        };
        for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
            for instruction in &block.instructions {
                if let Some(guard) = instruction.guard {
                    found.add(id, guard.predicate);
                }
                instruction.op.visit(&mut |slot| match slot {
                    Slot::Use(Operand::Register(register)) | Slot::Def(register) => {
                        found.add(id, *register);
                    }
                    Slot::Use(Operand::Constant(_)) | Slot::Site(_) => {}
                });
            }
            if let Some(Operand::Register(register)) = block.terminator.operand() {
                found.add(id, register);
            }
        }
        found
    }

    /// Whether a block may name a register.
    pub(crate) fn has(&self, block: BlockId, register: Register) -> bool {
        let (at, bit) = self.place(block, register);
        self.bits.get(at).is_some_and(|word| word & bit != 0)
    }

    /// Notes that instructions of one block have moved to another.
    pub(crate) fn carry(&mut self, from: BlockId, to: BlockId) {
        for word in 0..self.words {
            let moved = self.bits.get(from.index() * self.words + word).copied();
            if let (Some(moved), Some(slot)) =
                (moved, self.bits.get_mut(to.index() * self.words + word))
            {
                *slot |= moved;
            }
        }
    }

    fn add(&mut self, block: BlockId, register: Register) {
        let (at, bit) = self.place(block, register);
        if let Some(word) = self.bits.get_mut(at) {
            *word |= bit;
        }
    }

    const fn place(&self, block: BlockId, register: Register) -> (usize, u64) {
        let (block, register) = (block.0 as usize, register.0 as usize);
        (block * self.words + register / 64, 1 << (register % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"kernel "guarded" {
b0:
  p0 = lt.i32 r1, r2
  branch p0, b1, b2, b2
b1:
  @p3 r4 = add.i32 r1, 1
  jump b2
b2:
  exit
}"#;

    #[test]
    fn a_block_has_what_it_reads_writes_and_decides_by_and_what_moves_into_it() {
        let Ok(kernel) = TEXT.parse::<Kernel>() else {
            unreachable!("a kernel")
        };
        let mut mentions = Mentions::of(&kernel);
        let named = |mentions: &Mentions, block: u32| -> Vec<u32> {
            let has = |one: &u32| mentions.has(BlockId(block), Register(*one));
            (0..5).filter(has).collect()
        };
        assert_eq!(named(&mentions, 0), [0, 1, 2]);
        assert_eq!(named(&mentions, 1), [1, 3, 4]);
        assert_eq!(named(&mentions, 2), []);
        mentions.carry(BlockId(1), BlockId(2));
        assert_eq!(named(&mentions, 2), [1, 3, 4]);
    }
}
