//! Whole launches by classes of blocks: one block of each runs, and stands for all.

use crate::proof::together::Together;

use crate::machine::Machine;
use crate::machine::warp::Warp;
use crate::outcome::End;
use crate::proof::region::{BlockSet, Region, blocks_of, sets_of_range, size, take, whole};
use crate::proof::replay::{Extent, Replay, Trace};
use crate::proof::{Proof, Residues};
use crate::{Blocks, Certainty, Periods};

/// After so many runs, classes that hold fewer than two blocks each on average are given up.
const TRIALS: u64 = 64;

/// Blocks that are alike run together: so many at most, and at least.
const MOST_TOGETHER: usize = 256;
const FEWEST_TOGETHER: usize = 4;

/// Blocks for which it is worth a try: a loop in which data decides where accesses go is told at once within a block then,
/// or of all blocks, and not both.
const FEWEST_ALIKE: u64 = 8;

/// What a block took.
#[derive(Clone, Copy, Debug)]
struct Cost {
    requests: u64,
    steps: u64,
}

impl Cost {
    const fn less(self, other: Self) -> Self {
        Self {
            requests: self.requests - other.requests,
            steps: self.steps - other.steps,
        }
    }
}

/// Whether a region takes but one block out of a set.
fn holds_one(set: BlockSet, region: &Region) -> bool {
    size(&take(set, region, &mut Vec::new())) == 1
}

impl<const L: usize> Machine<'_, L> {
    /// Runs one block of each class; where classes cannot be proved, every block.
    pub(crate) fn run_classes(&mut self, periods: Periods) -> End {
        self.periods = Some(periods);
        if !matches!(self.launch.blocks, Blocks::All | Blocks::Alike(..)) {
            return self.run();
        }
        match self.cover(periods) {
            Ok(()) => End::Complete,
            Err(end) => end,
        }
    }

    fn cover(&mut self, periods: Periods) -> Result<(), End> {
        let (first, end) = self.launch.block_range();
        // The whole grid is one set; of a range, the first set comes last, as the last one is taken first.
        let mut rest = match self.launch.blocks {
            Blocks::All => vec![whole(self.launch.grid)],
            _ => sets_of_range(self.launch.grid.map(u64::from), first, end),
        };
        rest.reverse();
        rest.retain(|set| size(set) != 0);
        let mut residues = Residues::default();
        let mut has_failed = false;
        let mut is_announced = self.launch.blocks != Blocks::All;
        let mut proofs = 0_u64;
        while let Some(set) = rest.pop() {
            let (proof, cost) = self.prove(&set, residues, periods)?;
            proofs += 1;
            let has_residues = proof.as_ref().is_some_and(|proof| proof.has_residues);
            let one = Region::new([0; 3]);
            let alike = proof.and_then(|proof| self.alike(*proof));
            let proved = alike.is_some();
            let (mut region, replay) = alike.unwrap_or((one, Replay::default()));
            // One block alone: the others stay together, for residues to be followed the other way.
            let other_way = has_residues && size(&set) > 1 && holds_one(set, &region);
            if other_way {
                region = one;
                residues = residues.other();
            }
            let class = take(set, &region, &mut rest);
            // A proof that fails is tried the other way once.
            let goes_on = proved || (other_way && !has_failed);
            has_failed |= !proved;
            let sizes = |sets: &[BlockSet]| sets.iter().map(size).fold(0, u64::saturating_add);
            if replay.is_empty() {
                self.finish_block(size(&class))?;
            } else {
                self.finish_block(1)?;
                let left = sizes(&rest).saturating_add(size(&class) - 1);
                if !is_announced && left != 0 && !self.observer.one_by_one(left, true) {
                    return Err(End::Observer);
                }
                is_announced = true;
                self.data_decides = true;
                self.run_alike(&class, &replay, cost)?;
            }
            let dear = proofs >= TRIALS && self.blocks_done < proofs.saturating_mul(2);
            if !goes_on || dear {
                let left = sizes(&rest);
                if !is_announced && left != 0 && !self.observer.one_by_one(left, false) {
                    return Err(End::Observer);
                }
                return if self.blocks_run == 1 {
                    self.run_in_order(first + 1, end)
                } else {
                    self.run_sets(&rest)
                };
            }
        }
        Ok(())
    }

    /// The blocks that a proof is of, and what is executed again for each of them; `None` where nothing is proved.
    fn alike(&self, proof: Proof) -> Option<(Region, Replay)> {
        if proof.failed {
            return None;
        }
        let Some(trace) = proof.trace.filter(|trace| !trace.is_regular()) else {
            return Some((proof.region, Replay::default()));
        };
        let is_certain = |warp: &Warp<L>| warp.certainty == Certainty::Certain;
        if !self.warps.iter().all(is_certain) {
            return None;
        }
        let replay = Replay::of(&trace, Extent::Block, (self.program, self.kernel))?;
        Some((proof.region, replay))
    }

    /// Runs the first block of a set, and proves what it can of the others; `None`: nothing. Returned is also what the
    /// block took.
    fn prove(
        &mut self,
        set: &BlockSet,
        residues: Residues,
        periods: Periods,
    ) -> Result<(Option<Box<Proof>>, Cost), End> {
        let steps = set.map(|axis| (axis.count.max(1) - 1).saturating_mul(axis.step));
        let mut proof = Proof::new(Region::new(steps), periods).with(residues);
        let is_independent = || self.program.has_independent_blocks(self.kernel);
        proof.trace = (size(set) >= FEWEST_ALIKE && is_independent()).then(Trace::default);
        self.proof = Some(Box::new(proof));
        // What ran before stands for itself, whatever this block will stand for.
        self.executions.settle(1);
        let before = self.cost();
        let ran = self.run_block(self.linear(set.map(|axis| axis.first)));
        let proof = self.proof.take();
        ran.map(|()| (proof, self.cost().less(before)))
    }

    fn linear(&self, at: [u64; 3]) -> u64 {
        let [x, y, _] = self.launch.grid.map(u64::from);
        at[0].saturating_add(x.saturating_mul(at[1].saturating_add(y.saturating_mul(at[2]))))
    }

    fn run_in_order(&mut self, first: u64, end: u64) -> Result<(), End> {
        for block in first..end {
            self.run_block(block)?;
            self.finish_block(1)?;
        }
        Ok(())
    }

    fn run_sets(&mut self, sets: &[BlockSet]) -> Result<(), End> {
        for at in sets.iter().flat_map(blocks_of) {
            self.run_block(self.linear(at))?;
            self.finish_block(1)?;
        }
        Ok(())
    }

    /// Runs the blocks of a class but for the first: of so many one whole, whose regular requests stand for all of them,
    /// and of the others what irregular ones depend on. `cost` is what a block takes at most.
    fn run_alike(&mut self, class: &BlockSet, replay: &Replay, cost: Cost) -> Result<(), End> {
        let blocks = blocks_of(class).skip(1);
        let mut blocks = blocks.peekable();
        loop {
            let next = blocks.peek().map(|at| self.linear(*at));
            let is_watched = next.is_some_and(|block| self.is_watched(block));
            let count = if is_watched { 1 } else { MOST_TOGETHER };
            let some: Vec<u64> = blocks
                .by_ref()
                .take(count)
                .map(|at| self.linear(at))
                .collect();
            if some.is_empty() {
                return Ok(());
            }
            if some.len() >= FEWEST_TOGETHER && self.affords(cost, some.len() as u64) {
                self.run_together(&some, replay)?;
            } else {
                for block in some {
                    self.run_block(block)?;
                    self.finish_block(1)?;
                }
            }
        }
    }

    fn cost(&self) -> Cost {
        Cost {
            requests: self.requests,
            steps: self.steps,
        }
    }

    /// Whether the budget holds so many blocks, with room for some that take longer than the one that was run.
    fn affords(&self, cost: Cost, blocks: u64) -> bool {
        let holds = |limit: u64, made: u64, each: u64| {
            made.saturating_add(each.saturating_mul(4).saturating_mul(blocks)) <= limit
        };
        holds(self.budget.requests, self.requests, cost.requests)
            && holds(self.budget.steps, self.steps, cost.steps)
    }

    /// Runs blocks that are alike. What stops it stops it behind them, as requests of the first stand for all.
    fn run_together(&mut self, blocks: &[u64], replay: &Replay) -> Result<(), End> {
        self.together = Some(Together {
            blocks: blocks.len() as u64,
            irregular: replay.sites.clone(),
            is_stopped: false,
        });
        let ran = self.run_each_of(blocks, replay);
        let together = self.together.take();
        ran?;
        if together.is_some_and(|together| together.is_stopped) {
            return Err(End::Observer);
        }
        Ok(())
    }

    fn run_each_of(&mut self, blocks: &[u64], replay: &Replay) -> Result<(), End> {
        let repeated = replay.repeated(self.program);
        for (number, block) in blocks.iter().enumerate() {
            if number == 0 {
                self.run_block(*block)?;
            } else {
                self.replay_block(*block, &repeated, &replay.sites)?;
            }
            self.finish_block(1)?;
        }
        Ok(())
    }
}
