//! Counted loops: the test that ends them, what steps, and from where.

use lanescope_ir::analysis::{NaturalLoop, Uniformity, Value};
use lanescope_ir::{
    BinaryOp, BlockId, Comparison, Effect, Effects, Instruction, Kernel, Op, Operand, Register,
    ScalarType, SpecialRegister, Terminator,
};

use super::few_trips;
use super::stride::{is_finite, stride};
use super::{Pieces, UNROLLED_WHOLLY, begins_known, ops, pieces};
use crate::close_call::CloseCalls;
use crate::facts::Facts;
use crate::loop_unrolling::{hint, place_of};
use crate::profile::Thresholds;

/// Tests that one condition is made of, at most.
const TESTS: usize = 8;

/// Lanes of a warp: the step of a counter that moves by the warp's size.
const WARP: i64 = 32;

/// A test that counts iterations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    /// What moves, and what it is compared with.
    pub(super) counter: Operand,
    pub(super) end: Operand,
    pub(super) ty: ScalarType,
    pub(super) step: Step,
    pub(super) bound: Bound,
}

/// By what an iteration moves a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The same in every launch.
    Constant(i64),
    /// What a register holds, which the loop does not change.
    Stride(Register),
}

impl Step {
    /// Whether it is a constant other than 1 and -1.
    const fn is_large(self) -> bool {
        match self {
            Self::Constant(step) => step.unsigned_abs() > 1,
            Self::Stride(_) => false,
        }
    }
}

/// How a counter ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Before the end.
    Exclusive,
    /// With the end.
    Inclusive,
    /// At the end, which it goes to one by one, around the largest number if need be.
    Exact,
}

/// A loop that is counted.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// It goes on while all of these hold.
    pub(super) tests: Vec<Test>,
    /// Where the body begins, and where the loop is left to.
    pub(super) body: BlockId,
    pub(super) exit: BlockId,
    pub(super) pieces: Pieces,
    pub(super) singles_first: bool,
    /// Whether its counter begins as a constant.
    pub(super) begins_known: bool,
}

/// An innermost loop that its header's branch alone leaves.
#[derive(Clone, Copy, Debug)]
struct Shape<'a> {
    /// What its header computes.
    header: &'a [Instruction],
    latch: BlockId,
    /// Where the body begins, and where the loop is left to.
    body: BlockId,
    exit: BlockId,
    predicate: Register,
    /// Whether the loop goes on where the predicate holds.
    stays_where_it_holds: bool,
}

pub(super) fn counted(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    thresholds: Thresholds,
    close: &mut CloseCalls,
) -> Option<Counted> {
    let shape = shape(kernel, facts, natural_loop)?;
    let tests = tests(kernel, facts, natural_loop, shape)?;
    let halves =
        |test: &Test| matches!(test.ty, ScalarType::U32 | ScalarType::U64) && test.step.is_large();
    let pieces = match hint(kernel, natural_loop.header) {
        Some(u32::MAX) => Pieces::Equal(UNROLLED_WHOLLY),
        Some(asked) => Pieces::Equal(asked.clamp(1, 64)),
        None if tests.iter().any(halves) => Pieces::Halving,
        None => pieces(kernel, facts, natural_loop, thresholds, close)?,
    };
    // A loop that goes round few times at most is left to the assembler, which cuts one with a single condition.
    let pieces = match tests.as_slice() {
        _ if hint(kernel, natural_loop.header).is_some() => pieces,
        [test] if few_trips::are(kernel, facts, natural_loop, *test) => Pieces::Halving,
        all if all
            .iter()
            .any(|test| few_trips::are(kernel, facts, natural_loop, *test)) =>
        {
            return None;
        }
        _ => pieces,
    };
    let begins_known = begins_known(kernel, facts, natural_loop);
    let has_stride = matches!(tests.as_slice(), [test] if matches!(test.step, Step::Stride(_)));
    // What is left behind single iterations of a stride the assembler does not count.
    let pieces = match pieces {
        Pieces::Sixteen if has_stride && !begins_known => Pieces::Equal(4),
        Pieces::Sixteen | Pieces::Equal(_) | Pieces::Halving => pieces,
    };
    // How a known trip count is cut was measured for what stands alone in an iteration: the optimizer's pieces are cut
    // again by the assembler.
    let is_known =
        begins_known && !has_stride && tests.iter().all(|test| test.end.constant().is_some());
    let is_asked = hint(kernel, natural_loop.header).is_some();
    if is_known && !is_asked && !close.decide(true, place_of(kernel, natural_loop)) {
        return None;
    }
    Some(Counted {
        tests,
        body: shape.body,
        exit: shape.exit,
        pieces,
        singles_first: pieces != Pieces::Halving && !begins_known,
        begins_known,
    })
}

fn shape<'a>(kernel: &'a Kernel, facts: &Facts, natural_loop: &NaturalLoop) -> Option<Shape<'a>> {
    let [latch] = natural_loop.latches.as_slice() else {
        return None;
    };
    let [(from, exit)] = natural_loop.exits.as_slice() else {
        return None;
    };
    let is_innermost =
        facts.loops.all().iter().all(|other| {
            other.header == natural_loop.header || !natural_loop.contains(other.header)
        });
    if *from != natural_loop.header || *latch == natural_loop.header || !is_innermost {
        return None;
    }
    let block = kernel.blocks.get(natural_loop.header.index())?;
    let header = block.instructions.as_slice();
    if !header
        .iter()
        .all(|instruction| instruction.op.is_pure() && instruction.guard.is_none())
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
    Some(Shape {
        header,
        latch: *latch,
        body: if taken == *exit { otherwise } else { taken },
        exit: *exit,
        predicate,
        stays_where_it_holds: natural_loop.contains(taken) != negated
            && (taken == *exit) == negated,
    })
}

/// The tests that the loop's condition is made of; `None` where one counts no iterations.
fn tests(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
    shape: Shape<'_>,
) -> Option<Vec<Test>> {
    let is_together = keeps_together(kernel, natural_loop);
    let holds = shape.stays_where_it_holds;
    let mut tests = Vec::new();
    let mut pending = vec![shape.predicate];
    while let Some(predicate) = pending.pop() {
        match conjuncts(shape.header, predicate) {
            Some(both) if holds && tests.len() < TESTS => pending.extend(both),
            _ => {
                let compared = comparison(shape.header, predicate)?;
                if is_together && !is_uniform(kernel, facts, compared) {
                    return None;
                }
                tests.push(test(
                    kernel,
                    facts,
                    natural_loop,
                    shape.latch,
                    compared,
                    holds,
                )?);
            }
        }
    }
    // Of several conditions, one with a stride is not counted.
    let has_stride = tests
        .iter()
        .any(|test| matches!(test.step, Step::Stride(_)));
    (!has_stride || tests.len() == 1 && is_finite(kernel, natural_loop)).then_some(tests)
}

/// The two predicates that both hold where this one does.
fn conjuncts(list: &[Instruction], predicate: Register) -> Option<[Register; 2]> {
    list.iter().rev().find_map(|instruction| {
        let Op::Binary {
            op: BinaryOp::And,
            ty: ScalarType::Bool,
            dst,
            a: Operand::Register(a),
            b: Operand::Register(b),
        } = &instruction.op
        else {
            return None;
        };
        (*dst == predicate).then_some([*a, *b])
    })
}

/// A comparison of which an iteration moves one side.
fn test(
    kernel: &Kernel,
    facts: &Facts,
    natural_loop: &NaturalLoop,
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
            let moves = |operand| step(kernel, facts, natural_loop, latch, operand, ty);
            return match (moves(a)?, moves(b)?) {
                (1, 0) if !ty.is_float() && ty.bits() >= 32 => Some(Test {
                    counter: a,
                    end: b,
                    ty,
                    step: Step::Constant(1),
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
    let step = |operand: Operand| step(kernel, facts, natural_loop, latch, operand, ty);
    let (counter, end, step) = match (step(low), step(high)) {
        (Some(up), Some(0)) if up > 0 => (low, high, Step::Constant(up)),
        (Some(0), Some(down)) if down < 0 => (high, low, Step::Constant(down)),
        (None, Some(0)) if ty == ScalarType::I32 && bound == Bound::Exclusive => (
            low,
            high,
            Step::Stride(stride(kernel, facts, natural_loop, low)?),
        ),
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
    list.iter().rev().find_map(|instruction| {
        let Op::Compare {
            op, ty, dst, a, b, ..
        } = &instruction.op
        else {
            return None;
        };
        (*dst == predicate).then_some((*op, *ty, *a, *b))
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
    natural_loop: &NaturalLoop,
    latch: BlockId,
    operand: Operand,
    ty: ScalarType,
) -> Option<i64> {
    let mut values = facts.numbers.at(kernel, natural_loop.header)?;
    values.run(natural_loop.header, &facts.loops, |_, _, _| {});
    let first = values.operand(operand, ty);
    let mut values = facts
        .numbers
        .walk(kernel, latch, &facts.loops, |_, _, _| {})?;
    values.run(natural_loop.header, &facts.loops, |_, _, _| {});
    let after = values.operand(operand, ty);
    after.distance(first).or_else(|| {
        let by = after.plus(first.times(-1));
        warp_size(kernel, facts).and_then(|warp| (warp.number == by.number).then_some(WARP))
    })
}

/// What stands for the warp's size, where the kernel reads it.
fn warp_size(kernel: &Kernel, facts: &Facts) -> Option<Value> {
    let reads = |instruction: &Instruction| {
        let Op::Special {
            dst,
            register: SpecialRegister::WarpSize,
        } = instruction.op
        else {
            return None;
        };
        instruction.guard.is_none().then_some(dst)
    };
    facts.flow.reverse_postorder().iter().find_map(|block| {
        let instructions = &kernel.blocks.get(block.index())?.instructions;
        let at = instructions
            .iter()
            .position(|instruction| reads(instruction).is_some())?;
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
fn keeps_together(kernel: &Kernel, natural_loop: &NaturalLoop) -> bool {
    const TOGETHER: Effects = Effects::of(&[Effect::Orders, Effect::Exchanges]);
    ops(kernel, natural_loop)
        .any(|op| op.effects().meets(TOGETHER) || matches!(op, Op::Arm { .. } | Op::Join { .. }))
}
