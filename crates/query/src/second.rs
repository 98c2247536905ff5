//! A second prediction of what a compiler makes of a kernel, by other means than the first.
//!
//! The first imitates nvcc while the kernel runs; this one applies the optimizer's static passes and then runs it. The
//! two were fitted to the same measured kernels and share no rule's code. Where they differ, what the compiler does is
//! not certain, and the answer says so.

use crate::Question;
use lanescope_lang::{Launch, Program};
use lanescope_model::{Device, Operation, Request, Space};
use lanescope_optimizer::{Profile, optimize};
use lanescope_simt as simt;
use lanescope_tally::{Counter, Kind, Totals};

/// Steps that the second prediction may take; one that takes more says nothing.
const STEPS: u64 = 40_000_000;
/// Requests that it may make.
const REQUESTS: u64 = 2_000_000;

/// Whether the optimizer's static passes predict other totals than `totals`, of the kernel that `as_written` holds as
/// it is written; `None` where they came to no end, or the question is none of a kernel.
#[must_use]
pub fn passes_disagree(as_written: &Question, launch: &Launch, totals: &Totals) -> Option<bool> {
    let kernel = as_written.parsed.program.lowered()?;
    let kernel = optimize(kernel, &Profile::NVCC_13_SM_90).kernel;
    let program = Program::from_ir(kernel, &as_written.source, Vec::new());
    let asked = program.simt_launch(launch)?;
    let mut sums = Sums::new(&as_written.device);
    let (shared, global) = sums.counter.periods();
    let budget = simt::Budget {
        requests: REQUESTS,
        steps: STEPS,
        watched_blocks: 0,
        ..simt::Budget::default()
    };
    let outcome = simt::execute_classes(
        program.lowered()?,
        &asked,
        as_written.device.warp_lanes(),
        budget,
        simt::Periods { shared, global },
        &mut sums,
    );
    let first = [
        totals.shared_load_wavefronts,
        totals.shared_store_wavefronts,
        totals.global_load_requests,
        totals.global_load_sectors,
        totals.global_store_requests,
        totals.global_store_sectors,
    ];
    (outcome.end == simt::End::Complete).then(|| sums.all != first)
}

/// Wavefronts of shared loads and stores; requests and sectors of global loads; those of global stores.
type Six = [u64; 6];

/// Sums over blocks, and over the blocks that each stands for.
struct Sums<'d> {
    counter: Counter<'d>,
    all: Six,
    block: Six,
}

impl<'d> Sums<'d> {
    fn new(device: &'d Device) -> Self {
        Self {
            counter: Counter::new(device),
            all: Six::default(),
            block: Six::default(),
        }
    }

    fn count(&mut self, request: &Request<'_>, times: u64) {
        let (at, cost) = match Kind::of(request.space, request.operation) {
            Kind::SharedLoad => (0, self.wavefronts(request)),
            Kind::SharedStore => (1, self.wavefronts(request)),
            Kind::GlobalLoad => (2, self.sectors(request)),
            Kind::GlobalStore => (4, self.sectors(request)),
            Kind::SharedAtomic | Kind::GlobalAtomic | Kind::GlobalReduction => return,
        };
        if let Some(sum) = self.block.get_mut(at) {
            *sum += if at < 2 { cost * times } else { times };
        }
        if at >= 2
            && let Some(sum) = self.block.get_mut(at + 1)
        {
            *sum += cost * times;
        }
    }

    fn wavefronts(&mut self, request: &Request<'_>) -> u64 {
        let counts = self.counter.shared_counts(request);
        counts.map_or(0, |counts| counts.wavefronts.into())
    }

    fn sectors(&mut self, request: &Request<'_>) -> u64 {
        let counts = self.counter.global_counts(request);
        counts.map_or(0, |counts| counts.units.into())
    }
}

impl simt::Observer for Sums<'_> {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        self.count(&access.request, access.times);
        true
    }

    fn async_copy(&mut self, copy: &simt::AsyncCopyAccess<'_>) -> bool {
        let load = Request {
            space: Space::Global,
            operation: Operation::Load,
            width: copy.copy.width,
            active: copy.reads,
            addresses: copy.copy.sources,
        };
        self.count(&load, copy.times);
        true
    }

    fn block_done(&mut self, done: &simt::BlockDone) -> bool {
        for (sum, block) in self.all.iter_mut().zip(std::mem::take(&mut self.block)) {
            *sum += block * done.times;
        }
        true
    }
}
