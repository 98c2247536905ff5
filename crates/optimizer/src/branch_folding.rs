//! Branch folding to a common destination: a loop that is left where it begins and again right behind, to the same
//! place, has one condition (LLVM's `FoldBranchToCommonDest`).
//!
//! `for (i < n) { if (i > last) break; … }` goes on while `i < n && i <= last`; such a loop is counted. The second test
//! may come with one more instruction of arithmetic, as LLVM allows.
//!
//! The second test is pure and its block does nothing else, so that it may be made a step earlier; the loop is left for one
//! place either way. The folded predicate holds exactly where both tests let a lane stay.

use crate::facts::{fresh, size, unguarded};
use crate::runtime_unrolling::inverse;
use crate::simplify;
use crate::work::Work;
use lanescope_ir::analysis::{ControlFlow, Dominators, Liveness, Loops, NaturalLoop};
use lanescope_ir::{
    BarrierId, BinaryOp, BlockId, Instruction, Kernel, Op, Operand, Register, ScalarType,
    Terminator, UnaryOp,
};

/// Loops that are changed in one kernel, at most.
const LOOPS: usize = 64;
/// Instructions besides the test, at most: LLVM's bonus.
const BONUS: usize = 1;
/// Blocks without instructions that a way out leads through, at most.
const EMPTY: usize = 8;

/// Folds the tests of loops.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    for _ in 0..LOOPS {
        if !work.spend(size(kernel)) {
            return;
        }
        let flow = ControlFlow::of(kernel);
        let loops = Loops::of(&flow, &Dominators::of(&flow));
        let mut all = loops.all().iter();
        let Some(fold) = all.find_map(|one| found(kernel, &flow, one)) else {
            return;
        };
        let sets = kernel.blocks.len() * kernel.registers.len() / 64;
        if !work.spend(sets) || !is_free(kernel, &fold) {
            return;
        }
        apply(kernel, &fold);
        simplify::run(kernel, work);
    }
}

/// A branch whose predicate says whether the loop goes on.
#[derive(Clone, Copy, Debug)]
struct Test {
    predicate: Register,
    /// Whether the loop goes on where the predicate does not hold.
    negated: bool,
    stays: BlockId,
    leaves: BlockId,
}

#[derive(Clone, Copy, Debug)]
struct Fold {
    header: BlockId,
    first: Test,
    second: Test,
    /// Where lanes that do not take the second way out come together, which is then no branch of its own.
    barrier: Option<BarrierId>,
}

fn found(kernel: &Kernel, flow: &ControlFlow, natural_loop: &NaturalLoop) -> Option<Fold> {
    let header = kernel.blocks.get(natural_loop.header.index())?;
    if !header.instructions.iter().all(is_quiet) {
        return None;
    }
    let first = test(kernel, natural_loop, natural_loop.header)?;
    let next = kernel.blocks.get(first.stays.index())?;
    let second = test(kernel, natural_loop, first.stays)?;
    let barrier = barrier(kernel, first, second);
    let is_own = |instruction: &Instruction| barrier.is_some() && barrier == named(&instruction.op);
    let bonus = next
        .instructions
        .iter()
        .filter(|instruction| is_bonus(&instruction.op));
    // The opposite of a comparison of floating-point numbers is none, and of numbers without sign nobody knows whether
    // they go around the largest: such a loop is not counted (`luma_minmax_two_reductions`).
    let first_type = compared(kernel, natural_loop.header, first.predicate);
    let is_first_known = !first.negated || first_type.is_some_and(|ty| !ty.is_float());
    let is_second_known = matches!(
        compared(kernel, first.stays, second.predicate),
        Some(ScalarType::I32 | ScalarType::I64)
    );
    let kept = |instruction: &Instruction| !instruction.writes(first.predicate);
    let is_folded = flow.predecessors(first.stays) == [natural_loop.header]
        && first.stays != natural_loop.header
        && past_empty(kernel, first.leaves, None) == past_empty(kernel, second.leaves, barrier)
        && next
            .instructions
            .iter()
            .all(|instruction| is_own(instruction) || is_quiet(instruction) && kept(instruction))
        && bonus.count() <= BONUS
        && is_first_known
        && is_second_known;
    is_folded.then_some(Fold {
        header: natural_loop.header,
        first,
        second,
        barrier,
    })
}

fn is_quiet(instruction: &Instruction) -> bool {
    instruction.op.is_pure() && instruction.guard.is_none()
}

/// The convergence barrier that an instruction names.
pub(crate) const fn named(op: &Op) -> Option<BarrierId> {
    if let Op::Arm { barrier, .. } | Op::Join { barrier } | Op::Leave { barrier } = op {
        Some(*barrier)
    } else {
        None
    }
}

/// The convergence barrier of the second test alone: armed before it, left on the way out, and joined on the way on.
fn barrier(kernel: &Kernel, first: Test, second: Test) -> Option<BarrierId> {
    let block = |id: BlockId| kernel.blocks.get(id.index());
    let armed = block(first.stays)?
        .instructions
        .iter()
        .find_map(|instruction| {
            let Op::Arm { barrier, join } = instruction.op else {
                return None;
            };
            (join == second.stays).then_some(barrier)
        })?;
    let is_joined = matches!(
        block(second.stays)?.instructions.first()?.op,
        Op::Join { barrier } if barrier == armed
    );
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let uses = all
        .filter(|instruction| named(&instruction.op) == Some(armed))
        .count();
    let left = block(second.leaves)?.instructions.iter();
    let is_left = left
        .filter(|instruction| named(&instruction.op) == Some(armed))
        .count()
        == 1;
    (is_joined && is_left && uses == 3).then_some(armed)
}

/// The test that ends a block, where one way stays in the loop and the other leaves it.
fn test(kernel: &Kernel, natural_loop: &NaturalLoop, block: BlockId) -> Option<Test> {
    let Terminator::Branch {
        predicate: Operand::Register(predicate),
        negated,
        taken,
        otherwise,
        ..
    } = kernel.blocks.get(block.index())?.terminator
    else {
        return None;
    };
    match (
        natural_loop.contains(taken),
        natural_loop.contains(otherwise),
    ) {
        (true, false) => Some(Test {
            predicate,
            negated,
            stays: taken,
            leaves: otherwise,
        }),
        (false, true) => Some(Test {
            predicate,
            negated: !negated,
            stays: otherwise,
            leaves: taken,
        }),
        (true, true) | (false, false) => None,
    }
}

/// The type of the comparison that a predicate is.
fn compared(kernel: &Kernel, block: BlockId, predicate: Register) -> Option<ScalarType> {
    let mut instructions = kernel.blocks.get(block.index())?.instructions.iter().rev();
    let made = instructions.find(|instruction| instruction.op.defs() == [predicate])?;
    if let Op::Compare { ty, .. } = made.op {
        Some(ty)
    } else {
        None
    }
}

/// Where a way goes past blocks that do nothing, or nothing but leave this barrier.
pub(crate) fn past_empty(kernel: &Kernel, mut to: BlockId, barrier: Option<BarrierId>) -> BlockId {
    let is_empty = |instruction: &Instruction| matches!(instruction.op, Op::Leave { barrier: left } if barrier == Some(left));
    for _ in 0..EMPTY {
        match kernel.blocks.get(to.index()) {
            Some(block) if block.instructions.iter().all(is_empty) => match block.terminator {
                Terminator::Jump(next) => to = next,
                Terminator::Branch { .. }
                | Terminator::Switch { .. }
                | Terminator::Indirect { .. }
                | Terminator::Exit => break,
            },
            Some(_) | None => break,
        }
    }
    to
}

/// Whether a compiler makes an instruction of it besides the test itself.
const fn is_bonus(op: &Op) -> bool {
    !matches!(
        op,
        Op::Compare { .. }
            | Op::Convert { .. }
            | Op::Special { .. }
            | Op::Parameter { .. }
            | Op::Undefined { .. }
            | Op::Arm { .. }
            | Op::Unary {
                op: UnaryOp::Move | UnaryOp::Not,
                ..
            }
    )
}

/// Whether nothing that the second block writes is needed by lanes that leave at the first.
fn is_free(kernel: &Kernel, fold: &Fold) -> bool {
    let acts = |instruction: &Instruction| !instruction.op.is_pure();
    let liveness = Liveness::of(kernel, &acts);
    let Some(out) = kernel.blocks.get(fold.first.leaves.index()) else {
        return false;
    };
    let mut live = liveness.before_terminator(kernel, fold.first.leaves);
    for instruction in out.instructions.iter().rev() {
        live.step_back(instruction, acts(instruction));
    }
    let next = kernel.blocks.get(fold.first.stays.index());
    let mut defs = next
        .into_iter()
        .flat_map(|block| &block.instructions)
        .flat_map(|instruction| instruction.op.defs());
    defs.all(|def| !live.contains(def))
}

fn apply(kernel: &mut Kernel, fold: &Fold) {
    let [first, second] = [(fold.header, fold.first), (fold.first.stays, fold.second)]
        .map(|(block, test)| holding(kernel, block, test));
    let both = fresh(kernel, 1);
    let Some(next) = kernel.blocks.get_mut(fold.first.stays.index()) else {
        return;
    };
    let (place, mut tests) = (next.place, std::mem::take(&mut next.instructions));
    tests.retain(|instruction| !matches!(instruction.op, Op::Arm { .. }));
    let and = Op::Binary {
        op: BinaryOp::And,
        ty: ScalarType::Bool,
        dst: both,
        a: first.into(),
        b: second.into(),
    };
    if let Some(header) = kernel.blocks.get_mut(fold.header.index()) {
        header.instructions.extend(tests);
        header.instructions.push(unguarded(and, place));
        let join = match header.terminator {
            Terminator::Branch { join, .. } => join,
            Terminator::Jump(_)
            | Terminator::Switch { .. }
            | Terminator::Indirect { .. }
            | Terminator::Exit => None,
        };
        header.terminator = Terminator::Branch {
            predicate: both.into(),
            negated: false,
            taken: fold.second.stays,
            otherwise: fold.first.leaves,
            join,
        };
    }
    if let Some(barrier) = fold.barrier {
        for block in &mut kernel.blocks {
            block
                .instructions
                .retain(|instruction| named(&instruction.op) != Some(barrier));
        }
    }
}

/// A predicate that holds where a block's test has the loop go on.
fn holding(kernel: &mut Kernel, block: BlockId, test: Test) -> Register {
    if !test.negated {
        return test.predicate;
    }
    let dst = fresh(kernel, 1);
    let Some(body) = kernel.blocks.get_mut(block.index()) else {
        return test.predicate;
    };
    let compared = body
        .instructions
        .iter()
        .rposition(|instruction| instruction.op.defs() == [test.predicate]);
    if let Some(at) = compared
        && let Some(mut instruction) = body.instructions.get(at).cloned()
        && let Op::Compare { op, dst: to, .. } = &mut instruction.op
    {
        (*op, *to) = (inverse(*op), dst);
        body.instructions.insert(at + 1, instruction);
    }
    dst
}
