//! Accesses that a compiler may make for other lanes at a time: in branches that may be merged, threaded or folded, and in
//! loops that lanes leave at different times.

use std::collections::BTreeSet;

use lanescope_ir::analysis::Uniformity;
use lanescope_ir::{Block, BlockId, Kernel, Operand, Register, SiteId, Terminator};

use super::{ChoiceKind, Found, counted_sites};
use crate::facts::{Facts, bits};
use crate::work::Work;

/// Names such accesses. `None` where work runs out.
pub(super) fn find(
    kernel: &Kernel,
    facts: &Facts,
    work: &mut Work,
    found: &mut Found,
) -> Option<()> {
    let regions = Regions::of(kernel, facts);
    regions.loops(found);
    let branches = regions.partings(work)?;
    for parting in &branches {
        if parting.sides_with_accesses() > 1 {
            parting.name(found);
        }
    }
    for (at, first) in branches.iter().enumerate() {
        for second in branches.iter().skip(at + 1) {
            work.spend(1).then_some(())?;
            if first.is_related(second) && regions.follows(first, second) {
                first.name(found);
                second.name(found);
            }
        }
    }
    Some(())
}

/// Names those of the `wanted` accesses that stand on so many sides, or more, of one branch on which lanes part. `None` where
/// work runs out.
pub(super) fn on_sides(
    kernel: &Kernel,
    facts: &Facts,
    (wanted, sides): (&BTreeSet<SiteId>, usize),
    work: &mut Work,
    found: &mut Found,
) -> Option<()> {
    let regions = Regions::of(kernel, facts);
    for mut parting in regions.partings(work)? {
        for side in &mut parting.sides {
            side.retain(|site| wanted.contains(site));
        }
        if parting.sides_with_accesses() >= sides {
            parting.name(found);
        }
    }
    Some(())
}

/// Names the accesses of loops of one block with at most so many instructions, whose lanes may make different numbers of
/// iterations.
pub(super) fn short_loops(
    kernel: &Kernel,
    facts: &Facts,
    most_instructions: usize,
    found: &mut Found,
) {
    let regions = Regions::of(kernel, facts);
    for (only, _) in short_loop_blocks(kernel, facts, most_instructions) {
        if regions.is_uniform_end(only) {
            continue;
        }
        for site in regions.sites(only) {
            found.add(site, ChoiceKind::Loop);
        }
    }
}

/// The loops of one block with at most so many instructions.
pub(super) fn short_loop_blocks<'k>(
    kernel: &'k Kernel,
    facts: &'k Facts,
    most_instructions: usize,
) -> impl Iterator<Item = (BlockId, &'k Block)> {
    facts.loops.all().iter().filter_map(move |natural_loop| {
        let [only] = natural_loop.blocks.as_slice() else {
            return None;
        };
        let block = kernel.blocks.get(only.index())?;
        (block.instructions.len() <= most_instructions).then_some((*only, block))
    })
}

/// A branch on which lanes of a warp part.
struct Parting {
    block: BlockId,
    /// Where lanes meet again.
    join: Option<BlockId>,
    /// The accesses of each way from the branch to where lanes meet.
    sides: Vec<Vec<SiteId>>,
    /// Value numbers of what its condition compares.
    compared: BTreeSet<u64>,
}

impl Parting {
    fn sides_with_accesses(&self) -> usize {
        self.sides.iter().filter(|side| !side.is_empty()).count()
    }

    fn name(&self, found: &mut Found) {
        for site in self.sides.iter().flatten() {
            found.add(*site, ChoiceKind::Branch);
        }
    }

    /// Whether two conditions compare something in common, so that one may follow from the other.
    fn is_related(&self, other: &Self) -> bool {
        let has_accesses = |one: &Self| one.sides.iter().any(|side| !side.is_empty());
        has_accesses(self) && has_accesses(other) && !self.compared.is_disjoint(&other.compared)
    }
}

struct Regions<'k> {
    kernel: &'k Kernel,
    facts: &'k Facts,
    uniformity: Uniformity,
}

impl<'k> Regions<'k> {
    fn of(kernel: &'k Kernel, facts: &'k Facts) -> Self {
        Self {
            kernel,
            facts,
            uniformity: Uniformity::of(kernel, &facts.flow),
        }
    }

    /// Every branch on which lanes part. `None` where work runs out.
    fn partings(&self, work: &mut Work) -> Option<Vec<Parting>> {
        let mut branches = Vec::new();
        for block in self.facts.flow.reverse_postorder() {
            work.spend(self.kernel.blocks.len()).then_some(())?;
            branches.extend(self.parting(*block));
        }
        Some(branches)
    }

    /// Names the accesses of loops with several exits or latches, or whose lanes may make different numbers of
    /// iterations.
    fn loops(&self, found: &mut Found) {
        for natural_loop in self.facts.loops.all() {
            let exits: BTreeSet<BlockId> =
                natural_loop.exits.iter().map(|(from, _)| *from).collect();
            let is_regular = natural_loop.latches.len() == 1
                && exits.len() == 1
                && exits.iter().all(|from| self.is_uniform_end(*from));
            if is_regular {
                continue;
            }
            for block in &natural_loop.blocks {
                for site in self.sites(*block) {
                    found.add(site, ChoiceKind::Loop);
                }
            }
        }
    }

    fn is_uniform_end(&self, block: BlockId) -> bool {
        let block = self.kernel.blocks.get(block.index());
        let operand = block.and_then(|block| block.terminator.operand());
        operand.is_none_or(|operand| self.uniformity.is_uniform_operand(operand))
    }

    /// The branch at a block's end, where lanes part there and do not leave a loop.
    fn parting(&self, id: BlockId) -> Option<Parting> {
        let block = self.kernel.blocks.get(id.index())?;
        let ways: Vec<BlockId> = match &block.terminator {
            Terminator::Branch {
                taken, otherwise, ..
            } => vec![*taken, *otherwise],
            Terminator::Switch { targets, .. } => targets.clone(),
            Terminator::Jump(_) | Terminator::Indirect { .. } | Terminator::Exit => return None,
        };
        if self.is_uniform_end(id) || self.leaves_loop(id, &ways) {
            return None;
        }
        let join = self.facts.post_dominators.immediate(id);
        let sides = ways.iter().map(|way| self.side(*way, id, join)).collect();
        Some(Parting {
            block: id,
            join,
            sides,
            compared: self.compared(id),
        })
    }

    fn leaves_loop(&self, id: BlockId, ways: &[BlockId]) -> bool {
        let around = self.facts.loops.innermost(id);
        let around = around.and_then(|index| self.facts.loops.get(index));
        around.is_some_and(|natural_loop| ways.iter().any(|way| !natural_loop.contains(*way)))
    }

    /// The accesses on the ways from a block to where lanes meet.
    fn side(&self, from: BlockId, branch: BlockId, join: Option<BlockId>) -> Vec<SiteId> {
        if Some(from) == join {
            return Vec::new();
        }
        let mut reached = self.facts.flow.reachable_from(from, join);
        if let Some(first) = reached.get_mut(from.index()) {
            *first = true;
        }
        let blocks = (0..).map(BlockId).zip(reached);
        let blocks = blocks
            .filter(|(block, is_reached)| *is_reached && *block != branch && Some(*block) != join);
        blocks.flat_map(|(block, _)| self.sites(block)).collect()
    }

    fn sites(&self, block: BlockId) -> Vec<SiteId> {
        let block = self.kernel.blocks.get(block.index());
        let instructions = block.into_iter().flat_map(|block| &block.instructions);
        instructions
            .flat_map(|instruction| counted_sites(self.kernel, &instruction.op))
            .collect()
    }

    /// Value numbers of the condition of a block's end and of what it compares; constants are in common with everything.
    fn compared(&self, id: BlockId) -> BTreeSet<u64> {
        let block = self.kernel.blocks.get(id.index());
        let condition = block.and_then(|block| block.terminator.operand());
        let Some(condition) = condition.and_then(Operand::register) else {
            return BTreeSet::new();
        };
        let mut compared = BTreeSet::new();
        let mut wanted: BTreeSet<Register> = BTreeSet::from([condition]);
        // Conditions that are made of others (`a && b`) compare what those do.
        let instructions: Vec<_> = self
            .kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .filter(|instruction| {
                instruction
                    .op
                    .defs()
                    .into_iter()
                    .any(|def| bits(self.kernel, def) == 1)
            })
            .collect();
        loop {
            let before = wanted.len();
            for instruction in &instructions {
                if instruction
                    .op
                    .defs()
                    .into_iter()
                    .any(|def| wanted.contains(&def))
                {
                    wanted.extend(
                        instruction
                            .op
                            .uses()
                            .into_iter()
                            .filter_map(Operand::register),
                    );
                }
            }
            if wanted.len() == before {
                break;
            }
        }
        if let Some(values) =
            self.facts
                .numbers
                .walk(self.kernel, id, &self.facts.loops, |_, _, _| {})
        {
            for register in wanted {
                let value = values.register(register);
                if !value.is_known() {
                    compared.insert(value.number);
                }
            }
        }
        compared
    }

    /// Whether control comes from where the lanes of the first branch meet to the second without passing a fence.
    fn follows(&self, first: &Parting, second: &Parting) -> bool {
        let Some(join) = first.join else {
            return false;
        };
        let has_fence = |id: BlockId| {
            let block = self.kernel.blocks.get(id.index());
            let mut all = block.into_iter().flat_map(|block| &block.instructions);
            all.any(|instruction| instruction.op.is_fence())
        };
        let mut seen = vec![false; self.kernel.blocks.len()];
        let mut pending = vec![join];
        while let Some(block) = pending.pop() {
            if std::mem::replace(seen.get_mut(block.index()).unwrap_or(&mut true), true) {
                continue;
            }
            if has_fence(block) {
                continue;
            }
            if block == second.block {
                return true;
            }
            pending.extend(self.facts.flow.successors(block));
        }
        false
    }
}
