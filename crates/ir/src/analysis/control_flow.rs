//! Control-flow graph: successors, predecessors, reverse postorder.

use crate::{BlockId, Kernel, Terminator};

/// The control-flow graph of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlFlow {
    successors: Vec<Vec<BlockId>>,
    predecessors: Vec<Vec<BlockId>>,
    reverse_postorder: Vec<BlockId>,
    /// Position of each block in the reverse postorder; `None` where the entry does not reach it.
    positions: Vec<Option<usize>>,
}

impl ControlFlow {
    /// Builds the graph. An indirect jump goes to every code address.
    #[must_use]
    pub fn of(kernel: &Kernel) -> Self {
        let count = kernel.blocks.len();
        let successors: Vec<Vec<BlockId>> = kernel
            .blocks
            .iter()
            .map(|block| {
                let mut targets = block.terminator.targets();
                if let Terminator::Indirect { .. } = block.terminator {
                    targets.extend(kernel.code_addresses.iter().map(|(_, block)| *block));
                }
                targets.retain(|target| target.index() < count);
                let mut unique = Vec::new();
                for target in targets {
                    if !unique.contains(&target) {
                        unique.push(target);
                    }
                }
                unique
            })
            .collect();
        Self::from_successors(successors)
    }

    fn from_successors(successors: Vec<Vec<BlockId>>) -> Self {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, targets) in (0..).map(BlockId).zip(&successors) {
            for target in targets {
                if let Some(predecessor) = predecessors.get_mut(target.index()) {
                    predecessor.push(from);
                }
            }
        }
        let order = reverse_postorder(successors.len(), &[0], |block| {
            successors.get(block).map_or(&[], Vec::as_slice)
        });
        let mut positions = vec![None; successors.len()];
        for (position, block) in order.iter().enumerate() {
            if let Some(one) = positions.get_mut(block.index()) {
                *one = Some(position);
            }
        }
        Self {
            successors,
            predecessors,
            reverse_postorder: order,
            positions,
        }
    }

    /// Blocks of the kernel.
    #[must_use]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// Whether the kernel has no block.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Blocks that a block goes to, each once.
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors
            .get(block.index())
            .map_or(&[], Vec::as_slice)
    }

    /// Blocks that go to a block, each once.
    #[must_use]
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors
            .get(block.index())
            .map_or(&[], Vec::as_slice)
    }

    /// The blocks that the entry reaches, each before its successors but for back edges.
    #[must_use]
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// A block's position in the reverse postorder; `None` where the entry does not reach it.
    #[must_use]
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.positions.get(block.index()).copied().flatten()
    }

    /// Whether the entry reaches a block.
    #[must_use]
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position(block).is_some()
    }

    /// The blocks that a block reaches by one edge or more without passing `barrier`, by index.
    #[must_use]
    pub fn reachable_from(&self, block: BlockId, barrier: Option<BlockId>) -> Vec<bool> {
        let mut reached = vec![false; self.len()];
        let mut pending = vec![block];
        while let Some(from) = pending.pop() {
            for next in self.successors(from) {
                if Some(*next) == barrier {
                    continue;
                }
                if let Some(one) = reached.get_mut(next.index())
                    && !*one
                {
                    *one = true;
                    pending.push(*next);
                }
            }
        }
        reached
    }
}

/// Depth-first reverse postorder from some roots, without recursion.
pub(super) fn reverse_postorder<'a>(
    count: usize,
    roots: &[usize],
    successors: impl Fn(usize) -> &'a [BlockId],
) -> Vec<BlockId> {
    let mut seen = vec![false; count];
    let mut order = Vec::new();
    for root in roots {
        match seen.get_mut(*root) {
            Some(one) if !*one => *one = true,
            _ => continue,
        }
        let mut stack = vec![(*root, 0)];
        while let Some((block, next)) = stack.last_mut() {
            match successors(*block).get(*next) {
                Some(target) => {
                    *next += 1;
                    if let Some(one) = seen.get_mut(target.index())
                        && !*one
                    {
                        *one = true;
                        stack.push((target.index(), 0));
                    }
                }
                None => {
                    if let Ok(index) = u32::try_from(*block) {
                        order.push(BlockId(index));
                    }
                    stack.pop();
                }
            }
        }
    }
    order.reverse();
    order
}
