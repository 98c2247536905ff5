//! Whole launches by classes of blocks: one block of each runs, and stands for all.

use crate::machine::Machine;
use crate::outcome::End;
use crate::proof::{Proof, Residues};
use crate::region::{BlockSet, Progression, Region, size, take};
use crate::{Blocks, Periods};

/// After so many runs, classes that hold fewer than two blocks each on average are given up.
const TRIALS: u64 = 64;

/// Whether a region takes but one block out of a set.
fn holds_one(set: BlockSet, region: &Region) -> bool {
    take(set, region, &mut Vec::new()) == 1
}

impl<const L: usize> Machine<'_, L> {
    /// Runs one block of each class; where classes cannot be proved, every block.
    pub(crate) fn run_classes(&mut self, periods: Periods) -> End {
        self.periods = Some(periods);
        if self.launch.blocks != Blocks::All {
            return self.run();
        }
        match self.cover(periods) {
            Ok(()) => End::Complete,
            Err(end) => end,
        }
    }

    fn cover(&mut self, periods: Periods) -> Result<(), End> {
        let whole = self.launch.grid.map(|count| Progression {
            first: 0,
            step: 1,
            count: u64::from(count),
        });
        let mut rest = vec![whole];
        rest.retain(|set| size(set) != 0);
        let mut residues = Residues::default();
        let mut has_failed = false;
        while let Some(set) = rest.pop() {
            let proof = self.prove(&set, residues, periods)?;
            let has_residues = proof.as_ref().is_some_and(|proof| proof.has_residues);
            let one = Region::new([0; 3]);
            let alike = proof
                .filter(|proof| !proof.failed)
                .map(|proof| proof.region);
            let proved = alike.is_some();
            let mut region = alike.unwrap_or(one);
            // One block alone: the others stay together, for residues to be followed the other way.
            let other_way = has_residues && size(&set) > 1 && holds_one(set, &region);
            if other_way {
                region = one;
                residues = residues.other();
            }
            let times = take(set, &region, &mut rest);
            // A proof that fails is tried the other way once.
            let goes_on = proved || (other_way && !has_failed);
            has_failed |= !proved;
            self.finish_block(times)?;
            let dear =
                self.blocks_run >= TRIALS && self.blocks_done < self.blocks_run.saturating_mul(2);
            if !goes_on || dear {
                let left = rest.iter().map(size).fold(0, u64::saturating_add);
                if left != 0 && !self.observer.one_by_one(left) {
                    return Err(End::Observer);
                }
                return if self.blocks_run == 1 {
                    self.run_in_order(1)
                } else {
                    self.run_sets(&rest)
                };
            }
        }
        Ok(())
    }

    /// Runs the first block of a set, and proves what it can of the others; `None`: nothing.
    fn prove(
        &mut self,
        set: &BlockSet,
        residues: Residues,
        periods: Periods,
    ) -> Result<Option<Box<Proof>>, End> {
        let steps = set.map(|axis| (axis.count.max(1) - 1).saturating_mul(axis.step));
        let proof = Proof::new(Region::new(steps), periods).with(residues);
        self.proof = Some(Box::new(proof));
        let ran = self.run_block(self.linear(set.map(|axis| axis.first)));
        let proof = self.proof.take();
        ran.map(|()| proof)
    }

    fn linear(&self, at: [u64; 3]) -> u64 {
        let [x, y, _] = self.launch.grid.map(u64::from);
        at[0].saturating_add(x.saturating_mul(at[1].saturating_add(y.saturating_mul(at[2]))))
    }

    fn run_in_order(&mut self, first: u64) -> Result<(), End> {
        for block in first..self.launch.grid_blocks() {
            self.run_block(block)?;
            self.finish_block(1)?;
        }
        Ok(())
    }

    fn run_sets(&mut self, sets: &[BlockSet]) -> Result<(), End> {
        for [x, y, z] in sets {
            for c in 0..z.count {
                for b in 0..y.count {
                    for a in 0..x.count {
                        let at =
                            [(x, a), (y, b), (z, c)].map(|(axis, i)| axis.first + i * axis.step);
                        self.run_block(self.linear(at))?;
                        self.finish_block(1)?;
                    }
                }
            }
        }
        Ok(())
    }
}
