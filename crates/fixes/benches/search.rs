//! How long the search over all places of one array takes, and all fixes of a kernel.
//!
//! Targets: a 32x32 tile with two accesses, all paddings and all swizzles, within 2 ms; a kernel
//! of a hundred lines within 1 s.

use lanescope_fixes::{Patterns, Question, Shape, Source, advise, search};
use lanescope_frontend::{ArgumentValue, Budget, NamedLaunch};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use lanescope_query::SourceReader;

include!("cases.rs");

fn main() {
    divan::main();
}

#[divan::bench(args = [16, 32, 64])]
fn tile_with_two_accesses(bencher: divan::Bencher, side: u64) {
    let tile = tile(side);
    bencher.bench(|| search_tile(&tile));
}

#[divan::bench(sample_count = 10)]
fn kernel_of_a_hundred_lines() -> usize {
    advise_on_a_hundred_lines()
}
