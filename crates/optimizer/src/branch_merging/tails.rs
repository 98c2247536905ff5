//! Common tails of several ways that meet: what the arms of an `if`/`else if` chain or of a `switch` end with stands once
//! behind them (LLVM 7's SimplifyCFG, `SinkCommonCodeFromPredecessors`, which looks at all ways into a block at once).
//!
//! Ways of one `if` are the matter of the rest of this pass, which tells their stores apart too; here it is three and more,
//! and loads. Inner joins that do nothing are passed: in LLVM they are one block with the outer one.
//!
//! The tails are the same operations in the same order, each on what its way brings; so every lane makes the accesses that
//! it made before, at the same addresses.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::analysis::{ControlFlow, Liveness, PostDominators};
use lanescope_ir::{
    Block, BlockId, Instruction, Kernel, Op, Operand, Register, SiteId, SlotMut, Terminator,
    UnaryOp,
};

use super::{adds_nothing, alike};
use crate::facts::{Facts, bits, fresh, unguarded};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::{CHEAP, Work};

/// Ways that are compared at once, from this many on: two are an `if`, but where one is a case into which another falls.
const LEAST_WAYS: usize = 3;
/// And at most.
const MOST_WAYS: usize = 64;
/// Instructions of a tail, at most.
const TAIL: usize = 64;

/// Puts one common tail behind its ways; `false` where there is none left.
pub(super) fn merge_one(
    kernel: &mut Kernel,
    facts: &Facts,
    fallen_into: &BTreeSet<BlockId>,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) -> bool {
    for join in facts.flow.reverse_postorder() {
        let Some((ways, passed)) = ways(kernel, facts, *join) else {
            continue;
        };
        if ways.iter().any(|way| fallen_into.contains(way)) {
            continue;
        }
        if !work.spend(ways.len() * TAIL / CHEAP) {
            return false;
        }
        let Some(length) = common(kernel, facts, &ways) else {
            continue;
        };
        if is_free(kernel, &ways, *join, length) {
            sink(kernel, &ways, (*join, &passed), length, remarks);
            return true;
        }
    }
    false
}

/// The blocks by which lanes come to a join, past joins that do nothing, and these.
fn ways(kernel: &Kernel, facts: &Facts, join: BlockId) -> Option<(Vec<BlockId>, Vec<BlockId>)> {
    let is_join = |block: BlockId| facts.flow.predecessors(block).len() > 1;
    let (mut ways, mut passed) = (Vec::new(), Vec::new());
    let mut pending: Vec<BlockId> = facts.flow.predecessors(join).to_vec();
    while let Some(from) = pending.pop() {
        let block = kernel.blocks.get(from.index())?;
        let is_jump = matches!(block.terminator, Terminator::Jump(_));
        let is_here = facts.loops.innermost(from) == facts.loops.innermost(join);
        if !is_jump || !is_here || ways.len() + passed.len() > MOST_WAYS || from == join {
            return None;
        }
        if block.instructions.is_empty() && is_join(from) {
            pending.extend(facts.flow.predecessors(from));
            passed.push(from);
        } else {
            ways.push(from);
        }
    }
    let is_header = facts.loops.with_header(join).is_some();
    let is_if = ways.iter().all(|way| !is_join(*way));
    let least = if is_if { LEAST_WAYS } else { 2 };
    (ways.len() >= least && !is_header && facts.flow.is_reachable(join)).then_some((ways, passed))
}

/// How many instructions all ways end with, down to the first load among them; `None` without one.
fn common(kernel: &Kernel, facts: &Facts, ways: &[BlockId]) -> Option<usize> {
    let (first, others) = ways.split_first()?;
    let folded: BTreeMap<BlockId, BTreeSet<usize>> = ways
        .iter()
        .map(|way| (*way, adds_nothing(kernel, facts, *way)))
        .collect();
    let is_folded = |way: &BlockId, behind: usize| {
        let length = kernel.blocks.get(way.index());
        let length = length.map_or(0, |block| block.instructions.len());
        let at = length.checked_sub(behind + 1);
        at.is_some_and(|at| folded.get(way).is_some_and(|all| all.contains(&at)))
    };
    let list = |block: &BlockId| {
        let block = kernel.blocks.get(block.index());
        block.map(|block| block.instructions.as_slice())
    };
    let mut length = None;
    for (behind, instruction) in list(first)?.iter().rev().take(TAIL).enumerate() {
        let same = others.iter().all(|way| {
            let other = list(way).and_then(|list| list.iter().rev().nth(behind));
            other.is_some_and(|other| is_alike(kernel, instruction, other))
                && is_folded(way, behind) == is_folded(first, behind)
        });
        if !same {
            break;
        }
        if matches!(instruction.op, Op::Load { .. }) {
            length = Some(behind + 1);
        }
    }
    length
}

/// Whether two instructions do the same on other operands, and may stand behind the ways.
fn is_alike(kernel: &Kernel, a: &Instruction, b: &Instruction) -> bool {
    if a.guard.is_some() || b.guard.is_some() {
        return false;
    }
    match (&a.op, &b.op) {
        (
            Op::Load { site: a, dst, .. },
            Op::Load {
                site: b,
                dst: other,
                ..
            },
        ) => {
            let is_plain = |id: &SiteId| {
                let site = kernel.sites.get(id.index());
                site.is_some_and(|site| {
                    !site.is_volatile && site.space != lanescope_ir::AddressSpace::Local
                })
            };
            alike(kernel, *a, *b)
                && is_plain(a)
                && is_plain(b)
                && dst.len() == other.len()
                && dst
                    .iter()
                    .zip(other)
                    .all(|(a, b)| a.is_some() == b.is_some())
        }
        (left, other) => left.is_pure() && shape(left) == shape(other),
    }
}

/// An operation with its operands and results left out.
fn shape(op: &Op) -> Op {
    let mut op = op.clone();
    op.visit_mut(&mut |slot| match slot {
        SlotMut::Use(operand) => *operand = Operand::Constant(0),
        SlotMut::Def(register) => *register = Register(0),
        SlotMut::Site(_) => {}
    });
    op
}

fn tail(kernel: &Kernel, block: BlockId, length: usize) -> &[Instruction] {
    let block = kernel.blocks.get(block.index());
    let list = block.map_or(&[][..], |block| block.instructions.as_slice());
    list.get(list.len().saturating_sub(length)..)
        .unwrap_or_default()
}

/// Whether what the tails write is either written by all, or read by nothing behind them.
fn is_free(kernel: &Kernel, ways: &[BlockId], join: BlockId, length: usize) -> bool {
    let acts = |instruction: &Instruction| !instruction.op.is_pure();
    let liveness = Liveness::of(kernel, &acts);
    let mut live = liveness.before_terminator(kernel, join);
    let behind = kernel.blocks.get(join.index());
    for instruction in behind
        .into_iter()
        .flat_map(|block| block.instructions.iter().rev())
    {
        live.step_back(instruction, acts(instruction));
    }
    let Some((first, others)) = ways.split_first() else {
        return false;
    };
    let bits_of = |register: &Register| bits(kernel, *register);
    others.iter().all(|other| {
        let both = tail(kernel, *first, length)
            .iter()
            .zip(tail(kernel, *other, length));
        both.into_iter().all(|(a, b)| {
            let (a, b) = (a.op.defs(), b.op.defs());
            a.iter().zip(b.iter()).all(|(a, b)| {
                a == b || !live.contains(*a) && !live.contains(*b) && bits_of(a) == bits_of(b)
            })
        })
    })
}

fn sink(
    kernel: &mut Kernel,
    ways: &[BlockId],
    (join, passed): (BlockId, &[BlockId]),
    length: usize,
    remarks: &mut Vec<Remark>,
) {
    let tails: Vec<Vec<Instruction>> = ways
        .iter()
        .map(|way| tail(kernel, *way, length).to_vec())
        .collect();
    let Some(mut list) = tails.first().cloned() else {
        return;
    };
    // What each way brings for an operand that differs.
    let mut brought: Vec<Vec<(Register, Operand)>> = vec![Vec::new(); ways.len()];
    let mut made: Vec<BTreeMap<Register, Register>> = vec![BTreeMap::new(); ways.len()];
    for at in 0..length {
        let operands: Vec<Vec<Operand>> = tails
            .iter()
            .zip(&made)
            .map(|(tail, made)| {
                let op = tail.get(at).map(|instruction| instruction.op.uses());
                let named = |operand: Operand| match operand {
                    Operand::Register(register) => {
                        made.get(&register).copied().unwrap_or(register).into()
                    }
                    Operand::Constant(_) => operand,
                };
                op.into_iter().flatten().map(named).collect()
            })
            .collect();
        let mut place = 0;
        let Some(instruction) = list.get_mut(at) else {
            return;
        };
        let widest = kernel.operand_bits(&instruction.op);
        instruction.op.visit_mut(&mut |slot| {
            if let SlotMut::Use(operand) = slot {
                let of_constants = widest.get(place).copied().unwrap_or(64);
                let each: Vec<Operand> = operands
                    .iter()
                    .filter_map(|list| list.get(place).copied())
                    .collect();
                place += 1;
                if each.iter().all(|operand| Some(operand) == each.first()) {
                    return;
                }
                let wide = each.iter().filter_map(|operand| operand.register());
                let wide = wide.map(|register| bits(kernel, register)).max();
                let phi = fresh(kernel, wide.unwrap_or(of_constants));
                for (list, operand) in brought.iter_mut().zip(&each) {
                    list.push((phi, *operand));
                }
                *operand = phi.into();
            }
        });
        let defs = instruction.op.defs();
        for (tail, made) in tails.iter().zip(&mut made) {
            let own = tail.get(at).map(|instruction| instruction.op.defs());
            made.extend(own.into_iter().flatten().zip(defs.iter().copied()));
        }
    }
    note_merged(kernel, &tails, &mut list, remarks);
    let place = list
        .first()
        .map(|instruction| instruction.place)
        .unwrap_or_default();
    let middle = BlockId(u32::try_from(kernel.blocks.len()).unwrap_or(u32::MAX));
    kernel.blocks.push(Block {
        instructions: list,
        terminator: Terminator::Jump(join),
        place,
    });
    for (way, brought) in ways.iter().zip(brought) {
        let moves: Vec<Instruction> = brought
            .into_iter()
            .map(|(phi, operand)| unguarded(moved(kernel, phi, operand), place))
            .collect();
        if let Some(block) = kernel.blocks.get_mut(way.index()) {
            let left = block.instructions.len().saturating_sub(length);
            block.instructions.truncate(left);
            block.instructions.extend(moves);
            block.terminator = Terminator::Jump(middle);
        }
    }
    meet_before(kernel, middle, join, passed);
}

/// Brings an operand to the register that stands for those of all ways.
fn moved(kernel: &Kernel, dst: Register, a: Operand) -> Op {
    use lanescope_ir::{Rounding, ScalarType};
    let of = |bits: u32| match bits {
        1 => ScalarType::Bool,
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        32 => ScalarType::U32,
        _ => ScalarType::U64,
    };
    let to = of(bits(kernel, dst));
    let from = a
        .register()
        .map_or(to, |register| of(bits(kernel, register)));
    if from == to {
        return Op::Unary {
            op: UnaryOp::Move,
            ty: to,
            dst,
            a,
        };
    }
    Op::Convert {
        from,
        to,
        rounding: Rounding::TowardsZero,
        saturate: false,
        dst,
        a,
    }
}

/// Notes which loads are one now; one that goes to several arrays is known to go to none of them.
fn note_merged(
    kernel: &mut Kernel,
    tails: &[Vec<Instruction>],
    list: &mut [Instruction],
    remarks: &mut Vec<Remark>,
) {
    for (at, instruction) in list.iter_mut().enumerate() {
        let Op::Load { site, .. } = &mut instruction.op else {
            continue;
        };
        let all: Vec<SiteId> = tails
            .iter()
            .filter_map(|tail| tail.get(at))
            .flat_map(|instruction| instruction.op.sites())
            .collect();
        let arrays: BTreeSet<_> = all
            .iter()
            .map(|site| kernel.sites.get(site.index()).and_then(|site| site.array))
            .collect();
        if arrays.len() > 1
            && let Some(mut access) = kernel.sites.get(site.index()).cloned()
        {
            access.array = None;
            *site = SiteId(u32::try_from(kernel.sites.len()).unwrap_or(u32::MAX));
            kernel.sites.push(access);
        }
        for other in all.iter().skip(1) {
            note(remarks, *other, RemarkKind::Merged { with: *site });
        }
    }
}

/// Lanes that met at the join, or at those that were passed, meet before what is common, where all of them come there.
fn meet_before(kernel: &mut Kernel, middle: BlockId, join: BlockId, passed: &[BlockId]) {
    let flow = ControlFlow::of(kernel);
    let post_dominators = PostDominators::of(&flow);
    for (at, block) in (0..).map(BlockId).zip(&mut kernel.blocks) {
        if let Terminator::Branch {
            join: Some(there), ..
        } = &mut block.terminator
            && (*there == join || passed.contains(there))
            && at != middle
            && post_dominators.post_dominates(middle, at)
        {
            *there = middle;
        }
    }
}
