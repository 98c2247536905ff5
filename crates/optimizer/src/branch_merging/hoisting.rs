//! Loads of both branches of an `if` where LLVM does not hoist what both begin with, as from compute capability 10.0 on.
//!
//! Two things still make one load of two:
//! - LLVM speculates a branch that stores nothing. A load of memory that is only read may be speculated, and is then the
//!   other branch's too.
//! - ptxas hoists loads of one address from branches that store nothing, unless a barrier or a store to that memory stands
//!   before the branch in the same block.
//!
//! Of loads that both branches end with, LLVM sinks those of one array; of shared memory only where the indices differ by a
//! constant. Read off PTX and SASS of 100 small kernels made for it (nvcc 13, `sm_120`).

use super::sinking::{is_shared, location};
use super::{Diamond, Pair, Step, access};
use crate::facts::Facts;
use lanescope_ir::{BlockId, Kernel, Op};

/// What is left in a side of an `if` before the accesses that both sides end with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    /// Whether something there stores or waits.
    has_effects: bool,
}

impl Left {
    pub(super) fn of(kernel: &Kernel, block: BlockId, steps: &[Step]) -> Self {
        let has_effects = steps.iter().any(|step| match step {
            Step::Access(at) => {
                access(kernel, block, *at).is_some_and(|(op, _, _)| matches!(op, Op::Store { .. }))
            }
            Step::Compute(_) => false,
            Step::Wall => true,
        });
        Self { has_effects }
    }
}

/// Whether two loads of one address, which both sides begin with, are one all the same.
pub(super) fn is_hoisted_late(
    kernel: &Kernel,
    diamond: Diamond,
    pair: Pair,
    left: [Left; 2],
) -> bool {
    let Some((_, site, _)) = access(kernel, diamond.taken, pair.taken) else {
        return false;
    };
    let is_shared = is_shared(kernel, site);
    let is_read_only = !is_shared
        && kernel
            .sites
            .get(site.index())
            .is_some_and(|site| site.is_read_only);
    if is_read_only {
        return !left.iter().all(|one| one.has_effects);
    }
    !left.iter().any(|one| one.has_effects) && !is_changed_in(kernel, diamond.from, is_shared)
}

/// Whether a block waits at a barrier, or stores to shared memory or to all other.
fn is_changed_in(kernel: &Kernel, block: BlockId, of_shared: bool) -> bool {
    let block = kernel.blocks.get(block.index());
    let mut instructions = block.into_iter().flat_map(|block| &block.instructions);
    instructions.any(|instruction| {
        if let Op::Store { site, .. } = &instruction.op {
            is_shared(kernel, *site) == of_shared
        } else {
            instruction.op.is_fence()
        }
    })
}

/// Whether two accesses that both sides end with are one where loads of two arrays are not.
pub(super) fn is_one_load_anywhere(
    kernel: &Kernel,
    facts: &Facts,
    diamond: Diamond,
    pair: Pair,
) -> bool {
    let is_load = access(kernel, diamond.taken, pair.taken)
        .is_some_and(|(op, _, _)| matches!(op, Op::Load { .. }));
    if !is_load {
        return true;
    }
    let (Some(a), Some(b)) = (
        location(kernel, facts, diamond.taken, pair.taken),
        location(kernel, facts, diamond.otherwise, pair.otherwise),
    ) else {
        return false;
    };
    let is_shared = a.space == lanescope_ir::AddressSpace::Shared;
    a.array.is_some()
        && a.array == b.array
        && (!is_shared || a.address.distance(b.address).is_some())
}
