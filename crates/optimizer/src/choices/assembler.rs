//! Accesses that the assembler of PTX may treat otherwise than its profile does.
//!
//! PTX has its loops cut and its accesses joined, moved and left out by the compiler before; what ptxas does to it besides is
//! little, and its profile has most. What is left open:
//!
//! - **Dropped**: the thread has loaded or stored the bytes of a load before, with no barrier between, or nothing needs its
//!   value.
//! - **Joined**: neighbours of which one is narrower than a word, loads of shared memory that all lanes make at one address, and
//!   any stores that the profile joins (`attention_tile`: four that ptxas 13.5 leaves); in short loops of one block, which ptxas
//!   may cut into pieces, any loads of shared memory beside each other, of one iteration or of several, and those that the
//!   profile joins as more than two words (`matmul_both_transposed_guarded`).
//! - **Merged or moved**: both sides of a branch on which lanes part load, or a selection alone needs what is loaded.
//! - **Repeated**: what a short loop of one block accesses whose lanes make different numbers of iterations; ptxas cuts some of
//!   them into pieces, which parts lanes.
//! - **Done by one lane for its warp**: atomics in a branch on which lanes part (`atomic_add_branch`: ptxas leaves some).
//!
//! `docs/COMPILER.md` has what was compiled for it.

use std::collections::BTreeSet;

use lanescope_ir::analysis::Uniformity;
use lanescope_ir::{Address, AddressSpace, Instruction, Kernel, Op, Operand, Register, SiteId};

use super::pairs::{self, Neighbours, is_narrow};
use super::{Choice, ChoiceKind, Found, control, peeling, space_of};
use crate::facts::Facts;
use crate::work::Work;
use crate::{Optimized, RemarkKind};

/// Instructions of the longest loop that ptxas cuts into pieces, of 150 that were compiled (`docs/COMPILER.md`).
const CUT_INSTRUCTIONS: usize = 50;

/// Bytes of the widest load that ptxas makes of neighbours in a loop that it cuts.
const CUT_JOIN_BYTES: u32 = 8;

/// Names the accesses in `kernel` that ptxas may join, repeat or leave out otherwise than `optimized`, which its profile makes
/// of it, for as long as `keep_going` says so, with no more than so much `work`. Of a kernel that takes more all loads of
/// shared memory are named as [`ChoiceKind::NotAnalysed`].
#[must_use]
pub fn assembler_choices_while(
    kernel: &Kernel,
    optimized: &Optimized,
    work: u64,
    keep_going: impl Fn() -> bool + 'static,
) -> Vec<Choice> {
    let mut found = Found::default();
    of_remarks(kernel, optimized, &mut found);
    let mut work = Work::new(work, keep_going);
    if look(optimized, &mut work, &mut found).is_none() {
        for site in loads(kernel) {
            found.add(site, ChoiceKind::NotAnalysed);
        }
    }
    let list = found.kinds.into_iter();
    list.map(|(site, kind)| Choice { site, kind }).collect()
}

/// Loads that the profile left out or moved, and accesses of shared memory that it joined though they are stores or narrower
/// than a word.
fn of_remarks(kernel: &Kernel, optimized: &Optimized, found: &mut Found) {
    let loads = loads(kernel);
    for remark in &optimized.remarks {
        let is_load = loads.contains(&remark.site);
        let is_join = matches!(remark.kind, RemarkKind::Vectorized { .. });
        let is_open = is_join && (!is_load || is_narrow(kernel, remark.site));
        if is_open && is_shared(kernel, remark.site) {
            found.add(remark.site, ChoiceKind::Adjacent);
        }
        if !is_load {
            continue;
        }
        let kind = match remark.kind {
            RemarkKind::Vectorized { .. }
            | RemarkKind::Unrolled { .. }
            | RemarkKind::Aggregated => continue,
            RemarkKind::Unused => ChoiceKind::PartlyUsed,
            RemarkKind::Merged { .. } | RemarkKind::Sunk | RemarkKind::Hoisted => {
                ChoiceKind::Branch
            }
            RemarkKind::Eliminated { .. }
            | RemarkKind::PartlyEliminated { .. }
            | RemarkKind::Overwritten
            | RemarkKind::Unchanged
            | RemarkKind::Known => ChoiceKind::Repeated,
        };
        found.add(remark.site, kind);
    }
}

/// What is left open in the kernel as the profile leaves it. `None` where work runs out.
fn look(optimized: &Optimized, work: &mut Work, found: &mut Found) -> Option<()> {
    let kernel = &optimized.kernel;
    let loads = loads(kernel);
    let aggregated: BTreeSet<SiteId> = optimized
        .remarks
        .iter()
        .filter(|remark| remark.kind == RemarkKind::Aggregated)
        .map(|remark| remark.site)
        .collect();
    let facts = Facts::of(kernel, work)?;
    control::short_loops(kernel, &facts, CUT_INSTRUCTIONS, found);
    control::on_sides(kernel, &facts, (&loads, 2), work, found)?;
    control::on_sides(kernel, &facts, (&aggregated, 1), work, found)?;
    for site in selected(kernel) {
        found.add(site, ChoiceKind::Branch);
    }
    let cut = loads_of_short_loops(kernel, &facts);
    wide_joins(optimized, &cut, found);
    let mut near = Found::default();
    pairs::find(kernel, &facts, Neighbours::Narrow, work, &mut near)?;
    let joins = joined_otherwise(kernel, &facts);
    let mut again = Found::default();
    for at in 0..facts.loops.all().len() {
        let peeled = peeling::peeled_twice(kernel, facts.loops.get(at)?);
        let facts = Facts::of(&peeled, work)?;
        pairs::find(&peeled, &facts, Neighbours::Narrow, work, &mut again)?;
    }
    let near = near
        .kinds
        .into_iter()
        .map(|(site, kind)| (site, kind, joins.contains(&site)));
    let again = again
        .kinds
        .into_iter()
        .map(|(site, kind)| (site, kind, false));
    for (site, kind, joins) in near.chain(again) {
        let is_open = match kind {
            ChoiceKind::Repeated => loads.contains(&site),
            ChoiceKind::Adjacent => joins || cut.contains(&site),
            ChoiceKind::PartlyUsed
            | ChoiceKind::Branch
            | ChoiceKind::Loop
            | ChoiceKind::PrivateMemory
            | ChoiceKind::Aggregation
            | ChoiceKind::NotAnalysed => false,
        };
        if is_open {
            found.add(site, kind);
        }
    }
    Some(())
}

/// The loads of which selections alone need anything: ptxas may make them in the lanes that select them.
fn selected(kernel: &Kernel) -> Vec<SiteId> {
    let instructions = || kernel.blocks.iter().flat_map(|block| &block.instructions);
    let mut selected = BTreeSet::new();
    let mut needed = BTreeSet::new();
    for instruction in instructions() {
        if let Op::Select {
            predicate, yes, no, ..
        } = &instruction.op
        {
            selected.extend([yes, no].into_iter().filter_map(|side| side.register()));
            needed.extend(predicate.register());
            needed.extend(instruction.guard.map(|guard| guard.predicate));
        } else {
            needed.extend(instruction.registers_read());
        }
    }
    for block in &kernel.blocks {
        needed.extend(block.terminator.operand().and_then(Operand::register));
    }
    let is_selected =
        |register: Register| selected.contains(&register) && !needed.contains(&register);
    let sites = instructions().filter_map(|instruction| {
        let Op::Load { dst, site, .. } = &instruction.op else {
            return None;
        };
        let all = dst.iter().flatten();
        (dst.iter().any(Option::is_some) && all.copied().all(is_selected)).then_some(*site)
    });
    sites.collect()
}

/// The access of a load.
const fn loaded(instruction: &Instruction) -> Option<SiteId> {
    if let Op::Load { site, .. } = instruction.op {
        Some(site)
    } else {
        None
    }
}

/// The loads of loops that ptxas may cut into pieces.
fn loads_of_short_loops(kernel: &Kernel, facts: &Facts) -> BTreeSet<SiteId> {
    let blocks = control::short_loop_blocks(kernel, facts, CUT_INSTRUCTIONS);
    let instructions = blocks.flat_map(|(_, block)| &block.instructions);
    instructions.filter_map(loaded).collect()
}

/// Names those of the `cut` loads of shared memory which the profile makes of more neighbours than ptxas may.
fn wide_joins(optimized: &Optimized, cut: &BTreeSet<SiteId>, found: &mut Found) {
    for remark in &optimized.remarks {
        let RemarkKind::Vectorized { into, bytes } = remark.kind else {
            continue;
        };
        if bytes > CUT_JOIN_BYTES && cut.contains(&into) && is_shared(&optimized.kernel, into) {
            found.add(into, ChoiceKind::Adjacent);
        }
    }
}

/// The accesses of which it is not known which neighbours ptxas joins: those narrower than a word, and loads of shared memory
/// that all lanes make at one address.
fn joined_otherwise(kernel: &Kernel, facts: &Facts) -> BTreeSet<SiteId> {
    let uniformity = Uniformity::of_data(kernel, &facts.flow);
    let is_uniform = |address: &Address| {
        let mut parts = [Some(address.base), address.index].into_iter().flatten();
        parts.all(|part: Operand| uniformity.is_uniform_operand(part))
    };
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let sites = instructions.filter_map(|instruction| {
        let access = instruction.op.plain_access()?;
        let is_one = is_uniform(access.address) && is_shared(kernel, access.site);
        (!access.is_store && is_one || is_narrow(kernel, access.site)).then_some(access.site)
    });
    sites.collect()
}

/// Every load of shared or global memory but volatile ones.
fn loads(kernel: &Kernel) -> BTreeSet<SiteId> {
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let sites = instructions.filter_map(loaded);
    let is_volatile = |id: &SiteId| {
        let site = kernel.sites.get(id.index());
        site.is_none_or(|site| site.is_volatile)
    };
    sites.filter(|id| !is_volatile(id)).collect()
}

fn is_shared(kernel: &Kernel, site: SiteId) -> bool {
    match space_of(kernel, site) {
        Some(AddressSpace::Shared | AddressSpace::SharedCluster) => true,
        Some(
            AddressSpace::Generic
            | AddressSpace::Global
            | AddressSpace::Local
            | AddressSpace::Constant,
        )
        | None => false,
    }
}
