//! Every block of a launch, a few at a time.

use lanescope_lang::{Access, Blocks, Launch, Outcome, execute};

use super::run::{Answer, budget, empty_tallies};
use lanescope_verdict::SiteTally;

/// A count of the whole launch that is under way.
pub(crate) struct Count {
    answer: Answer,
    sites: Vec<SiteTally>,
    next: u64,
    total: u64,
}

impl Count {
    /// Begins to count what `answer` counts only in part.
    pub(crate) fn new(answer: &Answer) -> Self {
        Self {
            answer: answer.clone(),
            sites: empty_tallies(&answer.program),
            next: 0,
            total: answer.launch.grid_blocks(),
        }
    }

    /// Counts the next block; `false` when there is none left.
    pub(crate) fn step(&mut self) -> bool {
        let Some(device) = &self.answer.device else {
            return false;
        };
        if self.next >= self.total {
            return false;
        }
        let launch = Launch {
            blocks: Blocks::Only(self.next),
            ..self.answer.launch.clone()
        };
        let sites = &mut self.sites;
        let mut count = |access: &Access<'_>| {
            if let Some(tally) = sites.get_mut(access.site.0 as usize) {
                tally.count(device, &access.request);
            }
            true
        };
        execute(
            &self.answer.program,
            &launch,
            device.warp_lanes(),
            budget(true),
            &mut count,
        );
        self.next += 1;
        true
    }

    /// Blocks counted, and all blocks.
    pub(crate) const fn progress(&self) -> (u64, u64) {
        (self.next, self.total)
    }

    /// The answer with the sums of all blocks counted so far.
    pub(crate) fn answer(self) -> Answer {
        let requests = self.sites.iter().map(|tally| tally.requests).sum();
        let outcome = self.answer.outcome.clone().map(|outcome| Outcome {
            end: lanescope_lang::End::Completed,
            requests,
            blocks_done: self.next,
            blocks_total: self.total,
            ..outcome
        });
        Answer {
            sites: self.sites,
            outcome,
            ..self.answer
        }
    }
}
