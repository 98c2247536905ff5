//! Loop-carried stores: loads of what an earlier iteration has stored (`a[i + 1] = a[i] + b[i]`), in the pieces of a loop.
//!
//! Within a piece LLVM keeps the stored value in a register. From one piece to the next it does so (load PRE across the back
//! edge) where the index is the counter and a constant, of an array that a parameter, a variable or the module names:
//! then the pieces load once before them, and single iterations each, but of `a[i]` itself, which they too load once. In a
//! row (`r = a + t * n`, `a[t * n + i]`) every piece loads again. Of 16 iterations that ptxas makes of four pieces, a load
//! is left out whose place the last store before it wrote, with no other store between; any other is done once a piece.

use super::Pieces;
use super::counted::{Counted, Step};
use super::names::Names;
use crate::close_call::CloseCalls;
use crate::facts::{Facts, Location, bits};
use crate::loop_unrolling::place_of;
use lanescope_ir::analysis::{NaturalLoop, Values};
use lanescope_ir::{BlockId, Instruction, Kernel, Op, Operand, Register};
use std::collections::{BTreeMap, BTreeSet};

/// Iterations between a store and a load of what it stored, at most.
const DISTANCE: u32 = 8;

/// Accesses of a body, at most.
const ACCESSES: usize = 64;

/// A load of what an iteration some iterations before has stored.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    /// Where the load stands in the body, and what it writes.
    pub(super) at: usize,
    pub(super) dst: Register,
    /// Where the store stands, and what it stores.
    pub(super) store: usize,
    pub(super) stored: Operand,
    /// Iterations between.
    pub(super) distance: u32,
    /// Iterations after another load of the same store.
    pub(super) behind: Option<u32>,
    /// Whether no other store stands between, and the assembler sees that it is the same place.
    pub(super) is_last: bool,
    /// Whether other iterations' stores may lie there for all that the optimizer knows: an index without sign may wrap
    /// around.
    pub(super) wraps: bool,
    /// What the first iteration finds there, where that is stored right before the loop.
    pub(super) begins: Option<Operand>,
    /// Whether the optimizer sees it across the back edge of pieces, and of single iterations.
    pub(super) is_seen: bool,
    pub(super) is_seen_in_singles: bool,
}

/// An access of the body, and where it goes in this iteration and the next ones.
struct Access<'k> {
    at: usize,
    instruction: &'k Instruction,
    places: Vec<Location>,
}

/// The carried stores of a loop of one block behind its header.
pub(super) fn of(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    counted: &Counted,
    is_known: bool,
    close: &mut CloseCalls,
) -> Vec<Carried> {
    let [test] = counted.tests.as_slice() else {
        return Vec::new();
    };
    let is_up = matches!(test.step, Step::Constant(step) if step > 0);
    let body = counted.body;
    let is_halved = counted.pieces == Pieces::Halving;
    if natural_loop.blocks.len() != 2 || natural_loop.latches != [body] || !is_up || is_halved {
        return Vec::new();
    }
    let Some(accesses) = accesses(kernel, facts, natural_loop, body) else {
        return Vec::new();
    };
    let names = Names::of(kernel, natural_loop, test.counter, test.ty);
    let mut list: Vec<Carried> = accesses
        .iter()
        .filter_map(|load| found(kernel, &accesses, load, &names))
        .collect();
    let others: Vec<(usize, u32)> = list
        .iter()
        .map(|value| (value.store, value.distance))
        .collect();
    if !list.is_empty() && !is_known && close.decide(true, place_of(kernel, natural_loop)) {
        return Vec::new();
    }
    // Which of the stores between the compiler finds elsewhere was not read off for indices that may wrap around.
    let wraps =
        list.iter().any(|one| one.wraps) && close.decide(true, place_of(kernel, natural_loop));
    let before = before(kernel, facts, natural_loop, body);
    for access in &mut list {
        access.wraps &= wraps;
        access.begins = before
            .get(&access.at)
            .copied()
            .filter(|_| access.distance == 1);
        let nearer = others
            .iter()
            .filter(|(store, distance)| *store == access.store && *distance < access.distance);
        access.behind = nearer.map(|(_, distance)| access.distance - distance).min();
    }
    list
}

/// The plain accesses of the body; `None` where something else touches memory.
fn accesses<'k>(
    kernel: &'k Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    body: BlockId,
) -> Option<Vec<Access<'k>>> {
    let blocks = [natural_loop.header, body].map(|block| kernel.blocks.get(block.index()));
    let [Some(header), Some(block)] = blocks else {
        return None;
    };
    let is_quiet = |instruction: &Instruction| {
        instruction.op.is_pure() || matches!(instruction.op, Op::BoundsCheck { .. })
    };
    if !header.instructions.iter().all(is_quiet)
        || block
            .instructions
            .iter()
            .any(|instruction| instruction.op.is_fence())
    {
        return None;
    }
    let followed = followed(header.instructions.iter().chain(&block.instructions));
    let mut list: Vec<Access<'k>> = Vec::new();
    for (at, instruction) in block.instructions.iter().enumerate() {
        let (Op::Load { address, site, .. } | Op::Store { address, site, .. }) = &instruction.op
        else {
            continue;
        };
        let is_volatile = kernel
            .sites
            .get(site.index())
            .is_none_or(|site| site.is_volatile);
        let is_followed = address.base.register().is_none_or(&followed);
        if instruction.guard.is_some() || is_volatile || !is_followed || list.len() == ACCESSES {
            return None;
        }
        let places = Vec::new();
        list.push(Access {
            at,
            instruction,
            places,
        });
    }
    let is_load = |access: &Access<'_>| matches!(access.instruction.op, Op::Load { .. });
    if !list.iter().any(is_load) || list.iter().all(is_load) {
        return None;
    }
    let mut values = facts.numbers.at(kernel, body)?;
    for round in 0..=DISTANCE {
        if round > 0 {
            values.run(natural_loop.header, &facts.loops, |_, _, _| {});
        }
        let mut note = |at: usize, instruction: &Instruction, values: &Values<'_>| {
            if let Op::Load { address, site, .. } | Op::Store { address, site, .. } =
                &instruction.op
                && let Some(access) = list.iter_mut().find(|access| access.at == at)
            {
                access
                    .places
                    .extend(Location::of(kernel, *site, address, values));
            }
        };
        values.run(body, &facts.loops, &mut note);
    }
    list.iter()
        .all(|one| one.places.len() == DISTANCE as usize + 1)
        .then_some(list)
}

/// Whether a register depends on no memory that the loop reads.
fn followed<'k>(all: impl Iterator<Item = &'k Instruction> + Clone) -> impl Fn(Register) -> bool {
    let mut unknown: BTreeSet<Register> = BTreeSet::new();
    loop {
        let before = unknown.len();
        for instruction in all.clone() {
            let is_unknown = !instruction.op.is_pure()
                || instruction
                    .registers_read()
                    .iter()
                    .any(|read| unknown.contains(read));
            if is_unknown {
                unknown.extend(instruction.op.defs());
            }
        }
        if unknown.len() == before {
            return move |register| !unknown.contains(&register);
        }
    }
}

/// What the loads of the first iteration find where the block before the loop stores it.
fn before(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    body: BlockId,
) -> BTreeMap<usize, Operand> {
    let mut found = BTreeMap::new();
    let outside = facts.flow.predecessors(natural_loop.header).iter();
    let mut outside = outside.filter(|from| !natural_loop.contains(**from));
    let (Some(from), None) = (outside.next(), outside.next()) else {
        return found;
    };
    let mut held: Vec<(Location, Operand)> = Vec::new();
    let walked = facts
        .numbers
        .walk(kernel, *from, &facts.loops, |_, instruction, values| {
            if instruction.op.is_fence() {
                held.clear();
            }
            let defs = instruction.op.defs();
            held.retain(|(_, src)| src.register().is_none_or(|src| !defs.contains(&src)));
            let Op::Store { src, address, site } = &instruction.op else {
                return;
            };
            let Some(place) = Location::of(kernel, *site, address, values) else {
                return held.clear();
            };
            held.retain(|(other, _)| !other.may_alias(&place));
            if let ([src], None) = (&src[..], instruction.guard) {
                held.push((place, *src));
            }
        });
    let Some(mut values) = walked else {
        return found;
    };
    values.run(natural_loop.header, &facts.loops, |_, _, _| {});
    values.run(body, &facts.loops, |at, instruction, values| {
        if let Op::Load { address, site, .. } = &instruction.op
            && let Some(place) = Location::of(kernel, *site, address, values)
            && let Some((_, src)) = held.iter().find(|(other, _)| other.is_same(&place))
        {
            found.insert(at, *src);
        }
    });
    found
}

/// The nearest store of the iterations before that a load reads.
fn found(
    kernel: &Kernel,
    accesses: &[Access<'_>],
    load: &Access<'_>,
    names: &Names<'_>,
) -> Option<Carried> {
    let Op::Load { dst, address, .. } = &load.instruction.op else {
        return None;
    };
    let [Some(dst)] = dst[..] else { return None };
    let here = load.places.first()?;
    let is_again = |other: &Access<'_>| {
        other.at < load.at
            && other
                .places
                .first()
                .is_some_and(|place| place.is_same(here))
    };
    if accesses.iter().any(is_again) {
        return None;
    }
    let stores = || {
        accesses
            .iter()
            .filter(|access| matches!(access.instruction.op, Op::Store { .. }))
    };
    let (distance, store) = (1..=DISTANCE).find_map(|distance| {
        let place = load.places.get(distance as usize)?;
        let is_same = |access: &&Access<'_>| {
            access
                .places
                .first()
                .is_some_and(|location| location.is_same(place))
        };
        Some((distance, stores().rfind(is_same)?))
    })?;
    let place = load.places.get(distance as usize)?;
    // The stores between, each with the iteration that it stands in.
    let between = stores().flat_map(|access| {
        (0..=distance)
            .zip(&access.places)
            .filter_map(move |(round, place)| {
                let is_behind = round > 0 || access.at > store.at;
                let is_before = round < distance || access.at < load.at;
                (is_behind && is_before).then_some(place)
            })
    });
    let between: Vec<&Location> = between.collect();
    if between.iter().any(|one| place.may_alias(one)) {
        return None;
    }
    let Op::Store { src, .. } = &store.instruction.op else {
        return None;
    };
    let [stored] = src[..] else { return None };
    if stored
        .register()
        .is_some_and(|one| bits(kernel, one) != bits(kernel, dst))
    {
        return None;
    }
    let is_seen = names.is_index(address, here.array);
    let written = store.places.first()?;
    let is_known = here.address.distance(written.address).is_some();
    Some(Carried {
        at: load.at,
        dst,
        store: store.at,
        stored,
        distance,
        behind: None,
        is_last: distance == 1 && between.is_empty() && is_known,
        wraps: distance > 1 && !is_seen && names.may_wrap(),
        begins: None,
        is_seen,
        is_seen_in_singles: is_seen && distance == 1 && names.is_counter(address),
    })
}

/// What becomes of a load in one of the iterations of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadRewrite {
    /// It is done as it stands, or left out as any other.
    Plain,
    /// It is done, whatever was stored.
    Again,
    /// The piece before brings what it stored, this one of its last; the first piece loads.
    Brought(u32),
    /// It is what another load of the same store read so many iterations before.
    As(u32),
}

impl Carried {
    /// What becomes of the load in iteration `copy` of a stage of the pieces, which are of `unit` iterations.
    pub(super) fn rewrite(&self, copy: u32, unit: u32) -> LoadRewrite {
        let within = copy % unit.max(1);
        if self.is_seen && self.distance <= unit {
            return match self.behind {
                _ if copy >= self.distance => LoadRewrite::Plain,
                Some(behind) if copy >= behind => LoadRewrite::As(behind),
                _ => LoadRewrite::Brought(copy),
            };
        }
        let is_in_piece = within >= self.distance;
        let is_held = self.behind.is_some_and(|behind| within >= behind);
        let is_in_register = !self.wraps && (is_in_piece || is_held);
        if copy < self.distance || is_in_register || self.is_last {
            LoadRewrite::Plain
        } else {
            LoadRewrite::Again
        }
    }
}

/// The load of the same store that stands `behind` iterations nearer to it.
pub(super) fn nearer<'c>(
    list: &'c [Carried],
    carried: &Carried,
    behind: u32,
) -> Option<&'c Carried> {
    let distance = carried.distance.checked_sub(behind)?;
    list.iter()
        .find(|other| other.store == carried.store && other.distance == distance)
}

/// Values by load and iteration.
pub(super) type Along = BTreeMap<(usize, u32), Register>;
