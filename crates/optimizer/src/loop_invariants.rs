//! Loop-invariant code motion of loads: a load whose address a loop does not change, and whose memory nothing in the
//! loop may write, is done once, before the loop.
//!
//! The loop is turned first (LLVM's loop rotation): its test is made once more before it, and only lanes that make an
//! iteration load. Loads that every iteration makes move, and of those that some make the ones that cannot fault: of a
//! place in a shared array whose size is declared (LLVM's dereferenceable pointers), out of nests as well. Neighbours
//! that stand before the loop are then joined (`loads_sunk_d2`, `layernorm_row`).
//!
//! Sound where the address has a value number from outside of the loop, no store in the loop may alias it, and no fence
//! stands in it, unless its memory is only read: every iteration would read the same.
//!
//! NB: a load that two loops of one test need, or one whose test is an `if` with `break`, is done before them.

use crate::facts::{Facts, Location, bits, fresh, unguarded};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::{NaturalLoop, Values};
use lanescope_ir::{
    AddressSpace, Block, BlockId, Instruction, Kernel, Op, Operand, PlaceId, Register, ScalarType,
    SlotMut, Terminator, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// Loops that are looked at in one kernel, at most.
const LOOPS: usize = 64;
/// Instructions that an address is made of, at most.
const SLICE: usize = 64;

/// Moves invariant loads out of loops, inner ones first.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    for _ in 0..LOOPS {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        // Inner loops stand behind outer ones.
        let mut found = None;
        for index in (0..facts.loops.all().len()).rev() {
            let Some(natural_loop) = facts.loops.get(index) else {
                continue;
            };
            let list = invariants(kernel, &facts, index, natural_loop);
            if !list.is_empty() {
                found = Some((natural_loop.clone(), list));
                break;
            }
        }
        let Some((one, list)) = found else { return };
        for site in list
            .iter()
            .flat_map(|one| one.slice.last())
            .flat_map(|instruction| instruction.op.sites())
        {
            note(remarks, site, RemarkKind::Hoisted);
        }
        hoist(kernel, &one, list);
    }
}

/// A load that moves.
#[derive(Clone, Debug)]
struct Invariant {
    block: BlockId,
    at: usize,
    /// The instructions that make its address, then the load.
    slice: Vec<Instruction>,
}

fn invariants(
    kernel: &Kernel,
    facts: &Facts,
    index: usize,
    natural_loop: &NaturalLoop,
) -> Vec<Invariant> {
    if !can_be_turned(kernel, natural_loop) {
        return Vec::new();
    }
    let is_turned = is_turned(kernel, natural_loop);
    let Some(before) = facts.numbers.at(kernel, natural_loop.header) else {
        return Vec::new();
    };
    let Some(written) = written(kernel, facts, natural_loop) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for block in &natural_loop.blocks {
        if *block == natural_loop.header {
            continue;
        }
        let is_made = is_turned && is_always(facts, natural_loop, *block);
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let Op::Load { address, site, .. } = &instruction.op else {
                    return;
                };
                let (Some(location), Some(of)) = (
                    Location::of(kernel, *site, address, values),
                    kernel.sites.get(site.index()),
                ) else {
                    return;
                };
                let scope = usize::try_from(location.address.scope).unwrap_or(usize::MAX);
                let moves = scope
                    .checked_sub(1)
                    .is_some_and(|scope| facts.loops.is_within(scope, index));
                if moves
                    || of.is_volatile
                    || instruction.guard.is_some()
                    || !(is_made || cannot_fault(kernel, &location))
                    || written
                        .iter()
                        .any(|natural_loop| location.may_alias(natural_loop))
                {
                    return;
                }
                let registers = instruction.registers_read();
                if let Some(mut slice) = slice(
                    kernel,
                    facts,
                    natural_loop,
                    (*block, at),
                    registers,
                    &before,
                ) {
                    slice.push(instruction.clone());
                    found.push(Invariant {
                        block: *block,
                        at,
                        slice,
                    });
                }
            });
    }
    found
}

/// Whether a load may be made where the source makes none: all of its bytes lie in a shared array of declared size.
fn cannot_fault(kernel: &Kernel, location: &Location) -> bool {
    let array = location.array.and_then(|id| kernel.arrays.get(id.index()));
    array.is_some_and(|array| {
        let end = location.address.number.checked_add(location.bytes);
        array.space == AddressSpace::Shared
            && location.address.is_known()
            && location.address.number >= array.base
            && array
                .bytes
                .and_then(|bytes| array.base.checked_add(bytes))
                .is_some_and(|after| end.is_some_and(|end| end <= after))
    })
}

/// Whether instructions can stand before the first iteration: its header tests nothing, or tests what can be tested
/// once more.
fn can_be_turned(kernel: &Kernel, natural_loop: &NaturalLoop) -> bool {
    kernel
        .blocks
        .get(natural_loop.header.index())
        .is_some_and(|header| {
            !is_left_by_header(natural_loop)
                || matches!(header.terminator, Terminator::Branch { .. })
                    && header.instructions.iter().all(is_test)
        })
}

fn is_left_by_header(natural_loop: &NaturalLoop) -> bool {
    natural_loop
        .exits
        .iter()
        .any(|(from, _)| *from == natural_loop.header)
}

/// Whether an instruction of a loop's test can be made once more.
fn is_test(instruction: &Instruction) -> bool {
    instruction.guard.is_none()
        && (instruction.op.is_pure() || matches!(instruction.op, Op::BoundsCheck { .. }))
}

/// Whether a loop is left only by its header's test, which can be made once more before it.
pub(crate) fn is_turned(kernel: &Kernel, natural_loop: &NaturalLoop) -> bool {
    let Some(header) = kernel.blocks.get(natural_loop.header.index()) else {
        return false;
    };
    matches!(header.terminator, Terminator::Branch { .. })
        && header.instructions.iter().all(is_test)
        && natural_loop.exits.len() == 1
        && natural_loop
            .exits
            .iter()
            .all(|(from, _)| *from == natural_loop.header)
}

/// Whether each iteration comes to a block.
pub(crate) fn is_always(facts: &Facts, natural_loop: &NaturalLoop, block: BlockId) -> bool {
    natural_loop
        .latches
        .iter()
        .all(|latch| facts.dominators.dominates(block, *latch))
}

/// Where the loop writes; `None` where nothing outlives an iteration.
pub(crate) fn written(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
) -> Option<Vec<Location>> {
    let mut found = Vec::new();
    let mut is_fenced = false;
    for block in &natural_loop.blocks {
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, instruction, values| {
                if let Op::Store { address, site, .. } = &instruction.op {
                    match Location::of(kernel, *site, address, values) {
                        Some(location) => found.push(location),
                        None => is_fenced = true,
                    }
                } else {
                    is_fenced |= instruction.op.is_fence();
                }
            });
    }
    (!is_fenced).then_some(found)
}

/// The instructions that make the registers of the address of the access at `(block, at)` in one iteration, none of
/// which reads what the loop changes.
pub(crate) fn slice(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    (block, at): (BlockId, usize),
    registers: impl IntoIterator<Item = Register>,
    before: &Values<'_>,
) -> Option<Vec<Instruction>> {
    let mut needed: BTreeSet<Register> = registers.into_iter().collect();
    let mut list = Vec::new();
    let (mut here, mut end) = (block, at);
    loop {
        let instructions = kernel.blocks.get(here.index())?.instructions.get(..end)?;
        for instruction in instructions.iter().rev() {
            let defs = instruction.op.defs();
            if !defs.iter().any(|register| needed.contains(register)) {
                continue;
            }
            if instruction.guard.is_some() || !instruction.op.is_pure() || list.len() >= SLICE {
                return None;
            }
            for register in defs {
                needed.remove(&register);
            }
            needed.extend(instruction.registers_read());
            list.push(instruction.clone());
        }
        let values = facts.numbers.at(kernel, here)?;
        let is_held =
            |register: &Register| values.register(*register) == before.register(*register);
        if needed.iter().all(is_held) {
            list.reverse();
            return Some(list);
        }
        if here == natural_loop.header {
            return None;
        }
        // Nothing between may write what is needed.
        let over = facts.dominators.immediate(here)?;
        let after = facts
            .numbers
            .walk(kernel, over, &facts.loops, |_, _, _| {})?;
        if !natural_loop.contains(over)
            || needed
                .iter()
                .any(|register| after.register(*register) != values.register(*register))
        {
            return None;
        }
        end = kernel.blocks.get(over.index())?.instructions.len();
        here = over;
    }
}

fn hoist(kernel: &mut Kernel, natural_loop: &NaturalLoop, list: Vec<Invariant>) {
    let Some(header) = kernel.blocks.get(natural_loop.header.index()).cloned() else {
        return;
    };
    let place = header.place;
    let (test, loads) = (
        BlockId(u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX)),
        BlockId(u32::try_from(kernel.blocks.len() + 1).unwrap_or(u32::MAX)),
    );
    let (tested, terminator) = if is_left_by_header(natural_loop) {
        guard(kernel, natural_loop, &header, loads)
    } else {
        (Vec::new(), Terminator::Jump(loads))
    };
    let mut before = Vec::new();
    let mut moves: BTreeMap<(BlockId, usize), Vec<Instruction>> = BTreeMap::new();
    for invariant in list {
        let mut names = BTreeMap::new();
        before.extend(renamed(kernel, &invariant.slice, &mut names));
        let Some(load) = invariant.slice.last() else {
            continue;
        };
        // What the load gave is moved there instead.
        let given = load.op.defs().into_iter().filter_map(|dst| {
            let a = (*names.get(&dst)?).into();
            let (op, ty) = (UnaryOp::Move, raw(bits(kernel, dst)));
            Some(unguarded(Op::Unary { op, ty, dst, a }, load.place))
        });
        moves.insert((invariant.block, invariant.at), given.collect());
    }
    for (block, natural_loop) in (0..).map(BlockId).zip(&mut kernel.blocks) {
        let old = std::mem::take(&mut natural_loop.instructions);
        for (at, instruction) in old.into_iter().enumerate() {
            match moves.remove(&(block, at)) {
                Some(moves) => natural_loop.instructions.extend(moves),
                None => natural_loop.instructions.push(instruction),
            }
        }
    }
    enter(kernel, natural_loop, test);
    precede(kernel, natural_loop, (tested, terminator), before, place);
}

/// Adds the blocks that [`guard`] named: the test, and what comes before the loop where it holds.
pub(crate) fn precede(
    kernel: &mut Kernel,
    natural_loop: &NaturalLoop,
    (tested, terminator): (Vec<Instruction>, Terminator),
    before: Vec<Instruction>,
    place: PlaceId,
) {
    kernel.blocks.push(Block {
        instructions: tested,
        terminator,
        place,
    });
    kernel.blocks.push(Block {
        instructions: before,
        terminator: Terminator::Jump(natural_loop.header),
        place,
    });
}

/// The loop's test once more, as stands before the loop: where it holds, `inside` comes first.
pub(crate) fn guard(
    kernel: &mut Kernel,
    natural_loop: &NaturalLoop,
    header: &Block,
    inside: BlockId,
) -> (Vec<Instruction>, Terminator) {
    let mut names = BTreeMap::new();
    let tested = renamed(kernel, &header.instructions, &mut names);
    let mut terminator = header.terminator.clone();
    if let Terminator::Branch {
        predicate,
        taken,
        otherwise,
        join,
        ..
    } = &mut terminator
    {
        if let Operand::Register(register) = predicate {
            *register = names.get(register).copied().unwrap_or(*register);
        }
        for target in [taken, otherwise] {
            *target = if natural_loop.contains(*target) {
                inside
            } else {
                natural_loop.header
            };
        }
        *join = Some(natural_loop.header);
    }
    (tested, terminator)
}

/// Lets all that comes to a loop from outside come to `test` first.
pub(crate) fn enter(kernel: &mut Kernel, natural_loop: &NaturalLoop, test: BlockId) {
    for (at, block) in (0..).map(BlockId).zip(&mut kernel.blocks) {
        if !natural_loop.contains(at) {
            block.terminator.visit_blocks_mut(&mut |target| {
                if *target == natural_loop.header {
                    *target = test;
                }
            });
        }
    }
}

/// Copies of instructions that write registers of their own; `names` says which.
pub(crate) fn renamed(
    kernel: &mut Kernel,
    list: &[Instruction],
    names: &mut BTreeMap<Register, Register>,
) -> Vec<Instruction> {
    let mut made = Vec::with_capacity(list.len());
    for instruction in list {
        let mut new = instruction.clone();
        new.op.visit_mut(&mut |slot| match slot {
            SlotMut::Use(Operand::Register(register)) => {
                *register = names.get(register).copied().unwrap_or(*register);
            }
            SlotMut::Def(register) => {
                let wide = bits(kernel, *register);
                let own = fresh(kernel, wide);
                names.insert(*register, own);
                *register = own;
            }
            SlotMut::Use(Operand::Constant(_)) | SlotMut::Site(_) => {}
        });
        made.push(new);
    }
    made
}

/// The unsigned type of so many bits.
pub(crate) const fn raw(bits: u32) -> ScalarType {
    match bits {
        1 => ScalarType::Bool,
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        64 => ScalarType::U64,
        _ => ScalarType::U32,
    }
}
