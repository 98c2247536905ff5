//! Blocks that are proved to do the same: one of each class stands for all.

use crate::answer::{Answer, empty_tallies};
use crate::whole::{BUDGET, TOLD_EVERY, Whole};
use lanescope_lang::{Access, Blocks, ClassObserver, End, Launch, Limit, execute_classes};
use lanescope_model::Device;
use lanescope_tally::{ClassTally, SiteTally};

fn whole(answer: &Answer) -> Launch {
    Launch {
        blocks: Blocks::All,
        ..answer.launch.clone()
    }
}

/// The sums of a program that is counted as it is; `None` of another, and without device.
pub(crate) fn lowered(answer: &Answer, progress: &mut dyn FnMut(u64)) -> Option<Whole> {
    let device = answer.device.as_ref()?;
    let mut sums = Sums {
        progress,
        done: 0,
        untold: 0,
        device,
        block: empty_tallies(&answer.program),
        all: empty_tallies(&answer.program),
    };
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let launch = whole(answer);
    let program = &answer.program;
    let outcome = execute_classes(program, &launch, lanes, BUDGET, periods, &mut sums)?;
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
        self.untold += 1;
        if self.untold >= TOLD_EVERY {
            self.untold = 0;
            (self.progress)(self.done);
        }
        true
    }

    fn block_done(&mut self, _block_index: u64, times: u64) -> bool {
        self.done = self.done.saturating_add(times);
        for (all, block) in self.all.iter_mut().zip(&mut self.block) {
            all.add_times(block, times);
            *block = SiteTally::new(block.site);
        }
        true
    }
}
