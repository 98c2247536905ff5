//! Loops that stand one behind another as the pieces of one.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::{Loops, NaturalLoop};
use lanescope_ir::{
    BinaryOp, Block, BlockId, Comparison, Instruction, Kernel, LoopHint, Op, Operand, PlaceId,
    Register, ScalarType, Terminator, UnaryOp,
};

use super::cut::{close, jump, push};
use crate::facts::{fresh, unguarded};
use crate::loop_unrolling::hint;

/// Stages of a loop that is cut, at most.
const STAGES: usize = 4;

/// Iterations that are one piece of the loop with this header, as [`stage`] writes it; 1 of any other loop.
pub(crate) fn piece(kernel: &Kernel, header: BlockId) -> usize {
    stage_size(kernel, header).unwrap_or(1)
}

/// Iterations of a stage with this header; `None` of any other block.
fn stage_size(kernel: &Kernel, header: BlockId) -> Option<usize> {
    let block = kernel.blocks.get(header.index())?;
    match block.instructions.as_slice() {
        [
            ..,
            Instruction {
                op:
                    Op::Compare {
                        op: Comparison::GreaterEqual,
                        ty: ScalarType::I64,
                        b: Operand::Constant(size),
                        ..
                    },
                ..
            },
        ] if hint(kernel, header) == Some(1) => Some(usize::try_from(*size).unwrap_or(1).max(1)),
        _ => None,
    }
}

/// The ways that part the pieces of a loop from its single iterations, and those from what stands behind both; each with
/// the headers of the loop's stages before it.
pub(crate) fn parted(
    kernel: &Kernel,
    loops: &Loops,
) -> BTreeMap<(BlockId, BlockId), BTreeSet<BlockId>> {
    let stages = loops.all().iter().filter_map(|natural_loop| {
        let size = stage_size(kernel, natural_loop.header)?;
        match kernel.blocks.get(natural_loop.header.index())?.terminator {
            Terminator::Branch { otherwise, .. } => {
                Some((natural_loop.header, (size == 1, otherwise)))
            }
            Terminator::Jump(_)
            | Terminator::Switch { .. }
            | Terminator::Indirect { .. }
            | Terminator::Exit => None,
        }
    });
    let stages: BTreeMap<BlockId, (bool, BlockId)> = stages.collect();
    let next = |to: BlockId| Some(past_flags(kernel, to)).filter(|next| stages.contains_key(next));
    let before: BTreeMap<BlockId, BlockId> = stages
        .iter()
        .filter_map(|(header, (_, to))| Some((next(*to)?, *header)))
        .collect();
    let mut found = BTreeMap::new();
    for (header, (is_single, to)) in &stages {
        let mut chain = BTreeSet::from([*header]);
        let mut last = header;
        while let Some(from) = before.get(last).filter(|from| !chain.contains(from)) {
            chain.insert(*from);
            last = from;
        }
        let is_other =
            |other: &BlockId| stages.get(other).is_some_and(|stage| stage.0 != *is_single);
        let parts = match next(*to) {
            Some(next) => is_other(&next),
            None => chain.iter().any(is_other),
        };
        if parts {
            found.insert((*header, *to), chain);
        }
    }
    found
}

/// Where a way goes past blocks that only set flags.
fn past_flags(kernel: &Kernel, mut to: BlockId) -> BlockId {
    let sets_flag = |instruction: &Instruction| {
        matches!(
            instruction.op,
            Op::Unary {
                op: UnaryOp::Move,
                ty: ScalarType::Bool,
                a: Operand::Constant(_),
                ..
            }
        )
    };
    for _ in 0..STAGES {
        match kernel.blocks.get(to.index()) {
            Some(Block {
                instructions,
                terminator: Terminator::Jump(next),
                ..
            }) if instructions.iter().all(sets_flag) => to = *next,
            Some(_) | None => break,
        }
    }
    to
}

/// A loop that makes `size` iterations at a time while as many are left; gives its header.
pub(super) fn stage(
    kernel: &mut Kernel,
    natural_loop: &NaturalLoop,
    body: BlockId,
    (size, left): (u32, Register),
    before: BlockId,
    place: PlaceId,
) -> BlockId {
    let header = push(kernel, Vec::new(), place);
    close(kernel, before, header);
    let predicate = fresh(kernel, 1);
    let test = Op::Compare {
        op: Comparison::GreaterEqual,
        ty: ScalarType::I64,
        unordered: false,
        dst: predicate,
        a: left.into(),
        b: Operand::Constant(u64::from(size)),
    };
    let first = kernel.blocks.len();
    let count = natural_loop.blocks.len();
    let number = |block: BlockId, copy: usize| -> Option<BlockId> {
        let at = natural_loop.blocks.binary_search(&block).ok()?;
        u32::try_from(first + copy * count + at).ok().map(BlockId)
    };
    let copies = size as usize;
    let latch = BlockId(u32::try_from(first + copies * count).unwrap_or(u32::MAX));
    for copy in 0..copies {
        for block in &natural_loop.blocks {
            let Some(mut new) = kernel.blocks.get(block.index()).cloned() else {
                continue;
            };
            if *block == natural_loop.header {
                // The test is known to hold.
                new.terminator = Terminator::Jump(body);
            }
            new.terminator.visit_blocks_mut(&mut |target| {
                let to = if *target == natural_loop.header {
                    if copy + 1 == copies {
                        Some(latch)
                    } else {
                        number(natural_loop.header, copy + 1)
                    }
                } else {
                    number(*target, copy)
                };
                if let Some(to) = to {
                    *target = to;
                }
            });
            kernel.blocks.push(new);
        }
    }
    let spend = Op::Binary {
        op: BinaryOp::Subtract,
        ty: ScalarType::I64,
        dst: left,
        a: left.into(),
        b: Operand::Constant(u64::from(size)),
    };
    let latch = push(kernel, vec![unguarded(spend, place)], place);
    jump(kernel, latch, header);
    kernel.loop_hints.push(LoopHint { header, unroll: 1 });
    if let (Some(taken), Some(block)) = (
        number(natural_loop.header, 0),
        kernel.blocks.get_mut(header.index()),
    ) {
        block.instructions.push(unguarded(test, place));
        block.terminator = Terminator::Branch {
            predicate: predicate.into(),
            negated: false,
            taken,
            otherwise: header,
            join: None,
        };
    }
    header
}
