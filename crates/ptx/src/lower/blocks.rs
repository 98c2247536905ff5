//! Basic blocks under construction.

use super::Lowering;
use lanescope_ir::{Block, BlockId, Instruction, PlaceId, Terminator};

/// A block that is being filled. Block numbers are those of drafts until the end, when unreachable ones go.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) instructions: Vec<Instruction>,
    terminator: Option<(Terminator, PlaceId)>,
}

/// The number of a draft as a block.
pub(super) fn block_id(draft: usize) -> BlockId {
    BlockId(crate::token::offset(draft))
}

impl Lowering<'_, '_> {
    pub(super) fn new_draft(&mut self) -> usize {
        self.drafts.push(Draft::default());
        self.drafts.len() - 1
    }

    /// The draft being filled; behind a terminator a new one, which nothing reaches.
    pub(super) fn draft(&mut self) -> &mut Draft {
        let index = match self.current {
            Some(index) if index < self.drafts.len() => index,
            _ => {
                let index = self.new_draft();
                self.current = Some(index);
                index
            }
        };
        // The index was just checked or made.
        if index >= self.drafts.len() {
            self.drafts.push(Draft::default());
        }
        let last = self.drafts.len() - 1;
        &mut self.drafts[index.min(last)]
    }

    /// Ends the draft being filled.
    pub(super) fn terminate(&mut self, terminator: Terminator) {
        let place = self.place;
        self.draft().terminator = Some((terminator, place));
        self.current = None;
    }

    /// Goes on at `draft`; control falls through to it.
    pub(super) fn begin(&mut self, draft: usize) {
        if self.current.is_some_and(|current| current != draft) {
            self.terminate(Terminator::Jump(block_id(draft)));
        }
        self.current = Some(draft);
    }

    /// Drops what cannot be reached, numbers the rest anew, and fills in where branches join.
    pub(super) fn finish(&mut self) {
        if self.current.is_some() {
            self.terminate(Terminator::Exit);
        }
        let reached = self.reached();
        let mut number = vec![None; self.drafts.len()];
        for (new, &old) in reached.iter().enumerate() {
            if let Some(slot) = number.get_mut(old) {
                *slot = Some(block_id(new));
            }
        }
        let renumber = |block: BlockId| {
            number
                .get(block.index())
                .copied()
                .flatten()
                .unwrap_or_default()
        };
        let mut drafts = std::mem::take(&mut self.drafts);
        for old in reached {
            let Some(draft) = drafts.get_mut(old).map(std::mem::take) else {
                continue;
            };
            let (mut terminator, place) =
                draft.terminator.unwrap_or((Terminator::Exit, PlaceId(0)));
            for target in targets_mut(&mut terminator) {
                *target = renumber(*target);
            }
            self.kernel.blocks.push(Block {
                instructions: draft.instructions,
                terminator,
                place,
            });
        }
    }

    /// Drafts that the entry reaches, in the order of the text.
    fn reached(&mut self) -> Vec<usize> {
        let mut is_reached = vec![false; self.drafts.len()];
        let mut list = vec![0_usize];
        while let Some(index) = list.pop() {
            let Some(mark) = is_reached.get_mut(index) else {
                continue;
            };
            if std::mem::replace(mark, true) {
                continue;
            }
            if let Some((terminator, _)) = self
                .drafts
                .get_mut(index)
                .and_then(|draft| draft.terminator.as_mut())
            {
                list.extend(
                    targets_mut(terminator)
                        .into_iter()
                        .map(|block| block.index()),
                );
            }
        }
        (0..is_reached.len())
            .filter(|&index| is_reached.get(index).copied().unwrap_or(false))
            .collect()
    }
}

/// Blocks that a terminator names.
fn targets_mut(terminator: &mut Terminator) -> Vec<&mut BlockId> {
    match terminator {
        Terminator::Jump(target) => vec![target],
        Terminator::Branch {
            taken, otherwise, ..
        } => vec![taken, otherwise],
        Terminator::Switch { targets, .. } => targets.iter_mut().collect(),
        Terminator::Indirect { .. } | Terminator::Exit => Vec::new(),
    }
}
