//! A loop written out: the blocks of each iteration one behind the other.

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{BlockId, Kernel, LoopHint, Op};

/// Copies a loop's blocks for each trip, and once more for the way out.
pub(super) fn write_out(kernel: &mut Kernel, natural_loop: &NaturalLoop, trips: u32) {
    let count = natural_loop.blocks.len();
    let first = kernel.blocks.len();
    let number = |block: BlockId, copy: usize| -> Option<BlockId> {
        let at = natural_loop.blocks.binary_search(&block).ok()?;
        u32::try_from(first + copy * count + at).ok().map(BlockId)
    };
    let copies = trips as usize + 1;
    let mut added = Vec::with_capacity(copies * count);
    for copy in 0..copies {
        for block in &natural_loop.blocks {
            let Some(mut new) = kernel.blocks.get(block.index()).cloned() else {
                return;
            };
            let rename = |target: &mut BlockId, is_join: bool| {
                let next =
                    *target == natural_loop.header && (!is_join || *block != natural_loop.header);
                let copy = if next { copy + 1 } else { copy };
                if copy == copies {
                    // The last copy is left before it gets here.
                    return;
                }
                if let Some(number) = number(*target, copy) {
                    *target = number;
                }
            };
            new.terminator
                .visit_blocks_mut(&mut |target| rename(target, false));
            for instruction in &mut new.instructions {
                if let Op::Arm { join, .. } = &mut instruction.op {
                    rename(join, true);
                }
            }
            added.push(new);
        }
    }
    kernel.blocks.extend(added);
    let inner: Vec<LoopHint> = kernel
        .loop_hints
        .iter()
        .filter(|hint| hint.header != natural_loop.header && natural_loop.contains(hint.header))
        .copied()
        .collect();
    for copy in 0..copies {
        kernel.loop_hints.extend(inner.iter().filter_map(|hint| {
            Some(LoopHint {
                header: number(hint.header, copy)?,
                ..*hint
            })
        }));
    }
    let Some(begin) = number(natural_loop.header, 0) else {
        return;
    };
    let outside: Vec<usize> = (0..first)
        .filter(|at| u32::try_from(*at).is_ok_and(|at| !natural_loop.contains(BlockId(at))))
        .collect();
    for at in outside {
        if let Some(block) = kernel.blocks.get_mut(at) {
            block.terminator.visit_blocks_mut(&mut |target| {
                if *target == natural_loop.header {
                    *target = begin;
                }
            });
        }
    }
}
