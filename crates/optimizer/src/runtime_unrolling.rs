//! Runtime loop unrolling with remainder loops: a counted loop whose trip count only the launch or the thread tells is
//! cut into pieces of several iterations.
//!
//! Lanes that make different numbers of iterations part at the pieces: 31 and 32 iterations in one warp are 47 requests.
//! Read off what nvcc of CUDA 13 makes for an H200 (`loops_cut`, `loop_sizes`): iterations left over by four are made
//! singly, before the others or, where an integer that the loop changes begins as a constant, after them; then come 16
//! iterations at a time, at last 8 and 4. A larger body is cut into pieces of 4 or of 2, or not at all; one that
//! divides, takes a root or has an atomic into 4; a counter without sign that moves by more than 1 into 4, 2 and 1.

use crate::close_call::{CloseCalls, Leaning};
use crate::cost_model;
use crate::facts::{Facts, bits, fresh, size, unguarded};
use crate::loop_unrolling::{LOOK, hint, place_of, trip_count as trip_count_known};
use crate::profile::Thresholds;
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::{Loops, NaturalLoop, Uniformity, Value};
use lanescope_ir::{
    BinaryOp, Block, BlockId, Comparison, Instruction, Kernel, LoopHint, Op, Operand, PlaceId,
    Register, Rounding, ScalarType, SpecialRegister, Terminator, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// Tests that one condition is made of, at most.
const TESTS: usize = 8;
/// Iterations of a piece where the source asks for a loop to be unrolled, not how often, and nobody knows how often it
/// goes round (`loop_sizes_z14`).
const UNROLLED_WHOLLY: u32 = 4;
/// Lanes of a warp: the step of a counter that moves by the warp's size.
const WARP: i64 = 32;
/// Stages of a loop that is cut, at most.
const STAGES: usize = 4;
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

/// A test that counts iterations.
#[derive(Clone, Copy, Debug)]
struct Test {
    /// What moves, and what it is compared with.
    counter: Operand,
    end: Operand,
    ty: ScalarType,
    step: i64,
    bound: Bound,
}

/// How a counter ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// Before the end.
    Exclusive,
    /// With the end.
    Inclusive,
    /// At the end, which it goes to one by one, around the largest number if need be.
    Exact,
}

/// A loop that is counted.
#[derive(Clone, Debug)]
struct Counted {
    /// It goes on while all of these hold.
    tests: Vec<Test>,
    /// Where the body begins, and where the loop is left to.
    body: BlockId,
    exit: BlockId,
    pieces: Pieces,
    singles_first: bool,
}

/// Cuts all loops that are counted.
pub(crate) fn run(
    kernel: &mut Kernel,
    thresholds: Thresholds,
    close: &mut CloseCalls,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    for _ in 0..LOOPS {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let mut found = None;
        for one in facts.loops.all() {
            // The pieces of a loop that is cut say so themselves.
            if hint(kernel, one.header) != Some(1)
                && let Some(counted) = counted(kernel, &facts, one, thresholds, close)
            {
                found = Some((one.clone(), counted));
                break;
            }
        }
        let Some((one, counted)) = found else { return };
        for block in &one.blocks {
            let sites = kernel.blocks.get(block.index()).map(|block| {
                block
                    .instructions
                    .iter()
                    .flat_map(|one| one.op.sites())
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
        if !work.spend(LOOK * one.blocks.len() + size(kernel)) {
            return;
        }
        cut(kernel, &facts, &one, counted);
        crate::simplify::run(kernel, work);
    }
}

/// Iterations that a loop's remainder is counted by, where it is cut.
pub(crate) fn unit_of(
    kernel: &Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    thresholds: Thresholds,
) -> Option<u32> {
    if hint(kernel, one.header) == Some(1) {
        return None;
    }
    let mut close = CloseCalls::new(Leaning::Fitted);
    let counted = counted(kernel, facts, one, thresholds, &mut close);
    counted.map(|counted| counted.pieces.unit())
}

fn counted(
    kernel: &Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    thresholds: Thresholds,
    close: &mut CloseCalls,
) -> Option<Counted> {
    let [latch] = one.latches.as_slice() else {
        return None;
    };
    let [(from, exit)] = one.exits.as_slice() else {
        return None;
    };
    let is_innermost = facts
        .loops
        .all()
        .iter()
        .all(|other| other.header == one.header || !one.contains(other.header));
    if *from != one.header || *latch == one.header || !is_innermost {
        return None;
    }
    let block = kernel.blocks.get(one.header.index())?;
    if !block
        .instructions
        .iter()
        .all(|one| one.op.is_pure() && one.guard.is_none())
    {
        return None;
    }
    let Terminator::Branch {
        predicate: Operand::Register(predicate),
        negated,
        taken,
        otherwise,
        ..
    } = block.terminator
    else {
        return None;
    };
    let stays_where_it_holds = one.contains(taken) != negated && (taken == *exit) == negated;
    let body = if taken == *exit { otherwise } else { taken };
    let is_together = keeps_together(kernel, one);
    let mut tests = Vec::new();
    let mut pending = vec![predicate];
    while let Some(predicate) = pending.pop() {
        let both = block
            .instructions
            .iter()
            .rev()
            .find_map(|one| match &one.op {
                Op::Binary {
                    op: BinaryOp::And,
                    ty: ScalarType::Bool,
                    dst,
                    a: Operand::Register(a),
                    b: Operand::Register(b),
                } if *dst == predicate => Some([*a, *b]),
                _ => None,
            });
        match both {
            Some(both) if stays_where_it_holds && tests.len() < TESTS => pending.extend(both),
            _ => {
                let compared = comparison(&block.instructions, predicate)?;
                if is_together && !is_uniform(kernel, facts, compared) {
                    return None;
                }
                tests.push(test(
                    kernel,
                    facts,
                    one,
                    *latch,
                    compared,
                    stays_where_it_holds,
                )?);
            }
        }
    }
    let halves = |test: &Test| {
        matches!(test.ty, ScalarType::U32 | ScalarType::U64) && test.step.unsigned_abs() > 1
    };
    let pieces = match hint(kernel, one.header) {
        Some(u32::MAX) => Pieces::Equal(UNROLLED_WHOLLY),
        Some(asked) => Pieces::Equal(asked.clamp(1, 64)),
        None if tests.iter().any(halves) => Pieces::Halving,
        None => pieces(kernel, facts, one, thresholds, close)?,
    };
    Some(Counted {
        tests,
        body,
        exit: *exit,
        pieces,
        singles_first: pieces != Pieces::Halving && !begins_known(kernel, facts, one),
    })
}

/// A comparison of which an iteration moves one side by a constant.
fn test(
    kernel: &Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    latch: BlockId,
    (op, ty, a, b): (Comparison, ScalarType, Operand, Operand),
    holds: bool,
) -> Option<Test> {
    let op = if holds { op } else { inverse(op) };
    // The smaller side moves up, or the larger one down.
    let (low, high, bound) = match op {
        Comparison::Less => (a, b, Bound::Exclusive),
        Comparison::LessEqual => (a, b, Bound::Inclusive),
        Comparison::Greater => (b, a, Bound::Exclusive),
        Comparison::GreaterEqual => (b, a, Bound::Inclusive),
        Comparison::NotEqual => {
            let moves = |operand| step(kernel, facts, one, latch, operand, ty);
            return match (moves(a)?, moves(b)?) {
                (1, 0) if !ty.is_float() && ty.bits() >= 32 => Some(Test {
                    counter: a,
                    end: b,
                    ty,
                    step: 1,
                    bound: Bound::Exact,
                }),
                _ => None,
            };
        }
        Comparison::Equal => return None,
    };
    if ty.is_float() || ty.bits() < 32 {
        return None;
    }
    let step = |operand: Operand| step(kernel, facts, one, latch, operand, ty);
    let (counter, end, step) = match (step(low)?, step(high)?) {
        (up, 0) if up > 0 => (low, high, up),
        (0, down) if down < 0 => (high, low, down),
        _ => return None,
    };
    Some(Test {
        counter,
        end,
        ty,
        step,
        bound,
    })
}

fn comparison(
    list: &[Instruction],
    predicate: Register,
) -> Option<(Comparison, ScalarType, Operand, Operand)> {
    list.iter().rev().find_map(|one| match &one.op {
        Op::Compare {
            op, ty, dst, a, b, ..
        } if *dst == predicate => Some((*op, *ty, *a, *b)),
        _ => None,
    })
}

/// The comparison that holds where this one does not, of integers.
pub(crate) const fn inverse(op: Comparison) -> Comparison {
    match op {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

/// By what an iteration moves what the header makes of an operand.
fn step(
    kernel: &Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    latch: BlockId,
    operand: Operand,
    ty: ScalarType,
) -> Option<i64> {
    let mut values = facts.numbers.at(kernel, one.header)?;
    values.run(one.header, &facts.loops, |_, _, _| {});
    let first = values.operand(operand, ty);
    let mut values = facts
        .numbers
        .walk(kernel, latch, &facts.loops, |_, _, _| {})?;
    values.run(one.header, &facts.loops, |_, _, _| {});
    let after = values.operand(operand, ty);
    after.distance(first).or_else(|| {
        let by = after.plus(first.times(-1));
        warp_size(kernel, facts).and_then(|warp| (warp.number == by.number).then_some(WARP))
    })
}

/// What stands for the warp's size, where the kernel reads it.
fn warp_size(kernel: &Kernel, facts: &Facts) -> Option<Value> {
    let reads = |one: &Instruction| match one.op {
        Op::Special {
            dst,
            register: SpecialRegister::WarpSize,
        } if one.guard.is_none() => Some(dst),
        _ => None,
    };
    facts.flow.reverse_postorder().iter().find_map(|block| {
        let instructions = &kernel.blocks.get(block.index())?.instructions;
        let at = instructions.iter().position(|one| reads(one).is_some())?;
        let dst = reads(instructions.get(at)?)?;
        let mut found = None;
        let end = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |here, _, values| {
                if here == at + 1 {
                    found = Some(values.register(dst));
                }
            })?;
        Some(found.unwrap_or_else(|| end.register(dst)))
    })
}

/// Whether all lanes compare the same.
fn is_uniform(
    kernel: &Kernel,
    facts: &Facts,
    (_, _, a, b): (Comparison, ScalarType, Operand, Operand),
) -> bool {
    let uniformity = Uniformity::of(kernel, &facts.flow);
    uniformity.is_uniform_operand(a) && uniformity.is_uniform_operand(b)
}

/// Whether lanes must come together in the loop.
fn keeps_together(kernel: &Kernel, one: &NaturalLoop) -> bool {
    ops(kernel, one).any(|op| {
        matches!(
            op,
            Op::Barrier { .. }
                | Op::BarrierReduce { .. }
                | Op::WideBarrier { .. }
                | Op::WarpSync { .. }
                | Op::Fence
                | Op::Shuffle { .. }
                | Op::Vote { .. }
                | Op::Match { .. }
                | Op::WarpReduce { .. }
                | Op::ActiveMask { .. }
                | Op::Elect { .. }
                | Op::Arm { .. }
                | Op::Join { .. }
        )
    })
}

fn ops<'k>(kernel: &'k Kernel, one: &'k NaturalLoop) -> impl Iterator<Item = &'k Op> {
    one.blocks
        .iter()
        .filter_map(|block| kernel.blocks.get(block.index()))
        .flat_map(|block| block.instructions.iter().map(|one| &one.op))
}

/// The pieces of a loop, by what an iteration costs; `None` of one that is not cut.
///
/// The optimizer cuts it into pieces of 4 or 2; what the assembler finds small enough, it makes 16 of.
fn pieces(
    kernel: &Kernel,
    facts: &Facts,
    one: &NaturalLoop,
    thresholds: Thresholds,
    close: &mut CloseCalls,
) -> Option<Pieces> {
    let cost = cost_model::of(kernel, facts, one);
    let place = place_of(kernel, one);
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
fn carried(kernel: &Kernel, one: &NaturalLoop) -> BTreeSet<Register> {
    let moved: BTreeSet<Register> = ops(kernel, one)
        .filter_map(|op| match op {
            Op::Unary {
                op: UnaryOp::Move,
                dst,
                ..
            } => Some(*dst),
            _ => None,
        })
        .collect();
    let outside = (0..)
        .map(BlockId)
        .zip(&kernel.blocks)
        .filter(|(block, _)| !one.contains(*block))
        .flat_map(|(_, block)| block.instructions.iter().flat_map(|one| one.op.defs()));
    let before: BTreeSet<Register> = outside.collect();
    moved.intersection(&before).copied().collect()
}

/// Whether an integer that the loop changes is known as it begins.
fn begins_known(kernel: &Kernel, facts: &Facts, one: &NaturalLoop) -> bool {
    let outer = facts.flow.predecessors(one.header).iter();
    let outer: Vec<_> = outer
        .filter(|from| !one.contains(**from))
        .filter_map(|from| {
            facts
                .numbers
                .walk(kernel, *from, &facts.loops, |_, _, _| {})
        })
        .collect();
    let floats: BTreeSet<Register> = ops(kernel, one)
        .filter_map(|op| match op {
            Op::Unary {
                op: UnaryOp::Move,
                ty,
                dst,
                ..
            } if ty.is_float() => Some(*dst),
            _ => None,
        })
        .collect();
    carried(kernel, one).into_iter().any(|register| {
        bits(kernel, register) > 1
            && !floats.contains(&register)
            && !outer.is_empty()
            && outer
                .iter()
                .all(|values| values.register(register).is_known())
    })
}

/// Writes the pieces, one stage after another, each a loop.
fn cut(kernel: &mut Kernel, facts: &Facts, one: &NaturalLoop, counted: Counted) {
    let unit = counted.pieces.unit();
    let place = kernel
        .blocks
        .get(one.header.index())
        .map_or(PlaceId::default(), |block| block.place);
    let header = kernel
        .blocks
        .get(one.header.index())
        .map(|block| block.instructions.clone());
    let Some(header) = header else { return };
    let entry = push(kernel, header.clone(), place);
    let (many, few) = trip_counts(kernel, entry, &counted, place);
    // Iterations that are known to be a multiple of the unit leave no single ones.
    let trips = trip_count_known(kernel, facts, one, MOST_KNOWN_TRIPS);
    let singles: &[u32] = match counted.pieces {
        _ if trips.is_some_and(|trips| trips.count % unit == 0) => &[],
        Pieces::Halving => &[2, 1],
        Pieces::Sixteen | Pieces::Equal(_) => &[1],
    };
    let pieces: Vec<u32> = match counted.pieces {
        Pieces::Sixteen => vec![16, 8, 4],
        Pieces::Equal(_) | Pieces::Halving => vec![unit],
    };
    let several = pieces.into_iter().map(|size| (size, many));
    let single = singles.iter().map(|size| (*size, few));
    let stages: Vec<(u32, Register)> = if counted.singles_first {
        single.chain(several).collect()
    } else {
        several.chain(single).collect()
    };
    let mut last = entry;
    for (size, left) in stages {
        last = stage(kernel, one, counted.body, (size, left), last, place);
    }
    // What the header makes of the counter in the end.
    let end = push(kernel, header, place);
    jump(kernel, end, counted.exit);
    close(kernel, last, end);
    for from in facts.flow.predecessors(one.header) {
        if !one.contains(*from)
            && let Some(block) = kernel.blocks.get_mut(from.index())
        {
            block.terminator.visit_blocks_mut(&mut |target| {
                if *target == one.header {
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
            && *join == one.header
        {
            *join = entry;
        }
    }
}

/// Goes on from a stage to the next block.
fn close(kernel: &mut Kernel, last: BlockId, next: BlockId) {
    if let Some(block) = kernel.blocks.get_mut(last.index()) {
        match &mut block.terminator {
            Terminator::Branch {
                otherwise, join, ..
            } => {
                *otherwise = next;
                *join = Some(next);
            }
            other => *other = Terminator::Jump(next),
        }
    }
}

fn push(kernel: &mut Kernel, instructions: Vec<Instruction>, place: PlaceId) -> BlockId {
    kernel.blocks.push(Block {
        instructions,
        terminator: Terminator::Exit,
        place,
    });
    BlockId(u32::try_from(kernel.blocks.len() - 1).unwrap_or(u32::MAX))
}

fn jump(kernel: &mut Kernel, from: BlockId, to: BlockId) {
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
    let (first, second) = if test.step > 0 { (b, a) } else { (a, b) };
    let by = test.step.unsigned_abs();
    let more = match test.bound {
        Bound::Inclusive => by,
        Bound::Exclusive => by - 1,
        Bound::Exact => 0,
    };
    list.push(whole(BinaryOp::Add, first, first, Operand::Constant(more)));
    list.push(whole(BinaryOp::Subtract, count, first, second.into()));
    list.push(whole(BinaryOp::Maximum, count, count, Operand::Constant(0)));
    list.push(whole(BinaryOp::Divide, count, count, Operand::Constant(by)));
}

/// Iterations that are one piece of the loop with this header, as [`stage`] writes it; 1 of any other loop.
pub(crate) fn piece(kernel: &Kernel, header: BlockId) -> usize {
    stage_size(kernel, header).unwrap_or(1)
}

/// Iterations of a stage with this header; `None` of any other block.
fn stage_size(kernel: &Kernel, header: BlockId) -> Option<usize> {
    let block = kernel.blocks.get(header.index())?;
    match block.instructions.as_slice() {
        [
            ..,
            Instruction {
                op:
                    Op::Compare {
                        op: Comparison::GreaterEqual,
                        ty: ScalarType::I64,
                        b: Operand::Constant(size),
                        ..
                    },
                ..
            },
        ] if hint(kernel, header) == Some(1) => Some(usize::try_from(*size).unwrap_or(1).max(1)),
        _ => None,
    }
}

/// The ways that part the pieces of a loop from its single iterations, and those from what stands behind both; each with
/// the headers of the loop's stages before it.
pub(crate) fn parted(
    kernel: &Kernel,
    loops: &Loops,
) -> BTreeMap<(BlockId, BlockId), BTreeSet<BlockId>> {
    let stages = loops.all().iter().filter_map(|one| {
        let size = stage_size(kernel, one.header)?;
        match kernel.blocks.get(one.header.index())?.terminator {
            Terminator::Branch { otherwise, .. } => Some((one.header, (size == 1, otherwise))),
            Terminator::Jump(_)
            | Terminator::Switch { .. }
            | Terminator::Indirect { .. }
            | Terminator::Exit => None,
        }
    });
    let stages: BTreeMap<BlockId, (bool, BlockId)> = stages.collect();
    let next = |to: BlockId| Some(past_flags(kernel, to)).filter(|next| stages.contains_key(next));
    let before: BTreeMap<BlockId, BlockId> = stages
        .iter()
        .filter_map(|(header, (_, to))| Some((next(*to)?, *header)))
        .collect();
    let mut found = BTreeMap::new();
    for (header, (is_single, to)) in &stages {
        let mut chain = BTreeSet::from([*header]);
        let mut last = header;
        while let Some(one) = before.get(last).filter(|one| !chain.contains(one)) {
            chain.insert(*one);
            last = one;
        }
        let is_other = |other: &BlockId| stages.get(other).is_some_and(|one| one.0 != *is_single);
        let parts = match next(*to) {
            Some(next) => is_other(&next),
            None => chain.iter().any(is_other),
        };
        if parts {
            found.insert((*header, *to), chain);
        }
    }
    found
}

/// Where a way goes past blocks that only set flags.
fn past_flags(kernel: &Kernel, mut to: BlockId) -> BlockId {
    let sets_flag = |one: &Instruction| {
        matches!(
            one.op,
            Op::Unary {
                op: UnaryOp::Move,
                ty: ScalarType::Bool,
                a: Operand::Constant(_),
                ..
            }
        )
    };
    for _ in 0..STAGES {
        match kernel.blocks.get(to.index()) {
            Some(Block {
                instructions,
                terminator: Terminator::Jump(next),
                ..
            }) if instructions.iter().all(sets_flag) => to = *next,
            Some(_) | None => break,
        }
    }
    to
}

/// A loop that makes `size` iterations at a time while as many are left; gives its header.
fn stage(
    kernel: &mut Kernel,
    one: &NaturalLoop,
    body: BlockId,
    (size, left): (u32, Register),
    before: BlockId,
    place: PlaceId,
) -> BlockId {
    let header = push(kernel, Vec::new(), place);
    close(kernel, before, header);
    let predicate = fresh(kernel, 1);
    let test = Op::Compare {
        op: Comparison::GreaterEqual,
        ty: ScalarType::I64,
        unordered: false,
        dst: predicate,
        a: left.into(),
        b: Operand::Constant(u64::from(size)),
    };
    let first = kernel.blocks.len();
    let count = one.blocks.len();
    let number = |block: BlockId, copy: usize| -> Option<BlockId> {
        let at = one.blocks.binary_search(&block).ok()?;
        u32::try_from(first + copy * count + at).ok().map(BlockId)
    };
    let copies = size as usize;
    let latch = BlockId(u32::try_from(first + copies * count).unwrap_or(u32::MAX));
    for copy in 0..copies {
        for block in &one.blocks {
            let Some(mut new) = kernel.blocks.get(block.index()).cloned() else {
                continue;
            };
            if *block == one.header {
                // The test is known to hold.
                new.terminator = Terminator::Jump(body);
            }
            new.terminator.visit_blocks_mut(&mut |target| {
                let to = if *target == one.header {
                    if copy + 1 == copies {
                        Some(latch)
                    } else {
                        number(one.header, copy + 1)
                    }
                } else {
                    number(*target, copy)
                };
                if let Some(to) = to {
                    *target = to;
                }
            });
            kernel.blocks.push(new);
        }
    }
    let spend = Op::Binary {
        op: BinaryOp::Subtract,
        ty: ScalarType::I64,
        dst: left,
        a: left.into(),
        b: Operand::Constant(u64::from(size)),
    };
    let latch = push(kernel, vec![unguarded(spend, place)], place);
    jump(kernel, latch, header);
    kernel.loop_hints.push(LoopHint { header, unroll: 1 });
    if let (Some(taken), Some(block)) =
        (number(one.header, 0), kernel.blocks.get_mut(header.index()))
    {
        block.instructions.push(unguarded(test, place));
        block.terminator = Terminator::Branch {
            predicate: predicate.into(),
            negated: false,
            taken,
            otherwise: header,
            join: None,
        };
    }
    header
}
