//! Dominators and post-dominators (Cooper, Harvey and Kennedy, *A Simple, Fast Dominance Algorithm*, 2001).

use super::control_flow::{ControlFlow, reverse_postorder};
use crate::BlockId;

/// The dominator tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    immediate: Vec<Option<BlockId>>,
    depth: Vec<u32>,
}

impl Dominators {
    /// Finds each block's immediate dominator.
    #[must_use]
    pub fn of(flow: &ControlFlow) -> Self {
        let immediate = immediate_dominators(flow.len(), flow.reverse_postorder(), |block| {
            flow.predecessors(block)
        });
        let mut depth = vec![0; flow.len()];
        for block in flow.reverse_postorder() {
            let above = immediate.get(block.index()).copied().flatten();
            let above = above.and_then(|above| depth.get(above.index()).copied());
            if let (Some(above), Some(one)) = (above, depth.get_mut(block.index())) {
                *one = above + 1;
            }
        }
        Self { immediate, depth }
    }

    /// The closest block through which all ways from the entry to a block pass; `None` for the entry and for blocks
    /// that the entry does not reach.
    #[must_use]
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate.get(block.index()).copied().flatten()
    }

    /// Whether all ways from the entry to `block` pass `over`. Every block dominates itself.
    #[must_use]
    pub fn dominates(&self, over: BlockId, block: BlockId) -> bool {
        let depth = |block: BlockId| self.depth.get(block.index()).copied().unwrap_or(0);
        let mut at = block;
        while depth(at) > depth(over) {
            match self.immediate(at) {
                Some(above) => at = above,
                None => return false,
            }
        }
        at == over
    }
}

/// The post-dominator tree, rooted in a virtual exit behind all blocks that end the lane's work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostDominators {
    immediate: Vec<Option<BlockId>>,
}

impl PostDominators {
    /// Finds each block's immediate post-dominator.
    #[must_use]
    pub fn of(flow: &ControlFlow) -> Self {
        Self::within(flow, &vec![true; flow.len()])
    }

    /// Post-dominators of the graph without the blocks for which `keeps` does not hold.
    #[must_use]
    pub fn within(flow: &ControlFlow, keeps: &[bool]) -> Self {
        let count = flow.len();
        let is_kept = |block: &BlockId| keeps.get(block.index()) == Some(&true);
        // The graph turned round, with the virtual exit as block `count`.
        let exit = BlockId(u32::try_from(count).unwrap_or(u32::MAX));
        let mut backward: Vec<Vec<BlockId>> = Vec::with_capacity(count + 1);
        let mut forward: Vec<Vec<BlockId>> = Vec::with_capacity(count + 1);
        let mut leaves = Vec::new();
        for block in (0..exit.0).map(BlockId) {
            let kept = |blocks: &[BlockId]| -> Vec<BlockId> {
                blocks.iter().copied().filter(is_kept).collect()
            };
            if !is_kept(&block) {
                backward.push(Vec::new());
                forward.push(Vec::new());
                continue;
            }
            backward.push(kept(flow.predecessors(block)));
            let mut successors = kept(flow.successors(block));
            if flow.successors(block).is_empty() {
                leaves.push(block);
                successors.push(exit);
            }
            forward.push(successors);
        }
        backward.push(leaves);
        forward.push(Vec::new());
        let order = reverse_postorder(count + 1, &[count], |block| {
            backward.get(block).map_or(&[], Vec::as_slice)
        });
        let mut immediate = immediate_dominators(count + 1, &order, |block| {
            forward.get(block.index()).map_or(&[], Vec::as_slice)
        });
        for one in &mut immediate {
            if *one == Some(exit) {
                *one = None;
            }
        }
        Self { immediate }
    }

    /// The closest block through which all ways from a block to the end pass; `None` where that is the end itself, or
    /// where the block does not reach the end.
    #[must_use]
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.immediate.get(block.index()).copied().flatten()
    }

    /// Whether all ways from `block` to the end pass `under`. Every block post-dominates itself.
    #[must_use]
    pub fn post_dominates(&self, under: BlockId, block: BlockId) -> bool {
        let mut at = block;
        for _ in 0..=self.immediate.len() {
            if at == under {
                return true;
            }
            match self.immediate(at) {
                Some(below) => at = below,
                None => return false,
            }
        }
        false
    }
}

/// Immediate dominators by iteration over a reverse postorder from one root. The root gets `None`, as do blocks that
/// are not in the order.
fn immediate_dominators<'a>(
    count: usize,
    order: &[BlockId],
    predecessors: impl Fn(BlockId) -> &'a [BlockId],
) -> Vec<Option<BlockId>> {
    let mut position = vec![usize::MAX; count];
    for (at, block) in order.iter().enumerate() {
        if let Some(one) = position.get_mut(block.index()) {
            *one = at;
        }
    }
    let at = |block: BlockId| position.get(block.index()).copied().unwrap_or(usize::MAX);
    // By position in the order; the root's is the root itself.
    let mut immediate: Vec<Option<usize>> = vec![None; order.len()];
    if let Some(root) = immediate.first_mut() {
        *root = Some(0);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (here, block) in order.iter().enumerate().skip(1) {
            let mut new = None;
            for from in predecessors(*block) {
                let from = at(*from);
                if immediate.get(from).copied().flatten().is_none() {
                    continue;
                }
                new = Some(match new {
                    None => from,
                    Some(other) => intersect(&immediate, from, other),
                });
            }
            if let Some(one) = immediate.get_mut(here)
                && *one != new
            {
                *one = new;
                changed = true;
            }
        }
    }
    let mut result = vec![None; count];
    for (here, block) in order.iter().enumerate().skip(1) {
        let above = immediate.get(here).copied().flatten();
        let above = above.and_then(|above| order.get(above).copied());
        if let Some(one) = result.get_mut(block.index()) {
            *one = above;
        }
    }
    result
}

/// The closest common ancestor of two positions.
fn intersect(immediate: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    let above = |at: usize| immediate.get(at).copied().flatten().unwrap_or(0);
    while a != b {
        while a > b {
            a = above(a);
        }
        while b > a {
            b = above(b);
        }
    }
    a
}
