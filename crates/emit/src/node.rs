//! Structured code: statements that a language without `goto` has, over the instructions of a kernel.

use lanescope_ir::{Instruction, Operand, PlaceId};

/// A construct that jumps leave or repeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Label(pub(crate) u32);

/// A flag of the lanes that take part where control flow was made uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Mask(pub(crate) u32);

/// What a branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A predicate, or its negation.
    Predicate(Operand, bool),
    /// Whether an index has a value.
    Equals(Operand, u32),
    /// Whether the lane takes part.
    Mask(Mask),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node<'k> {
    /// An instruction that every lane executes which comes here; its guard is tested before.
    Instruction(&'k Instruction),
    /// An instruction at which all threads of the block meet.
    Converge {
        instruction: &'k Instruction,
        /// The lanes that take part in what it computes; none: all.
        mask: Option<Mask>,
        /// Whether the others may be given its result too.
        everywhere: bool,
        /// Whether what buffers hold is ordered here too.
        is_fence: bool,
    },
    /// A branch.
    If {
        condition: Condition,
        then: Vec<Node<'k>>,
        otherwise: Vec<Node<'k>>,
        place: PlaceId,
    },
    /// Repeats its body until a jump leaves it.
    Loop { label: Label, body: Vec<Node<'k>> },
    /// Statements that a jump may leave.
    Block { label: Label, body: Vec<Node<'k>> },
    /// Leaves a loop or block.
    Break(Label),
    /// Begins the next iteration of a loop.
    Continue(Label),
    /// The lane's work ends.
    Exit,
    /// `mask = from && condition`, where what is missing holds.
    SetMask {
        mask: Mask,
        from: Option<Mask>,
        condition: Option<(Condition, bool)>,
    },
    /// The lane takes part no more.
    ClearMask(Mask),
    /// Leaves the loop around it when no thread of the block takes part any more.
    BreakUnlessAny(Mask, Label),
}

impl Node<'_> {
    /// The lists of statements inside.
    pub(crate) fn bodies(&self) -> [&[Self]; 2] {
        match self {
            Self::If {
                then, otherwise, ..
            } => [then, otherwise],
            Self::Loop { body, .. } | Self::Block { body, .. } => [body, &[]],
            Self::Instruction(_)
            | Self::Converge { .. }
            | Self::Break(_)
            | Self::Continue(_)
            | Self::Exit
            | Self::SetMask { .. }
            | Self::ClearMask(_)
            | Self::BreakUnlessAny(..) => [&[], &[]],
        }
    }

    /// Statements of it and inside of it, itself among them.
    pub(crate) fn statements(&self) -> usize {
        1 + self.bodies().into_iter().map(statements).sum::<usize>()
    }

    /// Whether it or anything inside is one that `is` names.
    pub(crate) fn has_node(&self, is: &dyn Fn(&Self) -> bool) -> bool {
        is(self) || self.bodies().iter().any(|body| any_node(body, is))
    }
}

/// Statements of a list and inside of it.
pub(crate) fn statements(nodes: &[Node<'_>]) -> usize {
    nodes.iter().map(Node::statements).sum()
}

/// Whether a statement of the list, or anything inside one, is one that `is` names.
pub(crate) fn any_node<'k>(nodes: &[Node<'k>], is: &dyn Fn(&Node<'k>) -> bool) -> bool {
    nodes.iter().any(|node| node.has_node(is))
}
