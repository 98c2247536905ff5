//! Barriers that also order what a buffer holds: those that come after an access to a buffer which the kernel reads and
//! writes. A device pays for that order as for a trip to its memory, so a barrier between accesses of workgroup memory goes
//! without.

use lanescope_ir::{Instruction, Op};

use crate::node::{Node, any_node};

/// Marks them; `is_traffic` tells the accesses to buffers that are read and written.
pub(crate) fn mark_fences(code: &mut [Node<'_>], is_traffic: &dyn Fn(&Instruction) -> bool) {
    Search { is_traffic }.list(code, false);
}

struct Search<'a> {
    is_traffic: &'a dyn Fn(&Instruction) -> bool,
}

impl Search<'_> {
    /// Goes through a list that may come after traffic; gives whether what is behind it may.
    fn list(&self, nodes: &mut [Node<'_>], mut is_after: bool) -> bool {
        for node in nodes {
            is_after = match node {
                Node::Instruction(instruction) => self.instruction(instruction, is_after),
                Node::Converge {
                    instruction,
                    is_fence,
                    ..
                } => {
                    *is_fence = is_after && waits(&instruction.op);
                    self.instruction(instruction, is_after)
                }
                Node::If {
                    then, otherwise, ..
                } => {
                    let behind = self.list(then, is_after);
                    self.list(otherwise, is_after) || behind
                }
                // A jump may come from any place inside.
                Node::Block { body, .. } => {
                    self.list(body, is_after);
                    is_after || self.has_traffic(body)
                }
                Node::Loop { body, .. } => {
                    let is_inside = is_after || self.has_traffic(body);
                    self.list(body, is_inside);
                    is_inside
                }
                Node::Break(_)
                | Node::Continue(_)
                | Node::Exit
                | Node::SetMask { .. }
                | Node::ClearMask(_)
                | Node::BreakUnlessAny(..) => is_after,
            };
        }
        is_after
    }

    fn instruction(&self, instruction: &Instruction, is_after: bool) -> bool {
        if waits(&instruction.op) {
            // A guard may keep lanes from it.
            is_after && instruction.guard.is_some()
        } else {
            is_after || (self.is_traffic)(instruction)
        }
    }

    fn has_traffic(&self, nodes: &[Node<'_>]) -> bool {
        any_node(nodes, &|node| match node {
            Node::Instruction(instruction) | Node::Converge { instruction, .. } => {
                (self.is_traffic)(instruction)
            }
            Node::If { .. }
            | Node::Loop { .. }
            | Node::Block { .. }
            | Node::Break(_)
            | Node::Continue(_)
            | Node::Exit
            | Node::SetMask { .. }
            | Node::ClearMask(_)
            | Node::BreakUnlessAny(..) => false,
        })
    }
}

const fn waits(op: &Op) -> bool {
    matches!(
        op,
        Op::Barrier { .. } | Op::BarrierReduce { .. } | Op::WarpSync { .. }
    )
}
