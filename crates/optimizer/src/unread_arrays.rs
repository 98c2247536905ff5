//! Global optimization: stores to a shared array that nothing in the kernel reads (LLVM's GlobalOpt).
//!
//! Read off PTX of 14 kernels (nvcc 13, `sm_90`): an array of declared size that is only stored to goes, with all that
//! is computed for it, also where nothing uses what is loaded from it; an array that atomics change, that a sum in place
//! reads, that is volatile, or whose size the launch says, stays.
//!
//! A kernel that leaves nothing behind outside of its blocks would compile to nothing. It shows an access, and stays as
//! it is written.
//!
//! NB: a shared array that each thread loads only what it stored itself from goes with its stores in the compiler; here they
//! are counted.

use crate::facts::size;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::{AddressSpace, ArrayId, Effect, Effects, Kernel, Op, Site};
use std::collections::BTreeSet;

/// Removes stores to arrays that are never read.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let mut unread: BTreeSet<ArrayId> = (0..)
        .map(ArrayId)
        .zip(&kernel.arrays)
        .filter(|(_, location)| location.space == AddressSpace::Shared && location.bytes.is_some())
        .map(|(id, _)| id)
        .collect();
    if unread.is_empty() || !work.spend(size(kernel)) {
        return;
    }
    let mut is_seen = false;
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    for op in all.map(|instruction| &instruction.op) {
        // What is not understood may read any of them.
        if matches!(op, Op::Unmodelled { is_pure: false, .. }) {
            return;
        }
        for site in op.sites() {
            let Some(site) = kernel.sites.get(site.index()) else {
                return;
            };
            let array = site.array.and_then(|id| kernel.arrays.get(id.index()));
            let space = array.map_or(site.space, |array| array.space);
            let is_inside = matches!(space, AddressSpace::Shared | AddressSpace::Local);
            is_seen |= !is_inside && writes(op);
            if matches!(op, Op::Store { .. }) && !site.is_volatile {
                continue;
            }
            match site.array {
                Some(array) => {
                    unread.remove(&array);
                }
                // A pointer that may go to any of them.
                None if is_anywhere_shared(site) => return,
                None => {}
            }
        }
    }
    if unread.is_empty() || !is_seen {
        return;
    }
    let Kernel { blocks, sites, .. } = kernel;
    for block in blocks {
        block.instructions.retain(|instruction| {
            let Op::Store { site, .. } = instruction.op else {
                return true;
            };
            let array = sites.get(site.index()).and_then(|site| site.array);
            let is_dead = array.is_some_and(|array| unread.contains(&array));
            if is_dead {
                note(remarks, site, RemarkKind::Unused);
            }
            !is_dead
        });
    }
}

/// Whether an access leaves something in memory. Of a texture's or surface's it is not known.
const fn writes(op: &Op) -> bool {
    op.effects().has(Effect::Writes) || matches!(op, Op::Texture { .. })
}

/// Whether nothing that a kernel does can be seen behind it, so that a compiler leaves nothing of its accesses, of which it
/// has some: it stores only to memory of its own blocks and threads, and has nothing volatile, no atomic, and nothing that
/// is not modelled.
#[must_use]
pub fn has_no_result(kernel: &Kernel) -> bool {
    const SEEN: Effects = Effects::of(&[
        Effect::Writes,
        Effect::Atomic,
        Effect::Escapes,
        Effect::Unmodelled,
    ]);
    let mut has_access = false;
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    for op in all.map(|instruction| &instruction.op) {
        let sites = op.sites();
        let sites = sites.iter().map(|site| kernel.sites.get(site.index()));
        let is_inside = |site: &Site| {
            let array = site.array.and_then(|id| kernel.arrays.get(id.index()));
            let space = array.map_or(site.space, |array| array.space);
            matches!(space, AddressSpace::Shared | AddressSpace::Local)
        };
        let is_store = matches!(op, Op::Store { .. });
        for site in sites {
            has_access = true;
            if site.is_none_or(|site| site.is_volatile || is_store && !is_inside(site)) {
                return false;
            }
        }
        if !is_store && (op.effects().meets(SEEN) || writes(op)) {
            return false;
        }
    }
    has_access
}

/// Whether an access whose array is not known may go to shared memory.
fn is_anywhere_shared(site: &Site) -> bool {
    matches!(
        site.space,
        AddressSpace::Shared | AddressSpace::SharedCluster | AddressSpace::Generic
    )
}
