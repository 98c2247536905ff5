//! Natural loops: a header that dominates the sources of the back edges to it, and the blocks that reach those.

use super::{ControlFlow, Dominators};
use crate::BlockId;

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaturalLoop {
    /// The one block through which the loop is entered.
    pub header: BlockId,
    /// The blocks that go back to the header.
    pub latches: Vec<BlockId>,
    /// All its blocks, in order, the header's and inner loops' among them.
    pub blocks: Vec<BlockId>,
    /// Edges that leave it.
    pub exits: Vec<(BlockId, BlockId)>,
    /// The loop around it, by its index in [`Loops`].
    pub parent: Option<usize>,
    /// Loops around it and itself.
    pub depth: u32,
}

impl NaturalLoop {
    /// Whether a block belongs to it.
    #[must_use]
    pub fn contains(&self, block: BlockId) -> bool {
        self.blocks.binary_search(&block).is_ok()
    }
}

/// Blocks of all loops together, at most: those of loops within each other count for each, so that a nest of a few thousand
/// has millions.
const MOST_BLOCKS: usize = 1 << 21;

/// The natural loops of a kernel, outer ones before inner ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    loops: Vec<NaturalLoop>,
    innermost: Vec<Option<usize>>,
    is_cut: bool,
}

impl Loops {
    /// Finds all natural loops; loops with one header are one. Of a kernel whose loops have more than 2^21 blocks in all,
    /// none ([`Loops::is_cut`]).
    #[must_use]
    pub fn of(flow: &ControlFlow, dominators: &Dominators) -> Self {
        let mut loops: Vec<NaturalLoop> = Vec::new();
        let mut blocks = 0_usize;
        for header in flow.reverse_postorder() {
            let latches: Vec<BlockId> = flow
                .predecessors(*header)
                .iter()
                .copied()
                .filter(|from| flow.is_reachable(*from) && dominators.dominates(*header, *from))
                .collect();
            if !latches.is_empty() {
                let found = natural_loop(flow, *header, latches);
                blocks += found.blocks.len();
                if blocks > MOST_BLOCKS {
                    return Self {
                        innermost: vec![None; flow.len()],
                        is_cut: true,
                        ..Self::default()
                    };
                }
                loops.push(found);
            }
        }
        loops.sort_by_key(|natural_loop| std::cmp::Reverse(natural_loop.blocks.len()));
        let mut innermost: Vec<Option<usize>> = vec![None; flow.len()];
        for at in 0..loops.len() {
            let Some(one) = loops.get(at) else { break };
            let parent = innermost.get(one.header.index()).copied().flatten();
            let depth = parent
                .and_then(|parent| loops.get(parent))
                .map_or(0, |one| one.depth);
            if let Some(natural_loop) = loops.get_mut(at) {
                natural_loop.parent = parent;
                natural_loop.depth = depth + 1;
                for block in &natural_loop.blocks {
                    if let Some(slot) = innermost.get_mut(block.index()) {
                        *slot = Some(at);
                    }
                }
            }
        }
        Self {
            loops,
            innermost,
            is_cut: false,
        }
    }

    /// Whether there are more loops in loops than are looked for; then none is known.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// All loops, outer ones before inner ones.
    #[must_use]
    pub fn all(&self) -> &[NaturalLoop] {
        &self.loops
    }

    /// The loop of that index.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&NaturalLoop> {
        self.loops.get(index)
    }

    /// The index of the innermost loop around a block.
    #[must_use]
    pub fn innermost(&self, block: BlockId) -> Option<usize> {
        self.innermost.get(block.index()).copied().flatten()
    }

    /// The index of the loop with that header.
    #[must_use]
    pub fn with_header(&self, block: BlockId) -> Option<usize> {
        let index = self.innermost(block)?;
        (self.get(index)?.header == block).then_some(index)
    }

    /// Whether a loop is `outer` or lies in it.
    #[must_use]
    pub fn is_within(&self, inner: usize, outer: usize) -> bool {
        let mut at = Some(inner);
        while let Some(index) = at {
            if index == outer {
                return true;
            }
            at = self.get(index).and_then(|one| one.parent);
        }
        false
    }
}

fn natural_loop(flow: &ControlFlow, header: BlockId, latches: Vec<BlockId>) -> NaturalLoop {
    let mut inside = vec![false; flow.len()];
    if let Some(one) = inside.get_mut(header.index()) {
        *one = true;
    }
    let mut pending = latches.clone();
    while let Some(block) = pending.pop() {
        if let Some(one) = inside.get_mut(block.index())
            && !*one
            && flow.is_reachable(block)
        {
            *one = true;
            pending.extend(flow.predecessors(block));
        }
    }
    let blocks: Vec<BlockId> = (0..)
        .map(BlockId)
        .zip(&inside)
        .filter(|(_, inside)| **inside)
        .map(|(block, _)| block)
        .collect();
    let mut exits = Vec::new();
    for from in &blocks {
        for to in flow.successors(*from) {
            if inside.get(to.index()) != Some(&true) {
                exits.push((*from, *to));
            }
        }
    }
    NaturalLoop {
        header,
        latches,
        blocks,
        exits,
        parent: None,
        depth: 0,
    }
}
