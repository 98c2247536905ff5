//! What is loaded and not needed, stored and not read, or kept in a thread's own memory.

use std::collections::BTreeMap;

use lanescope_ir::analysis::{ControlFlow, DemandedBits, Uniformity};
use lanescope_ir::{AddressSpace, BlockId, Instruction, Kernel, Op, Operand, Register};

use super::{ChoiceKind, Found, counted_sites, space_of};
use crate::facts::{bits, size};
use crate::work::Work;
use crate::{dead_code, unread_arrays};

/// Names such accesses. `None` where work runs out.
pub(super) fn find(kernel: &Kernel, work: &mut Work, found: &mut Found) -> Option<()> {
    private_memory(kernel, found);
    padded(kernel, found);
    aggregated(kernel, found);
    dead(kernel, work, found)?;
    partly_demanded(kernel, work, found)
}

/// Accesses of local memory: what stands there may become registers, and what feeds it only partly be needed.
fn private_memory(kernel: &Kernel, found: &mut Found) {
    for site in instructions(kernel).flat_map(|instruction| instruction.op.sites()) {
        if space_of(kernel, site) == Some(AddressSpace::Local) {
            found.add(site, ChoiceKind::PrivateMemory);
        }
    }
}

/// Stores of several elements of which some are constants: those between the fields of a structure need not be stored, and
/// are constants too.
fn padded(kernel: &Kernel, found: &mut Found) {
    for instruction in instructions(kernel) {
        if let Op::Store { src, site, .. } = &instruction.op
            && src.len() > 1
            && src.iter().any(|operand| operand.constant().is_some())
        {
            found.add(*site, ChoiceKind::PartlyUsed);
        }
    }
}

/// Atomics by which all lanes of a warp change one place.
fn aggregated(kernel: &Kernel, found: &mut Found) {
    let uniformity = Uniformity::of_data(kernel, &ControlFlow::of(kernel));
    for instruction in instructions(kernel) {
        let Op::Atomic { address, site, .. } = &instruction.op else {
            continue;
        };
        let mut parts = [Some(address.base), address.index].into_iter().flatten();
        if parts.all(|part| uniformity.is_uniform_operand(part)) {
            found.add(*site, ChoiceKind::Aggregation);
        }
    }
}

/// What dead-code elimination and the search for arrays that nothing reads would take away.
fn dead(kernel: &Kernel, work: &mut Work, found: &mut Found) -> Option<()> {
    let mut left = kernel.clone();
    let mut remarks = Vec::new();
    dead_code::remove_dead_checks(&mut left, work);
    unread_arrays::run(&mut left, work, &mut remarks);
    dead_code::run(&mut left, work, &mut remarks);
    if work.is_exhausted() {
        return None;
    }
    for remark in remarks {
        found.add(remark.site, ChoiceKind::PartlyUsed);
    }
    for instruction in instructions(&left) {
        if let Op::Load { dst, site, .. } = &instruction.op
            && dst.iter().any(Option::is_none)
        {
            found.add(*site, ChoiceKind::PartlyUsed);
        }
    }
    Some(())
}

/// Loads of whose elements only some bits are needed.
fn partly_demanded(kernel: &Kernel, work: &mut Work, found: &mut Found) -> Option<()> {
    work.spend(2 * size(kernel)).then_some(())?;
    let acts = |instruction: &Instruction| dead_code::acts(&instruction.op, &kernel.sites);
    let demanded = DemandedBits::of(kernel, &acts)?;
    let mut of_register: BTreeMap<Register, u64> = BTreeMap::new();
    for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        demanded.walk(kernel, id, &acts, &mut |at, bits_of_operands| {
            let Some(instruction) = block.instructions.get(at) else {
                return;
            };
            let uses = instruction.op.uses();
            for (operand, bits) in uses.into_iter().zip(bits_of_operands.iter()) {
                if let Operand::Register(register) = operand {
                    *of_register.entry(register).or_default() |= *bits;
                }
            }
            if let Some(guard) = instruction.guard {
                of_register.insert(guard.predicate, u64::MAX);
            }
        });
        if let Some(Operand::Register(register)) = block.terminator.operand() {
            of_register.insert(register, u64::MAX);
        }
    }
    for instruction in instructions(kernel) {
        let Op::Load { dst, site, .. } = &instruction.op else {
            continue;
        };
        if counted_sites(kernel, &instruction.op).next().is_none() {
            continue;
        }
        let element = kernel
            .sites
            .get(site.index())
            .map_or(64, |site| 8 * site.element.bytes());
        for register in dst.iter().flatten() {
            let width = element.min(bits(kernel, *register)).clamp(1, 64);
            let all = u64::MAX >> (64 - width);
            let needed = of_register.get(register).copied().unwrap_or(0);
            if needed & all != all {
                found.add(*site, ChoiceKind::PartlyUsed);
            }
        }
    }
    Some(())
}

fn instructions(kernel: &Kernel) -> impl Iterator<Item = &Instruction> {
    kernel.blocks.iter().flat_map(|block| &block.instructions)
}
