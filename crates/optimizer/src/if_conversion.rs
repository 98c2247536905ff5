//! If-conversion: a branch around a few instructions of arithmetic is no branch; they are predicated.
//!
//! Both sides may hold pure arithmetic alone, at most four instructions besides moves and conversions. Each of them gets the
//! branch's predicate as its guard, saved first, since a side may write it; so every lane writes what it wrote before, and
//! no request is made by other lanes than before.
//!
//! NB: how long a side may be before ptxas branches after all is fitted to two lengths.

use crate::facts::{fresh, size, unguarded};
use crate::simplify;
use crate::work::Work;
use lanescope_ir::analysis::ControlFlow;
use lanescope_ir::{
    BinaryOp, BlockId, Guard, Instruction, Kernel, Op, Operand, Origin, Register, ScalarType,
    Terminator, UnaryOp,
};

/// Branches that are converted in one kernel, at most.
const BRANCHES: usize = 1024;
/// Instructions of a side that is predicated, at most; moves and conversions do not count. LLVM's own limit for two
/// sides that meet.
const SIDE: usize = 4;

/// Converts branches.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    for _ in 0..BRANCHES {
        if !work.spend(size(kernel)) {
            return;
        }
        let flow = ControlFlow::of(kernel);
        let mut found = None;
        for block in flow.reverse_postorder().iter().rev() {
            if let Some(branch) = branch(kernel, &flow, *block) {
                found = Some(branch);
                break;
            }
        }
        let Some(branch) = found else { return };
        convert(kernel, &branch);
        simplify::run(kernel, work);
    }
}

/// A branch whose sides are nothing but arithmetic.
#[derive(Clone, Copy, Debug)]
struct Branch {
    from: BlockId,
    predicate: Register,
    /// Each side, and whether it is taken where the predicate does not hold.
    sides: [Option<(BlockId, bool)>; 2],
    join: BlockId,
}

fn branch(kernel: &Kernel, flow: &ControlFlow, from: BlockId) -> Option<Branch> {
    let Terminator::Branch {
        predicate: Operand::Register(predicate),
        negated,
        taken,
        otherwise,
        ..
    } = kernel.blocks.get(from.index())?.terminator
    else {
        return None;
    };
    if taken == otherwise {
        return None;
    }
    let side = |block: BlockId| {
        let body = kernel.blocks.get(block.index())?;
        let Terminator::Jump(join) = body.terminator else {
            return None;
        };
        let is_side =
            flow.predecessors(block) == [from] && is_cheap(&body.instructions) && join != block;
        is_side.then_some(join)
    };
    let (first, second) = (side(taken), side(otherwise));
    let (sides, join) = if first.is_some() && first == second {
        let both = [Some((taken, negated)), Some((otherwise, !negated))];
        (both, first?)
    } else if first == Some(otherwise) {
        ([Some((taken, negated)), None], otherwise)
    } else if second == Some(taken) {
        ([Some((otherwise, !negated)), None], taken)
    } else {
        return None;
    };
    (join != from).then_some(Branch {
        from,
        predicate,
        sides,
        join,
    })
}

fn is_cheap(instructions: &[Instruction]) -> bool {
    let counts = |op: &Op| {
        !matches!(
            op,
            Op::Unary {
                op: UnaryOp::Move,
                ..
            } | Op::Undefined { .. }
                | Op::Convert { .. }
                | Op::Special { .. }
                | Op::BoundsCheck { .. }
        )
    };
    let may_go = |instruction: &Instruction| {
        instruction.guard.is_none()
            && (instruction.op.is_pure() && !is_dear(&instruction.op)
                || matches!(instruction.op, Op::BoundsCheck { .. }))
    };
    instructions.iter().all(may_go)
        && instructions
            .iter()
            .filter(|instruction| counts(&instruction.op))
            .count()
            <= SIDE
}

/// Operators that cost too much to be done by lanes that do not need them.
const DEAR_BINARY: &[BinaryOp] = &[
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Power,
    BinaryOp::PowerApprox,
];

/// As [`DEAR_BINARY`].
const DEAR_UNARY: &[UnaryOp] = &[
    UnaryOp::Sqrt,
    UnaryOp::Sin,
    UnaryOp::Cos,
    UnaryOp::Tan,
    UnaryOp::SinApprox,
    UnaryOp::CosApprox,
    UnaryOp::TanApprox,
];

/// Whether an operation costs too much, or may fault, to be done by lanes that do not need it.
fn is_dear(op: &Op) -> bool {
    let is_dear_binary = matches!(op, Op::Binary { op, .. } if DEAR_BINARY.contains(op));
    let is_dear_unary = matches!(op, Op::Unary { op, .. } if DEAR_UNARY.contains(op));
    let is_unmodelled = op.origin() == Origin::Unknown && !matches!(op, Op::Undefined { .. });
    is_dear_binary || is_dear_unary || is_unmodelled
}

fn convert(kernel: &mut Kernel, branch: &Branch) {
    // A side may write the predicate.
    let saved = fresh(kernel, 1);
    let mut list = Vec::new();
    for (block, negated) in branch.sides.into_iter().flatten() {
        let Some(body) = kernel.blocks.get_mut(block.index()) else {
            return;
        };
        let guard = Guard {
            predicate: saved,
            negated,
        };
        list.extend(
            std::mem::take(&mut body.instructions)
                .into_iter()
                .map(|instruction| Instruction {
                    guard: Some(guard),
                    ..instruction
                }),
        );
    }
    if let Some(block) = kernel.blocks.get_mut(branch.from.index()) {
        if !list.is_empty() {
            let keep = Op::Unary {
                op: UnaryOp::Move,
                ty: ScalarType::Bool,
                dst: saved,
                a: branch.predicate.into(),
            };
            block.instructions.push(unguarded(keep, block.place));
            block.instructions.extend(list);
        }
        block.terminator = Terminator::Jump(branch.join);
    }
}
