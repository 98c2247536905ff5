//! Tests at the end of a loop's body that always hold (LLVM's LazyValueInfo and JumpThreading): what leads to them says so.
//!
//! `do { if (j == 2) { ++j; continue; } …; if (j > 5) break; j += 2; } while (j < 9);` goes round from the `continue` with 3
//! and else with at most 7, so that the loop is left by `break` alone.
//!
//! A way into the test tells the range of the tested integer by the one branch that it comes from and by a constant that is
//! added since; integers with sign do not wrap around. Where every way tells that the test holds, it is a jump.

use lanescope_ir::analysis::{ControlFlow, Dominators, Loops};
use lanescope_ir::{
    BinaryOp, Block, BlockId, Comparison, Kernel, Op, Operand, Register, ScalarType, Terminator,
    UnaryOp,
};

use crate::facts::size;
use crate::work::Work;

/// The least and the most that an integer may be.
type Range = (i64, i64);

/// All integers of 32 bits with sign.
const ANY: Range = (i32::MIN as i64, i32::MAX as i64);

/// Makes jumps of tests that always hold.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    if !work.spend(size(kernel)) {
        return;
    }
    let flow = ControlFlow::of(kernel);
    let loops = Loops::of(&flow, &Dominators::of(&flow));
    let mut jumps = Vec::new();
    for natural_loop in loops.all() {
        let ends = natural_loop.exits.iter().map(|(from, _)| *from);
        for latch in ends.filter(|from| *from != natural_loop.header) {
            if let Some(stays) = holding(kernel, &flow, latch)
                && natural_loop.contains(stays)
            {
                jumps.push((latch, stays));
            }
        }
    }
    for (latch, stays) in jumps {
        if let Some(block) = kernel.blocks.get_mut(latch.index()) {
            block.terminator = Terminator::Jump(stays);
        }
    }
}

/// Where a block's test always goes.
fn holding(kernel: &Kernel, flow: &ControlFlow, latch: BlockId) -> Option<BlockId> {
    let block = kernel.blocks.get(latch.index())?;
    let (test, taken, otherwise) = test(block)?;
    let is_kept = |op: &Op| matches!(op, Op::Compare { .. } | Op::Join { .. });
    let mut instructions = block.instructions.iter();
    if !instructions.all(|instruction| instruction.guard.is_none() && is_kept(&instruction.op)) {
        return None;
    }
    let ways = flow.predecessors(latch);
    // One way alone is what the branch before it says of itself.
    if ways.len() < 2 {
        return None;
    }
    let ranges: Option<Vec<Range>> = ways
        .iter()
        .map(|way| range(kernel, flow, *way, test.register))
        .collect();
    let ranges = ranges?;
    if ranges.iter().all(|range| test.always(*range)) {
        return Some(taken);
    }
    let opposite = test.opposite();
    let never = ranges.iter().all(|range| opposite.always(*range));
    never.then_some(otherwise)
}

/// A comparison of a register with a constant.
#[derive(Clone, Copy, Debug)]
struct Test {
    register: Register,
    op: Comparison,
    than: i64,
}

impl Test {
    /// What is known of the register where the test holds.
    const fn range(self) -> Range {
        match self.op {
            Comparison::Less => (ANY.0, self.than - 1),
            Comparison::LessEqual => (ANY.0, self.than),
            Comparison::Greater => (self.than + 1, ANY.1),
            Comparison::GreaterEqual => (self.than, ANY.1),
            Comparison::Equal => (self.than, self.than),
            Comparison::NotEqual => ANY,
        }
    }

    /// Whether it holds of all integers in a range.
    const fn always(self, (least, most): Range) -> bool {
        match self.op {
            Comparison::Less => most < self.than,
            Comparison::LessEqual => most <= self.than,
            Comparison::Greater => least > self.than,
            Comparison::GreaterEqual => least >= self.than,
            Comparison::Equal => least == self.than && most == self.than,
            Comparison::NotEqual => most < self.than || least > self.than,
        }
    }

    const fn opposite(self) -> Self {
        Self {
            op: crate::runtime_unrolling::inverse(self.op),
            ..self
        }
    }
}

/// The test that a block ends with, as it holds where the first way is taken, and both ways.
fn test(block: &Block) -> Option<(Test, BlockId, BlockId)> {
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
    let at = block
        .instructions
        .iter()
        .rposition(|instruction| instruction.writes(predicate))?;
    let Op::Compare {
        op,
        ty: ScalarType::I32,
        a,
        b,
        ..
    } = block.instructions.get(at)?.op
    else {
        return None;
    };
    let (register, op, than) = match (a, b) {
        (Operand::Register(register), Operand::Constant(than)) => (register, op, than),
        (Operand::Constant(than), Operand::Register(register)) => (register, mirrored(op), than),
        _ => return None,
    };
    let behind = block.instructions.get(at + 1..)?;
    if behind.iter().any(|one| one.writes(register)) {
        return None;
    }
    let test = Test {
        register,
        op,
        than: signed(than),
    };
    let (taken, otherwise) = if negated {
        (otherwise, taken)
    } else {
        (taken, otherwise)
    };
    Some((test, taken, otherwise))
}

/// The comparison with its sides exchanged.
const fn mirrored(op: Comparison) -> Comparison {
    match op {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        Comparison::Equal => Comparison::Equal,
        Comparison::NotEqual => Comparison::NotEqual,
    }
}

fn signed(bits: u64) -> i64 {
    let low = bits.to_le_bytes();
    i64::from(i32::from_le_bytes(
        low.first_chunk().copied().unwrap_or_default(),
    ))
}

/// What a register may be at the end of a block, by the branch before it and what is added in it; `None` where nothing is
/// known.
fn range(kernel: &Kernel, flow: &ControlFlow, at: BlockId, register: Register) -> Option<Range> {
    let block = kernel.blocks.get(at.index())?;
    let (mut followed, mut added) = (register, 0_i64);
    for instruction in block.instructions.iter().rev() {
        if !instruction.writes(followed) {
            continue;
        }
        if instruction.guard.is_some() {
            return None;
        }
        if let Op::Unary {
            op: UnaryOp::Move,
            ty: ScalarType::I32,
            a,
            ..
        } = instruction.op
        {
            match a {
                Operand::Register(from) => followed = from,
                Operand::Constant(value) => {
                    return shifted((signed(value), signed(value)), added);
                }
            }
        } else if let Op::Binary {
            op: BinaryOp::Add,
            ty: ScalarType::I32,
            a: Operand::Register(from),
            b: Operand::Constant(by),
            ..
        } = instruction.op
        {
            added += signed(by);
            followed = from;
        } else {
            return None;
        }
    }
    let [before] = flow.predecessors(at) else {
        return None;
    };
    let (test, taken, otherwise) = test(kernel.blocks.get(before.index())?)?;
    if taken == otherwise || test.register != followed {
        return None;
    }
    let known = if taken == at { test } else { test.opposite() };
    shifted(known.range(), added)
}

/// A range moved by a constant, as far as no integer wraps around.
fn shifted((least, most): Range, by: i64) -> Option<Range> {
    let range = ((least + by).max(ANY.0), (most + by).min(ANY.1));
    (range.0 <= range.1 && (least, most) != ANY).then_some(range)
}
