//! The tree of comparisons that a row of cases becomes, and where its lanes meet.

use std::collections::BTreeSet;

use lanescope_ir::analysis::{ControlFlow, Dominators, PostDominators};
use lanescope_ir::{Block, BlockId, Kernel, Operand, PlaceId, Terminator};

use super::{LEAF, Row};

/// The tree of comparisons with its cases, as blocks: inner nodes and leaves, then the cases, what follows them, and the end.
pub(super) struct Graph {
    flow: ControlFlow,
    dominators: Dominators,
    post_dominators: PostDominators,
    pub(super) first_case: usize,
}

impl Graph {
    pub(super) fn of(row: &Row, clusters: &[(usize, usize)]) -> Self {
        let mut nodes = Vec::new();
        grow(clusters, &mut nodes);
        let first_case = nodes.len();
        let behind = first_case + row.cases.len();
        let end = if row.ends_alike { behind } else { behind + 1 };
        let mut targets: Vec<Vec<usize>> = nodes
            .into_iter()
            .map(|node| match node {
                Node::Inner(sides) => sides.to_vec(),
                Node::Leaf(cases) => {
                    let cases = cases.into_iter().map(|case| first_case + case);
                    cases.chain([behind]).collect()
                }
            })
            .collect();
        for (at, case) in row.cases.iter().enumerate() {
            targets.push(vec![if case.falls { first_case + at + 1 } else { end }]);
        }
        if end != behind {
            targets.push(vec![end]);
        }
        targets.push(Vec::new());
        let block = |at: usize| BlockId(u32::try_from(at).unwrap_or(u32::MAX));
        let blocks = targets.into_iter().map(|to| Block {
            instructions: Vec::new(),
            terminator: match to.as_slice() {
                [] => Terminator::Exit,
                [target] => Terminator::Jump(block(*target)),
                _ => Terminator::Switch {
                    index: Operand::Constant(0),
                    targets: to.iter().map(|target| block(*target)).collect(),
                },
            },
            place: PlaceId::default(),
        });
        let kernel = Kernel {
            blocks: blocks.collect(),
            ..Kernel::default()
        };
        let flow = ControlFlow::of(&kernel);
        Self {
            dominators: Dominators::of(&flow),
            post_dominators: PostDominators::of(&flow),
            flow,
            first_case,
        }
    }

    /// At which blocks lanes meet.
    pub(super) fn meets(&self) -> Vec<bool> {
        let count = self.flow.len();
        let blocks = || (0..).map(BlockId).take(count);
        let mut meets = vec![false; count];
        let mut around: Vec<BTreeSet<BlockId>> = Vec::new();
        for from in blocks().take(self.first_case) {
            let behind = self.post_dominators.immediate(from);
            let joins = blocks().filter(|join| {
                self.flow.predecessors(*join).len() > 1
                    && self.dominators.immediate(*join) == Some(from)
                    && Some(*join) != behind
            });
            let last = joins.last().filter(|join| {
                let between = self.between(from, *join);
                let is_nested = |other: &BTreeSet<BlockId>| {
                    between.is_subset(other)
                        || other.is_subset(&between)
                        || between.is_disjoint(other)
                };
                around.iter().all(is_nested)
            });
            if let Some(last) = last {
                around.push(self.between(from, last));
            }
            for join in [behind, last].into_iter().flatten() {
                if let Some(slot) = meets.get_mut(join.index()) {
                    *slot = true;
                }
            }
        }
        meets
    }

    /// The blocks on the ways from one block to another, with the first and without the last.
    fn between(&self, from: BlockId, to: BlockId) -> BTreeSet<BlockId> {
        let reached = self.flow.reachable_from(from, Some(to));
        let mut found = BTreeSet::new();
        let mut pending = self.flow.predecessors(to).to_vec();
        while let Some(block) = pending.pop() {
            let is_between = block == from || reached.get(block.index()) == Some(&true);
            if is_between && found.insert(block) && block != from {
                pending.extend(self.flow.predecessors(block));
            }
        }
        found
    }
}

/// A comparison of the tree: of the value with a pivot, or with the labels of a leaf.
enum Node {
    Inner([usize; 2]),
    Leaf(Vec<usize>),
}

/// Grows the tree of some clusters behind the nodes that there are; its root is the first one.
fn grow(clusters: &[(usize, usize)], nodes: &mut Vec<Node>) -> usize {
    let own = nodes.len();
    nodes.push(Node::Leaf(clusters.iter().map(|(case, _)| *case).collect()));
    if clusters.len() <= LEAF {
        return own;
    }
    let (left, right) = clusters.split_at(pivot(clusters));
    let left = grow(left, nodes);
    let right = grow(right, nodes);
    if let Some(node) = nodes.get_mut(own) {
        *node = Node::Inner([left, right]);
    }
    own
}

/// How many clusters stand left of the pivot (LLVM's `splitWorkItem`): from both ends to where the sides weigh alike, then so
/// that no side has more than a leaf holds while the other has room.
fn pivot(clusters: &[(usize, usize)]) -> usize {
    let weight = |at: usize| clusters.get(at).map_or(0, |(_, labels)| *labels);
    let (mut left, mut right) = (0, clusters.len() - 1);
    let mut weights = [weight(left), weight(right)];
    for turn in 0.. {
        if left + 1 >= right {
            break;
        }
        if weights[0] < weights[1] || weights[0] == weights[1] && turn % 2 == 1 {
            left += 1;
            weights[0] += weight(left);
        } else {
            right -= 1;
            weights[1] += weight(right);
        }
    }
    let mut count = left + 1;
    loop {
        let sides = [count, clusters.len() - count];
        let is_uneven = sides.iter().min() < Some(&LEAF) && sides.iter().max() > Some(&LEAF);
        if !is_uneven {
            return count;
        }
        if sides[0] < sides[1] {
            count += 1;
        } else {
            count -= 1;
        }
    }
}
