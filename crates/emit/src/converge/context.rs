//! The walk that masks: constructs around a statement, and who takes part in it.

use super::{State, leaves, masked_branch};
use crate::node::{Condition, Label, Mask, Node, statements};

/// A construct that masks lanes.
#[derive(Clone, Copy)]
struct Scope {
    /// The construct, or none of a branch; of the kernel, [`Scope::is_kernel`].
    label: Option<Label>,
    is_kernel: bool,
    mask: Mask,
    /// Of a loop: the lanes that go on with it.
    of_loop: Option<Mask>,
    /// Its places in the text.
    places: (usize, usize),
}

/// Masks statements.
pub(super) struct Context<'s, 'a> {
    state: &'s mut State<'a>,
    /// The place of the next statement.
    place: usize,
    scopes: Vec<Scope>,
    /// Whether some lanes of the innermost mask may be out.
    is_dirty: bool,
    /// Constructs in which threads meet and that all leave together.
    native: Vec<Label>,
}

impl<'s, 'a> Context<'s, 'a> {
    pub(super) fn function(state: &'s mut State<'a>) -> Self {
        Self {
            state,
            place: 0,
            scopes: Vec::new(),
            is_dirty: false,
            native: Vec::new(),
        }
    }

    pub(super) fn whole<'k>(mut self, code: &[Node<'k>]) -> Vec<Node<'k>> {
        let mut out = Vec::new();
        if self.state.masked.contains(&None) {
            let mask = self.state.new_mask();
            out.push(Node::SetMask {
                mask,
                from: None,
                condition: None,
            });
            self.scopes.push(Scope {
                label: None,
                is_kernel: true,
                mask,
                of_loop: None,
                places: self.state.spans.whole(),
            });
        }
        self.list(code, &mut out);
        out
    }

    fn active(&self) -> Option<Mask> {
        let innermost = self.scopes.last().map(|scope| scope.mask);
        innermost.filter(|_| self.is_dirty)
    }

    fn list<'k>(&mut self, nodes: &[Node<'k>], out: &mut Vec<Node<'k>>) {
        for node in nodes {
            let behind = self.place + node.statements();
            self.node(node, out);
            self.place = behind;
        }
    }

    fn node<'k>(&mut self, node: &Node<'k>, out: &mut Vec<Node<'k>>) {
        if !self.must_stay(node) {
            return self.plain(node, out);
        }
        let start = self.place;
        let places = (start, start + node.statements());
        self.place += 1;
        match node {
            Node::Instruction(one) => self.meet(one, out),
            Node::If {
                condition,
                then,
                otherwise,
                place,
            } => {
                if self.state.diverges(*condition) {
                    return self.parted(*condition, then, otherwise, out);
                }
                let dirty = self.is_dirty;
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.list(then, &mut yes);
                let after = std::mem::replace(&mut self.is_dirty, dirty);
                self.list(otherwise, &mut no);
                self.is_dirty |= after;
                out.push(Node::If {
                    condition: *condition,
                    then: yes,
                    otherwise: no,
                    place: *place,
                });
            }
            Node::Loop { label, body } => self.repeat(*label, (node, places), body, out),
            Node::Block { label, body } => {
                if self.state.masked.contains(&Some(*label)) {
                    return self.masked_block(*label, (node, places), body, out);
                }
                self.native.push(*label);
                let mut inner = Vec::new();
                self.list(body, &mut inner);
                self.native.pop();
                out.push(Node::Block {
                    label: *label,
                    body: inner,
                });
            }
            // A jump that all threads make together.
            other @ (Node::Converge { .. }
            | Node::Break(_)
            | Node::Continue(_)
            | Node::Exit
            | Node::SetMask { .. }
            | Node::ClearMask(_)
            | Node::BreakUnlessAny(..)) => out.push(other.clone()),
        }
    }

    /// Whether all threads of the block must come to a statement: they meet inside, or leave together from it a construct
    /// in which they meet.
    fn must_stay<'k>(&self, node: &Node<'k>) -> bool {
        if self.state.meets(node) {
            return true;
        }
        let is_apart =
            matches!(node, Node::If { condition, .. } if self.state.diverges(*condition));
        !is_apart
            && node.has_node(&|one| match one {
                Node::Break(label) | Node::Continue(label) => self.native.contains(label),
                Node::Instruction(_)
                | Node::Converge { .. }
                | Node::If { .. }
                | Node::Loop { .. }
                | Node::Block { .. }
                | Node::Exit
                | Node::SetMask { .. }
                | Node::ClearMask(_)
                | Node::BreakUnlessAny(..) => false,
            })
    }

    /// An instruction at which threads meet.
    fn meet<'k>(&mut self, instruction: &'k lanescope_ir::Instruction, out: &mut Vec<Node<'k>>) {
        let mut mask = self.active();
        if let Some(guard) = instruction.guard {
            let guarded = self.state.new_mask();
            out.push(Node::SetMask {
                mask: guarded,
                from: mask,
                condition: Some((
                    Condition::Predicate(guard.predicate.into(), guard.negated),
                    true,
                )),
            });
            mask = Some(guarded);
        }
        let places = self.scopes.last().map_or((0, usize::MAX), |one| one.places);
        let mut defs = instruction.op.defs().into_iter();
        let everywhere =
            instruction.guard.is_none() && defs.all(|def| self.state.spans.is_local(def, places));
        out.push(Node::Converge {
            instruction,
            mask,
            everywhere,
            is_fence: false,
        });
    }

    /// A branch that threads take apart and in which they meet: both ways are gone by all.
    fn parted<'k>(
        &mut self,
        condition: Condition,
        then: &[Node<'k>],
        otherwise: &[Node<'k>],
        out: &mut Vec<Node<'k>>,
    ) {
        let from = self.active();
        let mut ways = Vec::new();
        for (way, holds) in [(then, true), (otherwise, false)] {
            if way.is_empty() {
                continue;
            }
            let mask = self.state.new_mask();
            out.push(Node::SetMask {
                mask,
                from,
                condition: Some((condition, holds)),
            });
            ways.push((way, mask));
        }
        let mut dirty = self.is_dirty;
        for (way, mask) in ways {
            let places = (self.place, self.place + statements(way));
            self.scopes.push(Scope {
                label: None,
                is_kernel: false,
                mask,
                of_loop: None,
                places,
            });
            self.is_dirty = true;
            self.list(way, out);
            self.scopes.pop();
            dirty |= way.iter().any(leaves);
        }
        self.is_dirty = dirty;
    }

    fn masked_block<'k>(
        &mut self,
        label: Label,
        (node, places): (&Node<'k>, (usize, usize)),
        body: &[Node<'k>],
        out: &mut Vec<Node<'k>>,
    ) {
        let mask = self.state.new_mask();
        out.push(Node::SetMask {
            mask,
            from: self.active(),
            condition: None,
        });
        let dirty = self.is_dirty;
        self.scopes.push(Scope {
            label: Some(label),
            is_kernel: false,
            mask,
            of_loop: None,
            places,
        });
        self.list(body, out);
        self.scopes.pop();
        self.is_dirty = dirty || self.leaves_masked(node);
    }

    fn repeat<'k>(
        &mut self,
        label: Label,
        (node, places): (&Node<'k>, (usize, usize)),
        body: &[Node<'k>],
        out: &mut Vec<Node<'k>>,
    ) {
        let dirty = self.is_dirty;
        let mut inner = Vec::new();
        if self.state.masked.contains(&Some(label)) {
            let (on, mask) = (self.state.new_mask(), self.state.new_mask());
            out.push(Node::SetMask {
                mask: on,
                from: self.active(),
                condition: None,
            });
            inner.push(Node::BreakUnlessAny(on, label));
            inner.push(Node::SetMask {
                mask,
                from: Some(on),
                condition: None,
            });
            self.scopes.push(Scope {
                label: Some(label),
                is_kernel: false,
                mask,
                of_loop: Some(on),
                places,
            });
            self.is_dirty = true;
            self.list(body, &mut inner);
            self.scopes.pop();
        } else {
            // Lanes that an iteration has masked stay out in the next.
            self.is_dirty |= self.leaves_masked(node);
            self.native.push(label);
            self.list(body, &mut inner);
            self.native.pop();
        }
        self.is_dirty = dirty || self.leaves_masked(node);
        out.push(Node::Loop { label, body: inner });
    }

    /// Whether a statement holds a jump that masks lanes of a construct around it.
    fn leaves_masked<'k>(&self, node: &Node<'k>) -> bool {
        node.has_node(&|one| self.left_by(one).is_some())
    }

    /// The outermost masked construct that a jump leaves; `None` for one that leaves none, and for what is no jump.
    fn left_by(&self, node: &Node<'_>) -> Option<usize> {
        match node {
            Node::Break(label) | Node::Continue(label) => self.scope_of(Some(*label)),
            Node::Exit => self.scope_of(None),
            Node::Instruction(_)
            | Node::Converge { .. }
            | Node::If { .. }
            | Node::Loop { .. }
            | Node::Block { .. }
            | Node::SetMask { .. }
            | Node::ClearMask(_)
            | Node::BreakUnlessAny(..) => None,
        }
    }

    fn scope_of(&self, label: Option<Label>) -> Option<usize> {
        self.scopes.iter().rposition(|scope| match label {
            Some(_) => scope.label == label,
            None => scope.is_kernel,
        })
    }

    /// A statement in which nobody meets.
    fn plain<'k>(&mut self, node: &Node<'k>, out: &mut Vec<Node<'k>>) {
        let active = self.active();
        let code = if self.leaves_masked(node) {
            let end = self.state.new_label();
            let body = self.rewritten(std::slice::from_ref(node), end);
            self.is_dirty = true;
            Node::Block { label: end, body }
        } else {
            node.clone()
        };
        let Some(mask) = active else {
            out.push(code);
            return;
        };
        if let Node::Instruction(one) = &code {
            let places = self.scopes.last().map_or((0, 0), |scope| scope.places);
            if self.state.is_harmless(one, places) {
                out.push(code);
                return;
            }
        }
        match out.last_mut() {
            Some(Node::If {
                condition: Condition::Mask(same),
                then,
                otherwise,
                ..
            }) if *same == mask && otherwise.is_empty() && !clears(then) => then.push(code),
            _ => out.push(masked_branch(mask, vec![code])),
        }
    }

    /// Statements whose jumps out of masked constructs mask the lane and leave the block `end`.
    fn rewritten<'k>(&self, nodes: &[Node<'k>], end: Label) -> Vec<Node<'k>> {
        let mut out = Vec::new();
        for node in nodes {
            match (node, self.left_by(node)) {
                (_, Some(target)) => {
                    let goes_on = matches!(node, Node::Continue(_));
                    for (at, scope) in self.scopes.iter().enumerate().skip(target).rev() {
                        out.push(Node::ClearMask(scope.mask));
                        let leaves_loop = at > target || !goes_on;
                        out.extend(scope.of_loop.filter(|_| leaves_loop).map(Node::ClearMask));
                    }
                    out.push(Node::Break(end));
                }
                (
                    Node::If {
                        condition,
                        then,
                        otherwise,
                        place,
                    },
                    None,
                ) => out.push(Node::If {
                    condition: *condition,
                    then: self.rewritten(then, end),
                    otherwise: self.rewritten(otherwise, end),
                    place: *place,
                }),
                (Node::Loop { label, body }, None) => out.push(Node::Loop {
                    label: *label,
                    body: self.rewritten(body, end),
                }),
                (Node::Block { label, body }, None) => out.push(Node::Block {
                    label: *label,
                    body: self.rewritten(body, end),
                }),
                (other, None) => out.push(other.clone()),
            }
        }
        out
    }
}

/// Whether statements mask lanes.
fn clears(nodes: &[Node<'_>]) -> bool {
    nodes
        .iter()
        .any(|node| node.has_node(&|one| matches!(one, Node::ClearMask(_) | Node::SetMask { .. })))
}
