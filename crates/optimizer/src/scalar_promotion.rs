//! Scalar promotion: a place that a loop reads and writes in every iteration, and nothing else in it touches, is kept
//! in a register and stored once behind the loop (part of LLVM's loop-invariant code motion).
//!
//! `for (j) c[i] += a[j]` with `__restrict__`, or with `c` in shared memory and `a` in global memory, reads `c[i]` once
//! before the loop and stores it once behind, by the lanes that make an iteration.
//!
//! Invariant: behind each iteration the register holds what the place would. It does where every access in the loop that may
//! touch the place is one of those replaced, none is volatile, and no fence stands in the loop.
//!
//! NB: a place that is read again behind the loop is loaded once for all lanes where the compiler puts both loads before the
//! test; here lanes that make no iteration load behind the loop.

use crate::facts::{Facts, Location, bits, fresh, unguarded};
use crate::loop_invariants::{enter, guard, is_always, is_turned, renamed, slice, written};
use crate::remark::{Remark, RemarkKind, note};
use crate::vectorize::{narrowed, widened};
use crate::work::Work;
use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{
    Address, AddressSpace, Block, BlockId, Instruction, Kernel, Op, Operand, PlainAccess, Register,
    ScalarType, SiteId, Terminator, UnaryOp,
};
use std::collections::BTreeMap;

/// Places that are promoted in one kernel, at most.
const PLACES: usize = 64;

/// Promotes places, those of inner loops first.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    for _ in 0..PLACES {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let loops = facts.loops.all().iter().enumerate().rev();
        let mut found = loops.filter_map(|(index, natural_loop)| {
            Some((
                natural_loop.clone(),
                scalar(kernel, &facts, index, natural_loop)?,
            ))
        });
        let Some((natural_loop, scalar)) = found.next() else {
            return;
        };
        for access in &scalar.accesses {
            let kind = if access.is_store {
                RemarkKind::Overwritten
            } else {
                RemarkKind::Hoisted
            };
            note(remarks, access.site, kind);
        }
        promote(kernel, &natural_loop, &scalar);
        crate::simplify::run(kernel, work);
    }
}

/// An access to a place.
#[derive(Clone, Copy, Debug)]
struct Access {
    block: BlockId,
    at: usize,
    site: SiteId,
    is_store: bool,
    address: Address,
    location: Location,
    /// Whether it can be kept in a register.
    is_plain: bool,
}

/// A place that is kept in a register.
#[derive(Clone, Debug)]
struct Scalar {
    element: ScalarType,
    accesses: Vec<Access>,
    /// The instructions that make the place's address before the loop, and the address.
    slice: Vec<Instruction>,
    address: Address,
    /// The access that loads it before the loop, if the loop reads it.
    load: Option<SiteId>,
    store: SiteId,
}

fn scalar(
    kernel: &Kernel,
    facts: &Facts,
    index: usize,
    natural_loop: &NaturalLoop,
) -> Option<Scalar> {
    if !is_turned(kernel, natural_loop) || written(kernel, facts, natural_loop)?.is_empty() {
        return None;
    }
    let all = accesses(kernel, facts, natural_loop)?;
    let stores = all.iter().filter(|access| access.is_store);
    stores
        .filter(|store| is_always(facts, natural_loop, store.block))
        .find_map(|store| of_store(kernel, facts, (index, natural_loop), &all, *store))
}

/// The place of a store, where nothing else that the loop touches may overlap it.
fn of_store(
    kernel: &Kernel,
    facts: &Facts,
    (index, natural_loop): (usize, &NaturalLoop),
    all: &[Access],
    store: Access,
) -> Option<Scalar> {
    let place = store.location;
    let scope = usize::try_from(place.address.scope).unwrap_or(usize::MAX);
    let moves = scope
        .checked_sub(1)
        .is_some_and(|scope| facts.loops.is_within(scope, index));
    // Arrays of a thread's own are registers anyway.
    if moves || place.space == AddressSpace::Local {
        return None;
    }
    let element = kernel.sites.get(store.site.index())?.element;
    let touches = |other: &Access| {
        let (read, written) = if other.is_store {
            (place, other.location)
        } else {
            (other.location, place)
        };
        read.may_alias(&written)
    };
    let accesses: Vec<Access> = all.iter().filter(|other| touches(other)).copied().collect();
    let is_kept = |access: &Access| {
        let site = kernel.sites.get(access.site.index());
        access.is_plain
            && access.location.is_same(&place)
            && site.is_some_and(|site| site.element == element)
    };
    if !accesses.iter().all(is_kept) {
        return None;
    }
    let load = accesses.iter().find(|access| !access.is_store);
    // What is loaded before the loop must be loaded in every iteration.
    let first = match load {
        Some(_) => accesses
            .iter()
            .find(|access| !access.is_store && is_always(facts, natural_loop, access.block))?,
        None => &store,
    };
    let before = facts.numbers.at(kernel, natural_loop.header)?;
    let registers = [Some(first.address.base), first.address.index];
    let registers = registers
        .into_iter()
        .flatten()
        .filter_map(Operand::register);
    let at = (first.block, first.at);
    let slice = slice(kernel, facts, natural_loop, at, registers, &before)?;
    Some(Scalar {
        element,
        slice,
        address: first.address,
        load: load.map(|_| first.site),
        store: store.site,
        accesses,
    })
}

/// All loads and stores of a loop; `None` where one goes nobody knows where.
fn accesses(kernel: &Kernel, facts: &Facts, natural_loop: &NaturalLoop) -> Option<Vec<Access>> {
    let mut found = Vec::new();
    let mut is_known = true;
    for block in &natural_loop.blocks {
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let Some(PlainAccess {
                    address,
                    site,
                    is_store,
                }) = instruction.op.plain_access()
                else {
                    is_known &= !instruction.op.reads_stores();
                    return;
                };
                let location = Location::of(kernel, site, address, values);
                let (Some(location), Some(of)) = (location, kernel.sites.get(site.index())) else {
                    is_known = false;
                    return;
                };
                found.push(Access {
                    block: *block,
                    at,
                    site,
                    is_store,
                    address: *address,
                    location,
                    is_plain: is_scalar(&instruction.op)
                        && instruction.guard.is_none()
                        && !of.is_volatile
                        && of.element != ScalarType::Bool
                        && u64::from(of.element.bytes()) == location.bytes
                        && fits(kernel, &instruction.op, of.element),
                });
            });
    }
    is_known.then_some(found)
}

/// Whether a plain access has one element.
const fn is_scalar(op: &Op) -> bool {
    if let Op::Load { dst, .. } = op {
        dst.len() == 1
    } else if let Op::Store { src, .. } = op {
        src.len() == 1
    } else {
        false
    }
}

/// Whether an access's register holds the element as memory does, or wider as an integer.
fn fits(kernel: &Kernel, op: &Op, element: ScalarType) -> bool {
    let fits = |register: Register| {
        let wide = bits(kernel, register);
        wide == element.bits() || !element.is_float() && wide > element.bits()
    };
    if let Op::Load { dst, .. } = op {
        return dst.iter().all(|dst| dst.is_some_and(fits));
    }
    let Op::Store { src, .. } = op else {
        return false;
    };
    src.iter()
        .all(|operand| operand.register().is_none_or(fits))
}

/// Keeps a place in a register: the loop's test is made once more before it, what it reads is loaded behind that, and
/// what it leaves is stored behind the loop.
fn promote(kernel: &mut Kernel, natural_loop: &NaturalLoop, scalar: &Scalar) {
    let (Some(header), [(_, exit)]) = (
        kernel.blocks.get(natural_loop.header.index()).cloned(),
        natural_loop.exits.as_slice(),
    ) else {
        return;
    };
    let place = header.place;
    let (home, turned) = (fresh(kernel, scalar.element.bits()), fresh(kernel, 1));
    keep(kernel, scalar, home);
    let block = |behind: usize| BlockId(u32::try_from(behind).unwrap_or(u32::MAX));
    let first = kernel.blocks.len();
    let (test, load, behind, store) = (
        block(first),
        block(first + 1),
        block(first + 2),
        block(first + 3),
    );
    let (test_again, terminator) = guard(kernel, natural_loop, &header, load);
    let mut tested = vec![flag(turned, false, place)];
    tested.extend(test_again);
    let mut names = BTreeMap::new();
    // The address is one value in the loop and behind it: it is made on all ways.
    tested.extend(renamed(kernel, &scalar.slice, &mut names));
    let own = |operand: Operand| match operand {
        Operand::Register(register) => names.get(&register).copied().unwrap_or(register).into(),
        Operand::Constant(_) => operand,
    };
    let address = Address {
        base: own(scalar.address.base),
        index: scalar.address.index.map(own),
        offset: scalar.address.offset,
    };
    let mut before = vec![flag(turned, true, place)];
    if let Some(site) = scalar.load {
        let dst = vec![Some(home)];
        before.push(unguarded(Op::Load { dst, address, site }, place));
    }
    let stored = Op::Store {
        src: vec![home.into()],
        address,
        site: scalar.store,
    };
    enter(kernel, natural_loop, test);
    if let Some(header) = kernel.blocks.get_mut(natural_loop.header.index()) {
        header.terminator.visit_blocks_mut(&mut |target| {
            if *target == *exit {
                *target = behind;
            }
        });
    }
    let jump = |instructions, to| Block {
        instructions,
        terminator: Terminator::Jump(to),
        place,
    };
    let choice = Terminator::Branch {
        predicate: turned.into(),
        negated: false,
        taken: store,
        otherwise: *exit,
        join: Some(*exit),
    };
    kernel.blocks.push(Block {
        instructions: tested,
        terminator,
        place,
    });
    kernel.blocks.push(jump(before, natural_loop.header));
    kernel.blocks.push(Block {
        instructions: Vec::new(),
        terminator: choice,
        place,
    });
    kernel
        .blocks
        .push(jump(vec![unguarded(stored, place)], *exit));
}

fn flag(dst: Register, holds: bool, place: lanescope_ir::PlaceId) -> Instruction {
    let op = Op::Unary {
        op: UnaryOp::Move,
        ty: ScalarType::Bool,
        dst,
        a: Operand::Constant(u64::from(holds)),
    };
    unguarded(op, place)
}

/// Puts moves from and to the register `home` in the place of accesses.
fn keep(kernel: &mut Kernel, scalar: &Scalar, home: Register) {
    for access in &scalar.accesses {
        let old = kernel.blocks.get(access.block.index());
        let Some(op) = old.and_then(|block| Some(&block.instructions.get(access.at)?.op)) else {
            continue;
        };
        let new = if let Op::Load { dst, .. } = op {
            dst.iter().flatten().next().map(|dst| {
                let wide = bits(kernel, *dst);
                widened(scalar.element, wide, *dst, home.into())
            })
        } else if let Op::Store { src, .. } = op {
            src.first()
                .map(|src| narrowed(kernel, *src, scalar.element, home))
        } else {
            None
        };
        let block = kernel.blocks.get_mut(access.block.index());
        let slot = block.and_then(|block| block.instructions.get_mut(access.at));
        if let (Some(new), Some(slot)) = (new, slot) {
            slot.op = new;
        }
    }
}
