//! Cost model of loop bodies: what an iteration comes to for the optimizer, which cuts a loop into pieces of 4 or 2, and
//! for the assembler, which puts four such pieces into one.
//!
//! Each operation was put into one loop of 0 to 99 further instructions; where the compiler changes how it cuts the loop
//! tells what it takes the operation for (`docs/COMPILER.md`). For the optimizer these are LLVM's user costs: an integer
//! quotient is 4, a widened index 1, the extension of a load or of a comparison nothing. The assembler counts what it
//! emits: a product and its sum are one.

use crate::facts::Facts;
use lanescope_ir::analysis::{NaturalLoop, Values};
use lanescope_ir::{
    BinaryOp, BlockId, Instruction, Kernel, Op, Operand, Register, ScalarType, Terminator,
    TernaryOp, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;

/// More than any threshold: the function has a loop or a call of its own.
const NEVER: usize = 1 << 16;

/// How large something is: at least and at most, where the source's spelling (`expf`, `__expf`) tells and the kernel
/// does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) least: usize,
    pub(crate) most: usize,
}

impl Range {
    const fn new(least: usize, most: usize) -> Self {
        Self { least, most }
    }
}

impl From<usize> for Range {
    fn from(size: usize) -> Self {
        Self::new(size, size)
    }
}

impl AddAssign for Range {
    fn add_assign(&mut self, other: Self) {
        self.least = self.least.saturating_add(other.least);
        self.most = self.most.saturating_add(other.most);
    }
}

/// What an iteration comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// For the optimizer.
    pub(crate) optimizer: Range,
    /// For the assembler.
    pub(crate) assembler: Range,
    /// Whether the assembler leaves it as it is, whatever it comes to: atomics, quotients and roots have branches.
    pub(crate) is_parted: bool,
}

impl Cost {
    fn add(&mut self, optimizer: impl Into<Range>, assembler: impl Into<Range>) {
        self.optimizer += optimizer.into();
        self.assembler += assembler.into();
    }
}

/// What writes each register of a loop, where it is one instruction.
type Makers<'k> = BTreeMap<Register, Option<&'k Op>>;

/// The cost of an iteration of an innermost loop.
pub(crate) fn of(kernel: &Kernel, facts: &Facts, natural_loop: &NaturalLoop) -> Cost {
    let mut cost = Cost::default();
    let index = facts
        .loops
        .with_header(natural_loop.header)
        .unwrap_or(usize::MAX);
    let blocks = || {
        natural_loop
            .blocks
            .iter()
            .filter_map(|id| block(kernel, *id))
    };
    let mut makers = Makers::new();
    for instruction in blocks().flat_map(|block| &block.instructions) {
        for def in instruction.op.defs() {
            let only = !makers.contains_key(&def);
            makers.insert(def, only.then_some(&instruction.op));
        }
    }
    let is_written = blocks()
        .flat_map(|block| &block.instructions)
        .any(|instruction| {
            !instruction.op.is_pure()
                && !matches!(instruction.op, Op::Load { .. } | Op::BoundsCheck { .. })
        });
    let mut seen = BTreeSet::new();
    let mut loaded = BTreeSet::new();
    for id in &natural_loop.blocks {
        let mut last: Option<&Instruction> = None;
        let mut settle = |last: Option<&Instruction>, values: &Values<'_>| {
            let Some(instruction) = last else { return };
            let value = match &*instruction.op.defs() {
                [def] if instruction.op.is_pure() => values.register(*def),
                _ => return,
            };
            let scope = usize::try_from(value.scope).unwrap_or(usize::MAX);
            let moves = scope
                .checked_sub(1)
                .is_some_and(|scope| facts.loops.is_within(scope, index));
            if moves && seen.insert(value.number) {
                add(&mut cost, &makers, &instruction.op);
            }
        };
        let mut effects = Vec::new();
        let instructions = block(kernel, *id).map_or(&[][..], |block| &block.instructions);
        let behind = facts
            .numbers
            .walk(kernel, *id, &facts.loops, |at, instruction, values| {
                settle(last.take(), values);
                if is_free(&instruction.op) {
                } else if instruction.op.is_pure() && instruction.op.defs().len() == 1 {
                    last = instructions.get(at);
                } else {
                    let again = if let Op::Load { address, .. } = &instruction.op
                        && !is_written
                    {
                        Some(values.address(address).number)
                    } else {
                        None
                    };
                    effects.push((again, instructions.get(at)));
                }
            });
        if let Some(values) = behind {
            settle(last.take(), &values);
        }
        for (again, effect) in effects {
            if again.is_none_or(|number| loaded.insert(number))
                && let Some(instruction) = effect
            {
                add(&mut cost, &makers, &instruction.op);
            }
        }
        cost.add(terminator(kernel, natural_loop, *id), 0);
    }
    cost
}

fn block(kernel: &Kernel, id: BlockId) -> Option<&lanescope_ir::Block> {
    kernel.blocks.get(id.index())
}

/// A branch is one instruction, and so is the jump behind a side with accesses; the loop's own test stands at its end.
fn terminator(kernel: &Kernel, natural_loop: &NaturalLoop, id: BlockId) -> usize {
    let Some(block) = block(kernel, id) else {
        return 0;
    };
    let is_arithmetic = block
        .instructions
        .iter()
        .all(|instruction| instruction.op.is_pure());
    match block.terminator {
        Terminator::Branch { .. } | Terminator::Switch { .. } | Terminator::Indirect { .. } => 1,
        Terminator::Jump(_) => usize::from(!is_arithmetic && !natural_loop.latches.contains(&id)),
        Terminator::Exit => 0,
    }
}

/// Whether nothing is made of it.
const fn is_free(op: &Op) -> bool {
    matches!(
        op,
        Op::Unary {
            op: UnaryOp::Move,
            ..
        } | Op::Undefined { .. }
            | Op::BoundsCheck { .. }
            | Op::Special { .. }
            | Op::Parameter { .. }
            | Op::Escape { .. }
    )
}

fn add(cost: &mut Cost, makers: &Makers<'_>, op: &Op) {
    match op {
        Op::Convert { from, to, a, .. } => convert(cost, makers, (*from, *to), *a),
        Op::Unary { op, ty, .. } if ty.is_float() => function(cost, makers, *op, *ty),
        Op::Unary {
            op: UnaryOp::Abs | UnaryOp::FindFirst,
            ..
        } => cost.add(3, 1),
        Op::Binary { op, ty, a, b, .. } if ty.is_float() => quotient(cost, makers, *op, (*a, *b)),
        Op::Binary { op, ty, a, b, .. } => integer(cost, makers, (*op, *ty), (*a, *b)),
        // The sum of an address.
        Op::Ternary {
            op: TernaryOp::MultiplyAdd,
            ty: ScalarType::U64,
            ..
        } => cost.add(1, 0),
        Op::Atomic { .. } => {
            cost.is_parted = true;
            cost.add(1, 1);
        }
        // Whatever else is one instruction, which is what a new operation is until it was measured.
        _ => cost.add(1, 1),
    }
}

/// The operation that makes an operand, through moves.
fn maker<'k>(makers: &Makers<'k>, operand: Operand) -> Option<&'k Op> {
    let mut register = operand.register()?;
    for _ in 0..8 {
        let op = (*makers.get(&register)?)?;
        let Op::Unary {
            op: UnaryOp::Move,
            a: Operand::Register(from),
            ..
        } = op
        else {
            return Some(op);
        };
        register = *from;
    }
    None
}

fn convert(cost: &mut Cost, makers: &Makers<'_>, (from, to): (ScalarType, ScalarType), a: Operand) {
    if from.is_float() || to.is_float() {
        cost.add(1, 1);
        return;
    }
    let is_extended_anyway = matches!(maker(makers, a), Some(Op::Load { .. } | Op::Compare { .. }));
    if to.bits() > from.bits() && !is_extended_anyway {
        cost.add(1, 0);
    }
}

fn integer(
    cost: &mut Cost,
    makers: &Makers<'_>,
    (op, ty): (BinaryOp, ScalarType),
    (a, b): (Operand, Operand),
) {
    let is_signed = matches!(
        ty,
        ScalarType::I8 | ScalarType::I16 | ScalarType::I32 | ScalarType::I64
    );
    match (op, b) {
        (BinaryOp::Divide | BinaryOp::Remainder, Operand::Constant(by))
            if by.is_power_of_two() && !is_signed =>
        {
            cost.add(1, 1);
        }
        (BinaryOp::Divide | BinaryOp::Remainder, Operand::Constant(_)) => cost.add(4, 5),
        (BinaryOp::Divide | BinaryOp::Remainder, Operand::Register(_)) => cost.add(4, 20),
        (BinaryOp::Minimum | BinaryOp::Maximum, _) => cost.add(2, 1),
        (BinaryOp::Add | BinaryOp::Subtract, _) => {
            cost.add(1, usize::from(!is_fused(makers, a, b)))
        }
        _ => cost.add(1, 1),
    }
}

/// Whether a sum is one instruction with the product that it adds: an exponential ends with one.
fn is_fused(makers: &Makers<'_>, a: Operand, b: Operand) -> bool {
    [a, b].into_iter().any(|operand| {
        matches!(
            maker(makers, operand),
            Some(
                Op::Binary {
                    op: BinaryOp::Multiply,
                    ..
                } | Op::Unary {
                    op: UnaryOp::Exp,
                    ..
                }
            )
        )
    })
}

fn quotient(cost: &mut Cost, makers: &Makers<'_>, op: BinaryOp, (a, b): (Operand, Operand)) {
    let root = matches!(
        maker(makers, b),
        Some(Op::Unary {
            op: UnaryOp::Sqrt,
            ..
        })
    );
    match op {
        // The inverse of a root is an instruction, which is the root's here, and its scaling.
        BinaryOp::Divide if root && matches!(a, Operand::Constant(_)) => cost.add(0, 5),
        BinaryOp::Divide => {
            cost.is_parted = true;
            cost.add(4, 10);
        }
        BinaryOp::Remainder | BinaryOp::ArcTangent => cost.add(NEVER, NEVER),
        BinaryOp::Power => cost.add(NEVER, NEVER),
        BinaryOp::PowerApprox => cost.add(3, 8),
        BinaryOp::Add | BinaryOp::Subtract => cost.add(1, usize::from(!is_fused(makers, a, b))),
        // One instruction, as in `add`.
        _ => cost.add(1, 1),
    }
}

/// Functions of floats: measured of `float`, the fast ones (`__expf`) and the others.
fn function(cost: &mut Cost, makers: &Makers<'_>, op: UnaryOp, ty: ScalarType) {
    let narrow = ty.bits() < 32;
    let (fast, full): (usize, usize) = match op {
        UnaryOp::Sqrt => {
            let is_inverted = makers.values().flatten().any(|op| {
                let Op::Binary {
                    op: BinaryOp::Divide,
                    a: Operand::Constant(_),
                    b,
                    ..
                } = op
                else {
                    return false;
                };
                matches!(
                    maker(makers, *b),
                    Some(Op::Unary {
                        op: UnaryOp::Sqrt,
                        ..
                    })
                )
            });
            cost.is_parted |= !is_inverted;
            (1, 1)
        }
        UnaryOp::Exp => (2, 12),
        UnaryOp::Log => (29, 29),
        UnaryOp::Log2 => (31, 31),
        UnaryOp::Log10 => (30, 30),
        UnaryOp::LogApprox | UnaryOp::Log10Approx => (2, 2),
        UnaryOp::Log2Approx | UnaryOp::SinApprox | UnaryOp::CosApprox => (1, 1),
        UnaryOp::TanApprox => (3, 3),
        UnaryOp::Sin | UnaryOp::Cos | UnaryOp::Tan => (NEVER, NEVER),
        UnaryOp::Tanh => (17, 17),
        UnaryOp::Erf => (25, 25),
        UnaryOp::Sinh => (27, 27),
        UnaryOp::Cosh => (20, 27),
        UnaryOp::Atan => (21, 21),
        UnaryOp::Cbrt => (16, 16),
        UnaryOp::LogPlusOne => (33, 33),
        UnaryOp::ExpMinusOne => (28, 28),
        UnaryOp::Asin
        | UnaryOp::Acos
        | UnaryOp::Asinh
        | UnaryOp::Acosh
        | UnaryOp::Atanh
        | UnaryOp::ErfComplement
        | UnaryOp::LogGamma
        | UnaryOp::Gamma => (20, NEVER),
        UnaryOp::Exp2
        | UnaryOp::Move
        | UnaryOp::Negate
        | UnaryOp::Not
        | UnaryOp::Abs
        | UnaryOp::PopCount
        | UnaryOp::LeadingZeros
        | UnaryOp::FindLeading
        | UnaryOp::FindFirst
        | UnaryOp::ReverseBits
        | UnaryOp::Floor
        | UnaryOp::Ceil
        | UnaryOp::Round
        | UnaryOp::RoundEven
        | UnaryOp::Truncate
        | UnaryOp::ReciprocalSqrt
        | UnaryOp::Reciprocal
        | UnaryOp::IsNan
        | UnaryOp::IsFinite => (1, 1),
    };
    let optimizer = match ty {
        _ if narrow => Range::new(fast, full.min(4)),
        // Those of `double` are larger, and were not measured.
        ScalarType::F64 if full > 1 => Range::new(full, NEVER),
        _ => Range::new(fast, full),
    };
    let assembler = match op {
        UnaryOp::SinApprox | UnaryOp::CosApprox => 2.into(),
        UnaryOp::Exp2 | UnaryOp::Reciprocal | UnaryOp::ReciprocalSqrt => 6.into(),
        UnaryOp::Exp => Range::new(6, 9),
        UnaryOp::LogApprox | UnaryOp::Log2Approx | UnaryOp::Log10Approx => 6.into(),
        // The list above asks of every operator.
        _ => optimizer,
    };
    cost.add(optimizer, assembler);
}
