//! What the two sides of a branch are compared by.

use std::collections::BTreeSet;

use lanescope_ir::{
    Address, AddressSpace, BinaryOp, BlockId, Instruction, Kernel, Op, Operand, Register,
};

use crate::facts::Facts;

/// What counts when branches are compared.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Access(usize),
    /// Arithmetic on data: its mnemonic.
    Compute(&'static str),
    Wall,
}

/// What a block does, as branches are compared.
pub(super) fn steps(kernel: &Kernel, facts: &Facts, block: BlockId) -> Vec<Step> {
    let Some(body) = kernel.blocks.get(block.index()) else {
        return Vec::new();
    };
    let folded = adds_nothing(kernel, facts, block);
    let addresses = address_registers(&body.instructions);
    let mut list = Vec::new();
    for (at, instruction) in body.instructions.iter().enumerate() {
        let op = &instruction.op;
        let makes_address = op
            .defs()
            .iter()
            .any(|register| addresses.contains(register));
        let is_nothing = matches!(
            op,
            Op::BoundsCheck { .. }
                | Op::Special { .. }
                | Op::Parameter { .. }
                | Op::Undefined { .. }
        );
        if let Some(access) = op.plain_access() {
            let site = kernel.sites.get(access.site.index());
            let is_volatile = site.is_none_or(|site| site.is_volatile);
            let is_local = site.is_some_and(|site| site.space == AddressSpace::Local);
            list.push(if is_volatile || instruction.guard.is_some() || is_local {
                Step::Wall
            } else {
                Step::Access(at)
            });
        } else if is_nothing || op.is_move() || makes_address || folded.contains(&at) {
        } else if op.is_pure() {
            list.push(Step::Compute(op.name()));
        } else {
            list.push(Step::Wall);
        }
    }
    list
}

/// Where a block adds zero: there is nothing of it in the compiler, so that what one branch adds to a sum that
/// another begins is not the same in both.
pub(super) fn adds_nothing(kernel: &Kernel, facts: &Facts, block: BlockId) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    facts
        .numbers
        .walk(kernel, block, &facts.loops, |at, instruction, values| {
            if let Op::Binary {
                op: BinaryOp::Add,
                ty,
                a,
                b,
                ..
            } = &instruction.op
            {
                let is_zero = |operand: &Operand| {
                    let value = values.operand(*operand, *ty);
                    value.is_known() && value.number == 0
                };
                if is_zero(a) || is_zero(b) {
                    found.insert(at);
                }
            }
        });
    found
}

/// The registers that addresses and indices are made of.
fn address_registers(instructions: &[Instruction]) -> BTreeSet<Register> {
    let mut found = BTreeSet::new();
    let operands = |address: &Address| {
        [Some(address.base), address.index]
            .into_iter()
            .flatten()
            .filter_map(Operand::register)
            .collect::<Vec<_>>()
    };
    for instruction in instructions.iter().rev() {
        let op = &instruction.op;
        if let Some(access) = op.plain_access() {
            found.extend(operands(access.address));
        } else if let Op::BoundsCheck { index, .. } = op {
            found.extend(index.register());
        } else if op.defs().iter().any(|register| found.contains(register)) {
            found.extend(instruction.registers_read());
        }
    }
    found
}
