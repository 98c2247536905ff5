//! Where in the text statements and registers stand.

use std::collections::BTreeMap;

use lanescope_ir::{Operand, Register};

use crate::node::{Condition, Node};

/// The place of each statement, and the first and last place that names each register.
pub(crate) struct Spans {
    /// By the statement's address: its first place, and the one behind its last.
    nodes: BTreeMap<usize, (usize, usize)>,
    /// `[register]`: the first and the last place.
    registers: Vec<Option<(usize, usize)>>,
    /// Places of the whole.
    end: usize,
}

fn key(node: &Node<'_>) -> usize {
    std::ptr::from_ref(node).addr()
}

impl Spans {
    pub(crate) fn of(code: &[Node<'_>], registers: usize) -> Self {
        let mut spans = Self {
            nodes: BTreeMap::new(),
            registers: vec![None; registers],
            end: 0,
        };
        spans.list(code);
        spans
    }

    /// The places of a statement of the code that this was made from.
    pub(crate) fn of_node(&self, node: &Node<'_>) -> (usize, usize) {
        self.nodes.get(&key(node)).copied().unwrap_or((0, 0))
    }

    /// The places of a list.
    pub(crate) fn of_list(&self, nodes: &[Node<'_>]) -> (usize, usize) {
        match (nodes.first(), nodes.last()) {
            (Some(first), Some(last)) => (self.of_node(first).0, self.of_node(last).1),
            _ => (0, 0),
        }
    }

    /// The places of all.
    pub(crate) const fn whole(&self) -> (usize, usize) {
        (0, self.end)
    }

    /// Whether a register is named within a stretch only.
    pub(crate) fn is_local(&self, register: Register, (start, end): (usize, usize)) -> bool {
        match self.registers.get(register.index()).copied().flatten() {
            Some((first, last)) => start <= first && last < end,
            None => true,
        }
    }

    fn list(&mut self, nodes: &[Node<'_>]) {
        for node in nodes {
            let start = self.end;
            self.end += 1;
            match node {
                Node::Instruction(one)
                | Node::Converge {
                    instruction: one, ..
                } => {
                    for register in one.registers_read().into_iter().chain(one.op.defs()) {
                        self.name(register, start);
                    }
                }
                Node::If { condition, .. } => {
                    if let Condition::Predicate(Operand::Register(one), _)
                    | Condition::Equals(Operand::Register(one), _) = condition
                    {
                        self.name(*one, start);
                    }
                }
                Node::Loop { .. }
                | Node::Block { .. }
                | Node::Break(_)
                | Node::Continue(_)
                | Node::Exit
                | Node::SetMask { .. }
                | Node::ClearMask(_)
                | Node::BreakUnlessAny(..) => {}
            }
            for body in node.bodies() {
                self.list(body);
            }
            self.nodes.insert(key(node), (start, self.end));
        }
    }

    fn name(&mut self, register: Register, at: usize) {
        if let Some(one) = self.registers.get_mut(register.index()) {
            let (first, last) = one.unwrap_or((at, at));
            *one = Some((first.min(at), last.max(at)));
        }
    }
}
