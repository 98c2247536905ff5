//! Texts that were read in quadratic time once, at sizes that double: the time a byte stays the same.

use divan::Bencher;
use divan::counter::BytesCount;
use lanescope_model::Device;
use lanescope_trace::Trace;

/// Rows, or lines.
const SIZES: [usize; 4] = [12_500, 25_000, 50_000, 100_000];

fn main() {
    divan::main();
}

fn read(text: &str) -> usize {
    let mut trace = Trace::open(text).ok();
    std::iter::from_fn(|| trace.as_mut()?.next_row(<&Device>::default())).count()
}

fn measure(bencher: Bencher<'_, '_>, text: &str) {
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| read(divan::black_box(text)));
}

/// JSON whose rows stand on one line.
#[divan::bench(args = SIZES, sample_count = 5)]
fn one_line_of_json(bencher: Bencher<'_, '_>, rows: usize) {
    measure(bencher, &format!("[{}[0,4]]", "[0,128],".repeat(rows)));
}

/// Blank lines before the only row.
#[divan::bench(args = SIZES, sample_count = 5)]
fn blank_lines(bencher: Bencher<'_, '_>, lines: usize) {
    measure(
        bencher,
        &format!("lane0,lane1\n{}0,128\n", "\n".repeat(lines)),
    );
}
