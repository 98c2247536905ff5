//! Branch merging: a load or a store that stands in both branches of an `if` is one instruction.
//!
//! A compiler moves what both branches end with behind the `if`, and what both begin with before it (LLVM's
//! SimplifyCFG: sinking and hoisting common code). Behind the `if` the address is the one of the branch taken; before it
//! the two must be the same. Here the branches are cut at the access, which stands between them for all lanes.
//! Measured on an H200: `x > 0 ? row[x - 1] : row[x]` is one load, and the stores of all cases of a `switch` are one.
//!
//! Between the two cut sides and their access no store, barrier or atomic may stand that the access could see, so that it
//! reads and writes what it did before; the address is a choice by the branch's predicate, lane by lane.
//!
//! NB: loads of one place in both branches are one before the `if` also where other loads stand before them (ptxas); here
//! they are not.

mod hoisting;
mod merged;
mod side;
mod sinking;
mod steps;
mod tails;
mod triangle;

use hoisting::{Left, is_hoisted_late, is_one_load_anywhere};
use lanescope_ir::{
    Address, Block, BlockId, Instruction, Kernel, Op, PlaceId, Register, ScalarType, SiteId,
    Terminator, UnaryOp,
};
use sinking::{may_hoist, may_sink};
use steps::{Step, adds_nothing, steps};

use crate::facts::{Facts, fresh, size, unguarded};
use crate::profile::Preferences;
use crate::remark::{Remark, RemarkKind, note};
use crate::switch_cases::{Ends, ends};
use crate::work::{CHEAP, Work};

use merged::Merged;
use side::Side;

/// Branches merged in one kernel, at most.
const MOST: usize = 256;

/// Blocks from the beginning of a side to its last, at most.
const SIDE_BLOCKS: usize = 64;

/// Instructions of both branches that are compared, at most.
const COMPARED: usize = 1024;

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

impl Diamond {
    const fn sides(&self) -> [BlockId; 2] {
        [self.taken, self.otherwise]
    }
}

/// Merges branches.
pub(crate) fn run(
    kernel: &mut Kernel,
    preferences: Preferences,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    let merges_loads = preferences.merges_loads_of_branches;
    for _ in 0..MOST {
        let Some(facts) = Facts::of(kernel, work) else {
            return;
        };
        let ends = ends(kernel, &facts.flow);
        if merges_loads && tails::merge_one(kernel, &facts, &ends.fallen_into, work, remarks) {
            crate::simplify::run(kernel, work);
            continue;
        }
        let mut found = None;
        // Inner branches stand behind outer ones.
        for block in facts.flow.reverse_postorder().iter().rev() {
            let Some(diamond) = diamond(kernel, &facts, &ends, *block) else {
                if merges_loads
                    && let Some((new, diamond, loads)) = triangle::completed(kernel, &facts, *block)
                    && let Some(facts) = Facts::of(&new, work)
                    && let pairs = pairs(&new, &facts, (diamond, preferences), work)
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
            let mut pairs = pairs(kernel, &facts, (diamond, preferences), work);
            let is_case = diamond
                .sides()
                .iter()
                .any(|side| ends.of_cases.contains(side));
            if is_case && facts.flow.predecessors(diamond.join).len() > 2 {
                pairs.retain(|pair| is_store(kernel, diamond.taken, pair.taken));
            }
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

fn diamond(kernel: &Kernel, facts: &Facts, ends: &Ends, from: BlockId) -> Option<Diamond> {
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
    let is_apart = |side: BlockId| ends.fallen_into.contains(&side);
    (join == other && first != second && !is_apart(first) && !is_apart(second)).then_some(Diamond {
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
        let body = kernel.blocks.get(last.index())?;
        if body.instructions.len() > COMPARED {
            return None;
        }
        match body.terminator {
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

fn pairs(
    kernel: &Kernel,
    facts: &Facts,
    (diamond, preferences): (Diamond, Preferences),
    work: &mut Work,
) -> Vec<Pair> {
    // Whether a pair may sink takes a look at all branches, and at what both sides compute.
    let look = size(kernel) / CHEAP + 1;
    let (yes, no) = (
        steps(kernel, facts, diamond.taken),
        steps(kernel, facts, diamond.otherwise),
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
                if !work.spend(look)
                    || !may_sink(kernel, facts, diamond, pair)
                    || !preferences.merges_loads_of_branches
                        && !is_one_load_anywhere(kernel, facts, diamond, pair)
                {
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
    let left = [
        (diamond.taken, &yes[..ahead(&yes)]),
        (diamond.otherwise, &no[..ahead(&no)]),
    ];
    let left = left.map(|(block, steps)| Left::of(kernel, block, steps));
    for (a, b) in yes.iter().take(ahead(&yes)).zip(no.iter().take(ahead(&no))) {
        match (a, b) {
            (Step::Access(taken), Step::Access(otherwise)) => {
                let pair = Pair {
                    taken: *taken,
                    otherwise: *otherwise,
                };
                let is_one = may_hoist(kernel, facts, diamond, pair)
                    && (preferences.merges_loads_of_branches
                        || is_hoisted_late(kernel, diamond, pair, left));
                if !is_one {
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

fn is_store(kernel: &Kernel, block: BlockId, at: usize) -> bool {
    access(kernel, block, at).is_some_and(|(op, ..)| matches!(op, Op::Store { .. }))
}

fn accessed(op: &Op) -> Option<(&Op, SiteId, Address)> {
    let access = op.plain_access()?;
    Some((op, access.site, *access.address))
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
    let Some((saved, negated)) = saved_condition(kernel, diamond.from) else {
        return;
    };
    let mut sides = [diamond.taken, diamond.otherwise].map(|side| Side::of(kernel, side));
    for (left, pair) in (0..pairs.len()).rev().zip(pairs) {
        let ends = [pair.taken, pair.otherwise];
        let Some(merged) = Merged::of(kernel, sides.each_ref().map(|one| &one.body[..]), ends)
        else {
            return;
        };
        for (side, end) in sides.iter_mut().zip(ends) {
            side.cut(kernel, &merged, end);
        }
        note(
            remarks,
            merged.other,
            RemarkKind::Merged { with: merged.site },
        );
        let is_over = left == 0 && sides.iter().all(Side::is_over);
        let next = |offset: usize| {
            BlockId(u32::try_from(kernel.blocks.len() + offset).unwrap_or(u32::MAX))
        };
        let (middle, [taken, otherwise]) = (next(0), [next(1), next(2)]);
        let place = merged.place;
        let behind = Terminator::Jump(diamond.join);
        // The access, then the branch again, where something is left.
        let after = match is_over {
            true => behind.clone(),
            false => Terminator::Branch {
                predicate: saved.into(),
                negated,
                taken,
                otherwise,
                join: Some(diamond.join),
            },
        };
        let access = vec![unguarded(merged.op(), place)];
        kernel.blocks.push(block(access, after, place));
        if !is_over {
            kernel.blocks.push(block(Vec::new(), behind.clone(), place));
            kernel.blocks.push(block(Vec::new(), behind, place));
        }
        leads(
            kernel,
            diamond,
            sides.each_ref().map(|one| one.block),
            middle,
        );
        if is_over {
            return;
        }
        for (side, block) in sides.iter_mut().zip([taken, otherwise]) {
            side.block = block;
        }
    }
    for side in sides {
        side.finish(kernel);
    }
}

const fn block(instructions: Vec<Instruction>, terminator: Terminator, place: PlaceId) -> Block {
    Block {
        instructions,
        terminator,
        place,
    }
}

/// The condition of a block's branch, kept in a register for the branches that repeat it; and whether it is negated.
fn saved_condition(kernel: &mut Kernel, from: BlockId) -> Option<(Register, bool)> {
    let block = kernel.blocks.get(from.index())?;
    let Terminator::Branch {
        predicate, negated, ..
    } = block.terminator
    else {
        return None;
    };
    let place = block.place;
    let saved = fresh(kernel, 1);
    let keep = Op::Unary {
        op: UnaryOp::Move,
        ty: ScalarType::Bool,
        dst: saved,
        a: predicate,
    };
    let block = kernel.blocks.get_mut(from.index())?;
    block.instructions.push(unguarded(keep, place));
    Some((saved, negated))
}

/// Lets two blocks, and the branch that parts them, go on to `middle`.
fn leads(kernel: &mut Kernel, diamond: Diamond, blocks: [BlockId; 2], middle: BlockId) {
    for block in blocks {
        if let Some(body) = kernel.blocks.get_mut(block.index()) {
            body.terminator = Terminator::Jump(middle);
        }
    }
    let before = if blocks == [diamond.taken, diamond.otherwise] {
        diamond.from
    } else {
        middle_of(kernel, blocks)
    };
    if let Some(block) = kernel.blocks.get_mut(before.index())
        && let Terminator::Branch { join, .. } = &mut block.terminator
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
