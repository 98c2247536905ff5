//! The whole launch of a blocked SGEMM, counted from one block.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support;

use lanescope_model::{Device, Operation, Space};
use lanescope_simt::{Access, BlockDone, Budget, End, Observer, Periods, execute_classes};
use support::sgemm;

/// Sums of what a profiler counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    shared_load_wavefronts: u64,
    shared_store_wavefronts: u64,
    global_load_requests: u64,
    global_load_sectors: u64,
    global_store_requests: u64,
    global_store_sectors: u64,
}

struct Counting {
    device: &'static Device,
    since: Sums,
    all: Sums,
}

impl Observer for Counting {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        let is_load = request.operation == Operation::Load;
        if request.space == Space::Shared {
            let wavefronts = self.device.shared_counts(request).unwrap().wavefronts;
            let sum = if is_load {
                &mut self.since.shared_load_wavefronts
            } else {
                &mut self.since.shared_store_wavefronts
            };
            *sum += u64::from(wavefronts) * access.times;
        } else {
            let sectors = self.device.global_counts(request).unwrap().sectors;
            let sums = &mut self.since;
            let (requests, sum) = if is_load {
                (
                    &mut sums.global_load_requests,
                    &mut sums.global_load_sectors,
                )
            } else {
                (
                    &mut sums.global_store_requests,
                    &mut sums.global_store_sectors,
                )
            };
            *requests += access.times;
            *sum += u64::from(sectors) * access.times;
        }
        true
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        let Sums {
            shared_load_wavefronts,
            shared_store_wavefronts,
            global_load_requests,
            global_load_sectors,
            global_store_requests,
            global_store_sectors,
        } = std::mem::take(&mut self.since);
        self.all.shared_load_wavefronts += shared_load_wavefronts * done.times;
        self.all.shared_store_wavefronts += shared_store_wavefronts * done.times;
        self.all.global_load_requests += global_load_requests * done.times;
        self.all.global_load_sectors += global_load_sectors * done.times;
        self.all.global_store_requests += global_store_requests * done.times;
        self.all.global_store_sectors += global_store_sectors * done.times;
        true
    }
}

#[test]
fn sgemm_of_4096_is_counted_from_one_block() {
    let device = Device::by_id("cc9.0").unwrap();
    let mut counting = Counting {
        device,
        since: Sums::default(),
        all: Sums::default(),
    };
    let periods = Periods {
        shared: 128,
        global: 128,
    };
    let (kernel, launch) = (sgemm::kernel(), sgemm::launch(4096));
    let outcome = execute_classes(
        &kernel,
        &launch,
        32,
        Budget::default(),
        periods,
        &mut counting,
    );
    assert_eq!(outcome.end, End::Complete);
    assert_eq!((outcome.blocks_run, outcome.blocks_done), (1, 4096));
    // Of 512 iterations at most 26 run: those that prove a period, and what comes before and after them.
    let an_iteration = 16 * 28;
    assert!(outcome.requests < 26 * an_iteration, "{}", outcome.requests);
    assert!(outcome.findings.is_empty() && outcome.doubts.is_empty());
    let expected = Sums {
        shared_load_wavefronts: 1_342_177_280,
        shared_store_wavefronts: 67_108_864,
        global_load_requests: 67_633_152,
        global_load_sectors: 270_532_608,
        global_store_requests: 524_288,
        global_store_sectors: 2_097_152,
    };
    assert_eq!(counting.all, expected);
}
