//! Uniform control around barriers: predication.
//!
//! WGSL takes a barrier only where all threads of the block come, and a shuffle through workgroup memory needs barriers. So
//! a construct in which threads meet is left by all of them together: where the source lets some leave earlier (a return,
//! a branch on the thread's index), these stay, and a mask keeps them from doing anything. Constructs in which nobody meets,
//! and jumps that all threads make together, stay as they are.
//!
//! Which registers diverge depends on what is masked, and what is masked on which registers diverge: both grow until
//! neither does.

mod context;
mod search;
mod spans;

use std::collections::BTreeSet;

use lanescope_ir::{Instruction, Op, Operand, PlaceId, SiteId};

use crate::node::{Condition, Label, Mask, Node};
use crate::simplify::simplify;
use crate::uniform::{Sources, divergent};
use context::Context;
use spans::Spans;

/// Code in which threads meet under uniform control only.
pub(crate) struct Converged<'k> {
    pub(crate) code: Vec<Node<'k>>,
    /// Loads of shared memory through which all threads get one value.
    pub(crate) uniform_loads: BTreeSet<SiteId>,
    /// Whether lanes that are done wait for the others.
    pub(crate) is_masked: bool,
}

/// What is known of the kernel's memory.
pub(crate) struct Memory<'a> {
    /// Whether a load reads what nothing writes.
    pub(crate) is_read_only: &'a dyn Fn(&Instruction) -> bool,
    /// Whether a load can be one of workgroup memory for all threads.
    pub(crate) may_be_uniform: &'a dyn Fn(&Instruction) -> bool,
}

/// Whether all threads of the block, or of the warp, meet at an operation.
pub(crate) const fn meets(op: &Op) -> bool {
    matches!(
        op,
        Op::Shuffle { .. }
            | Op::Vote { .. }
            | Op::Match { .. }
            | Op::WarpReduce { .. }
            | Op::ActiveMask { .. }
            | Op::Elect { .. }
            | Op::Barrier { .. }
            | Op::BarrierReduce { .. }
            | Op::WarpSync { .. }
    )
}

/// Makes control uniform where threads meet.
pub(crate) fn converge<'k>(
    code: Vec<Node<'k>>,
    count: usize,
    memory: &Memory<'_>,
) -> Converged<'k> {
    let spans = Spans::of(&code, count);
    let mut state = State {
        spans: &spans,
        memory,
        divergent: vec![false; count],
        masked: BTreeSet::new(),
        uniform_loads: BTreeSet::new(),
        next: 0,
        is_masked: false,
    };
    if !state.any_meets(&code) {
        return Converged {
            code,
            uniform_loads: BTreeSet::new(),
            is_masked: false,
        };
    }
    state.uniform_loads = wanted_loads(&code, count, memory, &state);
    loop {
        let before = (
            state.divergent.clone(),
            state.masked.clone(),
            state.uniform_loads.clone(),
        );
        state.masked = search::masked(&code, &state);
        (state.next, state.is_masked) = (0, false);
        let new = Context::function(&mut state).whole(&code);
        let uniform_loads = state.uniform_loads.clone();
        let is_shared_value = |instruction: &Instruction| {
            (memory.is_read_only)(instruction) || is_one_of(&uniform_loads, instruction)
        };
        let sources = Sources {
            is_shared_value: &is_shared_value,
        };
        let found = divergent(&new, count, &sources);
        for (known, found) in state.divergent.iter_mut().zip(&found) {
            *known |= found;
        }
        let divergent = &state.divergent;
        state.uniform_loads.retain(|site| {
            !defs_of(&code, *site).any(|one| divergent.get(one.index()).copied().unwrap_or(true))
        });
        let after = (
            state.divergent.clone(),
            state.masked.clone(),
            state.uniform_loads.clone(),
        );
        if before == after {
            return Converged {
                code: simplify(new),
                uniform_loads: state.uniform_loads,
                is_masked: state.is_masked,
            };
        }
    }
}

fn is_one_of(loads: &BTreeSet<SiteId>, instruction: &Instruction) -> bool {
    matches!(&instruction.op, Op::Load { site, .. } if loads.contains(site))
}

/// The registers that an access writes.
fn defs_of<'a>(
    code: &'a [Node<'_>],
    site: SiteId,
) -> impl Iterator<Item = lanescope_ir::Register> + 'a {
    let mut all = Vec::new();
    each_instruction(code, &mut |instruction| {
        if instruction.op.sites().into_iter().any(|one| one == site) {
            all.extend(instruction.op.defs());
        }
    });
    all.into_iter()
}

pub(crate) fn each_instruction<'k>(code: &[Node<'k>], visit: &mut dyn FnMut(&'k Instruction)) {
    for node in code {
        match node {
            Node::Instruction(instruction) | Node::Converge { instruction, .. } => {
                visit(instruction);
            }
            other @ (Node::If { .. }
            | Node::Loop { .. }
            | Node::Block { .. }
            | Node::Break(_)
            | Node::Continue(_)
            | Node::Exit
            | Node::SetMask { .. }
            | Node::ClearMask(_)
            | Node::BreakUnlessAny(..)) => other
                .bodies()
                .into_iter()
                .for_each(|body| each_instruction(body, visit)),
        }
    }
}

/// Loads of workgroup memory whose values decide whether, or how often, threads meet.
fn wanted_loads(
    code: &[Node<'_>],
    count: usize,
    memory: &Memory<'_>,
    state: &State<'_>,
) -> BTreeSet<SiteId> {
    let mut wanted = vec![false; count];
    state.conditions(code, &mut |operand| {
        if let Some(one) = operand
            .register()
            .and_then(|one| wanted.get_mut(one.index()))
        {
            *one = true;
        }
    });
    let mut loads = BTreeSet::new();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        each_instruction(code, &mut |instruction| {
            let is_wanted = instruction
                .op
                .defs()
                .into_iter()
                .any(|one| wanted.get(one.index()).copied().unwrap_or(false));
            if !is_wanted {
                return;
            }
            if let Op::Load { site, .. } = &instruction.op
                && (memory.may_be_uniform)(instruction)
            {
                loads.insert(*site);
            } else if instruction.op.is_pure() {
                for register in instruction.registers_read() {
                    if let Some(is_wanted) = wanted.get_mut(register.index()) {
                        changed |= !*is_wanted;
                        *is_wanted = true;
                    }
                }
            }
        });
    }
    loads
}

/// What is found out while it grows.
pub(crate) struct State<'a> {
    spans: &'a Spans,
    memory: &'a Memory<'a>,
    divergent: Vec<bool>,
    /// Constructs that some threads leave while others are still to meet; none: the kernel.
    masked: BTreeSet<Option<Label>>,
    uniform_loads: BTreeSet<SiteId>,
    next: u32,
    is_masked: bool,
}

impl State<'_> {
    fn new_mask(&mut self) -> Mask {
        self.is_masked = true;
        self.next += 1;
        Mask(self.next)
    }

    /// A label that no block of the kernel has.
    fn new_label(&mut self) -> Label {
        self.next += 1;
        Label(u32::MAX - self.next)
    }

    fn is_divergent(&self, operand: Operand) -> bool {
        operand
            .register()
            .is_some_and(|one| self.divergent.get(one.index()).copied().unwrap_or(true))
    }

    fn diverges(&self, condition: Condition) -> bool {
        match condition {
            Condition::Predicate(operand, _) | Condition::Equals(operand, _) => {
                self.is_divergent(operand)
            }
            Condition::Mask(_) => true,
        }
    }

    fn instruction_meets(&self, instruction: &Instruction) -> bool {
        meets(&instruction.op) || is_one_of(&self.uniform_loads, instruction)
    }

    fn meets(&self, node: &Node<'_>) -> bool {
        match node {
            Node::Instruction(one) => self.instruction_meets(one),
            other @ (Node::Converge { .. }
            | Node::If { .. }
            | Node::Loop { .. }
            | Node::Block { .. }
            | Node::Break(_)
            | Node::Continue(_)
            | Node::Exit
            | Node::SetMask { .. }
            | Node::ClearMask(_)
            | Node::BreakUnlessAny(..)) => {
                other.bodies().into_iter().any(|body| self.any_meets(body))
            }
        }
    }

    fn any_meets(&self, nodes: &[Node<'_>]) -> bool {
        nodes.iter().any(|node| self.meets(node))
    }

    /// Hands the conditions of all branches that decide whether threads meet.
    fn conditions(&self, nodes: &[Node<'_>], visit: &mut dyn FnMut(Operand)) {
        for node in nodes {
            let decides = self.meets(node) || leaves(node);
            if let Node::If { condition, .. } = node
                && decides
                && let Condition::Predicate(operand, _) | Condition::Equals(operand, _) = condition
            {
                visit(*operand);
            }
            for body in node.bodies() {
                self.conditions(body, visit);
            }
        }
    }

    /// Whether an instruction only computes what no lane outside a stretch of code reads.
    fn is_harmless(&self, instruction: &Instruction, within: (usize, usize)) -> bool {
        let is_free = instruction.op.is_pure()
            || matches!(&instruction.op, Op::Load { .. })
                && (self.memory.is_read_only)(instruction)
                && !instruction
                    .registers_read()
                    .into_iter()
                    .any(|one| self.is_divergent(one.into()));
        is_free
            && instruction
                .op
                .defs()
                .into_iter()
                .all(|one| self.spans.is_local(one, within))
    }
}

/// Whether a branch may jump out of itself.
fn leaves(node: &Node<'_>) -> bool {
    node.has_node(&|one| matches!(one, Node::Break(_) | Node::Continue(_) | Node::Exit))
}

/// A branch that only lanes of a mask take.
fn masked_branch<'k>(mask: Mask, then: Vec<Node<'k>>) -> Node<'k> {
    Node::If {
        condition: Condition::Mask(mask),
        then,
        otherwise: Vec::new(),
        place: PlaceId::default(),
    }
}
