//! Reconvergence at immediate post-dominators.
//!
//! Lanes that part at a branch meet again at its immediate post-dominator. Ways that end the lane's work do not count:
//! lanes that have exited are not waited for. So the branch `if (a) { x; if (b) return; y; } z;` on `a` meets at `z`,
//! although some lanes never get there; the branch on `b` needs no join, as one of its ways has nobody left to meet.

use super::{ControlFlow, PostDominators};
use crate::{BarrierId, BlockId, Instruction, Kernel, Op, PlaceId, Terminator};

/// Branches without a post-dominator for which a join is searched among the blocks that both ways reach: a bound on
/// work, as each costs a walk of the graph.
const SEARCHES: usize = 4096;

/// Fills in each branch's `join` that is `None`; around a switch it puts a convergence barrier.
///
/// For kernels whose text has no convergence barriers of its own: PTX and structured languages.
pub fn converge(kernel: &mut Kernel) {
    let all: Vec<BlockId> = (0..).map(BlockId).take(kernel.blocks.len()).collect();
    let joins = joins(kernel, &all);
    for (block, join) in joins {
        set(kernel, block, join);
    }
}

/// Where lanes meet again that part at the ends of some blocks; of a block whose lanes do not part, or do not meet, none.
#[must_use]
pub fn joins(kernel: &Kernel, of: &[BlockId]) -> Vec<(BlockId, BlockId)> {
    let flow = split_exits(kernel);
    let post_dominators = PostDominators::of(&flow);
    let mut searches = 0;
    let mut joins = Vec::new();
    for block in of.iter().copied() {
        let targets = flow.successors(block);
        if targets.len() < 2 || !flow.is_reachable(block) {
            continue;
        }
        let mut join = real(kernel, post_dominators.immediate(block));
        if join.is_none() && searches < SEARCHES {
            searches += 1;
            join = real(kernel, common(&flow, block, targets));
        }
        joins.extend(join.map(|join| (block, join)));
    }
    joins
}

/// The control-flow graph in which each edge to a block that only ends goes to an end of its own.
fn split_exits(kernel: &Kernel) -> ControlFlow {
    let ends: Vec<bool> = kernel
        .blocks
        .iter()
        .map(|block| block.instructions.is_empty() && block.terminator == Terminator::Exit)
        .collect();
    let mut apart = Kernel {
        blocks: kernel.blocks.clone(),
        code_addresses: kernel.code_addresses.clone(),
        ..Kernel::default()
    };
    for block in &mut apart.blocks {
        block.instructions.clear();
    }
    let mut added = Vec::new();
    let mut next = u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX);
    for block in &mut apart.blocks {
        block.terminator.visit_blocks_mut(&mut |target| {
            if ends.get(target.index()) == Some(&true) {
                *target = BlockId(next);
                next = next.saturating_add(1);
                added.push(crate::Block {
                    instructions: Vec::new(),
                    terminator: Terminator::Exit,
                    place: PlaceId::default(),
                });
            }
        });
    }
    apart.blocks.append(&mut added);
    ControlFlow::of(&apart)
}

/// The block, if it is one of the kernel.
fn real(kernel: &Kernel, block: Option<BlockId>) -> Option<BlockId> {
    block.filter(|block| block.index() < kernel.blocks.len())
}

/// The immediate post-dominator among the blocks that more than one way reaches.
fn common(flow: &ControlFlow, block: BlockId, targets: &[BlockId]) -> Option<BlockId> {
    let reached: Vec<Vec<bool>> = targets
        .iter()
        .map(|target| {
            let mut reached = flow.reachable_from(*target, Some(block));
            if let Some(one) = reached.get_mut(target.index()) {
                *one = true;
            }
            reached
        })
        .collect();
    let is_common = |at: usize| {
        let ways = reached.iter().filter(|one| one.get(at) == Some(&true));
        ways.count() > 1
    };
    // Blocks that lie on a way to a common one.
    let mut keeps: Vec<bool> = (0..flow.len()).map(is_common).collect();
    if !keeps.contains(&true) {
        return None;
    }
    let mut pending: Vec<BlockId> = (0..)
        .map(BlockId)
        .zip(&keeps)
        .filter(|(_, keeps)| **keeps)
        .map(|(block, _)| block)
        .collect();
    while let Some(at) = pending.pop() {
        for from in flow.predecessors(at) {
            if let Some(keep) = keeps.get_mut(from.index())
                && !*keep
            {
                *keep = true;
                pending.push(*from);
            }
        }
    }
    PostDominators::within(flow, &keeps).immediate(block)
}

fn set(kernel: &mut Kernel, block: BlockId, at: BlockId) {
    let barrier = BarrierId(kernel.barriers);
    let Some(one) = kernel.blocks.get_mut(block.index()) else {
        return;
    };
    match &mut one.terminator {
        Terminator::Branch { join, .. } => {
            join.get_or_insert(at);
        }
        Terminator::Switch { .. } | Terminator::Indirect { .. } => {
            one.instructions.push(Instruction {
                guard: None,
                op: Op::Arm { barrier, join: at },
                place: one.place,
            });
            let meets = Instruction {
                guard: None,
                op: Op::Join { barrier },
                place: PlaceId::default(),
            };
            if let Some(join) = kernel.blocks.get_mut(at.index()) {
                join.instructions.insert(0, meets);
                kernel.barriers += 1;
            }
        }
        Terminator::Jump(_) | Terminator::Exit => {}
    }
}
