//! Removal of basic blocks that nothing reaches.

use lanescope_ir::{BlockId, Kernel, Op, Terminator};

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

/// Removes the blocks that the entry does not lead to, by branches or as the place where lanes meet.
pub(crate) fn keep_reachable(kernel: &mut Kernel) {
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
    let mut kept = 0;
    let numbers: Vec<BlockId> = is_reached
        .iter()
        .map(|is_reached| {
            let number = BlockId(kept);
            kept += u32::from(*is_reached);
            number
        })
        .collect();
    let number = |id: BlockId| numbers.get(id.index()).copied().unwrap_or(id);
    let mut reached = is_reached.iter();
    kernel.blocks.retain(|_| reached.next() == Some(&true));
    for block in &mut kernel.blocks {
        renumbered(&mut block.terminator, number);
        for one in &mut block.instructions {
            if let Op::Arm { join, .. } = &mut one.op {
                *join = number(*join);
            }
        }
    }
}
