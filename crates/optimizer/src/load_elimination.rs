//! Redundant-load elimination and store-to-load forwarding, with partial redundancy at merges and in loops.
//!
//! A forward dataflow analysis of available values. The lattice of a place at one point, for one thread:
//!
//! ```text
//!            held (on all paths)
//!              |
//!        partly held (on some, and a merge said so)
//!              |
//!           not held
//! ```
//!
//! A load of what is held becomes a move. A load of what is partly held is done only by the lanes that do not hold it:
//! compilers put it on the other path, which makes the same requests. What a barrier, an atomic or a store that may
//! touch the place ends is not held behind it.
//!
//! As nvcc of CUDA 13 does on an H200 (`values_held`): what one branch stored, or loaded from global memory, is partly
//! held behind it where the load is executed whenever the merge is; what it loaded from shared memory is not. Of a loop
//! that is cut the pieces and the single iterations each load first what they change, and what stands behind both does.
//!
//! Sound since a place counts as held only along a path on which this thread has read or written it, no store that may alias
//! it follows, and no fence: the register has what a load would find.
//!
//! NB: where a loop's trip count is known, what it adds up in memory is loaded once more behind it here; the compiler knows.

mod available;
mod events;
mod overlap;
mod rewrite;

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::{Block, BlockId, Instruction, Kernel, PlaceId, Terminator};

use crate::facts::Facts;
use crate::remark::{Remark, RemarkKind, note};
use crate::runtime_unrolling::parted;
use crate::work::Work;

use available::{Analysis, Decision, Held};
use events::{Event, PLACES, events};
use overlap::Overlaps;
use rewrite::{Home, held, rewrite};

/// A place: its index in the table of all places.
type PlaceIndex = usize;

/// Eliminates redundant loads.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let (places, events) = events(kernel, &facts);
    if places.is_empty() || places.len() > PLACES {
        return;
    }
    let parted = parted(kernel, &facts.loops);
    let overlaps = Overlaps::of(&places);
    let analysis = Analysis {
        parted: &parted,
        facts: &facts,
        places: &places,
        overlaps: &overlaps,
        sites: &kernel.sites,
        events: &events,
        blocks: kernel.blocks.len(),
        remarks,
    };
    let Some(entries) = analysis.solve(work) else {
        return;
    };
    let decisions = analysis.decide(&entries);
    if decisions.is_empty() {
        return;
    }
    for ((block, at), decision) in &decisions {
        let event = events.get(block.index()).and_then(|list| list.get(at));
        if let Some(Event::Load(_, site)) = event {
            let kind = match decision {
                Decision::Held(by) | Decision::Bytes(by) => {
                    RemarkKind::Eliminated { held_from: *by }
                }
                Decision::Partly(by) => RemarkKind::PartlyEliminated { held_from: *by },
            };
            note(remarks, *site, kind);
        }
    }
    let ended: Vec<Ended> = parted
        .iter()
        .filter_map(|(way, headers)| {
            let state = entries.get(way.0.index())?.as_ref()?;
            let carried = state.iter().filter(|(_, held)| is_carried(held, headers));
            Some((*way, carried.map(|(index, _)| *index).collect()))
        })
        .collect();
    let homes = rewrite(kernel, &facts, (&places, &overlaps), &events, &decisions);
    for (way, places) in ended {
        end(kernel, way, &places, &homes);
    }
}

/// A way behind which nothing is held of some places.
type Ended = ((BlockId, BlockId), Vec<PlaceIndex>);

/// Ends on the way from one block to another what is partly held of places.
fn end(
    kernel: &mut Kernel,
    (from, to): (BlockId, BlockId),
    ended: &[PlaceIndex],
    homes: &BTreeMap<PlaceIndex, Home>,
) {
    let place = kernel
        .blocks
        .get(to.index())
        .map_or(PlaceId::default(), |block| block.place);
    let valid = ended.iter().filter_map(|index| homes.get(index)?.valid);
    let instructions: Vec<Instruction> = valid.map(|dst| held(dst, false, place)).collect();
    if instructions.is_empty() {
        return;
    }
    let between = BlockId(u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX));
    let Some(block) = kernel.blocks.get_mut(from.index()) else {
        return;
    };
    if let Terminator::Branch {
        otherwise, join, ..
    } = &mut block.terminator
        && *otherwise == to
    {
        *otherwise = between;
        *join = join.map(|join| if join == to { between } else { join });
        kernel.blocks.push(Block {
            instructions,
            terminator: Terminator::Jump(to),
            place,
        });
    }
}

/// Whether a loop with one of these headers carries a stored value from iteration to iteration.
fn is_carried(held: &Held, headers: &BTreeSet<BlockId>) -> bool {
    held.is_stored && held.partly_from.is_some_and(|from| headers.contains(&from))
}
