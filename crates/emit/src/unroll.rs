//! Loops that are written out: those whose trip count is known before the launch, and small.
//!
//! A browser, and naga, bound every loop with a counter of their own, and a driver then keeps it a loop: loads of its
//! iterations no longer overlap. What is written out is what CUDA's compilers write out too: iterations that the text alone decides,
//! not the launch. They are found by running the structured code on its constants; what a branch, a loop or a load may
//! have written is forgotten, so that the search only ever knows less than a run.

use std::collections::BTreeMap;

use lanescope_ir::{Instruction, Kernel, Op, Operand, Register, SlotMut, UnaryOp};

use crate::constant_fold::folded;
use crate::node::{Condition, Label, Node, any_node};
use crate::structure::loop_label;

/// Iterations that are written out at most.
const MOST_ITERATIONS: u32 = 64;

/// Statements of all iterations together at most.
const MOST_STATEMENTS: usize = 1024;

/// Iterations that are run in search of a loop's number at most, in all loops together.
const MOST_RUN: u32 = 1 << 14;

/// `[loop]`: how often its test lets it go on; only of loops that are written out.
pub(crate) type TripCounts = BTreeMap<Label, u32>;

/// The parts of a loop with one test, and no other jump that leaves or repeats it.
pub(crate) struct Tested<'n, 'k> {
    pub(crate) before: &'n [Node<'k>],
    condition: Condition,
    pub(crate) behind: &'n [Node<'k>],
}

/// A loop's body around its one test.
pub(crate) fn tested<'n, 'k>(label: Label, body: &'n [Node<'k>]) -> Option<Tested<'n, 'k>> {
    let leaves = |node: &Node<'_>| *node == Node::Break(label);
    let at = body.iter().position(|node| {
        matches!(node, Node::If { then, otherwise, .. }
            if then.len() == 1 && then.iter().all(leaves) && otherwise.is_empty())
    })?;
    let (before, behind) = (body.get(..at)?, body.get(at + 1..)?);
    let Some(Node::If { condition, .. }) = body.get(at) else {
        return None;
    };
    let jumps = |node: &Node<'_>| leaves(node) || *node == Node::Continue(label);
    let is_other = |node: &Node<'_>| {
        jumps(node) || matches!(node, Node::BreakUnlessAny(_, other) if *other == label)
    };
    let is_plain = !any_node(before, &is_other) && !any_node(behind, &is_other);
    is_plain.then_some(Tested {
        before,
        condition: *condition,
        behind,
    })
}

/// The loops that are written out, with their trip counts.
pub(crate) fn trip_counts(kernel: &Kernel, code: &[Node<'_>]) -> TripCounts {
    let mut search = Search {
        kept: kernel
            .loop_hints
            .iter()
            .filter(|hint| hint.unroll == 1)
            .map(|hint| loop_label(hint.header))
            .collect(),
        trip_counts: TripCounts::new(),
        left: MOST_RUN,
    };
    search.list(code, &mut Known::new());
    search.trip_counts
}

/// What registers are known to hold.
type Known = BTreeMap<Register, u64>;

struct Search {
    /// Loops that the text asks to keep.
    kept: Vec<Label>,
    trip_counts: TripCounts,
    left: u32,
}

impl Search {
    /// Finds the loops of a list and runs it on what is known; gives its statements with loops written out.
    fn list(&mut self, nodes: &[Node<'_>], known: &mut Known) -> usize {
        let mut statements = 0_usize;
        for node in nodes {
            statements = statements.saturating_add(match node {
                Node::Loop { label, body } => self.counted_loop(*label, body, known),
                Node::If {
                    then, otherwise, ..
                } => {
                    1 + self.list(then, &mut known.clone())
                        + self.list(otherwise, &mut known.clone())
                }
                Node::Block { body, .. } => 1 + self.list(body, &mut known.clone()),
                Node::Instruction(_)
                | Node::Converge { .. }
                | Node::Break(_)
                | Node::Continue(_)
                | Node::Exit
                | Node::SetMask { .. }
                | Node::ClearMask(_)
                | Node::BreakUnlessAny(..) => 1,
            });
            run(node, known);
        }
        statements
    }

    /// Finds a loop's trip count, and gives its statements.
    fn counted_loop(&mut self, label: Label, body: &[Node<'_>], known: &Known) -> usize {
        let mut inside = known.clone();
        forget_all(body, &mut inside);
        let statements = 1 + self.list(body, &mut inside);
        if self.kept.contains(&label) {
            return statements;
        }
        let Some(trip_count) = tested(label, body).and_then(|one| self.count(&one, known.clone()))
        else {
            return statements;
        };
        let all = statements.saturating_mul(trip_count as usize + 1);
        // What never iterates keeps its text, which binds what it names.
        if trip_count == 0 || all > MOST_STATEMENTS {
            return statements;
        }
        self.trip_counts.insert(label, trip_count);
        all
    }

    /// How often a loop's test lets it go on.
    fn count(&mut self, one: &Tested<'_, '_>, mut known: Known) -> Option<u32> {
        for trip_count in 0..=MOST_ITERATIONS {
            self.left = self.left.checked_sub(1)?;
            for node in one.before {
                run(node, &mut known);
            }
            if holds(one.condition, &known)? {
                return Some(trip_count);
            }
            for node in one.behind {
                run(node, &mut known);
            }
        }
        None
    }
}

fn run(node: &Node<'_>, known: &mut Known) {
    let Node::Instruction(instruction) = node else {
        forget_all(std::slice::from_ref(node), known);
        return;
    };
    let found = value(instruction, known);
    forget(instruction, known);
    let mut defs = instruction.op.defs().into_iter();
    if let (Some(value), Some(register), None) = (found, defs.next(), defs.next()) {
        known.insert(register, value);
    }
}

/// What an instruction gives, where that is known.
fn value(instruction: &Instruction, known: &Known) -> Option<u64> {
    if instruction.guard.is_some() {
        return None;
    }
    let mut op = instruction.op.clone();
    op.visit_mut(&mut |slot| {
        if let SlotMut::Use(operand) = slot
            && let Some(value) = of(*operand, known)
        {
            *operand = Operand::Constant(value);
        }
    });
    if let Op::Unary {
        op: UnaryOp::Move,
        a,
        ..
    } = op
    {
        return a.constant();
    }
    folded(&op).map(|(_, value)| value)
}

fn of(operand: Operand, known: &Known) -> Option<u64> {
    match operand {
        Operand::Constant(value) => Some(value),
        Operand::Register(register) => known.get(&register).copied(),
    }
}

/// Whether a condition holds, where that is known.
fn holds(condition: Condition, known: &Known) -> Option<bool> {
    match condition {
        Condition::Predicate(operand, negated) => Some((of(operand, known)? != 0) != negated),
        Condition::Equals(operand, value) => Some(of(operand, known)? == u64::from(value)),
        Condition::Mask(_) => None,
    }
}

fn forget(instruction: &Instruction, known: &mut Known) {
    for register in instruction.op.defs() {
        known.remove(&register);
    }
}

/// Forgets what the statements may write.
fn forget_all(nodes: &[Node<'_>], known: &mut Known) {
    for node in nodes {
        if let Node::Instruction(instruction) | Node::Converge { instruction, .. } = node {
            forget(instruction, known);
        }
        for body in node.bodies() {
            forget_all(body, known);
        }
    }
}
