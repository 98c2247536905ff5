//! What a request costs, and what a whole launch does.

#![allow(missing_docs, reason = "a benchmark")]

#[path = "../tests/support/mod.rs"]
mod support;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use lanescope_simt::{Access, Blocks, Budget, Launch, Observer, Periods, execute, execute_classes};
use support::sgemm;

fn main() {
    divan::main();
}

/// Reads each request's addresses once.
#[derive(Default)]
struct Reader(u64);

impl Observer for Reader {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.0 = self.0.wrapping_add(access.request.addresses.iter().sum());
        true
    }
}

/// Every request of one block of 1024 x 1024 x 1024: items are requests.
#[divan::bench]
fn sgemm_block_exact(bencher: Bencher) {
    let kernel = sgemm::kernel();
    let launch = Launch {
        blocks: Blocks::Only(17),
        ..sgemm::launch(1024)
    };
    // Blocks behind the first few are not watched for races.
    let budget = Budget {
        watched_blocks: 0,
        ..Budget::default()
    };
    let run = || execute(&kernel, &launch, 32, budget, &mut Reader::default());
    let requests = run().requests;
    bencher
        .counter(ItemsCount::new(requests))
        .bench(|| black_box(run()));
}

/// The whole launch by classes of blocks.
#[divan::bench(args = [256, 1024, 4096])]
fn sgemm_whole(bencher: Bencher, size: u32) {
    let kernel = sgemm::kernel();
    let launch = sgemm::launch(size);
    let periods = Periods {
        shared: 256,
        global: 128,
    };
    bencher.bench(|| {
        let mut reader = Reader::default();
        black_box(execute_classes(
            &kernel,
            &launch,
            32,
            Budget::default(),
            periods,
            &mut reader,
        ))
    });
}
