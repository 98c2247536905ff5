//! Loop-carried load elimination: a load of what the iteration before has loaded is done once, before the loop (partial
//! redundancy across the back edge: the part of LLVM's global value numbering that works on loads).
//!
//! `for (j = 0; j < n; k = j++) s += v[j] * v[k]` reads each element once. The address of the next iteration is made of
//! the values at this one's end; where it is that of a load of this one, a register takes its value along.
//!
//! The compiler sees it where the index is the counter and a constant, and goes up: not of an index in a row of a matrix
//! (`v[i * n + j]`), and not where the counter goes down. It cuts the loop first: the iterations that are left over by
//! four may load once more before them. So the loop is a close call, and what depends on it is shown.
//!
//! Sound where nothing in the loop may write the place between the two iterations, and both loads have the same value number
//! once the registers of the next iteration are put in.
//!
//! NB: loads of what two iterations before have loaded (`v[j] * v[j + 2]`), with the thread in the index, and behind an `if`
//! in the loop are carried by the compiler too; here they are made again.

use crate::close_call::CloseCalls;
use crate::facts::{Facts, Location, bits, fresh, unguarded};
use crate::loop_invariants::{enter, guard, is_always, is_turned, precede, raw, renamed, written};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{
    BlockId, Instruction, Kernel, Op, Operand, Register, SiteId, Terminator, UnaryOp,
};
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

/// Loops that are changed in one kernel, at most.
const LOOPS: usize = 32;
/// Instructions that an address is made of, at most.
const SLICE: usize = 32;

/// Names of an array that are followed, at most.
const NAMES: usize = 4;

/// Where an instruction stands.
type At = (BlockId, usize);

/// A load whose value is that of another one in the iteration before.
#[derive(Clone, Debug)]
struct Carried {
    load: At,
    /// The instructions of an iteration that make its address, then the load.
    slice: Vec<Instruction>,
    /// The load of the iteration before.
    from: At,
    from_site: SiteId,
}

/// A load that every iteration makes.
struct Candidate {
    at: At,
    location: Location,
    site: SiteId,
}

/// Carries loads from iteration to iteration, in inner loops first.
pub(crate) fn run(
    kernel: &mut Kernel,
    close: &mut CloseCalls,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    let mut done: BTreeSet<BlockId> = BTreeSet::new();
    for _ in 0..LOOPS {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let mut loops = facts.loops.all().iter().rev();
        let found = loops.find_map(|natural_loop| {
            if done.contains(&natural_loop.header) {
                return None;
            }
            let list = carried(kernel, &facts, natural_loop)?;
            Some((natural_loop.clone(), list))
        });
        let Some((natural_loop, list)) = found else {
            return;
        };
        done.insert(natural_loop.header);
        let place = kernel
            .blocks
            .get(natural_loop.header.index())
            .map(|header| header.place);
        if !close.decide(true, place.unwrap_or_default()) {
            continue;
        }
        for carried in &list {
            for site in carried
                .slice
                .last()
                .into_iter()
                .flat_map(|instruction| instruction.op.sites())
            {
                let held_from = carried.from_site;
                note(remarks, site, RemarkKind::Eliminated { held_from });
            }
        }
        carry(kernel, &natural_loop, &list);
    }
}

/// The loads of a loop that are carried; `None` where there are none.
fn carried(kernel: &Kernel, facts: &Facts, natural_loop: &NaturalLoop) -> Option<Vec<Carried>> {
    let [latch] = natural_loop.latches[..] else {
        return None;
    };
    if !is_turned(kernel, natural_loop) {
        return None;
    }
    let written = written(kernel, facts, natural_loop)?;
    let body = first_block(kernel, natural_loop)?;
    let candidates: Vec<Candidate> = natural_loop
        .blocks
        .iter()
        .filter(|block| **block != natural_loop.header && is_always(facts, natural_loop, **block))
        .flat_map(|block| candidates(kernel, facts, *block))
        .filter(|load| {
            !written
                .iter()
                .any(|natural_loop| may_change(&load.location, natural_loop))
        })
        .collect();
    if candidates.len() < 2 {
        return None;
    }
    // What the next iteration makes of the values at this one's end.
    let mut next = facts
        .numbers
        .walk(kernel, latch, &facts.loops, |_, _, _| {})?;
    next.run(natural_loop.header, &facts.loops, |_, _, _| {});
    let mut addresses: BTreeMap<usize, Location> = BTreeMap::new();
    next.run(body, &facts.loops, |at, instruction, values| {
        if let Op::Load { address, site, .. } = &instruction.op
            && let Some(location) = Location::of(kernel, *site, address, values)
        {
            addresses.insert(at, location);
        }
    });
    // Most loops carry nothing: only those that do need it.
    let sums = LazyCell::new(|| sums(kernel, facts, [natural_loop.header, body]));
    let mut list = Vec::new();
    for load in candidates.iter().filter(|load| load.at.0 == body) {
        let Some(location) = addresses.get(&load.at.1) else {
            continue;
        };
        let from = candidates.iter().find(|from| {
            from.at != load.at
                && from.location.is_same(location)
                && !is_behind(&from.location, &load.location)
                && gives_as_much(kernel, from.at, load.at)
        });
        let slice = from.and_then(|_| slice(kernel, natural_loop, load.at, &sums));
        if let (Some(from), Some(slice)) = (from, slice) {
            list.push(Carried {
                load: load.at,
                slice,
                from: from.at,
                from_site: from.site,
            });
        }
    }
    (!list.is_empty()).then_some(list)
}

/// Whether a store to `written` may change what is here, in this iteration or, as it moves through the same array, in
/// another.
fn may_change(here: &Location, written: &Location) -> bool {
    here.may_alias(written) || here.array.is_some() && here.array == written.array
}

/// Whether a place lies at another one or nearly before it: a loop that goes down loads again what it has loaded.
fn is_behind(location: &Location, other: &Location) -> bool {
    let between = other.address.number.wrapping_sub(location.address.number);
    between <= u64::from(u32::MAX)
}

/// The block that an iteration begins with, behind the test.
fn first_block(kernel: &Kernel, natural_loop: &NaturalLoop) -> Option<BlockId> {
    match kernel.blocks.get(natural_loop.header.index())?.terminator {
        Terminator::Branch {
            taken, otherwise, ..
        } => [taken, otherwise]
            .into_iter()
            .find(|to| natural_loop.contains(*to)),
        Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Indirect { .. }
        | Terminator::Exit => None,
    }
}

/// The plain loads of a block.
fn candidates(kernel: &Kernel, facts: &Facts, block: BlockId) -> Vec<Candidate> {
    let mut found = Vec::new();
    facts
        .numbers
        .walk(kernel, block, &facts.loops, |at, instruction, values| {
            if let Op::Load { address, site, .. } = &instruction.op
                && instruction.guard.is_none()
                && kernel
                    .sites
                    .get(site.index())
                    .is_some_and(|site| !site.is_volatile)
                && let Some(location) = Location::of(kernel, *site, address, values)
            {
                found.push(Candidate {
                    at: (block, at),
                    location,
                    site: *site,
                });
            }
        });
    found
}

fn load_at(kernel: &Kernel, (block, at): At) -> Option<&Instruction> {
    kernel.blocks.get(block.index())?.instructions.get(at)
}

/// The registers that a load at `at` writes.
fn given(kernel: &Kernel, at: At) -> Option<&[Option<Register>]> {
    if let Op::Load { dst, .. } = &load_at(kernel, at)?.op {
        Some(dst)
    } else {
        None
    }
}

/// Whether a load gives, or may give, every register that another one wants, as wide.
fn gives_as_much(kernel: &Kernel, from: At, load: At) -> bool {
    let (Some(from), Some(wanted)) = (given(kernel, from), given(kernel, load)) else {
        return false;
    };
    from.len() == wanted.len()
        && from.iter().zip(wanted).all(|(from, wanted)| {
            let both = wanted.zip(*from);
            both.is_none_or(|(wanted, from)| bits(kernel, from) == bits(kernel, wanted))
        })
}

/// The instructions of an iteration that make the address of the load at `(block, at)`, and the load; `None` where the
/// index is more than a counter and a constant (one of `sums`), of which compilers do not see that the next iteration's
/// is this one's.
fn slice(
    kernel: &Kernel,
    natural_loop: &NaturalLoop,
    (block, at): At,
    sums: &BTreeSet<At>,
) -> Option<Vec<Instruction>> {
    let load = load_at(kernel, (block, at))?;
    let mut needed: BTreeSet<Register> = load.registers_read().into_iter().collect();
    let before = kernel.blocks.get(block.index())?.instructions.get(..at)?;
    let header = &kernel.blocks.get(natural_loop.header.index())?.instructions;
    let mut list = vec![load.clone()];
    let in_header = (0..)
        .zip(header)
        .map(|(at, instruction)| ((true, at), instruction));
    let in_body = (0..)
        .zip(before)
        .map(|(at, instruction)| ((false, at), instruction));
    let all: Vec<((bool, usize), &Instruction)> = in_header.chain(in_body).collect();
    for ((is_header, index), instruction) in all.into_iter().rev() {
        let defs = instruction.op.defs();
        if !defs.iter().any(|register| needed.contains(register)) {
            continue;
        }
        if instruction.guard.is_some()
            || !instruction.op.is_pure()
            || list.len() > SLICE
            || sums.contains(&(
                if is_header {
                    natural_loop.header
                } else {
                    block
                },
                index,
            ))
        {
            return None;
        }
        for register in defs {
            needed.remove(&register);
        }
        needed.extend(instruction.registers_read());
        list.push(instruction.clone());
    }
    list.reverse();
    Some(list)
}

/// Where blocks add two numbers neither of which is a constant, but for the sum of an array's address and a scaled
/// index; that of a row in it is a sum of its own.
fn sums(kernel: &Kernel, facts: &Facts, blocks: [BlockId; 2]) -> BTreeSet<At> {
    let mut found = BTreeSet::new();
    for block in blocks {
        facts
            .numbers
            .walk(kernel, block, &facts.loops, |at, instruction, values| {
                let varies = |operand: &Operand| match operand {
                    Operand::Register(register) => !values.register(*register).is_known(),
                    Operand::Constant(_) => false,
                };
                let is_sum = if let Op::Binary { a, b, .. } = &instruction.op {
                    varies(a) && varies(b)
                } else if let Op::Ternary { b, c, .. } = &instruction.op {
                    let base = c.register();
                    varies(b) || base.is_some_and(|base| !is_given(kernel, base))
                } else {
                    false
                };
                if is_sum {
                    found.insert((block, at));
                }
            });
    }
    found
}

/// Whether a register holds what the launch gives, and nothing else, perhaps by another name.
fn is_given(kernel: &Kernel, mut register: Register) -> bool {
    for _ in 0..NAMES {
        let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
        let mut writes = all.filter(|instruction| instruction.writes(register));
        match (
            writes.next().map(|instruction| &instruction.op),
            writes.next(),
        ) {
            (Some(Op::Special { .. } | Op::Parameter { .. }), None) => return true,
            (
                Some(Op::Unary {
                    op: UnaryOp::Move,
                    a: Operand::Register(of),
                    ..
                }),
                None,
            ) => register = *of,
            _ => return false,
        }
    }
    false
}

/// Each register that a carried load wants, with the one that the load of the iteration before writes: a new one where
/// nothing used that element.
fn pairs(kernel: &mut Kernel, carried: &Carried) -> Vec<(Register, Register)> {
    let wanted = given(kernel, carried.load).map_or_else(Vec::new, <[_]>::to_vec);
    let mut found = Vec::new();
    for (at, wanted) in wanted.into_iter().enumerate() {
        let Some(wanted) = wanted else { continue };
        let wide = bits(kernel, wanted);
        let own = fresh(kernel, wide);
        let (block, index) = carried.from;
        let block = kernel.blocks.get_mut(block.index());
        let from = block.and_then(|block| block.instructions.get_mut(index));
        if let Some(Op::Load { dst, .. }) = from.map(|instruction| &mut instruction.op)
            && let Some(slot) = dst.get_mut(at)
        {
            found.push((wanted, *slot.get_or_insert(own)));
        }
    }
    found
}

/// Loads once before the loop, takes what an iteration loaded along, and gives it to the next.
fn carry(kernel: &mut Kernel, natural_loop: &NaturalLoop, list: &[Carried]) {
    let Some(header) = kernel.blocks.get(natural_loop.header.index()).cloned() else {
        return;
    };
    let [latch] = natural_loop.latches[..] else {
        return;
    };
    let place = header.place;
    let next = |by: usize| BlockId(u32::try_from(kernel.blocks.len() + by).unwrap_or(u32::MAX));
    let (test, loads) = (next(0), next(1));
    let guarded = guard(kernel, natural_loop, &header, loads);
    let mut before = Vec::new();
    let mut instead: BTreeMap<At, Vec<Instruction>> = BTreeMap::new();
    let mut behind: BTreeMap<At, Vec<Instruction>> = BTreeMap::new();
    let mut at_end = Vec::new();
    let moved = |dst: Register, a: Register, wide: u32| {
        let (op, ty, a) = (UnaryOp::Move, raw(wide), Operand::Register(a));
        unguarded(Op::Unary { op, ty, dst, a }, place)
    };
    for carried in list {
        let pairs = pairs(kernel, carried);
        let mut names = BTreeMap::new();
        before.extend(renamed(kernel, &carried.slice, &mut names));
        let mut taken = Vec::new();
        for (wanted, from) in pairs {
            let wide = bits(kernel, wanted);
            let (along, kept) = (fresh(kernel, wide), fresh(kernel, wide));
            if let Some(first) = names.get(&wanted) {
                before.push(moved(along, *first, wide));
            }
            taken.push(moved(wanted, along, wide));
            let copies = behind.entry(carried.from).or_default();
            copies.push(moved(kept, from, wide));
            at_end.push(moved(along, kept, wide));
        }
        instead.insert(carried.load, taken);
    }
    for (block, natural_loop) in (0..).map(BlockId).zip(&mut kernel.blocks) {
        let old = std::mem::take(&mut natural_loop.instructions);
        for (at, instruction) in old.into_iter().enumerate() {
            match instead.remove(&(block, at)) {
                Some(moves) => natural_loop.instructions.extend(moves),
                None => natural_loop.instructions.push(instruction),
            }
            natural_loop
                .instructions
                .extend(behind.remove(&(block, at)).unwrap_or_default());
        }
        if block == latch {
            natural_loop.instructions.append(&mut at_end);
        }
    }
    enter(kernel, natural_loop, test);
    precede(kernel, natural_loop, guarded, before, place);
}
