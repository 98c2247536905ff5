//! Two branches on one condition, one behind the other, are one (LLVM's jump threading).
//!
//! `if (t < 1) { … } if (t == 0) { … }` is one `if` where it is known that a thread's index is not negative, as LLVM knows
//! from compute capability 10.0 on: in a scan over a tree the last sum goes, since the zero that starts the way down
//! overwrites it. Between the two only arithmetic may stand, which is done on both ways.
//!
//! Sound where the second predicate has a value number that the first one decides, and the block between the two has no
//! effect.

use lanescope_ir::{
    Block, BlockId, Comparison, Instruction, Kernel, Op, Operand, Register, ScalarType, SlotMut,
    SpecialRegister, Terminator,
};
use std::collections::BTreeSet;

use crate::facts::Facts;
use crate::jump_threading::meet;
use crate::simplify;
use crate::work::Work;

/// Branches that are joined in one kernel, at most.
const BRANCHES: usize = 64;

/// Instructions between two branches, at most.
const BETWEEN: usize = 16;

/// Joins branches.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    let mut is_changed = false;
    for _ in 0..BRANCHES {
        let Some(facts) = Facts::of(kernel, work) else {
            break;
        };
        let Some(repeated) = find(kernel, &facts) else {
            break;
        };
        if let Some(number) = repeated.zero {
            put_zero(kernel, &facts, repeated.inside, number);
        }
        join(kernel, repeated);
        is_changed = true;
    }
    if is_changed {
        simplify::run(kernel, work);
    }
}

/// A branch around one block, and a second one behind it that goes the same way.
#[derive(Clone, Copy, Debug)]
struct Repeated {
    first: BlockId,
    /// The block that the first one goes around.
    inside: BlockId,
    second: BlockId,
    /// Where the second goes behind `inside`.
    behind_inside: BlockId,
    /// Where it goes otherwise.
    behind_first: BlockId,
    /// The index that is 0 in `inside`, if it is.
    zero: Option<u64>,
}

/// Whether a predicate holds where a value is zero, or where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ZeroTest {
    number: u64,
    holds_of_zero: bool,
}

fn find(kernel: &Kernel, facts: &Facts) -> Option<Repeated> {
    let indices = thread_indices(kernel, facts);
    let mut blocks = facts.flow.reverse_postorder().iter();
    blocks.find_map(|second| repeated(kernel, facts, &indices, *second))
}

fn repeated(
    kernel: &Kernel,
    facts: &Facts,
    indices: &BTreeSet<u64>,
    second: BlockId,
) -> Option<Repeated> {
    let block = kernel.blocks.get(second.index())?;
    if facts.loops.with_header(second).is_some() || block.instructions.len() > BETWEEN {
        return None;
    }
    let [before, other] = facts.flow.predecessors(second) else {
        return None;
    };
    let goes_around = |first: BlockId, inside: BlockId| {
        let block = kernel.blocks.get(inside.index());
        facts.flow.predecessors(inside) == [first]
            && block.is_some_and(|block| block.terminator == Terminator::Jump(second))
    };
    let (first, inside) = if goes_around(*before, *other) {
        (*before, *other)
    } else if goes_around(*other, *before) {
        (*other, *before)
    } else {
        return None;
    };
    let is_arithmetic =
        |instruction: &Instruction| instruction.guard.is_none() && instruction.op.is_pure();
    if !block.instructions.iter().all(is_arithmetic) {
        return None;
    }
    let before = zero_test(kernel, facts, indices, first)?;
    let again = zero_test(kernel, facts, indices, second)?;
    if before.number != again.number {
        return None;
    }
    // Of zero, the first goes to `inside` or around it; so does the second of its own two ways.
    let (of_zero, of_others) = ways(block, again)?;
    let (enters_of_zero, _) = ways(kernel.blocks.get(first.index())?, before)?;
    let (behind_inside, behind_first) = if enters_of_zero == inside {
        (of_zero, of_others)
    } else {
        (of_others, of_zero)
    };
    Some(Repeated {
        first,
        inside,
        second,
        behind_inside,
        behind_first,
        zero: (enters_of_zero == inside).then_some(before.number),
    })
}

/// Where a block's branch goes of zero, and of other values.
fn ways(block: &Block, test: ZeroTest) -> Option<(BlockId, BlockId)> {
    let Terminator::Branch {
        negated,
        taken,
        otherwise,
        ..
    } = block.terminator
    else {
        return None;
    };
    Some(if test.holds_of_zero == negated {
        (otherwise, taken)
    } else {
        (taken, otherwise)
    })
}

/// What the branch at the end of a block asks of a thread's index, if it tells zero from all other numbers.
fn zero_test(
    kernel: &Kernel,
    facts: &Facts,
    indices: &BTreeSet<u64>,
    block: BlockId,
) -> Option<ZeroTest> {
    let asked = kernel.blocks.get(block.index())?.terminator.operand()?;
    let asked = asked.register()?;
    let mut found = None;
    facts
        .numbers
        .walk(kernel, block, &facts.loops, |_, instruction, values| {
            if !instruction.op.defs().contains(&asked) {
                return;
            }
            found = None;
            if let Op::Compare { op, ty, a, b, .. } = &instruction.op {
                let (a, b) = (values.operand(*a, *ty), values.operand(*b, *ty));
                let is_index = indices.contains(&a.number);
                let holds_of_zero = zero_alone(*op, *ty, b.is_known().then_some(b.number));
                found = holds_of_zero
                    .filter(|_| is_index)
                    .map(|holds_of_zero| ZeroTest {
                        number: a.number,
                        holds_of_zero,
                    });
            }
        });
    found
}

/// Whether a comparison with a number holds of zero alone, or of all but zero, among numbers that are not negative.
fn zero_alone(op: Comparison, ty: ScalarType, with: Option<u64>) -> Option<bool> {
    if ty.is_float() {
        return None;
    }
    match (op, with?) {
        (Comparison::Equal | Comparison::LessEqual, 0) | (Comparison::Less, 1) => Some(true),
        (Comparison::NotEqual | Comparison::Greater, 0) | (Comparison::GreaterEqual, 1) => {
            Some(false)
        }
        _ => None,
    }
}

/// The numbers of values that are indices of threads.
fn thread_indices(kernel: &Kernel, facts: &Facts) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    for block in facts.flow.reverse_postorder() {
        let mut wanted = Vec::new();
        let values = facts
            .numbers
            .walk(kernel, *block, &facts.loops, |_, instruction, _| {
                if let Op::Special {
                    dst,
                    register: SpecialRegister::ThreadIndex(_) | SpecialRegister::LinearThreadIndex,
                } = &instruction.op
                {
                    wanted.push(*dst);
                }
            });
        let of = |register: Register| {
            let values = values.as_ref()?;
            Some(values.operand(register.into(), ScalarType::U32).number)
        };
        found.extend(wanted.into_iter().filter_map(of));
    }
    found
}

/// Writes 0 where a block reads the value of that number.
fn put_zero(kernel: &mut Kernel, facts: &Facts, block: BlockId, number: u64) {
    let mut readers = Vec::new();
    facts
        .numbers
        .walk(kernel, block, &facts.loops, |at, instruction, values| {
            let reads = instruction.registers_read();
            let is_zero = |register: &&Register| {
                values.operand((**register).into(), ScalarType::U32).number == number
            };
            readers.extend(reads.iter().filter(is_zero).map(|register| (at, *register)));
        });
    let Some(block) = kernel.blocks.get_mut(block.index()) else {
        return;
    };
    for (at, register) in readers {
        if let Some(instruction) = block.instructions.get_mut(at) {
            instruction.op.visit_mut(&mut |slot| match slot {
                SlotMut::Use(operand) if operand.register() == Some(register) => {
                    *operand = Operand::Constant(0);
                }
                SlotMut::Use(_) | SlotMut::Def(_) | SlotMut::Site(_) => {}
            });
        }
    }
}

/// Does what stands between on each way, which goes on where the second branch would send it.
fn join(kernel: &mut Kernel, repeated: Repeated) {
    let Some(second) = kernel.blocks.get(repeated.second.index()) else {
        return;
    };
    let (between, place) = (second.instructions.clone(), second.place);
    let around = BlockId(u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX));
    kernel.blocks.push(Block {
        instructions: between.clone(),
        terminator: Terminator::Jump(repeated.behind_first),
        place,
    });
    if let Some(inside) = kernel.blocks.get_mut(repeated.inside.index()) {
        inside.instructions.extend(between);
        inside.terminator = Terminator::Jump(repeated.behind_inside);
    }
    if let Some(first) = kernel.blocks.get_mut(repeated.first.index())
        && let Terminator::Branch {
            taken, otherwise, ..
        } = &mut first.terminator
    {
        for target in [taken, otherwise] {
            if *target == repeated.second {
                *target = around;
            }
        }
    }
    meet(kernel, repeated.second);
}
