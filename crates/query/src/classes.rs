//! Blocks that are proved to do the same: one of each class stands for all.

use crate::answer::Answer;
use crate::whole::{Effort, REPORT_EVERY, Whole};
use lanescope_frontend::{NamedLaunch, execute_classes};
use lanescope_ir::SiteId;
use lanescope_simt::{Access, AffineAccess, AsyncCopyAccess, BlockDone, Blocks, Observer};
use lanescope_tally::ClassTally;

fn whole(answer: &Answer) -> NamedLaunch {
    NamedLaunch {
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
        tally: ClassTally::new(device),
    };
    let (lanes, periods) = (device.warp_lanes(), ClassTally::periods(device));
    let launch = whole(answer);
    let program = &answer.program;
    let budget = effort.budget();
    let outcome = execute_classes(program, &launch, lanes, budget, periods, &mut sums)?;
    Some(Whole {
        sites: sums.tally.whole().sites(program.sites().len()),
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
    tally: ClassTally<'d>,
}

impl Sums<'_> {
    /// Tells now and then how far the count is.
    fn note_request(&mut self) {
        self.requests += 1;
        if self.requests.is_multiple_of(REPORT_EVERY.into()) {
            (self.progress)(self.done);
        }
    }
}

impl Observer for Sums<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.note_request();
        self.tally.access(access)
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let goes_on = self.tally.affine_access(site, access)?;
        self.note_request();
        Some(goes_on)
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        self.note_request();
        self.tally.async_copy(copy)
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.run += 1;
        self.done = self.done.saturating_add(done.times);
        self.tally.block_done(done)
    }

    /// What nobody has asked for is not begun where it would not come to its end.
    fn one_by_one(&mut self, blocks: u64, _alike: bool) -> bool {
        let each = self.requests / self.run.max(1);
        self.effort == Effort::OnRequest
            || each.saturating_mul(blocks) <= self.effort.budget().requests
    }
}
