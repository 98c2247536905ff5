//! Issued instructions: what a warp issues where it runs through a basic block.

use crate::{Kernel, Op, PlaceId, Stage, Terminator};

/// An instruction that a warp issues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Where it stands.
    pub place: PlaceId,
    /// How many of the block's instructions come before it.
    pub before: usize,
}

/// `[block]`: the instructions that a warp issues there, in order.
///
/// Of machine code that is a row of the listing each, whatever was lowered of it: [`Kernel::places`] holds the rows in
/// their order, and a block ends at the place of its terminator. A source's instructions are those of its representation,
/// but for those that no machine has (checks, marks of where a value goes) and for jumps, which a layout spares. Its
/// accesses have a place each; other instructions stand nowhere, its branches too, whose place is what they govern.
#[must_use]
pub fn issued(kernel: &Kernel) -> Vec<Vec<Issued>> {
    match kernel.stage {
        Stage::Machine => rows(kernel),
        Stage::Source | Stage::Ptx => instructions(kernel),
    }
}

fn rows(kernel: &Kernel) -> Vec<Vec<Issued>> {
    let mut next = 1;
    let blocks = kernel.blocks.iter().map(|block| {
        let first = next;
        next = next.max(block.place.0.saturating_add(1));
        let mut before = 0;
        let row = |place: PlaceId| {
            let rest = block.instructions.iter().skip(before);
            before += rest.take_while(|one| one.place < place).count();
            Issued { place, before }
        };
        (first..next).map(PlaceId).map(row).collect()
    });
    blocks.collect()
}

fn instructions(kernel: &Kernel) -> Vec<Vec<Issued>> {
    let blocks = kernel.blocks.iter().map(|block| {
        let all = block.instructions.iter().enumerate();
        let real =
            all.filter(|(_, one)| !matches!(one.op, Op::BoundsCheck { .. } | Op::Escape { .. }));
        let real = real.map(|(before, one)| Issued {
            place: one.place,
            before,
        });
        let end = (!matches!(block.terminator, Terminator::Jump(_))).then_some(Issued {
            place: match kernel.stage {
                Stage::Source => PlaceId::default(),
                Stage::Ptx | Stage::Machine => block.place,
            },
            before: block.instructions.len(),
        });
        real.chain(end).collect()
    });
    blocks.collect()
}
