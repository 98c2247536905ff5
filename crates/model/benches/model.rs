//! What one request costs on one core: `cargo bench -p lanescope-model`.

use divan::{Bencher, black_box};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

include!("cases.rs");

fn main() {
    divan::main();
}

/// One request, its summary counts and nothing else.
#[divan::bench(args = cases(), sample_count = 200)]
fn counts(bencher: Bencher, case: &Case) {
    let device: &Device = Default::default();
    bencher.bench(|| black_box(case).run(black_box(device)));
}

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
