//! Full loop unrolling: a loop whose trip count is known as it begins is written out.
//!
//! The trip count is found by abstract interpretation of the loop: its blocks are run on what is known before it, and
//! where a branch that stays in the loop is not known, what it may write is forgotten. So counters that are halved or
//! doubled are followed as well as affine ones.
//!
//! A loop around a loop whose trip count is not known, or is another in each iteration, is measured with that loop cut
//! into pieces (LLVM's LoopUnroll visits inner loops first), and has less room: of 15 iterations of
//! `for (i) for (j < i)` none is written out, of 3 all are.
//!
//! Written-out code is the same instructions in the same order, without tests whose outcome is known. The interpretation only
//! ever knows less than a run: what it cannot tell it forgets, and then the loop stays.
//!
//! NB: the size of a nest is estimated: within a few instructions of the threshold, 4 iterations around a loop may be written
//! out or not (`for (i < 4) for (j <= i)`).

mod write_out;

use crate::close_call::CloseCalls;
use crate::facts::Facts;
use crate::profile::Thresholds;
use crate::remark::{Remark, RemarkKind, note};
use crate::runtime_unrolling::unit_of;
use crate::traversal::{Left, Traversals};
use crate::work::Work;
use lanescope_ir::analysis::{NaturalLoop, Value, Values};
use lanescope_ir::{BlockId, Kernel, Op, Operand, PlaceId, Register, ScalarType, Terminator};
use std::collections::{BTreeMap, BTreeSet};
use write_out::write_out;

/// Loops that are unrolled in one kernel, at most.
const LOOPS: usize = 256;
/// Blocks that are run to find a trip count, at most.
const STEPS: usize = 8192;

/// Work that finding a trip count takes for each block of a loop: that of a few dozen iterations.
pub(crate) const LOOK: usize = 64;

/// Instructions that counting the pieces of a loop takes; fitted to nests of 17 shapes with 2 to 8 outer iterations,
/// compiled for compute capability 9.0 (`docs/COMPILER.md`).
const PIECES: usize = 10;

/// Unrolls all loops with a known trip count, inner ones first.
pub(crate) fn run(
    kernel: &mut Kernel,
    thresholds: Thresholds,
    close: &mut CloseCalls,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    for _ in 0..LOOPS {
        if !unroll_one(kernel, thresholds, close, work, remarks) {
            return;
        }
        crate::simplify::run(kernel, work);
    }
}

fn unroll_one(
    kernel: &mut Kernel,
    thresholds: Thresholds,
    close: &mut CloseCalls,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) -> bool {
    let Some(facts) = Facts::of(kernel, work) else {
        return false;
    };
    // Inner loops stand behind outer ones.
    for index in (0..facts.loops.all().len()).rev() {
        let Some(natural_loop) = facts.loops.get(index) else {
            continue;
        };
        let asked = hint(kernel, natural_loop.header);
        if asked == Some(1) {
            continue;
        }
        if !work.spend(LOOK * natural_loop.blocks.len()) {
            return false;
        }
        let most = match asked {
            Some(asked) => asked.min(thresholds.asked_instructions.value),
            None => thresholds.unrolled_iterations.value,
        };
        let Some(trips) = trip_count(kernel, &facts, natural_loop, most, work) else {
            continue;
        };
        let is_nest = facts
            .loops
            .all()
            .iter()
            .any(|inner| is_inside(inner, natural_loop));
        let limit = match asked {
            Some(asked) if asked >= trips.count => thresholds.asked_instructions,
            Some(_) => continue,
            None if is_nest => thresholds.unrolled_nest,
            None => thresholds.unrolled_instructions,
        };
        let sizes = sizes(kernel, &facts, index, natural_loop);
        let size = if asked.is_none() && is_nest {
            nest_size(kernel, &facts, thresholds, (&sizes, &trips), index)
        } else {
            sizes.values().sum()
        };
        let is_triangular = trips.is_triangular && asked.is_none();
        let trips = trips.count;
        let size = size.saturating_mul(trips as usize);
        let place = place_of(kernel, natural_loop);
        let is_within = if is_triangular && size <= thresholds.asked_instructions.value as usize {
            close.decide(size <= limit.value as usize, place)
        } else {
            close.is_within(size, limit, place)
        };
        if !is_within {
            continue;
        }
        let sites: Vec<_> = natural_loop
            .blocks
            .iter()
            .filter_map(|block| kernel.blocks.get(block.index()))
            .flat_map(|block| {
                block
                    .instructions
                    .iter()
                    .flat_map(|instruction| instruction.op.sites())
            })
            .collect();
        // Its size is that of what a compiler makes of it, which may be a small part of what is written out.
        if !work.spend(copied(kernel, natural_loop, trips)) {
            return false;
        }
        write_out(kernel, natural_loop, trips);
        if trips > 1 {
            for site in sites {
                note(remarks, site, RemarkKind::Unrolled { times: trips });
            }
        }
        return true;
    }
    false
}

/// Instructions and blocks that [`write_out`] adds.
fn copied(kernel: &Kernel, natural_loop: &NaturalLoop, trips: u32) -> usize {
    let blocks = natural_loop.blocks.iter();
    let blocks = blocks.filter_map(|block| kernel.blocks.get(block.index()));
    let once: usize = blocks.map(|block| 1 + block.instructions.len()).sum();
    once.saturating_mul(trips as usize + 1)
}

/// Where the source has a loop: its first instruction that stands anywhere.
pub(crate) fn place_of(kernel: &Kernel, natural_loop: &NaturalLoop) -> PlaceId {
    let blocks = std::iter::once(&natural_loop.header).chain(&natural_loop.blocks);
    let blocks = blocks.filter_map(|block| kernel.blocks.get(block.index()));
    let places = blocks.flat_map(|block| {
        let own = block
            .instructions
            .iter()
            .map(|instruction| instruction.place);
        std::iter::once(block.place).chain(own)
    });
    let stands = |place: &PlaceId| {
        let place = kernel.places.get(place.index());
        place.is_some_and(|place| place.line > 0)
    };
    places.into_iter().find(stands).unwrap_or_default()
}

fn is_inside(inner: &NaturalLoop, outer: &NaturalLoop) -> bool {
    inner.header != outer.header && outer.contains(inner.header)
}

/// What the source asks of a loop.
pub(crate) fn hint(kernel: &Kernel, header: BlockId) -> Option<u32> {
    let mut hints = kernel.loop_hints.iter();
    hints
        .find(|hint| hint.header == header)
        .map(|hint| hint.unroll)
}

/// About how many instructions a compiler makes of an iteration, by the innermost loop that each is made in: what a
/// loop does not change stands before it, and the same arithmetic is done once.
fn sizes(
    kernel: &Kernel,
    facts: &Facts,
    index: usize,
    natural_loop: &NaturalLoop,
) -> BTreeMap<usize, usize> {
    let mut seen = BTreeSet::new();
    let mut sizes = BTreeMap::new();
    for block in &natural_loop.blocks {
        let innermost = facts.loops.innermost(*block).unwrap_or(index);
        let mut last: Option<Register> = None;
        let mut settle = |last: Option<Register>, values: &Values<'_>| {
            let value = values.register(last?);
            let scope = usize::try_from(value.scope).ok()?.checked_sub(1)?;
            let moves = facts.loops.is_within(scope, index);
            (moves && seen.insert(value.number)).then_some(scope)
        };
        let mut made = Vec::new();
        let behind = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, instruction, values| {
                made.extend(settle(last.take(), values));
                let op = &instruction.op;
                if !counts(op) {
                    return;
                }
                match &*op.defs() {
                    [def] if op.is_pure() => last = Some(*def),
                    _ => made.push(innermost),
                }
            });
        if let Some(values) = behind {
            made.extend(settle(last.take(), &values));
        }
        for index in made {
            *sizes.entry(index).or_insert(0) += 1;
        }
    }
    sizes
}

/// [`sizes`] of a loop and of those in it, which are cut into pieces where they make enough iterations.
fn nest_size(
    kernel: &Kernel,
    facts: &Facts,
    thresholds: Thresholds,
    (sizes, trips): (&BTreeMap<usize, usize>, &Trips),
    index: usize,
) -> usize {
    let Some(outer) = facts.loops.get(index) else {
        return 0;
    };
    let inside = facts.loops.all().iter().enumerate();
    let inside = inside.filter(|(_, inner)| is_inside(inner, outer));
    let own = sizes.get(&index).copied().unwrap_or(0);
    inside.fold(own, |sum, (at, inner)| {
        let size = sizes.get(&at).copied().unwrap_or(0);
        let unit = unit_of(kernel, facts, inner, thresholds).filter(|unit| {
            let most = trips.inner.get(&inner.header);
            most.is_none_or(|most| most >= unit)
        });
        // The pieces, and the iterations that are left over.
        let cut = unit.map_or(size, |unit| (unit as usize + 1) * size + PIECES);
        sum.saturating_add(cut)
    })
}

/// Whether a compiler makes an instruction of it.
fn counts(op: &Op) -> bool {
    !matches!(
        op,
        Op::Unary {
            op: lanescope_ir::UnaryOp::Move,
            ..
        } | Op::Undefined { .. }
            | Op::Convert { .. }
            | Op::BoundsCheck { .. }
            | Op::Special { .. }
    )
}

/// How often a loop goes back to its header before it is left.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trips {
    pub(crate) count: u32,
    /// The most of each loop in it whose iterations are known, by header.
    inner: BTreeMap<BlockId, u32>,
    /// Whether one of these is another in each iteration, as in `for (j < i)`.
    is_triangular: bool,
}

/// The trip count of a loop, if it is known as the loop begins.
///
/// Only what branches depend on is run, and an inner loop that is entered as it was before is not run again: nests whose
/// trip counts do not depend on one another take time that grows with their depth, not with their iterations.
pub(crate) fn trip_count(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    most: u32,
    work: &mut Work,
) -> Option<Trips> {
    if natural_loop.exits.is_empty() {
        return None; // however long it is walked
    }
    let mut outer = facts
        .flow
        .predecessors(natural_loop.header)
        .iter()
        .filter(|from| !natural_loop.contains(**from) && facts.flow.is_reachable(**from));
    let (before, None) = (outer.next()?, outer.next()) else {
        return None;
    };
    let mut values = facts
        .numbers
        .walk(kernel, *before, &facts.loops, |_, _, _| {})?;
    let mut traversals = Traversals::of(
        kernel,
        &facts.loops,
        facts.loops.with_header(natural_loop.header)?,
    );
    let mut prepaid = LOOK * natural_loop.blocks.len();
    let mut block = natural_loop.header;
    let mut walk = Walk::default();
    let mut step = 0;
    while step < STEPS {
        if step > 0 && block == natural_loop.header {
            walk.trips.count += 1;
            if walk.trips.count > most {
                return None;
            }
        }
        traversals.leave(&facts.loops, block, step, &values, &walk.iterations);
        walk.enter(facts, natural_loop, block);
        if !natural_loop.contains(block) {
            return Some(walk.finished());
        }
        if let Some(left) = traversals.enter(&facts.loops, block, step, &values) {
            walk.repeat(&left);
            step += left.steps;
            block = left.take_to(&mut values);
            continue;
        }
        let cost = traversals.run(block, &facts.loops, &mut values);
        match prepaid.checked_sub(cost) {
            Some(left) => prepaid = left,
            None if !work.spend(cost) => return None,
            None => {}
        }
        block = match &kernel.blocks.get(block.index())?.terminator {
            Terminator::Jump(next) => *next,
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
                ..
            } => match known(&values, *predicate) {
                Some(holds) if holds != *negated => *taken,
                Some(_) => *otherwise,
                None => {
                    let join = facts.post_dominators.immediate(block)?;
                    walk.skip(facts, block, join);
                    if !natural_loop.contains(join)
                        || join == natural_loop.header && block == natural_loop.header
                    {
                        return None;
                    }
                    forget(kernel, facts, block, join, &mut values, natural_loop)?;
                    join
                }
            },
            Terminator::Switch { .. } | Terminator::Indirect { .. } | Terminator::Exit => {
                return None;
            }
        };
        step += 1;
    }
    None
}

/// A loop, walked from its beginning: how often it and the loops in it go round.
#[derive(Default)]
struct Walk {
    trips: Trips,
    /// How often each inner loop has gone back since it was entered, by header.
    iterations: BTreeMap<BlockId, u32>,
    /// How often it did the first time, where it was entered again.
    first: BTreeMap<BlockId, u32>,
    /// Headers of inner loops whose iterations are not known.
    unknown: BTreeSet<BlockId>,
    from: Option<BlockId>,
}

impl Walk {
    /// Comes to `block` of the loop `one`, or to what is behind it.
    fn enter(&mut self, facts: &Facts, natural_loop: &NaturalLoop, block: BlockId) {
        let header = facts.loops.with_header(block);
        if let Some(inner) = header.filter(|_| block != natural_loop.header)
            && let Some(inner) = facts.loops.get(inner)
        {
            let iterations = self.iterations.entry(block).or_insert(0);
            let is_back_edge = self.from.is_some_and(|from| inner.contains(from));
            if !is_back_edge && self.trips.inner.contains_key(&block) {
                self.trips.is_triangular |=
                    self.first.entry(block).or_insert(*iterations) != iterations;
            }
            *iterations = if is_back_edge { *iterations + 1 } else { 0 };
            let most = self.trips.inner.entry(block).or_insert(0);
            *most = (*most).max(*iterations);
        }
        self.from = Some(block);
    }

    /// Passes over an inner loop that goes as it went before.
    fn repeat(&mut self, left: &Left) {
        for (header, iterations) in &left.iterations {
            let before = self.iterations.insert(*header, *iterations);
            // The loop itself was entered just now.
            if let Some(before) = before.filter(|_| *header != left.header) {
                self.trips.is_triangular |= self.first.entry(*header).or_insert(before) != &before;
            }
        }
        self.from = Some(left.last);
    }

    /// Passes over what stands between a branch that is not known and its join.
    fn skip(&mut self, facts: &Facts, block: BlockId, join: BlockId) {
        let innermost = facts.loops.innermost(block).and_then(|inner| {
            let inner = facts.loops.get(inner)?;
            (!inner.contains(join)).then_some(inner.header)
        });
        self.unknown.extend(innermost);
        let headers = facts.loops.all().iter().map(|inner| inner.header);
        let is_behind =
            |header: &BlockId| *header != block && facts.dominators.dominates(block, *header);
        self.unknown.extend(headers.filter(is_behind));
    }

    /// What the walk found, once the loop is left.
    fn finished(mut self) -> Trips {
        // A loop that goes back once at least; a header that is left at once is no loop at all.
        self.trips
            .inner
            .retain(|header, _| !self.unknown.contains(header));
        let is_other = |(header, once): (&BlockId, &u32)| self.iterations.get(header) != Some(once);
        self.trips.is_triangular |= self.first.iter().any(is_other);
        self.trips
    }
}

fn known(values: &Values<'_>, predicate: Operand) -> Option<bool> {
    let value = values.operand(predicate, ScalarType::Bool);
    value.is_known().then_some(value.number & 1 == 1)
}

/// Forgets what the blocks between a branch and its join write; `None` where one leaves the loop.
fn forget(
    kernel: &Kernel,
    facts: &Facts,
    block: BlockId,
    join: BlockId,
    values: &mut Values<'_>,
    natural_loop: &NaturalLoop,
) -> Option<()> {
    let reached = facts.flow.reachable_from(block, Some(join));
    for (at, _) in (0..)
        .map(BlockId)
        .zip(&reached)
        .filter(|(_, reached)| **reached)
    {
        if !natural_loop.contains(at) || at == natural_loop.header {
            return None;
        }
        for instruction in &kernel.blocks.get(at.index())?.instructions {
            for register in instruction.op.defs() {
                values.set(register, Value::unknown(u64::from(at.0), 0));
            }
        }
    }
    Some(())
}
