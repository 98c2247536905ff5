//! Loops that are known to go round few times at most, which LLVM does not cut at run time.
//!
//! Read off PTX of 26 loops with ends such as `3 + (t & 1)`, `t & 7` and `n`, and of 26 with two conditions (nvcc 13,
//! `sm_90`): with at most 16 iterations LLVM leaves the loop as it is, with 21 and more it cuts or writes out. The assembler
//! makes 4, 2 and 1 iterations of one with a single condition, and leaves others.
//!
//! NB: an end that is the same in all lanes and may leave no iteration at all (`n & 7`) is cut, and so is one that is
//! compared without sign; here both are told by their types and uniformity alone. Ends made by a remainder (`t % 5 + 3`,
//! `loops_cut_c13`) are left by LLVM too, and cut by the assembler in another order, which was not read off.

use std::collections::BTreeMap;

use lanescope_ir::analysis::{NaturalLoop, Uniformity};
use lanescope_ir::{BinaryOp, Kernel, Op, Operand, Register, ScalarType, UnaryOp};

use super::counted::{Bound, Step, Test};
use crate::facts::Facts;

/// Iterations, at most.
const FEW: i64 = 16;
/// Operations that an end is followed through, at most.
const DEPTH: usize = 8;

/// Whether a test lets so few iterations through.
pub(super) fn are(kernel: &Kernel, facts: &Facts, natural_loop: &NaturalLoop, test: Test) -> bool {
    let Step::Constant(step) = test.step else {
        return false;
    };
    if step <= 0 || test.ty != ScalarType::I32 || test.bound == Bound::Exact {
        return false;
    }
    let Some(begin) = begin(kernel, facts, natural_loop, test.counter) else {
        return false;
    };
    let Some((least, most)) = range(&definitions(kernel), test.end, DEPTH) else {
        return false;
    };
    let inclusive = i64::from(test.bound == Bound::Inclusive);
    let trips = |end: i64| (end - begin + inclusive + step - 1).div_euclid(step);
    let is_entered = trips(least) >= 1;
    let differs = || !Uniformity::of(kernel, &facts.flow).is_uniform_operand(test.end);
    trips(most) <= FEW && (is_entered || differs())
}

/// What a counter is as a loop begins.
fn begin(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    counter: Operand,
) -> Option<i64> {
    let outside = facts.flow.predecessors(natural_loop.header).iter();
    let mut outside = outside.filter(|from| !natural_loop.contains(**from));
    let (Some(from), None) = (outside.next(), outside.next()) else {
        return None;
    };
    let values = facts
        .numbers
        .walk(kernel, *from, &facts.loops, |_, _, _| {})?;
    let value = values.operand(counter, ScalarType::I32);
    value.is_known().then(|| signed(value.number))
}

fn signed(bits: u64) -> i64 {
    i64::from(i32::from_le_bytes(
        bits.to_le_bytes()
            .first_chunk()
            .copied()
            .unwrap_or_default(),
    ))
}

type Definitions<'k> = BTreeMap<Register, Option<&'k Op>>;

/// The one operation that writes each register; none of those that several write.
fn definitions(kernel: &Kernel) -> Definitions<'_> {
    let mut found = BTreeMap::new();
    for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
        for register in instruction.op.defs() {
            let is_only = instruction.guard.is_none() && !found.contains_key(&register);
            found.insert(register, is_only.then_some(&instruction.op));
        }
    }
    found
}

/// The least and the most that an operand may be, as an integer of 32 bits with sign.
fn range(definitions: &Definitions<'_>, operand: Operand, depth: usize) -> Option<(i64, i64)> {
    let register = match operand {
        Operand::Constant(bits) => return Some((signed(bits), signed(bits))),
        Operand::Register(register) => register,
    };
    let depth = depth.checked_sub(1)?;
    match definitions.get(&register).copied().flatten()? {
        Op::Unary {
            op: UnaryOp::Move,
            ty: ScalarType::I32 | ScalarType::U32,
            a,
            ..
        } => range(definitions, *a, depth),
        Op::Binary {
            op,
            ty: ScalarType::I32 | ScalarType::U32,
            a,
            b,
            ..
        } => binary(definitions, *op, (*a, *b), depth),
        // Of any other operation nothing is known.
        _ => None,
    }
}

fn binary(
    definitions: &Definitions<'_>,
    op: BinaryOp,
    (a, b): (Operand, Operand),
    depth: usize,
) -> Option<(i64, i64)> {
    match op {
        BinaryOp::Add => {
            let (a, b) = (range(definitions, a, depth)?, range(definitions, b, depth)?);
            Some((a.0 + b.0, a.1 + b.1))
        }
        BinaryOp::And => {
            let masks = [a, b].into_iter().filter_map(Operand::constant);
            let mask = masks.map(signed).find(|mask| *mask >= 0)?;
            Some((0, mask))
        }
        // Of any other operator nothing is known.
        _ => None,
    }
}
