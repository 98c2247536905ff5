//! Runtime loop unrolling with remainder loops: a counted loop whose trip count only the launch or the thread tells is
//! cut into pieces of several iterations.
//!
//! Lanes that make different numbers of iterations part at the pieces: 31 and 32 iterations in one warp are 47 requests.
//! Read off what nvcc of CUDA 13 makes for an H200 (`loops_cut`, `loop_sizes`): iterations left over by four are made
//! singly, before the others or, where an integer that the loop changes begins as a constant, after them; then come 16
//! iterations at a time, at last 8 and 4. A larger body is cut into pieces of 4 or of 2, or not at all; one that
//! divides, takes a root or has an atomic into 4; a counter without sign that moves by more than 1 into 4, 2 and 1; one
//! that moves by a stride (`int stride = blockDim.x`) into 4 or 2 ([`stride`]).
//!
//! Every lane makes the same iterations in the same order; what changes is which lanes of a warp make one together, and which
//! loads are shared by the iterations of a piece. Loops in which lanes must meet are cut only where all make as many.
//!
//! NB: a stride that the loop's sum converts, a counter of 64 bits with a stride, and loops that a `do` begins are cut by the
//! compiler too; here they are not. A step by the warp's size is taken for 32.

mod carried_stores;
mod countdown;
mod counted;
mod cut;
mod few_trips;
mod names;
mod stages;
mod stride;
mod weaving;

use std::collections::BTreeSet;

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{BlockId, Kernel, Op, Register};

use crate::close_call::{CloseCalls, Leaning};
use crate::cost_model;
use crate::facts::{Facts, bits, size};
use crate::loop_unrolling::{LOOK, hint, place_of};
use crate::profile::{Profile, Thresholds};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;

use counted::{Counted, counted};
use cut::cut;
use weaving::Weaving;

pub(crate) use counted::inverse;
pub(crate) use stages::{parted, piece};

/// Iterations of a piece where the source asks for a loop to be unrolled, not how often, and nobody knows how often it
/// goes round (`loop_sizes_z14`).
const UNROLLED_WHOLLY: u32 = 4;

/// Loops that are cut in one kernel, at most.
const LOOPS: usize = 64;

/// The largest trip count that is looked for.
const MOST_KNOWN_TRIPS: u32 = 1_024;

/// How a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pieces {
    /// 16 iterations at a time, at last 8 and 4.
    Sixteen,
    /// So many iterations at a time.
    Equal(u32),
    /// 4 iterations at a time, then 2 and 1.
    Halving,
}

impl Pieces {
    /// Iterations that the remainder is counted by.
    const fn unit(self) -> u32 {
        match self {
            Self::Sixteen | Self::Halving => 4,
            Self::Equal(count) => count,
        }
    }
}

/// Cuts all loops that are counted.
pub(crate) fn run(
    kernel: &mut Kernel,
    profile: &Profile,
    close: &mut CloseCalls,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    let (thresholds, knows_pieces) = (profile.thresholds, profile.preferences.knows_pieces);
    stride::hoist(kernel, work);
    whole(kernel, profile, close, work);
    for _ in 0..LOOPS {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let mut found = None;
        for natural_loop in facts.loops.all() {
            // The pieces of a loop that is cut say so themselves.
            if hint(kernel, natural_loop.header) != Some(1)
                && let Some(counted) = counted(kernel, &facts, natural_loop, thresholds, close)
            {
                found = Some((natural_loop.clone(), counted));
                break;
            }
        }
        let Some((natural_loop, mut counted)) = found else {
            return;
        };
        if counted.pieces == Pieces::Sixteen && counted.begins_known {
            counted.pieces = counted_down(kernel, &natural_loop, &counted, knows_pieces, close);
        }
        for block in &natural_loop.blocks {
            let sites = kernel.blocks.get(block.index()).map(|block| {
                block
                    .instructions
                    .iter()
                    .flat_map(|instruction| instruction.op.sites())
                    .collect::<Vec<_>>()
            });
            for site in sites.into_iter().flatten() {
                note(
                    remarks,
                    site,
                    RemarkKind::Unrolled {
                        times: counted.pieces.unit(),
                    },
                );
            }
        }
        // Finding its trip count, and what the warp's size stands for.
        if !work.spend(LOOK * natural_loop.blocks.len() + size(kernel)) {
            return;
        }
        let carried =
            carried_stores::of(kernel, &facts, &natural_loop, &counted, knows_pieces, close);
        cut(kernel, &facts, &natural_loop, counted, &carried, work);
        crate::simplify::run(kernel, work);
    }
}

/// What the assembler makes of pieces that it could make 16 of.
fn counted_down(
    kernel: &Kernel,
    natural_loop: &NaturalLoop,
    counted: &Counted,
    knows_pieces: bool,
    close: &mut CloseCalls,
) -> Pieces {
    let down = counted
        .tests
        .iter()
        .map(|test| countdown::counts_down(kernel, natural_loop, test.counter, test.ty))
        .try_fold(true, |all, found| Some(all && found?));
    let is_down = match down {
        Some(true) => true,
        Some(false) if knows_pieces => false,
        _ => close.decide(!knows_pieces, place_of(kernel, natural_loop)),
    };
    if is_down {
        Pieces::Sixteen
    } else {
        Pieces::Equal(4)
    }
}

/// Keeps in registers what the iterations of loops carry that the source asks not to unroll.
fn whole(kernel: &mut Kernel, profile: &Profile, close: &mut CloseCalls, work: &mut Work) {
    let (thresholds, knows_pieces) = (profile.thresholds, profile.preferences.knows_pieces);
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    for natural_loop in facts.loops.all() {
        let outside = facts.flow.predecessors(natural_loop.header).iter();
        let mut outside = outside.filter(|from| !natural_loop.contains(**from));
        if let (Some(entry), None) = (outside.next(), outside.next())
            && hint(kernel, natural_loop.header) == Some(1)
            && let Some(counted) = counted(kernel, &facts, natural_loop, thresholds, close)
        {
            let list =
                carried_stores::of(kernel, &facts, natural_loop, &counted, knows_pieces, close);
            if !list.is_empty() {
                let place = place_of(kernel, natural_loop);
                let weaving =
                    Weaving::new(kernel, (natural_loop, counted.body), &list, *entry, place);
                weaving.whole(kernel);
            }
        }
    }
}

/// Iterations that a loop's remainder is counted by, where it is cut.
pub(crate) fn unit_of(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    thresholds: Thresholds,
) -> Option<u32> {
    if hint(kernel, natural_loop.header) == Some(1) {
        return None;
    }
    let mut close = CloseCalls::new(Leaning::Fitted);
    let counted = counted(kernel, facts, natural_loop, thresholds, &mut close);
    counted.map(|counted| counted.pieces.unit())
}

fn ops<'k>(kernel: &'k Kernel, natural_loop: &'k NaturalLoop) -> impl Iterator<Item = &'k Op> {
    natural_loop
        .blocks
        .iter()
        .filter_map(|block| kernel.blocks.get(block.index()))
        .flat_map(|block| block.instructions.iter().map(|instruction| &instruction.op))
}

/// The pieces of a loop, by what an iteration costs; `None` of one that is not cut.
///
/// The optimizer cuts it into pieces of 4 or 2; what the assembler finds small enough, it makes 16 of.
fn pieces(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    thresholds: Thresholds,
    close: &mut CloseCalls,
) -> Option<Pieces> {
    let cost = cost_model::of(kernel, facts, natural_loop);
    let place = place_of(kernel, natural_loop);
    let mut fits = |size, limit| close.is_range_within(size, limit, place);
    if !fits(cost.optimizer, thresholds.cut_into_4) {
        return fits(cost.optimizer, thresholds.cut_into_2).then_some(Pieces::Equal(2));
    }
    let is_small = !cost.is_parted && fits(cost.assembler, thresholds.cut_into_16);
    Some(if is_small {
        Pieces::Sixteen
    } else {
        Pieces::Equal(4)
    })
}

/// The variables that the loop changes: registers moved to in it and set before it.
fn carried(kernel: &Kernel, natural_loop: &NaturalLoop) -> BTreeSet<Register> {
    let moved: BTreeSet<Register> = ops(kernel, natural_loop)
        .filter(|op| op.is_move())
        .flat_map(Op::defs)
        .collect();
    let outside = (0..)
        .map(BlockId)
        .zip(&kernel.blocks)
        .filter(|(block, _)| !natural_loop.contains(*block))
        .flat_map(|(_, block)| {
            block
                .instructions
                .iter()
                .flat_map(|instruction| instruction.op.defs())
        });
    let before: BTreeSet<Register> = outside.collect();
    moved.intersection(&before).copied().collect()
}

/// Whether an integer that the loop changes is known as it begins.
fn begins_known(kernel: &Kernel, facts: &Facts, natural_loop: &NaturalLoop) -> bool {
    let outer = facts.flow.predecessors(natural_loop.header).iter();
    let outer: Vec<_> = outer
        .filter(|from| !natural_loop.contains(**from))
        .filter_map(|from| {
            facts
                .numbers
                .walk(kernel, *from, &facts.loops, |_, _, _| {})
        })
        .collect();
    let floats: BTreeSet<Register> = ops(kernel, natural_loop)
        .filter(|op| op.is_move() && matches!(op, Op::Unary { ty, .. } if ty.is_float()))
        .flat_map(Op::defs)
        .collect();
    carried(kernel, natural_loop).into_iter().any(|register| {
        bits(kernel, register) > 1
            && !floats.contains(&register)
            && !outer.is_empty()
            && outer
                .iter()
                .all(|values| values.register(register).is_known())
    })
}
