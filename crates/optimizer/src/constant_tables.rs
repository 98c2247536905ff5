//! Constant folding of loads from arrays that are declared constant with their values (`__device__ const`, `constexpr`).
//!
//! nvcc puts the value in place of the load where the index is known, also by unrolling; with an index that is not, it
//! loads. Read off 22 kernels with tables of each kind; an array that is not `const` is loaded always.
//!
//! Sound since nothing can write such an array: its initial bytes are what every load reads.
//!
//! NB: a string literal that an index chooses from is not followed.

use crate::facts::{Facts, Location, bits};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::{
    AddressSpace, ArrayId, BlockId, Instruction, Kernel, Op, Operand, Register, SiteId,
    SpecialRegister, UnaryOp,
};
use std::collections::BTreeMap;

/// Replaces loads of known elements by their values.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    let has_table = kernel.arrays.iter().any(|array| !array.initial.is_empty());
    if !has_table {
        return;
    }
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let bases = bases(kernel, &facts);
    if bases.is_empty() {
        return;
    }
    let mut known = Vec::new();
    for block in facts.flow.reverse_postorder() {
        facts
            .numbers
            .walk(kernel, *block, &facts.loops, |at, instruction, values| {
                let Op::Load { dst, address, site } = &instruction.op else {
                    return;
                };
                if instruction.guard.is_some() {
                    return;
                }
                let place = Location::of(kernel, *site, address, values);
                let elements = place.and_then(|place| elements(kernel, &bases, *site, &place, dst));
                if let Some(elements) = elements {
                    known.push((*block, at, *site, elements));
                }
            });
    }
    // From the last on, so that places before it stay as they are.
    known.sort_by_key(|(block, at, ..)| std::cmp::Reverse((*block, *at)));
    for (block, at, site, elements) in known {
        replace(kernel, block, at, elements);
        note(remarks, site, RemarkKind::Known);
    }
}

/// The numbers that the first bytes of arrays with values have.
fn bases(kernel: &Kernel, facts: &Facts) -> BTreeMap<ArrayId, u64> {
    let mut bases = BTreeMap::new();
    for block in facts.flow.reverse_postorder() {
        let mut named: Vec<(ArrayId, Register)> = Vec::new();
        let walked = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, instruction, values| {
                settle(&mut named, &mut bases, |register| {
                    values.register(register).number
                });
                if let Op::Special {
                    dst,
                    register: SpecialRegister::ArrayAddress(array),
                } = instruction.op
                    && is_table(kernel, array)
                {
                    named.push((array, dst));
                }
            });
        if let Some(values) = walked {
            settle(&mut named, &mut bases, |register| {
                values.register(register).number
            });
        }
    }
    bases
}

/// Notes the numbers of addresses that stand in registers by now.
fn settle(
    named: &mut Vec<(ArrayId, Register)>,
    bases: &mut BTreeMap<ArrayId, u64>,
    number: impl Fn(Register) -> u64,
) {
    bases.extend(
        named
            .drain(..)
            .map(|(array, register)| (array, number(register))),
    );
}

fn is_table(kernel: &Kernel, array: ArrayId) -> bool {
    let array = kernel.arrays.get(array.index());
    array.is_some_and(|array| array.space == AddressSpace::Global && !array.initial.is_empty())
}

/// What a load brings of a table at an index that is known: for each register the operation that sets it.
fn elements(
    kernel: &Kernel,
    bases: &BTreeMap<ArrayId, u64>,
    site: SiteId,
    place: &Location,
    dst: &[Option<Register>],
) -> Option<Vec<Op>> {
    let id = place.array?;
    let site = kernel.sites.get(site.index())?;
    if !place.is_read_only || site.is_volatile {
        return None;
    }
    let array = kernel.arrays.get(id.index())?;
    let begins = place.address.number.wrapping_sub(*bases.get(&id)?);
    let (ty, step) = (site.element, u64::from(site.element.bytes()));
    let ends = begins.checked_add(place.bytes)?;
    if ends > array.bytes? {
        return None;
    }
    let mut list = Vec::new();
    for (at, register) in (0..).zip(dst) {
        let Some(register) = *register else { continue };
        if bits(kernel, register) != ty.bits() {
            return None;
        }
        list.push(Op::Unary {
            op: UnaryOp::Move,
            ty,
            dst: register,
            a: Operand::Constant(value(&array.initial, begins + at * step, step)),
        });
    }
    Some(list)
}

/// The bytes from `from` on as a number; what no piece lists is zero.
fn value(pieces: &[(u64, Vec<u8>)], from: u64, bytes: u64) -> u64 {
    let byte = |at: u64| {
        pieces.iter().find_map(|(begins, bytes)| {
            let inside = usize::try_from(at.checked_sub(*begins)?).ok()?;
            bytes.get(inside).copied()
        })
    };
    (0..bytes.min(8)).fold(0, |sum, at| {
        sum | u64::from(byte(from + at).unwrap_or(0)) << (8 * at)
    })
}

fn replace(kernel: &mut Kernel, block: BlockId, at: usize, elements: Vec<Op>) {
    let Some(block) = kernel.blocks.get_mut(block.index()) else {
        return;
    };
    let Some(place) = block
        .instructions
        .get(at)
        .map(|instruction| instruction.place)
    else {
        return;
    };
    let made = elements.into_iter().map(|op| Instruction {
        guard: None,
        op,
        place,
    });
    block.instructions.splice(at..=at, made);
}
