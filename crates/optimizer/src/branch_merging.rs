//! Branch merging: a load or a store that stands in both branches of an `if` is one instruction.
//!
//! A compiler moves what both branches end with behind the `if`, and what both begin with before it (LLVM's
//! SimplifyCFG: sinking and hoisting common code). Behind the `if` the address is the one of the branch taken; before it
//! the two must be the same. Here the branches are cut at the access, which stands between them for all lanes.
//! Measured on an H200: `x > 0 ? row[x - 1] : row[x]` is one load, and the stores of all cases of a `switch` are one.

mod merged;
mod sinking;
mod triangle;

use std::collections::BTreeSet;

use lanescope_ir::{
    Address, Block, BlockId, Instruction, Kernel, Op, Operand, Register, ScalarType, SiteId,
    Terminator, UnaryOp,
};
use sinking::{may_hoist, may_sink};

use crate::facts::{Facts, fresh, is_fence, size, unguarded};
use crate::remark::{Remark, RemarkKind, note};
use crate::work::{CHEAP, Work};

use merged::Merged;

/// Branches merged in one kernel, at most.
const MOST: usize = 256;

/// Blocks from the beginning of a side to its last, at most.
const SIDE_BLOCKS: usize = 64;

/// Instructions of both branches that are compared, at most.
const COMPARED: usize = 1024;

/// What counts when branches are compared.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Access(usize),
    /// Arithmetic on data: its mnemonic.
    Compute(String),
    Wall,
}

/// Two accesses that are one.
#[derive(Clone, Copy, Debug)]
struct Pair {
    taken: usize,
    otherwise: usize,
}

/// A branch whose two sides meet behind, each in one last block that all its lanes come to.
#[derive(Clone, Copy, Debug)]
struct Diamond {
    from: BlockId,
    /// The last block of each side; of a side of one block, that one.
    taken: BlockId,
    otherwise: BlockId,
    join: BlockId,
    /// Whether the sides are of one block each.
    is_simple: bool,
}

/// Merges branches.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work, remarks: &mut Vec<Remark>) {
    for _ in 0..MOST {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let mut found = None;
        // Inner branches stand behind outer ones.
        for block in facts.flow.reverse_postorder().iter().rev() {
            let Some(diamond) = diamond(kernel, &facts, *block) else {
                if let Some((new, diamond, loads)) = triangle::completed(kernel, &facts, *block)
                    && let Some(facts) = Facts::of(&new, work)
                    && let pairs = pairs(&new, &facts, diamond, work)
                    && pairs.len() == loads
                {
                    *kernel = new;
                    found = Some((diamond, pairs));
                    break;
                }
                continue;
            };
            if !work.spend(COMPARED / CHEAP) {
                return;
            }
            let pairs = pairs(kernel, &facts, diamond, work);
            if !pairs.is_empty() {
                found = Some((diamond, pairs));
                break;
            }
        }
        let Some((diamond, pairs)) = found else {
            return;
        };
        merge(kernel, diamond, &pairs, remarks);
        crate::simplify::run(kernel, work);
    }
}

fn diamond(kernel: &Kernel, facts: &Facts, from: BlockId) -> Option<Diamond> {
    let Terminator::Branch {
        taken, otherwise, ..
    } = kernel.blocks.get(from.index())?.terminator
    else {
        return None;
    };
    if taken == otherwise {
        return None;
    }
    let sides = [taken, otherwise].map(|side| last_block(kernel, facts, from, side));
    let [Some((first, join)), Some((second, other))] = sides else {
        return None;
    };
    (join == other && first != second).then_some(Diamond {
        from,
        taken: first,
        otherwise: second,
        join,
        is_simple: first == taken && second == otherwise,
    })
}

/// The last block of the side that begins at `block`, and where it goes.
fn last_block(
    kernel: &Kernel,
    facts: &Facts,
    from: BlockId,
    block: BlockId,
) -> Option<(BlockId, BlockId)> {
    if facts.flow.predecessors(block) != [from] {
        return None;
    }
    let mut last = block;
    for _ in 0..SIDE_BLOCKS {
        let one = kernel.blocks.get(last.index())?;
        if one.instructions.len() > COMPARED {
            return None;
        }
        match one.terminator {
            Terminator::Jump(join) if facts.flow.predecessors(join).len() > 1 => {
                let own = facts.dominators.dominates(block, join);
                if !own {
                    return Some((last, join));
                }
                last = join;
            }
            Terminator::Jump(next) => last = next,
            Terminator::Branch { .. } => {
                last = facts.post_dominators.immediate(last)?;
                if !facts.dominators.dominates(block, last) {
                    return None;
                }
            }
            Terminator::Switch { .. } | Terminator::Indirect { .. } | Terminator::Exit => {
                return None;
            }
        }
        if facts.loops.innermost(last) != facts.loops.innermost(from) {
            return None;
        }
    }
    None
}

fn steps(kernel: &Kernel, block: BlockId) -> Vec<Step> {
    let Some(one) = kernel.blocks.get(block.index()) else {
        return Vec::new();
    };
    let addresses = address_registers(&one.instructions);
    let mut list = Vec::new();
    for (at, instruction) in one.instructions.iter().enumerate() {
        let op = &instruction.op;
        let makes_address = op.defs().iter().any(|one| addresses.contains(one));
        match op {
            Op::Load { site, .. } | Op::Store { site, .. } => {
                let is_volatile = kernel
                    .sites
                    .get(site.index())
                    .is_none_or(|one| one.is_volatile);
                let is_local = kernel
                    .sites
                    .get(site.index())
                    .is_some_and(|one| one.space == lanescope_ir::AddressSpace::Local);
                list.push(if is_volatile || instruction.guard.is_some() || is_local {
                    Step::Wall
                } else {
                    Step::Access(at)
                });
            }
            Op::BoundsCheck { .. }
            | Op::Special { .. }
            | Op::Parameter { .. }
            | Op::Unary {
                op: UnaryOp::Move, ..
            } => {}
            _ if makes_address => {}
            Op::Unary { op, .. } => list.push(Step::Compute(op.name().to_owned())),
            Op::Binary { op, .. } => list.push(Step::Compute(op.name().to_owned())),
            Op::Ternary { op, .. } => list.push(Step::Compute(op.name().to_owned())),
            Op::Convert { .. } => list.push(Step::Compute("convert".into())),
            Op::Select { .. } => list.push(Step::Compute("select".into())),
            Op::Compare { op, .. } => list.push(Step::Compute(op.name().to_owned())),
            op if op.is_pure() && !is_fence(op) => list.push(Step::Compute(String::new())),
            _ => list.push(Step::Wall),
        }
    }
    list
}

/// The registers that addresses and indices are made of.
fn address_registers(instructions: &[Instruction]) -> BTreeSet<Register> {
    let mut found = BTreeSet::new();
    let operands = |address: &Address| {
        [Some(address.base), address.index]
            .into_iter()
            .flatten()
            .filter_map(Operand::register)
            .collect::<Vec<_>>()
    };
    for instruction in instructions.iter().rev() {
        match &instruction.op {
            Op::Load { address, .. } | Op::Store { address, .. } => found.extend(operands(address)),
            Op::BoundsCheck { index, .. } => found.extend(index.register()),
            op if op.defs().iter().any(|one| found.contains(one)) => {
                found.extend(instruction.registers_read());
            }
            _ => {}
        }
    }
    found
}

fn pairs(kernel: &Kernel, facts: &Facts, diamond: Diamond, work: &mut Work) -> Vec<Pair> {
    // Whether a pair may sink takes a look at all branches, and at what both sides compute.
    let look = size(kernel) / CHEAP + 1;
    let (yes, no) = (
        steps(kernel, diamond.taken),
        steps(kernel, diamond.otherwise),
    );
    let mut found = Vec::new();
    let mut back = 0;
    for (a, b) in yes.iter().rev().zip(no.iter().rev()) {
        match (a, b) {
            (Step::Access(taken), Step::Access(otherwise)) => {
                let pair = Pair {
                    taken: *taken,
                    otherwise: *otherwise,
                };
                if !work.spend(look) || !may_sink(kernel, facts, diamond, pair) {
                    break;
                }
                found.push(pair);
            }
            (Step::Compute(a), Step::Compute(b)) if a == b => {}
            _ => break,
        }
        back += 1;
    }
    found.reverse();
    if !diamond.is_simple {
        return found;
    }
    let mut front = Vec::new();
    let ahead = |list: &[Step]| list.len().saturating_sub(back);
    for (a, b) in yes.iter().take(ahead(&yes)).zip(no.iter().take(ahead(&no))) {
        match (a, b) {
            (Step::Access(taken), Step::Access(otherwise)) => {
                let pair = Pair {
                    taken: *taken,
                    otherwise: *otherwise,
                };
                if !may_hoist(kernel, facts, diamond, pair) {
                    break;
                }
                front.push(pair);
            }
            (Step::Compute(a), Step::Compute(b)) if a == b => {}
            _ => break,
        }
    }
    front.extend(found);
    front
}

fn access(kernel: &Kernel, block: BlockId, at: usize) -> Option<(&Op, SiteId, Address)> {
    accessed(&kernel.blocks.get(block.index())?.instructions.get(at)?.op)
}

fn accessed(op: &Op) -> Option<(&Op, SiteId, Address)> {
    match op {
        Op::Load { address, site, .. } | Op::Store { address, site, .. } => {
            Some((op, *site, *address))
        }
        _ => None,
    }
}

fn alike(kernel: &Kernel, a: SiteId, b: SiteId) -> bool {
    match (kernel.sites.get(a.index()), kernel.sites.get(b.index())) {
        (Some(a), Some(b)) => {
            a.operation == b.operation
                && a.width == b.width
                && a.space == b.space
                && a.element.bits() == b.element.bits()
        }
        _ => false,
    }
}

/// Cuts both sides at their pairs, which stand between for all lanes.
fn merge(kernel: &mut Kernel, diamond: Diamond, pairs: &[Pair], remarks: &mut Vec<Remark>) {
    let sides = [diamond.taken, diamond.otherwise];
    let Some(from) = kernel.blocks.get(diamond.from.index()).cloned() else {
        return;
    };
    let Terminator::Branch {
        predicate, negated, ..
    } = from.terminator
    else {
        return;
    };
    let saved = fresh(kernel, 1);
    let keep = Op::Unary {
        op: UnaryOp::Move,
        ty: ScalarType::Bool,
        dst: saved,
        a: predicate,
    };
    if let Some(block) = kernel.blocks.get_mut(diamond.from.index()) {
        block.instructions.push(unguarded(keep, from.place));
    }
    let bodies = sides.map(|side| {
        let block = kernel.blocks.get(side.index());
        block
            .map(|one| one.instructions.clone())
            .unwrap_or_default()
    });
    // Positions of the next instructions to copy, and what begins the next pieces.
    let mut begins = [0, 0];
    let mut heads: [Vec<Instruction>; 2] = [Vec::new(), Vec::new()];
    let mut blocks = [diamond.taken, diamond.otherwise];
    for pair in pairs {
        let ends = [pair.taken, pair.otherwise];
        let Some(merged) = Merged::of(kernel, &bodies, ends) else {
            return;
        };
        for way in 0..2 {
            let (Some(body), Some(head)) = (bodies.get(way), heads.get_mut(way)) else {
                return;
            };
            let (Some(begin), Some(end)) = (begins.get_mut(way), ends.get(way)) else {
                return;
            };
            let mut list = std::mem::take(head);
            list.extend(body.get(*begin..*end).into_iter().flatten().cloned());
            *begin = end + 1;
            let Some(access) = body.get(*end) else { return };
            list.extend(merged.before(kernel, access));
            *head = merged.behind(kernel, access);
            if let Some(block) = blocks.get(way)
                && let Some(one) = kernel.blocks.get_mut(block.index())
            {
                one.instructions = list;
            }
        }
        note(
            remarks,
            merged.other,
            RemarkKind::Merged { with: merged.site },
        );
        // The access, then the branch again, where something is left.
        let is_last = pairs.last().is_some_and(|last| std::ptr::eq(last, pair));
        let is_rest = |way: usize| {
            let body = bodies.get(way).map_or(&[][..], Vec::as_slice);
            let begin = begins.get(way).copied().unwrap_or(0);
            begin < body.len() || heads.get(way).is_some_and(|head| !head.is_empty())
        };
        if is_last && !is_rest(0) && !is_rest(1) {
            kernel.blocks.push(Block {
                instructions: vec![unguarded(merged.op(), merged.place)],
                terminator: Terminator::Jump(diamond.join),
                place: merged.place,
            });
            let middle = BlockId(u32::try_from(kernel.blocks.len() - 1).unwrap_or(u32::MAX));
            leads(kernel, diamond, sides, blocks, middle);
            return;
        }
        let next = |offset: usize| {
            BlockId(u32::try_from(kernel.blocks.len() + offset).unwrap_or(u32::MAX))
        };
        let (middle, taken, otherwise) = (next(0), next(1), next(2));
        let place = merged.place;
        kernel.blocks.push(Block {
            instructions: vec![unguarded(merged.op(), place)],
            terminator: Terminator::Branch {
                predicate: saved.into(),
                negated,
                taken,
                otherwise,
                join: Some(diamond.join),
            },
            place,
        });
        for _ in 0..2 {
            kernel.blocks.push(Block {
                instructions: Vec::new(),
                terminator: Terminator::Jump(diamond.join),
                place,
            });
        }
        leads(kernel, diamond, sides, blocks, middle);
        blocks = [taken, otherwise];
    }
    for way in 0..2 {
        let (Some(body), Some(head), Some(begin), Some(block)) = (
            bodies.get(way),
            heads.get_mut(way),
            begins.get(way),
            blocks.get(way),
        ) else {
            return;
        };
        let mut list = std::mem::take(head);
        list.extend(body.get(*begin..).into_iter().flatten().cloned());
        if let Some(one) = kernel.blocks.get_mut(block.index()) {
            one.instructions = list;
        }
    }
}

/// Lets two blocks, and the branch that parts them, go on to `middle`.
fn leads(
    kernel: &mut Kernel,
    diamond: Diamond,
    sides: [BlockId; 2],
    blocks: [BlockId; 2],
    middle: BlockId,
) {
    for block in blocks {
        if let Some(one) = kernel.blocks.get_mut(block.index()) {
            one.terminator = Terminator::Jump(middle);
        }
    }
    let before = if blocks == sides {
        diamond.from
    } else {
        middle_of(kernel, blocks)
    };
    if let Some(one) = kernel.blocks.get_mut(before.index())
        && let Terminator::Branch { join, .. } = &mut one.terminator
    {
        *join = Some(middle);
    }
}

/// The block whose branch goes to these two.
fn middle_of(kernel: &Kernel, [first, second]: [BlockId; 2]) -> BlockId {
    let goes = |block: &Block| matches!(&block.terminator, Terminator::Branch { taken, otherwise, .. } if *taken == first && *otherwise == second);
    let at = kernel.blocks.iter().position(goes).unwrap_or(0);
    BlockId(u32::try_from(at).unwrap_or(0))
}
