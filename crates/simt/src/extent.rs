//! Extents: how far a launch of many blocks goes into its buffers, found from few of them and proved of all.
//!
//! One block of each class and those at the corners of the grid say how far they go. That this is far enough is proved by classes of blocks: an
//! address that leaves its buffer is a finding, and the block that makes it is one more that says how far it goes.

use lanescope_ir::Kernel;

use crate::reach::Reach;
use crate::{
    Blocks, Budget, End, Finding, FindingKind, Launch, Nobody, Outcome, ParameterValue, Periods,
    execute, execute_classes,
};

/// Most attempts to prove how far is far enough.
const MOST_ROUNDS: usize = 16;

/// An address may move by any number of bytes: no count is wanted, only whether it stays in its buffer.
const ANYWHERE: Periods = Periods {
    shared: 1,
    global: 1,
};

/// What is found wrong in a whole launch, by classes of blocks: every block is one of those that ran, or is proved to do
/// the same up to a shift that leaves no buffer, where the outcome is [`End::Complete`].
#[must_use]
pub fn examine(kernel: &Kernel, launch: &Launch, lanes: u32, budget: Budget) -> Outcome {
    execute_classes(kernel, launch, lanes, budget, ANYWHERE, &mut Nobody)
}

/// As [`crate::reached_bytes`], of launches whose blocks are too many to run each.
#[must_use]
pub fn proved_extents(
    kernel: &Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
) -> Option<Vec<u64>> {
    let mut search = Search {
        kernel,
        launch,
        lanes,
        left: budget,
        ends: vec![0; kernel.parameters.len()],
    };
    search.survey()?;
    for block in corners(launch.grid) {
        search.follow(block)?;
    }
    for _ in 0..MOST_ROUNDS {
        let Some(outside) = search.outside()? else {
            return Some(search.ends);
        };
        if !search.gallop(outside.block)? {
            // It leaves a buffer whose size is given.
            return Some(search.ends);
        }
    }
    None
}

/// Linear indices of the blocks at the corners of a grid, each once.
fn corners(grid: [u32; 3]) -> Vec<u64> {
    let [columns, rows, layers] = grid.map(|side| u64::from(side.max(1)));
    let mut all = Vec::new();
    for z in [0, layers - 1] {
        for y in [0, rows - 1] {
            all.extend([0, columns - 1].map(|x| (z * rows + y) * columns + x));
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

struct Search<'a> {
    kernel: &'a Kernel,
    launch: &'a Launch,
    lanes: u32,
    left: Budget,
    /// `[parameter]`: how far the blocks that ran go.
    ends: Vec<u64>,
}

impl Search<'_> {
    /// Runs one block, and returns whether it goes farther than those before; `None` where that is not known.
    fn follow(&mut self, block: u64) -> Option<bool> {
        let launch = Launch {
            blocks: Blocks::Only(block),
            ..self.launch.clone()
        };
        let mut reach = Reach::of(self.kernel);
        let outcome = execute(self.kernel, &launch, self.lanes, self.left, &mut reach);
        self.spend(&outcome)?;
        self.take(&reach)
    }

    /// Runs a block and those behind it, ever farther away, as long as they go farther; returns whether the first does.
    fn gallop(&mut self, first: u64) -> Option<bool> {
        let mut distance = 0;
        while first + distance < self.launch.grid_blocks() && self.follow(first + distance)? {
            distance = (2 * distance).max(1);
        }
        Some(distance != 0)
    }

    /// Takes how far a run went, and returns whether that is farther than before; `None` where it is not known.
    fn take(&mut self, reach: &Reach) -> Option<bool> {
        let mut is_farther = false;
        for (known, end) in self.ends.iter_mut().zip(reach.bytes(self.kernel)?) {
            is_farther |= *known < end;
            *known = end.max(*known);
        }
        Some(is_farther)
    }

    /// Runs the classes with buffers that have no end.
    fn survey(&mut self) -> Option<bool> {
        let mut reach = Reach::of(self.kernel);
        let (kernel, launch, lanes) = (self.kernel, self.launch, self.lanes);
        let outcome = execute_classes(kernel, launch, lanes, self.left, ANYWHERE, &mut reach);
        self.spend(&outcome)?;
        self.take(&reach)
    }

    /// An access behind the end of a buffer, of any block; `None` where not every block is followed.
    fn outside(&mut self) -> Option<Option<Finding>> {
        let mut launch = self.launch.clone();
        for (value, end) in launch.parameters.iter_mut().zip(&self.ends) {
            if let ParameterValue::Buffer { bytes, .. } = value {
                bytes.get_or_insert(*end);
            }
        }
        let outcome = examine(self.kernel, &launch, self.lanes, self.left);
        self.spend(&outcome)?;
        let mut found = outcome.findings.into_iter();
        Some(found.find(|one| matches!(one.kind, FindingKind::OutOfBounds { .. })))
    }

    /// Takes what a run cost from what is left; `None` where it was not whole or something in it is not known.
    fn spend(&mut self, outcome: &Outcome) -> Option<()> {
        self.left.requests = self.left.requests.saturating_sub(outcome.requests);
        self.left.steps = self.left.steps.saturating_sub(outcome.steps);
        (outcome.end == End::Complete && outcome.doubts.is_empty()).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::corners;

    #[test]
    fn a_grid_has_as_many_corners_as_blocks_at_most() {
        assert_eq!(corners([1, 1, 1]), [0]);
        assert_eq!(corners([5, 1, 1]), [0, 4]);
        assert_eq!(corners([4, 3, 1]), [0, 3, 8, 11]);
    }
}
