//! Dead-code elimination by mark and sweep over registers: loads and arithmetic whose results nothing needs.

use crate::remark::{Remark, RemarkKind, note};
use lanescope_ir::{Kernel, Op, Operand, Register};

/// Removes what nothing needs.
pub(crate) fn run(kernel: &mut Kernel, remarks: &mut Vec<Remark>) {
    let needed = needed(kernel);
    let is_needed = |register: Register| needed.get(register.index()) != Some(&false);
    let mut unused = Vec::new();
    for block in &mut kernel.blocks {
        block.instructions.retain(|instruction| {
            let stays = acts(&instruction.op, &kernel.sites)
                || instruction.op.defs().into_iter().any(is_needed);
            if !stays {
                unused.extend(instruction.op.sites());
            }
            stays
        });
        for instruction in &mut block.instructions {
            if let Op::Load { dst, .. } = &mut instruction.op {
                for one in dst {
                    *one = one.filter(|register| is_needed(*register));
                }
            }
        }
    }
    for site in unused {
        let is_left = kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .any(|one| one.op.sites().contains(&site));
        let is_known = remarks.iter().any(|remark| remark.site == site);
        if !is_left && !is_known {
            note(remarks, site, RemarkKind::Unused);
        }
    }
}

/// Whether an instruction does something besides writing registers.
fn acts(op: &Op, sites: &[lanescope_ir::Site]) -> bool {
    match op {
        Op::Load { site, .. } => sites.get(site.index()).is_none_or(|site| site.is_volatile),
        Op::Shuffle { .. }
        | Op::Vote { .. }
        | Op::Match { .. }
        | Op::WarpReduce { .. }
        | Op::ActiveMask { .. }
        | Op::SaveBarrier { .. } => false,
        other => !other.is_pure(),
    }
}

fn needed(kernel: &Kernel) -> Vec<bool> {
    let mut writers: Vec<Vec<(usize, usize)>> = vec![Vec::new(); kernel.registers.len()];
    let mut needed = vec![false; kernel.registers.len()];
    let mut pending: Vec<Register> = Vec::new();
    for (block, one) in kernel.blocks.iter().enumerate() {
        for (at, instruction) in one.instructions.iter().enumerate() {
            for register in instruction.op.defs() {
                if let Some(list) = writers.get_mut(register.index()) {
                    list.push((block, at));
                }
            }
            if acts(&instruction.op, &kernel.sites) {
                pending.extend(instruction.registers_read());
            }
        }
        if let Some(Operand::Register(register)) = one.terminator.operand() {
            pending.push(register);
        }
    }
    while let Some(register) = pending.pop() {
        match needed.get_mut(register.index()) {
            Some(one) if !*one => *one = true,
            _ => continue,
        }
        for (block, at) in writers.get(register.index()).into_iter().flatten() {
            let instruction = kernel
                .blocks
                .get(*block)
                .and_then(|one| one.instructions.get(*at));
            pending.extend(instruction.into_iter().flat_map(|one| one.registers_read()));
        }
    }
    needed
}
