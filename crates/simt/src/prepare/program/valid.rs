//! What a kernel may not name, as it would be out of range.

use lanescope_ir::{BlockId, Kernel, Op, Operand, Register, Slot, Terminator};

/// Whether every index is in range and every vector as long as its instruction says.
pub(super) fn is_valid(kernel: &Kernel) -> bool {
    let registers = kernel.registers.len();
    let blocks = kernel.blocks.len();
    let mut valid = blocks != 0
        && kernel
            .registers
            .iter()
            .all(|bits| matches!(bits, 1 | 8 | 16 | 32 | 64))
        && kernel
            .code_addresses
            .iter()
            .all(|(_, block)| block.index() < blocks);
    let (all_sites, arrays) = (kernel.sites.len(), kernel.arrays.len());
    for block in &kernel.blocks {
        let target = |target: &BlockId| target.index() < blocks;
        valid &= match &block.terminator {
            Terminator::Jump(to) => target(to),
            Terminator::Branch {
                taken,
                otherwise,
                join,
                ..
            } => target(taken) && target(otherwise) && join.iter().all(target),
            Terminator::Switch { targets, .. } => !targets.is_empty() && targets.iter().all(target),
            Terminator::Indirect { .. } | Terminator::Exit => true,
        };
        let has = |register: &Register| register.index() < registers;
        valid &= block
            .terminator
            .operand()
            .and_then(Operand::register)
            .iter()
            .all(has);
        for instruction in &block.instructions {
            valid &= instruction.guard.iter().all(|guard| has(&guard.predicate));
            instruction.op.visit(&mut |slot| {
                valid &= match slot {
                    Slot::Use(operand) => operand.register().iter().all(has),
                    Slot::Def(register) => has(register),
                    Slot::Site(site) => site.index() < all_sites,
                };
            });
            if let Op::BoundsCheck { array, .. } = &instruction.op {
                valid &= array.index() < arrays;
            }
        }
    }
    valid && u32::try_from(registers).is_ok()
}
