//! Operands and targets of terminators.

use crate::{BlockId, Operand, Terminator};

impl Terminator {
    /// The blocks that it names as targets; none for [`Terminator::Exit`] and [`Terminator::Indirect`].
    #[must_use]
    pub fn targets(&self) -> Vec<BlockId> {
        match self {
            Self::Jump(target) => vec![*target],
            Self::Branch {
                taken, otherwise, ..
            } => vec![*taken, *otherwise],
            Self::Switch { targets, .. } => targets.clone(),
            Self::Indirect { .. } | Self::Exit => Vec::new(),
        }
    }

    /// The operand that decides where to.
    #[must_use]
    pub const fn operand(&self) -> Option<Operand> {
        match self {
            Self::Branch { predicate, .. } => Some(*predicate),
            Self::Switch { index, .. } => Some(*index),
            Self::Indirect { address } => Some(*address),
            Self::Jump(_) | Self::Exit => None,
        }
    }

    /// [`Self::operand`], to change.
    pub const fn operand_mut(&mut self) -> Option<&mut Operand> {
        match self {
            Self::Branch { predicate, .. } => Some(predicate),
            Self::Switch { index, .. } => Some(index),
            Self::Indirect { address } => Some(address),
            Self::Jump(_) | Self::Exit => None,
        }
    }

    /// Hands each block that it names, targets and joins, to `visit`, which may change it.
    pub fn visit_blocks_mut(&mut self, visit: &mut dyn FnMut(&mut BlockId)) {
        match self {
            Self::Jump(target) => visit(target),
            Self::Branch {
                taken,
                otherwise,
                join,
                ..
            } => {
                visit(taken);
                visit(otherwise);
                if let Some(join) = join {
                    visit(join);
                }
            }
            Self::Switch { targets, .. } => targets.iter_mut().for_each(visit),
            Self::Indirect { .. } | Self::Exit => {}
        }
    }
}
