//! How long the search over all places of one array takes.
//!
//! Target: a 32x32 tile with two accesses, all paddings and all swizzles, within 2 ms.

use lanescope_advisor::{Patterns, Shape, search};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

fn main() {
    divan::main();
}

fn transpose(side: u64) -> Patterns {
    let mut patterns = Patterns::new();
    for warp in 0..side * side / 32 {
        for (operation, by_rows) in [(Operation::Store, true), (Operation::Load, false)] {
            let threads = (0..32).map(|lane| warp * 32 + lane);
            let addresses: Vec<u64> = threads
                .map(|id| {
                    if by_rows {
                        id * 4
                    } else {
                        (id % side * side + id / side) * 4
                    }
                })
                .collect();
            let request = Request {
                space: Space::Shared,
                operation,
                width: Width::Bytes4,
                active: LaneMask::first(32),
                addresses: &addresses,
            };
            patterns.add(&request, 0);
        }
    }
    patterns
}

#[divan::bench(args = [16, 32, 64])]
fn tile_with_two_accesses(bencher: divan::Bencher, side: u64) {
    let patterns = transpose(side);
    let shape = Shape::new(&[side, side], 4);
    let device = <&Device>::default();
    bencher.bench(|| {
        shape
            .as_ref()
            .map(|shape| search(device, shape, patterns.all(), &|_| true))
    });
}
