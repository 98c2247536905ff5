//! Uniformity over a block of threads: which registers hold one value in all of them, as WGSL's own analysis sees it.
//!
//! Divergence starts at the threads' indices and at memory that the kernel writes, and follows data and control: what is
//! assigned where only some threads come diverges, but for constructs in which threads meet: these are about to be left by
//! all together (`converge.rs`). Control is uniform again behind the construct that a jump leaves.
//! Registers are taken over the whole kernel, not place by place, so that more diverges here than there.

use std::collections::BTreeSet;

use lanescope_ir::{Instruction, Op, Operand, Register, SpecialRegister};

use crate::node::{Condition, Label, Node};

/// What decides uniformity beside the code.
pub(crate) struct Sources<'a> {
    /// Whether a load gives all threads one value where they ask at one address.
    pub(crate) is_shared_value: &'a dyn Fn(&Instruction) -> bool,
}

/// `[register]`: whether it diverges.
pub(crate) fn divergent(code: &[Node<'_>], count: usize, sources: &Sources<'_>) -> Vec<bool> {
    let mut walk = Walk {
        sources,
        divergent: vec![false; count],
        left: BTreeSet::new(),
        changed: true,
    };
    while std::mem::take(&mut walk.changed) {
        walk.left.clear();
        walk.list(code, false);
    }
    walk.divergent
}

/// Whether all threads of a block find one value in a special register.
pub(crate) const fn is_uniform(register: SpecialRegister) -> bool {
    match register {
        SpecialRegister::ThreadIndex(_)
        | SpecialRegister::LinearThreadIndex
        | SpecialRegister::Lane
        | SpecialRegister::Warp
        | SpecialRegister::LaneMaskEqual
        | SpecialRegister::LaneMaskLess
        | SpecialRegister::LaneMaskLessEqual
        | SpecialRegister::LaneMaskGreater
        | SpecialRegister::LaneMaskGreaterEqual
        | SpecialRegister::Unpredictable
        | SpecialRegister::Variable(_) => false,
        SpecialRegister::BlockIndex(_)
        | SpecialRegister::BlockSize(_)
        | SpecialRegister::GridSize(_)
        | SpecialRegister::WarpCount
        | SpecialRegister::WarpSize
        | SpecialRegister::DynamicSharedBytes
        | SpecialRegister::TotalSharedBytes
        | SpecialRegister::SharedWindow
        | SpecialRegister::LocalWindow
        | SpecialRegister::ClusterRank
        | SpecialRegister::ClusterSize(_)
        | SpecialRegister::ClusterIndex(_)
        | SpecialRegister::Elements(_)
        | SpecialRegister::ArrayAddress(_) => true,
    }
}

/// Whether threads meet in a statement.
fn has_meeting(node: &Node<'_>) -> bool {
    node.has_node(&|one| matches!(one, Node::Converge { .. }))
}

/// Where control may be when only some threads are there: up to the end of a construct, or of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Until {
    Label(Label),
    End,
}

struct Walk<'a> {
    sources: &'a Sources<'a>,
    divergent: Vec<bool>,
    /// Constructs that some threads have left already.
    left: BTreeSet<Until>,
    changed: bool,
}

impl Walk<'_> {
    fn is_divergent(&self, register: Register) -> bool {
        self.divergent
            .get(register.index())
            .copied()
            .unwrap_or(true)
    }

    fn operand(&self, operand: Operand) -> bool {
        operand.register().is_some_and(|one| self.is_divergent(one))
    }

    fn condition(&self, condition: Condition) -> bool {
        match condition {
            Condition::Predicate(operand, _) | Condition::Equals(operand, _) => {
                self.operand(operand)
            }
            Condition::Mask(_) => true,
        }
    }

    fn set(&mut self, register: Register) {
        if let Some(one) = self.divergent.get_mut(register.index()) {
            self.changed |= !*one;
            *one = true;
        }
    }

    fn list(&mut self, nodes: &[Node<'_>], apart: bool) {
        for node in nodes {
            self.node(node, apart || !self.left.is_empty());
        }
    }

    fn node(&mut self, node: &Node<'_>, apart: bool) {
        match node {
            Node::Instruction(instruction) => self.instruction(instruction, apart),
            Node::Converge {
                instruction,
                mask,
                everywhere,
                is_fence: _,
            } => self.instruction(instruction, apart || mask.is_some() && !everywhere),
            Node::If {
                condition,
                then,
                otherwise,
                ..
            } => {
                // What is about to be masked is no branch any more.
                let parts = !has_meeting(node) && self.condition(*condition);
                let apart = apart || parts;
                self.list(then, apart);
                self.list(otherwise, apart);
            }
            Node::Loop { label, body } => {
                let before = self.left.clone();
                self.list(body, apart);
                // Some threads come back to the head, or leave, without the others, unless a mask is about to keep them.
                if has_meeting(node) {
                    self.left = before;
                } else if self.left != before {
                    self.list(body, true);
                }
                self.left.remove(&Until::Label(*label));
            }
            Node::Block { label, body } => {
                self.list(body, apart);
                self.left.remove(&Until::Label(*label));
            }
            Node::Break(label) | Node::Continue(label) => {
                if apart {
                    self.left.insert(Until::Label(*label));
                }
            }
            Node::Exit => {
                if apart {
                    self.left.insert(Until::End);
                }
            }
            Node::SetMask { .. } | Node::ClearMask(_) | Node::BreakUnlessAny(..) => {}
        }
    }

    fn instruction(&mut self, instruction: &Instruction, apart: bool) {
        let diverges = apart
            || match &instruction.op {
                Op::Special { register, .. } => !is_uniform(*register),
                Op::BarrierReduce { .. } => false,
                Op::Load { .. } => {
                    let is_one = (self.sources.is_shared_value)(instruction);
                    let reads = instruction.registers_read();
                    !is_one || reads.iter().any(|read| self.is_divergent(*read))
                }
                op if op.is_pure() => {
                    let reads = instruction.registers_read();
                    reads.iter().any(|read| self.is_divergent(*read))
                }
                // What else acts may give each thread something of its own.
                _ => true,
            };
        let guarded = instruction
            .guard
            .is_some_and(|one| self.is_divergent(one.predicate));
        if diverges || guarded {
            for register in instruction.op.defs() {
                self.set(register);
            }
        }
    }
}
