//! Convergence barriers as joins of branches: what `break`, `continue` and `return` in the middle leave is the control flow
//! of an `if` and of a loop's own condition.
//!
//! A front end arms a barrier around each scope that some lanes leave. Where all lanes that are armed come to the barrier,
//! or those that do not leave come to it together, it says no more than that lanes which part at a branch meet at its
//! immediate post-dominator, as a compiler has it. Without barriers `while (true) { if (!(i < n)) break; … }` is the loop
//! `while (i < n) { … }` (LLVM's loop-simplify and loop-rotate), and `if (c) continue; …` is `if (!c) { … }`.
//!
//! A barrier goes where the blocks from its arming to its join are entered from the arming block alone, lead nowhere but to
//! the join, and have no barrier of their own: by induction over the branches in them, whose joins lie among them, lanes
//! that enter together arrive together. Others, such as that of a body which some lanes leave by `continue` and some by
//! `break`, stay.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::{ControlFlow, Dominators, Loops, PostDominators};
use lanescope_ir::{BarrierId, BlockId, Effect, Effects, Kernel, Op, Operand, Terminator, UnaryOp};

use crate::branch_folding::{named, past_empty};
use crate::facts::size;
use crate::latch_tests;
use crate::simplify;
use crate::work::Work;

/// Barriers that are looked at in one kernel, at most.
const MOST: usize = 1024;

/// Blocks without instructions that an edge is led past, at most.
const EMPTY: usize = 8;

/// Removes barriers that say no more than the joins of branches.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    latch_tests::run(kernel, work);
    let mut left = BTreeSet::new();
    for _ in 0..MOST {
        if !work.spend(size(kernel)) {
            return;
        }
        let Some(removal) = removal(kernel) else {
            break;
        };
        left.extend(apply(kernel, &removal));
    }
    fold_negations(kernel);
    if !left.is_empty() {
        skip_empty(kernel, &left);
        simplify::run(kernel, work);
    }
}

/// Where a barrier's instructions stand.
#[derive(Clone, Debug, Default)]
struct Uses {
    arms: Vec<(BlockId, BlockId)>,
    joins: Vec<BlockId>,
    leaves: Vec<BlockId>,
}

/// A barrier that goes, and the branches that get a join for it.
#[derive(Clone, Debug)]
struct Removal {
    barrier: BarrierId,
    joins: Vec<(BlockId, BlockId)>,
}

fn uses(kernel: &Kernel) -> BTreeMap<BarrierId, Uses> {
    let mut uses: BTreeMap<BarrierId, Uses> = BTreeMap::new();
    for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        for instruction in &block.instructions {
            if let Op::Arm { barrier, join } = instruction.op {
                uses.entry(barrier).or_default().arms.push((id, join));
            } else if let Op::Join { barrier } = instruction.op {
                uses.entry(barrier).or_default().joins.push(id);
            } else if let Op::Leave { barrier } = instruction.op {
                uses.entry(barrier).or_default().leaves.push(id);
            }
        }
    }
    uses
}

fn removal(kernel: &Kernel) -> Option<Removal> {
    let uses = uses(kernel);
    if uses.is_empty() {
        return None;
    }
    let flow = ControlFlow::of(kernel);
    let post_dominators = PostDominators::of(&flow);
    let loops = Loops::of(&flow, &Dominators::of(&flow));
    uses.iter().find_map(|(barrier, uses)| {
        let ([(armed, join)], [joined]) = (uses.arms.as_slice(), uses.joins.as_slice()) else {
            return None;
        };
        if join != joined {
            return None;
        }
        let joins = replaced(kernel, &flow, &post_dominators, (*armed, *join), uses)
            .or_else(|| at_latch(kernel, &loops, &post_dominators, (*barrier, *join)))?;
        Some(Removal {
            barrier: *barrier,
            joins,
        })
    })
}

/// The joins that branches get where the barrier armed in `armed` and joined in `join` goes; `None` where it stays.
fn replaced(
    kernel: &Kernel,
    flow: &ControlFlow,
    post_dominators: &PostDominators,
    (armed, join): (BlockId, BlockId),
    uses: &Uses,
) -> Option<Vec<(BlockId, BlockId)>> {
    let ways = flow.successors(armed);
    let region_of = |way: &BlockId| {
        let mut region = BTreeSet::new();
        let mut pending = vec![*way];
        while let Some(block) = pending.pop() {
            if block != join && region.insert(block) {
                pending.extend(flow.successors(block).iter().copied());
            }
        }
        region
    };
    let is_left =
        |region: &BTreeSet<BlockId>| uses.leaves.iter().any(|leave| region.contains(leave));
    let mut regions = ways.iter().map(region_of);
    // The ways by which lanes come to the join: all, or the one on which none leaves.
    let (region, is_whole) = if uses.leaves.is_empty() {
        (regions.by_ref().flatten().collect(), true)
    } else {
        let mut kept = regions.filter(|region| !is_left(region));
        let (Some(region), None) = (kept.next(), kept.next()) else {
            return None;
        };
        (region, false)
    };
    let is_inside = |block: &BlockId| region.contains(block) || *block == armed;
    let reachable = |block: BlockId| {
        let before = flow.predecessors(block).iter();
        before.copied().filter(|from| flow.is_reachable(*from))
    };
    let is_entered_once = !region.contains(&armed)
        && region
            .iter()
            .all(|block| reachable(*block).all(|from| is_inside(&from)))
        && reachable(join).all(|from| is_inside(&from));
    if !is_entered_once || !region.iter().all(|block| is_plain(kernel, *block)) {
        return None;
    }
    let parting = region.iter().copied().chain(is_whole.then_some(armed));
    let mut joins = Vec::new();
    for block in parting {
        if let Terminator::Branch {
            taken,
            otherwise,
            join: None,
            ..
        } = kernel.blocks.get(block.index())?.terminator
            && taken != otherwise
        {
            let meet = post_dominators.immediate(block)?;
            if meet != join && !region.contains(&meet) {
                return None;
            }
            joins.push((block, meet));
        }
    }
    Some(joins)
}

/// The joins that branches get where a barrier's join does nothing but go back to the beginning of its loop: a compiler
/// has no such block, so that lanes of `if (c) continue;` go round until the last of them comes out.
fn at_latch(
    kernel: &Kernel,
    loops: &Loops,
    post_dominators: &PostDominators,
    (barrier, join): (BarrierId, BlockId),
) -> Option<Vec<(BlockId, BlockId)>> {
    let latch = kernel.blocks.get(join.index())?;
    let does_nothing = latch
        .instructions
        .iter()
        .all(|instruction| matches!(instruction.op, Op::Join { .. } | Op::Compare { .. }));
    let natural_loop = loops.get(loops.innermost(join)?)?;
    let Terminator::Jump(next) = latch.terminator else {
        return None;
    };
    let goes_back = past_empty(kernel, next, None) == natural_loop.header;
    let is_own = |op: &Op| {
        named(op).map_or_else(
            || {
                !op.effects().meets(Effects::of(&[
                    Effect::WaitsForWarp,
                    Effect::WaitsForBlock,
                    Effect::Exchanges,
                ]))
            },
            |other| other == barrier,
        )
    };
    let blocks = natural_loop.blocks.iter();
    let mut ops = blocks
        .filter_map(|block| kernel.blocks.get(block.index()))
        .flat_map(|block| block.instructions.iter().map(|instruction| &instruction.op));
    if !does_nothing || !goes_back || !ops.all(is_own) {
        return None;
    }
    let mut joins = Vec::new();
    for block in &natural_loop.blocks {
        if let Terminator::Branch { join: None, .. } = kernel.blocks.get(block.index())?.terminator
            && let Some(meet) = post_dominators.immediate(*block)
            && natural_loop.contains(meet)
        {
            joins.push((*block, meet));
        }
    }
    Some(joins)
}

/// Whether a block has no barrier of its own, and goes on by a jump or a branch.
fn is_plain(kernel: &Kernel, block: BlockId) -> bool {
    kernel.blocks.get(block.index()).is_some_and(|block| {
        let mut ops = block.instructions.iter().map(|instruction| &instruction.op);
        let has_barrier =
            ops.any(|op| matches!(op, Op::Arm { .. } | Op::Join { .. } | Op::Leave { .. }));
        !has_barrier
            && matches!(
                block.terminator,
                Terminator::Jump(_) | Terminator::Branch { .. }
            )
    })
}

/// Removes the barrier; gives the blocks by which lanes left it.
fn apply(kernel: &mut Kernel, removal: &Removal) -> Vec<BlockId> {
    let mut left = Vec::new();
    for (id, block) in (0..).map(BlockId).zip(&mut kernel.blocks) {
        block.instructions.retain(|instruction| {
            let is_own = named(&instruction.op) == Some(removal.barrier);
            if is_own && matches!(instruction.op, Op::Leave { .. }) {
                left.push(id);
            }
            !is_own
        });
    }
    for (block, meet) in &removal.joins {
        if let Some(Terminator::Branch { join, .. }) = kernel
            .blocks
            .get_mut(block.index())
            .map(|block| &mut block.terminator)
        {
            *join = Some(*meet);
        }
    }
    left
}

/// A branch on what is not so is the opposite branch on what is.
fn fold_negations(kernel: &mut Kernel) {
    for block in &mut kernel.blocks {
        let Terminator::Branch {
            predicate: Operand::Register(register),
            negated,
            ..
        } = &mut block.terminator
        else {
            continue;
        };
        let is_written = |instruction: &lanescope_ir::Instruction, register| {
            instruction.op.defs().contains(&register)
        };
        let Some(at) = block
            .instructions
            .iter()
            .rposition(|instruction| is_written(instruction, *register))
        else {
            continue;
        };
        if let Some((made, behind)) = block
            .instructions
            .get(at..)
            .and_then(<[lanescope_ir::Instruction]>::split_first)
            && let Op::Unary {
                op: UnaryOp::Not,
                a: Operand::Register(from),
                ..
            } = made.op
            && made.guard.is_none()
            && from != *register
            && !behind.iter().any(|one| is_written(one, from))
        {
            *register = from;
            *negated = !*negated;
        }
    }
}

/// Leads edges past blocks in which lanes did nothing but leave.
fn skip_empty(kernel: &mut Kernel, left: &BTreeSet<BlockId>) {
    let mut joined: BTreeSet<BlockId> = BTreeSet::new();
    for block in &kernel.blocks {
        if let Terminator::Branch {
            join: Some(join), ..
        } = block.terminator
        {
            joined.insert(join);
        }
        joined.extend(block.instructions.iter().filter_map(|instruction| {
            let Op::Arm { join, .. } = instruction.op else {
                return None;
            };
            Some(join)
        }));
    }
    let next: BTreeMap<BlockId, BlockId> = left
        .iter()
        .filter(|block| !joined.contains(block))
        .filter_map(|block| {
            let body = kernel.blocks.get(block.index())?;
            let Terminator::Jump(next) = body.terminator else {
                return None;
            };
            body.instructions.is_empty().then_some((*block, next))
        })
        .collect();
    for block in &mut kernel.blocks {
        block.terminator.visit_blocks_mut(&mut |target| {
            for _ in 0..EMPTY {
                match next.get(target) {
                    Some(next) => *target = *next,
                    None => break,
                }
            }
        });
    }
}
