//! Prints a line `case nanoseconds budget` for each benchmarked request: what one takes on one
//! core, the least over many batches.
//!
//! `cargo xtask bench model` runs it natively and, as `wasm32-wasip1`, in a headless Chromium.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

include!("../benches/cases.rs");

/// Requests of one batch: long against the 5 microseconds in which a browser's clock steps.
const BATCH: u32 = 20_000;

/// How long one case is timed.
const TIME: Duration = Duration::from_millis(150);

fn main() {
    let device: &Device = Default::default();
    for case in cases() {
        let nanoseconds = least(device, &case);
        let budget = case.budget.nanoseconds();
        println!("{} {nanoseconds:.1} {budget}", case.name);
    }
}

/// The least nanoseconds a request took in any batch.
fn least(device: &Device, case: &Case) -> f64 {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    while start.elapsed() < TIME {
        least = least.min(batch(device, case).as_secs_f64());
    }
    least * 1e9 / f64::from(BATCH)
}

/// The time of one batch.
fn batch(device: &Device, case: &Case) -> Duration {
    let start = Instant::now();
    for _ in 0..BATCH {
        black_box(black_box(case).run(black_box(device)));
    }
    start.elapsed()
}
