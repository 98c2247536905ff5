//! Dead-code elimination over strongly live variables: loads and arithmetic whose results nothing needs.

use crate::facts::size;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::{Liveness, RegisterSet};
use lanescope_ir::{Block, BlockId, Instruction, Kernel, Op, Site, SiteId};

/// Removes what nothing needs.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    // A bit for each register, in sets of each block.
    let sets = kernel.blocks.len() * kernel.registers.len() / 64;
    if !work.spend(size(kernel) + sets) {
        return;
    }
    let liveness = Liveness::of(kernel, &|instruction| acts(&instruction.op, &kernel.sites));
    let mut unused = Vec::new();
    for index in 0..kernel.blocks.len() {
        let Ok(id) = u32::try_from(index).map(BlockId) else {
            continue;
        };
        let live = liveness.before_terminator(kernel, id);
        if let Some(block) = kernel.blocks.get_mut(index) {
            sweep(block, live, &kernel.sites, &mut unused);
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
fn acts(op: &Op, sites: &[Site]) -> bool {
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

/// Leaves the needed instructions of a block, and of their results the needed ones.
fn sweep(block: &mut Block, mut live: RegisterSet, sites: &[Site], unused: &mut Vec<SiteId>) {
    let mut left: Vec<Instruction> = Vec::with_capacity(block.instructions.len());
    for mut instruction in std::mem::take(&mut block.instructions).into_iter().rev() {
        let behind = matches!(instruction.op, Op::Load { .. }).then(|| live.clone());
        if !live.step_back(&instruction, acts(&instruction.op, sites)) {
            unused.extend(instruction.op.sites());
            continue;
        }
        if let (Op::Load { dst, .. }, Some(behind)) = (&mut instruction.op, behind) {
            for one in dst {
                *one = one.filter(|register| behind.contains(*register));
            }
        }
        left.push(instruction);
    }
    left.reverse();
    block.instructions = left;
}
