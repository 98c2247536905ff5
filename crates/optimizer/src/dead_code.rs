//! Dead-code elimination over strongly live variables: loads and arithmetic whose results nothing needs.
//!
//! Liveness, backward, by program point: the set of registers whose value may still reach something that acts (a store, an
//! atomic, a barrier, a branch, a volatile load). Sets join by union, from the empty one up. An instruction goes only where
//! it does not act and writes no register of the set behind it, so that nothing which acts sees a difference; a guarded
//! write does not end a register's life, since lanes whose guard is false keep the old value.
//!
//! NB: contents of memory are not followed: a store to a place that is never read stays (see `unread_arrays.rs` for those
//! that the compiler leaves out).

use crate::facts::size;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::{Liveness, RegisterSet};
use lanescope_ir::{
    AddressSpace, AtomicOp, Block, BlockId, Effect, Effects, Instruction, Kernel, Op, Register,
    Site, SiteId,
};
use lanescope_model::Operation;
use std::collections::{BTreeMap, BTreeSet};

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
    name_reductions(kernel);
    for site in unused {
        let is_left = kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .any(|instruction| instruction.op.sites().contains(&site));
        let is_known = remarks.iter().any(|remark| remark.site == site);
        if !is_left && !is_known {
            note(remarks, site, RemarkKind::Unused);
        }
    }
}

/// Removes the checks of indices that depend on loads which nothing but checks needs: an access that is not made has no
/// index.
pub(crate) fn remove_dead_checks(kernel: &mut Kernel, work: &mut Work) {
    let is_load = |instruction: &Instruction| matches!(instruction.op, Op::Load { .. });
    let of_loads = dependent(kernel, |_, one| is_load(one));
    let is_of = |registers: &BTreeSet<Register>, op: &Op| {
        let Op::BoundsCheck { index, .. } = op else {
            return false;
        };
        index
            .register()
            .is_some_and(|index| registers.contains(&index))
    };
    let mut all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    if !all.any(|instruction| is_of(&of_loads, &instruction.op)) {
        return;
    }
    if !work.spend(2 * size(kernel)) {
        return;
    }
    let needed = |instruction: &Instruction| {
        !matches!(instruction.op, Op::BoundsCheck { .. }) && acts(&instruction.op, &kernel.sites)
    };
    let liveness = Liveness::of(kernel, &needed);
    let mut dead = BTreeSet::new();
    for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        let mut live = liveness.before_terminator(kernel, id);
        for (at, instruction) in block.instructions.iter().enumerate().rev() {
            if !live.step_back(instruction, needed(instruction)) && is_load(instruction) {
                dead.insert((id, at));
            }
        }
    }
    if dead.is_empty() {
        return;
    }
    let of_dead = dependent(kernel, |at, _| dead.contains(&at));
    for block in &mut kernel.blocks {
        block
            .instructions
            .retain(|instruction| !is_of(&of_dead, &instruction.op));
    }
}

/// The registers that depend on instructions which `begins` chooses, in whatever order instructions run.
fn dependent(
    kernel: &Kernel,
    begins: impl Fn((BlockId, usize), &Instruction) -> bool,
) -> BTreeSet<Register> {
    let mut found = BTreeSet::new();
    loop {
        let before = found.len();
        for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
            for (at, instruction) in block.instructions.iter().enumerate() {
                let mut read = instruction.registers_read().into_iter();
                if begins((id, at), instruction) || read.any(|register| found.contains(&register)) {
                    found.extend(instruction.op.defs());
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether an instruction is needed even where nothing reads what it writes. What lanes exchange is not, nor what they
/// load.
pub(crate) fn acts(op: &Op, sites: &[Site]) -> bool {
    if let Op::Load { site, .. } = op {
        return sites.get(site.index()).is_none_or(|site| site.is_volatile);
    }
    let exchanges = Effects::of(&[Effect::Exchanges]);
    !op.effects().without(exchanges).is_empty()
}

/// Leaves the needed instructions of a block, and of their results the needed ones.
fn sweep(block: &mut Block, mut live: RegisterSet, sites: &[Site], unused: &mut Vec<SiteId>) {
    let mut left: Vec<Instruction> = Vec::with_capacity(block.instructions.len());
    for mut instruction in std::mem::take(&mut block.instructions).into_iter().rev() {
        let behind = matches!(instruction.op, Op::Load { .. } | Op::Atomic { .. });
        let behind = behind.then(|| live.clone());
        if !live.step_back(&instruction, acts(&instruction.op, sites)) {
            unused.extend(instruction.op.sites());
            continue;
        }
        match (&mut instruction.op, behind) {
            (Op::Load { dst, .. }, Some(behind)) => {
                for one in dst {
                    *one = one.filter(|register| behind.contains(*register));
                }
            }
            (Op::Atomic { op, dst, site, .. }, Some(behind))
                if is_reduction(*op, sites.get(site.index())) =>
            {
                *dst = dst.filter(|register| behind.contains(*register));
            }
            _ => {}
        }
        left.push(instruction);
    }
    left.reverse();
    block.instructions = left;
}

/// Whether an atomic whose old value nobody asks for is a reduction (`RED`): there is no exchange in global memory that
/// keeps the old value to itself.
fn is_reduction(op: AtomicOp, site: Option<&Site>) -> bool {
    match op {
        AtomicOp::CompareAndSwap => false,
        AtomicOp::Exchange => site.is_some_and(|site| site.space == AddressSpace::Shared),
        AtomicOp::Add
        | AtomicOp::Minimum
        | AtomicOp::Maximum
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor
        | AtomicOp::Increment
        | AtomicOp::Decrement => true,
    }
}

/// Sites of atomics whose old value nobody asks for any more are those of reductions.
fn name_reductions(kernel: &mut Kernel) {
    let Kernel { blocks, sites, .. } = kernel;
    let mut asks: BTreeMap<SiteId, bool> = BTreeMap::new();
    for instruction in blocks.iter().flat_map(|block| &block.instructions) {
        if let Op::Atomic { dst, site, .. } = &instruction.op {
            *asks.entry(*site).or_default() |= dst.is_some();
        }
    }
    for (site, asks) in asks {
        if let Some(site) = sites.get_mut(site.index())
            && site.operation == Operation::Atomic
            && !asks
        {
            site.operation = Operation::Reduction;
        }
    }
}
