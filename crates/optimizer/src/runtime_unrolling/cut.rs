//! A counted loop cut into pieces: one of many iterations, those that halve the rest, and one.

use lanescope_ir::analysis::NaturalLoop;
use lanescope_ir::{
    BinaryOp, Block, BlockId, Instruction, Kernel, Op, Operand, PlaceId, Register, Rounding,
    ScalarType, Terminator,
};

use super::carried_stores::Carried;
use super::counted::{Bound, Counted, Step, Test};
use super::stages::stage;
use super::weaving::{Kind, Weaving};
use super::{MOST_KNOWN_TRIPS, Pieces};
use crate::facts::{Facts, fresh, unguarded};
use crate::loop_unrolling::trip_count as trip_count_known;
use crate::work::Work;

/// Writes the pieces, one stage after another, each a loop.
pub(super) fn cut(
    kernel: &mut Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    counted: Counted,
    carried: &[Carried],
    work: &mut Work,
) {
    let unit = counted.pieces.unit();
    let place = kernel
        .blocks
        .get(natural_loop.header.index())
        .map_or(PlaceId::default(), |block| block.place);
    let header = kernel
        .blocks
        .get(natural_loop.header.index())
        .map(|block| block.instructions.clone());
    let Some(header) = header else { return };
    let entry = push(kernel, header.clone(), place);
    let (many, few) = trip_counts(kernel, entry, &counted, place);
    // Iterations that are known to be a multiple of the unit leave no single ones.
    let trips = trip_count_known(kernel, facts, natural_loop, MOST_KNOWN_TRIPS, work);
    let singles: &[u32] = match counted.pieces {
        _ if trips.is_some_and(|trips| trips.count % unit == 0) => &[],
        Pieces::Halving => &[2, 1],
        Pieces::Sixteen | Pieces::Equal(_) => &[1],
    };
    let pieces: Vec<u32> = match counted.pieces {
        Pieces::Sixteen => vec![16, 8, 4],
        Pieces::Equal(_) | Pieces::Halving => vec![unit],
    };
    let several = pieces
        .into_iter()
        .map(|size| (size, many, Kind::Pieces(unit)));
    let single = singles.iter().map(|size| (*size, few, Kind::Singles));
    let stages: Vec<(u32, Register, Kind)> = if counted.singles_first {
        single.chain(several).collect()
    } else {
        several.chain(single).collect()
    };
    let weaving = (!carried.is_empty())
        .then(|| Weaving::new(kernel, (natural_loop, counted.body), carried, entry, place));
    let mut last = entry;
    for (size, left, kind) in stages {
        last = stage(
            kernel,
            natural_loop,
            counted.body,
            (size, left),
            last,
            place,
        );
        if let Some(weaving) = &weaving {
            weaving.stage(kernel, kind, last, size);
        }
    }
    // What the header makes of the counter in the end.
    let end = push(kernel, header, place);
    jump(kernel, end, counted.exit);
    close(kernel, last, end);
    for from in facts.flow.predecessors(natural_loop.header) {
        if !natural_loop.contains(*from)
            && let Some(block) = kernel.blocks.get_mut(from.index())
        {
            block.terminator.visit_blocks_mut(&mut |target| {
                if *target == natural_loop.header {
                    *target = entry;
                }
            });
        }
    }
    // Branches around the loop that met at its header meet at the new one.
    for block in &mut kernel.blocks {
        if let Terminator::Branch {
            join: Some(join), ..
        } = &mut block.terminator
            && *join == natural_loop.header
        {
            *join = entry;
        }
    }
}

/// Goes on from a stage to the next block.
pub(super) fn close(kernel: &mut Kernel, last: BlockId, next: BlockId) {
    if let Some(block) = kernel.blocks.get_mut(last.index()) {
        if let Terminator::Branch {
            otherwise, join, ..
        } = &mut block.terminator
        {
            *otherwise = next;
            *join = Some(next);
        } else {
            block.terminator = Terminator::Jump(next);
        }
    }
}

pub(super) fn push(kernel: &mut Kernel, instructions: Vec<Instruction>, place: PlaceId) -> BlockId {
    kernel.blocks.push(Block {
        instructions,
        terminator: Terminator::Exit,
        place,
    });
    BlockId(u32::try_from(kernel.blocks.len() - 1).unwrap_or(u32::MAX))
}

pub(super) fn jump(kernel: &mut Kernel, from: BlockId, to: BlockId) {
    if let Some(block) = kernel.blocks.get_mut(from.index()) {
        block.terminator = Terminator::Jump(to);
    }
}

/// Iterations to be made in pieces, and singly.
fn trip_counts(
    kernel: &mut Kernel,
    entry: BlockId,
    counted: &Counted,
    place: PlaceId,
) -> (Register, Register) {
    let (count, many, few) = (fresh(kernel, 64), fresh(kernel, 64), fresh(kernel, 64));
    let mut list = Vec::new();
    for (at, test) in counted.tests.iter().enumerate() {
        let own = if at == 0 { count } else { fresh(kernel, 64) };
        trip_count(kernel, *test, own, &mut list);
        if at > 0 {
            list.push(whole(BinaryOp::Minimum, count, count, own.into()));
        }
    }
    let unit = Operand::Constant(u64::from(counted.pieces.unit()));
    list.push(whole(BinaryOp::Remainder, few, count, unit));
    list.push(whole(BinaryOp::Subtract, many, count, few.into()));
    if let Some(block) = kernel.blocks.get_mut(entry.index()) {
        let list = list.into_iter().map(|op| unguarded(op, place));
        block.instructions.extend(list);
    }
    (many, few)
}

const fn whole(op: BinaryOp, dst: Register, a: Register, b: Operand) -> Op {
    Op::Binary {
        op,
        ty: ScalarType::I64,
        dst,
        a: Operand::Register(a),
        b,
    }
}

/// `count = max(0, (end - counter + step - 1) / step)`, or with the end one more than so.
fn trip_count(kernel: &mut Kernel, test: Test, count: Register, list: &mut Vec<Op>) {
    if test.bound == Bound::Exact && test.ty.bits() == 32 {
        let distance = fresh(kernel, 32);
        list.push(Op::Binary {
            op: BinaryOp::Subtract,
            ty: ScalarType::U32,
            dst: distance,
            a: test.end,
            b: test.counter,
        });
        list.push(Op::Convert {
            from: ScalarType::U32,
            to: ScalarType::I64,
            rounding: Rounding::TowardsZero,
            saturate: false,
            dst: count,
            a: distance.into(),
        });
        return;
    }
    let (a, b) = (fresh(kernel, 64), fresh(kernel, 64));
    for (dst, operand) in [(a, test.counter), (b, test.end)] {
        list.push(Op::Convert {
            from: test.ty,
            to: ScalarType::I64,
            rounding: Rounding::TowardsZero,
            saturate: false,
            dst,
            a: operand,
        });
    }
    let (first, second) = match test.step {
        Step::Constant(step) if step < 0 => (a, b),
        Step::Constant(_) | Step::Stride(_) => (b, a),
    };
    let (by, less) = step_of(kernel, test.step, list);
    let more = match test.bound {
        Bound::Inclusive => by,
        Bound::Exclusive => less,
        Bound::Exact => Operand::Constant(0),
    };
    list.push(whole(BinaryOp::Add, first, first, more));
    list.push(whole(BinaryOp::Subtract, count, first, second.into()));
    list.push(whole(BinaryOp::Maximum, count, count, Operand::Constant(0)));
    list.push(whole(BinaryOp::Divide, count, count, by));
}

/// By how much an iteration moves the counter, and one less; a stride is taken for one that moves it up.
fn step_of(kernel: &mut Kernel, step: Step, list: &mut Vec<Op>) -> (Operand, Operand) {
    match step {
        Step::Constant(step) => {
            let by = step.unsigned_abs();
            (
                Operand::Constant(by),
                Operand::Constant(by.saturating_sub(1)),
            )
        }
        Step::Stride(stride) => {
            let (by, less) = (fresh(kernel, 64), fresh(kernel, 64));
            list.push(Op::Convert {
                from: ScalarType::I32,
                to: ScalarType::I64,
                rounding: Rounding::TowardsZero,
                saturate: false,
                dst: by,
                a: stride.into(),
            });
            list.push(whole(BinaryOp::Maximum, by, by, Operand::Constant(1)));
            list.push(whole(BinaryOp::Subtract, less, by, Operand::Constant(1)));
            (by.into(), less.into())
        }
    }
}
