//! States that were written in quadratic time once, at sizes that double: the time a byte stays the same.

use divan::Bencher;
use divan::counter::BytesCount;
use lanescope_share::{Source, State, encode};

const SIZES: [usize; 4] = [4_096, 8_192, 16_384, 32_768];

fn main() {
    divan::main();
}

fn measure(bencher: Bencher<'_, '_>, text: String) {
    let bytes = BytesCount::of_str(&text);
    let state = State {
        source: Source::Expression {
            accesses: text,
            declarations: String::new(),
        },
        ..State::default()
    };
    bencher
        .counter(bytes)
        .bench(|| encode(divan::black_box(&state)));
}

/// Brackets that are never closed, and pairs within them.
#[divan::bench(args = SIZES, sample_count = 5)]
fn brackets(bencher: Bencher<'_, '_>, count: usize) {
    measure(bencher, "(".repeat(count) + &"[]".repeat(count / 2));
}

/// Nothing but line ends.
#[divan::bench(args = SIZES, sample_count = 5)]
fn line_ends(bencher: Bencher<'_, '_>, count: usize) {
    measure(bencher, "\n".repeat(count));
}
