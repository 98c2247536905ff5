//! Where in the text registers stand. Statements are numbered in the order of the text, each before what is inside of it:
//! those of one [take](Node::statements) as many places.

use lanescope_ir::{Operand, Register};

use crate::node::{Condition, Node};

/// The first and last place that names each register.
pub(crate) struct Spans {
    /// `[register]`: the first and the last place.
    registers: Vec<Option<(usize, usize)>>,
    /// Places of the whole.
    end: usize,
}

impl Spans {
    pub(crate) fn of(code: &[Node<'_>], registers: usize) -> Self {
        let mut spans = Self {
            registers: vec![None; registers],
            end: 0,
        };
        spans.list(code);
        spans
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
                Node::Instruction(instruction) | Node::Converge { instruction, .. } => {
                    let read = instruction.registers_read().into_iter();
                    for register in read.chain(instruction.op.defs()) {
                        self.name(register, start);
                    }
                }
                Node::If { condition, .. } => {
                    if let Condition::Predicate(Operand::Register(register), _)
                    | Condition::Equals(Operand::Register(register), _) = condition
                    {
                        self.name(*register, start);
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
        }
    }

    fn name(&mut self, register: Register, at: usize) {
        if let Some(named) = self.registers.get_mut(register.index()) {
            let (first, last) = named.unwrap_or((at, at));
            *named = Some((first.min(at), last.max(at)));
        }
    }
}
