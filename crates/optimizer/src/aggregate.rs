//! Warp-aggregated atomics: where all lanes of a warp provably share the address, one lane asks for all.
//!
//! Read off what nvcc of CUDA 13 makes for an H200 (`atomics_one_address`, `b_add_u64_one_address`): integers of 32 bits;
//! a sum also where the old value is wanted, a minimum, maximum or bit operation only where it is not; an exchange,
//! `atomicInc` and `atomicDec` never. Of 64 bits only the sum of a constant whose old value nobody wants: that is the
//! constant times the number of lanes, whereas no instruction adds up 64 bits over a warp. Nor is anything
//! behind a test for equality in which lanes differ (`if (tid % 3 == 0)`): there the compiler reckons with few lanes.
//!
//! The address must be uniform over the lanes that run ([`lanescope_ir::analysis::Uniformity`]), the operation commutative and
//! associative on integers: the word holds the same afterwards, and one request with one lane stands for what the warp asks.
//!
//! NB: a value that all lanes load from one place counts as divergent.

use crate::facts::{fresh, size, unguarded};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::Work;
use lanescope_ir::analysis::{ControlFlow, Dominators, Uniformity};
use lanescope_ir::{
    AtomicOp, BinaryOp, BlockId, Comparison, Guard, Instruction, Kernel, Op, Operand, Register,
    ScalarType, ShuffleMode, Terminator, UnaryOp, WarpReduceOp, WarpReduceScope,
};
use lanescope_model::{Operation, Width};

/// Marks the sites of such atomics.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    if !work.spend(size(kernel)) {
        return;
    }
    let flow = ControlFlow::of(kernel);
    let dominators = Dominators::of(&flow);
    let uniformity = Uniformity::of(kernel, &flow);
    let few = few_lanes(kernel, &flow, &uniformity);
    let mut found = Vec::new();
    for (block, body) in (0..).map(BlockId).zip(&kernel.blocks) {
        if few.iter().any(|over| dominators.dominates(*over, block)) {
            continue;
        }
        for instruction in &body.instructions {
            if let Op::Atomic {
                op,
                address,
                a,
                site,
                ..
            } = &instruction.op
                && uniformity.is_uniform_operand(address.base)
                && address
                    .index
                    .is_none_or(|index| uniformity.is_uniform_operand(index))
                && let Some(site_of) = kernel.sites.get(site.index())
                && !site_of.element.is_float()
                && gathers(*op, site_of.operation)
                && (site_of.width == Width::Bytes4
                    || is_constant_sum(*op, site_of.operation, *a)
                        && site_of.width == Width::Bytes8)
            {
                found.push(*site);
            }
        }
    }
    for site in &found {
        note(remarks, *site, RemarkKind::Aggregated);
    }
    for block in 0..kernel.blocks.len() {
        let Some(body) = kernel.blocks.get_mut(block) else {
            return;
        };
        let old = std::mem::take(&mut body.instructions);
        let mut out = Vec::with_capacity(old.len());
        for instruction in old {
            if let Op::Atomic { site, .. } = &instruction.op
                && found.contains(site)
                && instruction.guard.is_none()
            {
                gather(kernel, instruction, &mut out);
            } else {
                out.push(instruction);
            }
        }
        if let Some(body) = kernel.blocks.get_mut(block) {
            body.instructions = out;
        }
    }
}

/// Writes an atomic as one lane's: the warp's operands are put together, and each lane gets the old value that it would
/// have found had the lanes come one after another.
fn gather(kernel: &mut Kernel, instruction: Instruction, out: &mut Vec<Instruction>) {
    let place = instruction.place;
    let Op::Atomic {
        op,
        dst,
        address,
        a,
        b,
        site,
    } = instruction.op
    else {
        return;
    };
    let ty = kernel
        .sites
        .get(site.index())
        .map_or(ScalarType::U32, |site| site.element);
    let mut push = |op: Op| out.push(unguarded(op, place));
    let (all, leads) = (fresh(kernel, 8 * ty.bytes()), fresh(kernel, 1));
    let reduce = |dst: Register, scope: WarpReduceScope| Op::WarpReduce {
        op: reduction(op),
        scope,
        ty,
        dst,
        a,
    };
    push(reduce(all, WarpReduceScope::All));
    push(Op::Elect { dst: leads });
    let wanted = dst.map(|dst| OldValue {
        dst,
        before: fresh(kernel, 32),
        old: fresh(kernel, 32),
        lane: fresh(kernel, 32),
    });
    if let Some(wanted) = &wanted {
        push(reduce(wanted.before, WarpReduceScope::Exclusive));
    }
    out.push(Instruction {
        guard: Some(Guard {
            predicate: leads,
            negated: false,
        }),
        op: Op::Atomic {
            op,
            dst: wanted.as_ref().map(|wanted| wanted.old),
            address,
            a: all.into(),
            b,
            site,
        },
        place,
    });
    if let Some(wanted) = wanted {
        out.extend(wanted.given_out().map(|op| unguarded(op, place)));
    }
}

/// The reduction over a warp after which one lane's atomic does what all would have done.
const fn reduction(op: AtomicOp) -> WarpReduceOp {
    match op {
        AtomicOp::Minimum => WarpReduceOp::Minimum,
        AtomicOp::Maximum => WarpReduceOp::Maximum,
        AtomicOp::And => WarpReduceOp::And,
        AtomicOp::Or => WarpReduceOp::Or,
        AtomicOp::Xor => WarpReduceOp::Xor,
        AtomicOp::Add
        | AtomicOp::Exchange
        | AtomicOp::Increment
        | AtomicOp::Decrement
        | AtomicOp::CompareAndSwap => WarpReduceOp::Add,
    }
}

/// The registers by which each lane learns what its own sum would have found in memory.
struct OldValue {
    dst: Register,
    /// What the lanes before it add.
    before: Register,
    /// What the lane that asks gets.
    old: Register,
    /// Which lane that is.
    lane: Register,
}

impl OldValue {
    /// The old value, sent from the lane that asked to all, and what the lanes before each add.
    fn given_out(self) -> [Op; 5] {
        let Self {
            dst,
            before,
            old,
            lane,
        } = self;
        let ty = ScalarType::U32;
        [
            Op::ActiveMask { dst: lane },
            Op::Unary {
                op: UnaryOp::FindFirst,
                ty,
                dst: lane,
                a: lane.into(),
            },
            Op::Binary {
                op: BinaryOp::Subtract,
                ty,
                dst: lane,
                a: lane.into(),
                b: Operand::Constant(1),
            },
            Op::Shuffle {
                mode: ShuffleMode::Index,
                dst: old,
                in_range: None,
                a: old.into(),
                lane: lane.into(),
                clamp: Operand::Constant(31),
            },
            Op::Binary {
                op: BinaryOp::Add,
                ty,
                dst,
                a: old.into(),
                b: before.into(),
            },
        ]
    }
}

fn gathers(op: AtomicOp, operation: Operation) -> bool {
    match op {
        AtomicOp::Add => operation != Operation::Increment,
        AtomicOp::Minimum | AtomicOp::Maximum | AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => {
            operation == Operation::Reduction
        }
        AtomicOp::Exchange
        | AtomicOp::Increment
        | AtomicOp::Decrement
        | AtomicOp::CompareAndSwap => false,
    }
}

/// Whether an atomic adds one constant for each lane, its old value unwanted.
fn is_constant_sum(op: AtomicOp, operation: Operation, a: Operand) -> bool {
    op == AtomicOp::Add && operation == Operation::Reduction && matches!(a, Operand::Constant(_))
}

/// The blocks that begin behind a test for equality in which lanes differ.
fn few_lanes(kernel: &Kernel, flow: &ControlFlow, uniformity: &Uniformity) -> Vec<BlockId> {
    let mut found = Vec::new();
    for block in &kernel.blocks {
        let Terminator::Branch {
            predicate: Operand::Register(predicate),
            negated,
            taken,
            otherwise,
            ..
        } = &block.terminator
        else {
            continue;
        };
        let Some(comparison) = last_comparison(kernel, *predicate) else {
            continue;
        };
        let holds = match comparison {
            Comparison::Equal => *taken,
            Comparison::NotEqual => *otherwise,
            Comparison::Less
            | Comparison::LessEqual
            | Comparison::Greater
            | Comparison::GreaterEqual => continue,
        };
        let target = match (*negated, holds == *taken) {
            (false, _) => holds,
            (true, true) => *otherwise,
            (true, false) => *taken,
        };
        if !uniformity.is_uniform(*predicate) && flow.predecessors(target).len() == 1 {
            found.push(target);
        }
    }
    found
}

/// The comparison that a predicate is, where it is written once.
fn last_comparison(kernel: &Kernel, predicate: Register) -> Option<Comparison> {
    let mut writers = kernel
        .blocks
        .iter()
        .flat_map(|block| &block.instructions)
        .filter(|instruction| instruction.writes(predicate));
    match (
        writers.next().map(|instruction| &instruction.op),
        writers.next(),
    ) {
        (Some(Op::Compare { op, .. }), None) => Some(*op),
        _ => None,
    }
}
