//! Loop peeling: two iterations of a loop before it, so that what neighbouring iterations access can be compared.

use std::collections::BTreeMap;

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{Block, BlockId, Kernel, Op, Terminator};

/// Iterations that are written before the loop.
const ITERATIONS: usize = 2;

/// The kernel with two iterations of a loop written before it. It is for analyses: accesses keep their sites, so that one
/// may stand in several places.
pub(super) fn peeled_twice(kernel: &Kernel, natural_loop: &NaturalLoop) -> Kernel {
    let mut peeled = kernel.clone();
    let inside = &natural_loop.blocks;
    let mut next_header = natural_loop.header;
    for _ in 0..ITERATIONS {
        let first = peeled.blocks.len();
        let copies: BTreeMap<BlockId, BlockId> = inside
            .iter()
            .enumerate()
            .map(|(at, block)| (*block, block_id(first + at)))
            .collect();
        let copied: Vec<Block> = inside
            .iter()
            .filter_map(|block| kernel.blocks.get(block.index()))
            .map(|block| copy(block, natural_loop.header, next_header, &copies))
            .collect();
        peeled.blocks.extend(copied);
        next_header = copies
            .get(&natural_loop.header)
            .copied()
            .unwrap_or(next_header);
    }
    let enters = |at: usize| inside.binary_search(&block_id(at)).is_err();
    for (_, block) in peeled
        .blocks
        .iter_mut()
        .take(kernel.blocks.len())
        .enumerate()
        .filter(|(at, _)| enters(*at))
    {
        retarget(&mut block.terminator, |to| {
            if to == natural_loop.header {
                next_header
            } else {
                to
            }
        });
    }
    peeled
}

fn block_id(at: usize) -> BlockId {
    BlockId(u32::try_from(at).unwrap_or(u32::MAX))
}

/// A block's copy: back edges go to `next_header`, other edges inside of the loop to copies.
fn copy(
    block: &Block,
    header: BlockId,
    next_header: BlockId,
    copies: &BTreeMap<BlockId, BlockId>,
) -> Block {
    let mut block = block.clone();
    let inside = |to: BlockId| copies.get(&to).copied().unwrap_or(to);
    for instruction in &mut block.instructions {
        if let Op::Arm { join, .. } = &mut instruction.op {
            *join = inside(*join);
        }
    }
    retarget(&mut block.terminator, |to| {
        if to == header {
            next_header
        } else {
            inside(to)
        }
    });
    block
}

/// Gives every edge of a block's end another target.
fn retarget(terminator: &mut Terminator, to: impl Fn(BlockId) -> BlockId) {
    match terminator {
        Terminator::Jump(target) => *target = to(*target),
        Terminator::Branch {
            taken,
            otherwise,
            join,
            ..
        } => {
            *taken = to(*taken);
            *otherwise = to(*otherwise);
            *join = join.map(to);
        }
        Terminator::Switch { targets, .. } => {
            for target in targets {
                *target = to(*target);
            }
        }
        Terminator::Indirect { .. } | Terminator::Exit => {}
    }
}
