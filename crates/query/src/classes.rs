//! Blocks that are proved to do the same: one of each class stands for all.

use crate::answer::{Answer, empty_tallies};
use crate::whole::{Effort, TOLD_EVERY, Whole};
use lanescope_cuda::source::{Access, Blocks, ClassObserver, End, Launch, Limit, execute_classes};
use lanescope_model::Device;
use lanescope_tally::{ClassTally, SiteTally};

fn whole(answer: &Answer) -> Launch {
    Launch {
        blocks: Blocks::All,
        ..answer.launch.clone()
    }
}

/// The sums of a program that is counted as it is; `None` of another, and without device.
pub(crate) fn lowered(
    answer: &Answer,
    effort: Effort,
    progress: &mut dyn FnMut(u64),
) -> Option<Whole> {
    let device = answer.device.as_ref()?;
    let mut sums = Sums {
        progress,
        effort,
        requests: 0,
        run: 0,
        done: 0,
        untold: 0,
        device,
        block: empty_tallies(&answer.program),
        all: empty_tallies(&answer.program),
    };
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let launch = whole(answer);
    let program = &answer.program;
    let budget = effort.budget();
    let outcome = execute_classes(program, &launch, lanes, budget, periods, &mut sums)?;
    let is_cut = matches!(outcome.end, End::Stopped(Limit::Requests | Limit::Steps));
    if is_cut {
        sums.block_done(0, 1);
    }
    Some(Whole {
        sites: sums.all,
        outcome,
    })
}

/// Sums by site, over blocks that stand for several.
struct Sums<'d> {
    progress: &'d mut dyn FnMut(u64),
    effort: Effort,
    /// Requests of the blocks that ran, and these blocks.
    requests: u64,
    run: u64,
    done: u64,
    untold: u32,
    device: &'d Device,
    /// Of the block that runs.
    block: Vec<SiteTally>,
    all: Vec<SiteTally>,
}

impl ClassObserver for Sums<'_> {
    fn access(&mut self, access: &Access<'_>, times: u64) -> bool {
        if let Some(tally) = self.block.get_mut(access.site.0 as usize) {
            let mut one = SiteTally::new(access.site);
            one.count(self.device, &access.request);
            tally.add_times(&one, times);
        }
        self.requests += 1;
        self.untold += 1;
        if self.untold >= TOLD_EVERY {
            self.untold = 0;
            (self.progress)(self.done);
        }
        true
    }

    fn block_done(&mut self, _block_index: u64, times: u64) -> bool {
        self.run += 1;
        self.done = self.done.saturating_add(times);
        for (all, block) in self.all.iter_mut().zip(&mut self.block) {
            all.add_times(block, times);
            *block = SiteTally::new(block.site);
        }
        true
    }
    /// What nobody has asked for is not begun where it would not come to its end.
    fn one_by_one(&mut self, blocks: u64, _alike: bool) -> bool {
        let each = self.requests / self.run.max(1);
        self.effort == Effort::Asked || each.saturating_mul(blocks) <= self.effort.budget().requests
    }
}
