//! Def-use of one instruction for one register.

use crate::{Instruction, Operand, Register, Slot};

impl Instruction {
    /// Whether it reads a register, its guard's included.
    #[must_use]
    pub fn reads(&self, register: Register) -> bool {
        let mut found = self.guard.is_some_and(|guard| guard.predicate == register);
        self.op.visit(&mut |slot| {
            found |= matches!(slot, Slot::Use(Operand::Register(one)) if *one == register);
        });
        found
    }

    /// Whether it writes a register.
    #[must_use]
    pub fn writes(&self, register: Register) -> bool {
        let mut found = false;
        self.op.visit(&mut |slot| {
            found |= matches!(slot, Slot::Def(one) if *one == register);
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::{Kernel, Register};

    #[test]
    fn says_of_each_register_what_the_lists_say() {
        let text = r#"kernel "guarded" {
b0:
  p0 = lt.i32 r1, r2
  @p0 r3 = add.i32 r1, r1
  exit
}"#;
        let kernel: Kernel = text.parse().unwrap_or_default();
        let all: Vec<_> = kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .collect();
        assert_eq!(all.len(), 2);
        for instruction in all {
            for register in (0..4).map(Register) {
                let (read, written) = (instruction.registers_read(), instruction.op.defs());
                assert_eq!(instruction.reads(register), read.contains(&register));
                assert_eq!(instruction.writes(register), written.contains(&register));
            }
        }
    }
}
