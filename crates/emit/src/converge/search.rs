//! The search for constructs that some threads leave while others are still to meet in them.

use std::collections::BTreeSet;

use super::State;
use crate::node::{Label, Node};

/// The constructs that some threads leave while others are still to meet in them; none: the kernel.
pub(super) fn masked(code: &[Node<'_>], state: &State<'_>) -> BTreeSet<Option<Label>> {
    let mut search = Search {
        state,
        jumps: Vec::new(),
        masked: state.masked.clone(),
        around: Vec::new(),
    };
    search.list(code);
    search.close(None);
    search.masked
}

/// A jump out of a construct.
struct Jump {
    target: Option<Label>,
    /// Whether only some of the threads make it.
    is_apart: bool,
    /// Whether threads meet behind it before its construct ends, or where it stands.
    is_early: bool,
    /// The loops in which threads meet that it leaves on its way.
    loops: Vec<Label>,
}

/// A construct around a statement.
enum Around {
    /// A branch that threads take apart, and whether they meet in it.
    Parted(bool),
    Loop(Label, bool),
    Block(Label),
}

struct Search<'s, 'a> {
    state: &'s State<'a>,
    jumps: Vec<Jump>,
    masked: BTreeSet<Option<Label>>,
    around: Vec<Around>,
}

impl Search<'_, '_> {
    fn list(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node<'_>) {
        match node {
            Node::Instruction(one) if self.state.instruction_meets(one) => {
                self.jumps.iter_mut().for_each(|jump| jump.is_early = true);
            }
            Node::If {
                condition,
                then,
                otherwise,
                ..
            } => {
                let parts = self.state.diverges(*condition);
                if parts {
                    let meets = self.state.meets(node);
                    self.around.push(Around::Parted(meets));
                }
                self.list(then);
                self.list(otherwise);
                if parts {
                    self.around.pop();
                }
            }
            Node::Loop { label, body } => {
                let first = self.jumps.len();
                let meets = self.state.any_meets(body);
                self.around.push(Around::Loop(*label, meets));
                self.list(body);
                self.around.pop();
                if meets {
                    let own = self.jumps.iter_mut().skip(first);
                    own.for_each(|jump| jump.is_early = true);
                }
                self.close(Some(*label));
            }
            Node::Block { label, body } => {
                self.around.push(Around::Block(*label));
                self.list(body);
                self.around.pop();
                self.close(Some(*label));
            }
            Node::Break(label) | Node::Continue(label) => self.jump(Some(*label)),
            Node::Exit => self.jump(None),
            Node::Instruction(_)
            | Node::Converge { .. }
            | Node::SetMask { .. }
            | Node::ClearMask(_)
            | Node::BreakUnlessAny(..) => {}
        }
    }

    /// Notes a jump, and whether threads make it apart: under a branch they take apart, out of a loop that they may turn a
    /// different number of times, or out of a construct that some of them have left.
    fn jump(&mut self, target: Option<Label>) {
        let mut jump = Jump {
            target,
            is_apart: false,
            is_early: false,
            loops: Vec::new(),
        };
        for around in self.around.iter().rev() {
            match around {
                Around::Loop(label, _) | Around::Block(label) if Some(*label) == target => break,
                Around::Parted(meets) => {
                    jump.is_apart = true;
                    jump.is_early |= meets;
                }
                Around::Loop(label, meets) => {
                    jump.is_apart |= !meets;
                    if *meets {
                        jump.loops.push(*label);
                    }
                    let is_masked = self.masked.contains(&Some(*label));
                    jump.is_apart |= is_masked;
                    jump.is_early |= is_masked;
                }
                Around::Block(label) => {
                    let is_masked = self.masked.contains(&Some(*label));
                    jump.is_apart |= is_masked;
                    jump.is_early |= is_masked;
                }
            }
        }
        self.jumps.push(jump);
    }

    /// Ends a construct: it is masked where threads leave it apart and others are still to meet, and so are the loops in
    /// which they meet that a jump out of a masked one leaves, as nobody else might end them.
    fn close(&mut self, label: Option<Label>) {
        let (own, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.jumps)
            .into_iter()
            .partition(|jump| jump.target == label);
        self.jumps = others;
        if own.iter().any(|jump| jump.is_apart && jump.is_early) {
            self.masked.insert(label);
        }
        if self.masked.contains(&label) {
            let left = own.iter().flat_map(|jump| &jump.loops);
            self.masked.extend(left.map(|label| Some(*label)));
        }
    }
}
