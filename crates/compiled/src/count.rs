//! A compiled kernel run and counted.

use crate::counts::{Counts, KeepGoing};
use crate::{Costliest, Report, SourceLine};
use lanescope_ir::Kernel;
use lanescope_model::Device;
use lanescope_simt::{Blocks, Budget, Launch, execute, execute_classes};

/// Lanes of a warp; PTX and SASS are NVIDIA's.
const LANES: u32 = 32;

/// What a run may cost besides its requests.
const MOST_STEPS: u64 = 20_000_000_000;
const MOST_BYTES: u64 = 2 << 30;

/// What came of a run.
#[derive(Debug)]
pub struct Counted {
    /// The counts.
    pub report: Report,
    /// The request that costs most above its ideal, if there is any.
    pub costliest: Option<Costliest>,
    /// The instruction that made it: its line of the text, and of the source.
    pub place: Option<(u32, Option<SourceLine>)>,
}

/// Runs `kernel` and counts. Bounded by `max_requests` requests of warps, and by `keep_going`.
#[must_use]
pub fn count(
    kernel: &Kernel,
    launch: &Launch,
    device: &Device,
    max_requests: u64,
    keep_going: KeepGoing<'_>,
) -> Counted {
    let mut counts = Counts::new(device, keep_going);
    let budget = Budget {
        requests: max_requests,
        steps: MOST_STEPS,
        bytes: MOST_BYTES,
        // Races are not reported here.
        watched_blocks: 0,
        ..Budget::default()
    };
    let outcome = if launch.blocks == Blocks::All {
        let periods = counts.periods();
        execute_classes(kernel, launch, LANES, budget, periods, &mut counts)
    } else {
        execute(kernel, launch, LANES, budget, &mut counts)
    };
    let report = Report::of(kernel, device.id(), &counts, &outcome);
    let costliest = counts.costliest.take();
    let place = costliest
        .as_ref()
        .and_then(|kept| Report::place_of(kernel, kept.site));
    Counted {
        report,
        costliest,
        place,
    }
}
