//! Jump threading: a block that only branches is skipped where the way in tells which way it goes.
//!
//! What `a && b` leaves is a block that branches on whether both hold; lanes for which `a` does not hold know the answer
//! and go on at once. What is behind is then reached through `b` alone, and holds what `b` has read.
//!
//! Only a block without instructions is skipped, and only where the value number of its predicate is known on the edge, from
//! the branch that the edge comes from: the lanes that take the edge would have gone the same way.

use crate::facts::Facts;
use crate::simplify;
use crate::work::Work;
use lanescope_ir::analysis::{ControlFlow, PostDominators, Value, joins};
use lanescope_ir::{Block, BlockId, Kernel, Operand, ScalarType, Terminator};

/// Edges that are moved in one kernel, at most.
const EDGES: usize = 256;

/// Threads jumps.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    let mut is_changed = false;
    for _ in 0..EDGES {
        let Some(facts) = Facts::of(kernel, work) else {
            break;
        };
        let Some(edge) = find(kernel, &facts) else {
            break;
        };
        thread(kernel, edge);
        is_changed = true;
    }
    if is_changed {
        simplify::run(kernel, work);
    }
}

/// An edge, and where it goes instead.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: BlockId,
    over: BlockId,
    to: BlockId,
}

fn find(kernel: &Kernel, facts: &Facts) -> Option<Edge> {
    facts.flow.reverse_postorder().iter().find_map(|over| {
        let block = kernel.blocks.get(over.index())?;
        let Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
            ..
        } = block.terminator
        else {
            return None;
        };
        let is_header = facts.loops.with_header(*over).is_some();
        if is_header || !block.instructions.is_empty() || taken == *over || otherwise == *over {
            return None;
        }
        facts.flow.predecessors(*over).iter().find_map(|from| {
            let holds = holds_on_edge(kernel, facts, *from, *over, predicate)?;
            let to = if holds == negated { otherwise } else { taken };
            Some(Edge {
                from: *from,
                over: *over,
                to,
            })
        })
    })
}

/// What a predicate holds on the way from one block to the next, if that is known.
fn holds_on_edge(
    kernel: &Kernel,
    facts: &Facts,
    from: BlockId,
    to: BlockId,
    predicate: Operand,
) -> Option<bool> {
    if !facts.flow.is_reachable(from) {
        return None;
    }
    let values = facts
        .numbers
        .walk(kernel, from, &facts.loops, |_, _, _| {})?;
    let asked = values.operand(predicate, ScalarType::Bool);
    match &kernel.blocks.get(from.index())?.terminator {
        Terminator::Branch {
            predicate,
            negated,
            taken,
            otherwise,
            ..
        } if taken != otherwise => {
            let own = values.operand(*predicate, ScalarType::Bool);
            let is_taken = *taken == to;
            known(asked).or((own == asked).then_some(is_taken != *negated))
        }
        Terminator::Jump(_) => known(asked),
        Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Indirect { .. }
        | Terminator::Exit => None,
    }
}

fn known(value: Value) -> Option<bool> {
    value.is_known().then_some(value.number & 1 == 1)
}

fn thread(kernel: &mut Kernel, edge: Edge) {
    let Some(block) = kernel.blocks.get_mut(edge.from.index()) else {
        return;
    };
    match &mut block.terminator {
        Terminator::Jump(target) => *target = edge.to,
        Terminator::Branch {
            taken, otherwise, ..
        } => {
            for target in [taken, otherwise] {
                if *target == edge.over {
                    *target = edge.to;
                }
            }
        }
        Terminator::Switch { .. } | Terminator::Indirect { .. } | Terminator::Exit => {}
    }
    meet(kernel, edge.over);
}

/// Lanes that met at a block which not all of them come to any more meet behind it.
pub(crate) fn meet(kernel: &mut Kernel, over: BlockId) {
    let flow = ControlFlow::of(kernel);
    let post_dominators = PostDominators::of(&flow);
    let meets_there = |block: &Block| matches!(block.terminator, Terminator::Branch { join, .. } if join == Some(over));
    let parted: Vec<BlockId> = (0..)
        .map(BlockId)
        .zip(&kernel.blocks)
        .filter(|(at, block)| {
            meets_there(block)
                && flow.is_reachable(*at)
                && !post_dominators.post_dominates(over, *at)
        })
        .map(|(at, _)| at)
        .collect();
    let joins = joins(kernel, &parted);
    for at in parted {
        let behind = joins.iter().find(|(block, _)| *block == at);
        let behind = behind.map_or_else(|| post_dominators.immediate(at), |(_, join)| Some(*join));
        if let Some(Terminator::Branch { join, .. }) = kernel
            .blocks
            .get_mut(at.index())
            .map(|block| &mut block.terminator)
        {
            *join = behind;
        }
    }
}
