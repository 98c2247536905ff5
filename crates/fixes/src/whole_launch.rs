//! What a whole launch costs, the blocks at its edges too.

use lanescope_frontend::{
    Access, BlockDone, Blocks, End, NamedLaunch, Observer, Periods, Program, execute_classes,
};
use lanescope_model::{Device, Space};

use crate::{Question, Reader};

/// Wavefronts and sectors of all blocks of a launch; `None` where they are too many to run, or a rule is not known.
pub(crate) fn whole_cost(
    question: &Question<'_>,
    program: &Program,
    launch: &NamedLaunch,
) -> Option<u64> {
    let device = question.device;
    let launch = NamedLaunch {
        blocks: Blocks::All,
        ..launch.clone()
    };
    let mut sum = Sum {
        device,
        reader: question.reader,
        done: 0,
        pending: 0,
        is_known: true,
    };
    let lanes = device.warp_lanes();
    let periods = Periods {
        shared: device.shared_period_bytes().unwrap_or(0),
        global: device.global_period_bytes().unwrap_or(0),
    };
    let outcome = execute_classes(program, &launch, lanes, question.budget, periods, &mut sum)?;
    (outcome.end == End::Complete && sum.is_known).then_some(sum.done)
}

struct Sum<'a> {
    device: &'a Device,
    reader: &'a dyn Reader,
    /// Of the blocks that have run.
    done: u64,
    /// Of the block that runs.
    pending: u64,
    is_known: bool,
}

impl Observer for Sum<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        let cost = match request.space {
            Space::Shared => self
                .device
                .shared_counts(request)
                .map(|counts| u64::from(counts.wavefronts)),
            Space::Global => self
                .device
                .global_counts(request)
                .map(|counts| u64::from(counts.units)),
        };
        self.is_known &= cost.is_ok();
        let times = cost.unwrap_or(0).saturating_mul(access.times);
        self.pending = self.pending.saturating_add(times);
        self.is_known
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        let of_class = std::mem::take(&mut self.pending).saturating_mul(done.times);
        self.done = self.done.saturating_add(of_class);
        !self.reader.is_over()
    }

    fn goes_on(&mut self) -> bool {
        !self.reader.is_over()
    }
}
