//! Order of basic blocks, and removal of those that nothing reaches.

use lanescope_ir::{Block, BlockId, Kernel, Op, Terminator};

/// The blocks that a terminator names.
fn named(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch {
            taken,
            otherwise,
            join,
            ..
        } => {
            let mut all = vec![*taken, *otherwise];
            all.extend(*join);
            all
        }
        Terminator::Switch { targets, .. } => targets.clone(),
        Terminator::Indirect { .. } | Terminator::Exit => Vec::new(),
    }
}

fn renumbered(terminator: &mut Terminator, number: impl Fn(BlockId) -> BlockId) {
    match terminator {
        Terminator::Jump(to) => *to = number(*to),
        Terminator::Branch {
            taken,
            otherwise,
            join,
            ..
        } => {
            *taken = number(*taken);
            *otherwise = number(*otherwise);
            *join = join.map(number);
        }
        Terminator::Switch { targets, .. } => {
            for to in targets {
                *to = number(*to);
            }
        }
        Terminator::Indirect { .. } | Terminator::Exit => {}
    }
}

/// Puts blocks in `order`, without those that the entry does not lead to, by branches or as the place where lanes meet.
pub(crate) fn order_reachable(kernel: &mut Kernel, order: &[BlockId]) {
    let is_reached = reached(kernel);
    let mut numbers: Vec<Option<BlockId>> = vec![None; kernel.blocks.len()];
    let mut blocks = Vec::new();
    for at in order {
        let is_new = numbers.get(at.index()) == Some(&None);
        let (true, Some(true), Some(block), Some(number)) = (
            is_new,
            is_reached.get(at.index()).copied(),
            kernel.blocks.get_mut(at.index()),
            numbers.get_mut(at.index()),
        ) else {
            continue;
        };
        *number = Some(BlockId(u32::try_from(blocks.len()).unwrap_or(u32::MAX)));
        blocks.push(std::mem::replace(
            block,
            Block {
                instructions: Vec::new(),
                terminator: Terminator::Exit,
                place: block.place,
            },
        ));
    }
    let number = |id: BlockId| numbers.get(id.index()).copied().flatten().unwrap_or(id);
    kernel.loop_hints.retain_mut(|hint| {
        let header = numbers.get(hint.header.index()).copied().flatten();
        hint.header = header.unwrap_or(hint.header);
        header.is_some()
    });
    for block in &mut blocks {
        renumbered(&mut block.terminator, number);
        for one in &mut block.instructions {
            if let Op::Arm { join, .. } = &mut one.op {
                *join = number(*join);
            }
        }
    }
    kernel.blocks = blocks;
}

/// The blocks that the entry leads to.
fn reached(kernel: &Kernel) -> Vec<bool> {
    let mut is_reached = vec![false; kernel.blocks.len()];
    let mut work = vec![BlockId(0)];
    while let Some(at) = work.pop() {
        let Some(block) = kernel.blocks.get(at.index()) else {
            continue;
        };
        match is_reached.get_mut(at.index()) {
            Some(reached) if !*reached => *reached = true,
            _ => continue,
        }
        work.extend(named(&block.terminator));
        work.extend(block.instructions.iter().filter_map(|one| match one.op {
            Op::Arm { join, .. } => Some(join),
            _ => None,
        }));
    }
    is_reached
}
