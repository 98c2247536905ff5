//! Prints a line `case nanoseconds budget` for each case: the least that one takes in many.
//!
//! `cargo xtask bench fixes` runs it natively and, as `wasm32-wasip1`, in a headless Chromium.
//! The budgets are native; a 32x32 tile may take 5 ms in WASM.

use std::hint::black_box;
use std::time::{Duration, Instant};

use lanescope_fixes::{Patterns, Question, Shape, Source, advise, search};
use lanescope_frontend::{ArgumentValue, Budget, NamedLaunch};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use lanescope_query::SourceReader;

include!("../benches/cases.rs");

/// How long one case is timed, at least once.
const TIME: Duration = Duration::from_millis(500);

fn main() {
    let tile = tile(32);
    time("tile_32x32_two_accesses", 2e6, || search_tile(&tile));
    time("kernel_of_a_hundred_lines", 1e9, advise_on_a_hundred_lines);
}

fn time(case: &str, budget: f64, run: impl Fn() -> usize) {
    let start = Instant::now();
    let mut least = f64::INFINITY;
    while start.elapsed() < TIME || least.is_infinite() {
        let one = Instant::now();
        black_box(run());
        least = least.min(one.elapsed().as_secs_f64());
    }
    println!("{case} {:.1} {budget}", least * 1e9);
}
