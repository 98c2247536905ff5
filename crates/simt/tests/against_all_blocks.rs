//! Classes of blocks against runs of every block.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support;

use lanescope_ir::Kernel;
use lanescope_simt::{
    Blocks, Budget, Contents, End, Executable, Launch, Outcome, ParameterValue, execute_classes,
};
use std::collections::BTreeMap;
use support::LINES;
use support::generate::{Generator, Random};
use support::patterns::{Pattern, Patterns, both};
use support::scattered::scattered;
use support::tiles::Tiles;

fn launch_of(random: &mut Random, contents: &Contents) -> Launch {
    let block = random.pick(&[[32, 1, 1], [48, 1, 1], [8, 8, 1], [16, 5, 1], [64, 1, 1]]);
    let grid = random.pick(&[[7, 1, 1], [5, 3, 1], [2, 9, 1], [33, 1, 1], [3, 2, 2]]);
    let mut buffer = || ParameterValue::Buffer {
        bytes: random.pick(&[None, Some(4096), Some(1 << 18), Some(40_000)]),
        base_offset: random.pick(&[0, 256, 4, 36]),
        contents: contents.clone(),
        offset_in_allocation: random.pick(&[0, 128, 20]),
    };
    let buffers = [buffer(), buffer()];
    let n = u32::try_from(random.pick(&[100_usize, 1000, 64, 5])).unwrap();
    let [input, output] = buffers;
    Launch {
        grid,
        block,
        parameters: vec![
            input,
            output,
            ParameterValue::Bytes(n.to_le_bytes().to_vec()),
        ],
        ..Launch::default()
    }
}

/// A random program: its kernel and launch.
fn random_program(seed: u64, tame: bool, long: bool) -> (Kernel, Launch) {
    program_on(&Contents::Unknown, seed, tame, long)
}

/// The same on buffers that hold something.
fn program_on(contents: &Contents, seed: u64, tame: bool, long: bool) -> (Kernel, Launch) {
    let mut generator = if long {
        Generator::with_long_loops(seed, tame)
    } else {
        Generator::new(seed, tame)
    };
    let tree = generator.tree();
    generator.lower(&tree, seed.is_multiple_of(2), 0);
    let mut launch = launch_of(&mut generator.random, contents);
    if long {
        // Few blocks: it is the iterations that count.
        launch.grid = generator.random.pick(&[[3, 1, 1], [2, 2, 1], [4, 1, 1]]);
    }
    (generator.builder.kernel, launch)
}

/// Compares the classes of a launch with all of its blocks. Returned is whether one block stood for several, and whether
/// one iteration did.
fn compare(seed: u64, kernel: &Kernel, launch: &Launch) -> (bool, bool) {
    let ([full, classes], [first, second]) = both(kernel, launch);
    assert_eq!(
        (first.end, second.end),
        (End::Complete, End::Complete),
        "seed {seed}"
    );
    assert_eq!(first.blocks_done, second.blocks_done, "seed {seed}");
    let codes = |outcome: &Outcome| {
        let mut codes: Vec<_> = outcome
            .findings
            .iter()
            .map(|one| (one.place, std::mem::discriminant(&one.kind)))
            .collect();
        codes.sort_by_key(|code| (code.0, format!("{:?}", code.1)));
        codes
    };
    assert_eq!(codes(&first), codes(&second), "seed {seed}");
    assert_eq!(first.executed, second.executed, "seed {seed}: instructions");
    if full.all != classes.all {
        for (pattern, count) in &full.all {
            if classes.all.get(pattern) != Some(count) {
                panic!(
                    "seed {seed}: {pattern:?}: {count}, not {:?}",
                    classes.all.get(pattern)
                );
            }
        }
        panic!("seed {seed}: more patterns than there are");
    }
    if Executable::of(kernel).has_independent_blocks() {
        for of_range in [Blocks::Range, Blocks::Alike] {
            assert!(
                in_ranges(kernel, launch, of_range) == full.all,
                "seed {seed}: by ranges"
            );
        }
    }
    (second.blocks_run < second.blocks_total, classes.most > 1)
}

/// The patterns of three ranges of blocks, the last one first.
fn in_ranges(
    kernel: &Kernel,
    launch: &Launch,
    of_range: fn(u64, u64) -> Blocks,
) -> BTreeMap<Pattern, u64> {
    let all = launch.grid_blocks();
    let ends = [all / 3, all / 2, all];
    let mut patterns = Patterns::default();
    for (first, end) in [(ends[1], ends[2]), (0, ends[0]), (ends[0], ends[1])] {
        let blocks = of_range(first, end);
        let launch = &Launch {
            blocks,
            ..launch.clone()
        };
        let budget = Budget::default();
        let outcome = execute_classes(kernel, launch, 32, budget, LINES, &mut patterns);
        assert_eq!(outcome.end, End::Complete);
    }
    patterns.all
}

/// Kernels of each kind in every run of the tests (in WASM, whose seeds are the same, a quarter), and in `cargo xtask oracle`.
const SOME: u64 = if cfg!(target_family = "wasm") {
    100
} else {
    400
};
const MANY: u64 = 10_000;

/// Compares so many programs; how many have classes of several blocks, and iterations that stand for several.
fn compare_all(count: u64, program: impl Fn(u64) -> (Kernel, Launch)) -> (u64, u64) {
    let mut fewer = (0, 0);
    for seed in 1..=count {
        let (kernel, launch) = program(seed);
        let (blocks, iterations) = compare(seed, &kernel, &launch);
        fewer.0 += u64::from(blocks);
        fewer.1 += u64::from(iterations);
    }
    fewer
}

fn compare_blocks(count: u64) {
    let (fewer, _) = compare_all(count, |seed| random_program(seed, seed % 4 != 0, false));
    assert!(
        fewer > count * 4 / 10,
        "{fewer} kernels of {count} have classes of several blocks"
    );
}

fn compare_iterations(count: u64) {
    let (_, fewer) = compare_all(count, |seed| random_program(seed, seed % 4 != 0, true));
    assert!(
        fewer > count * 2 / 10,
        "{fewer} kernels of {count} have iterations that stand for several"
    );
}

/// What loops read is known, and decides where they go.
fn compare_irregular(count: u64) {
    let (_, fewer) = compare_all(count, |seed| {
        program_on(&Contents::Random(seed), seed, seed % 4 != 0, true)
    });
    assert!(
        fewer > count * 2 / 10,
        "{fewer} kernels of {count} have iterations that stand for several"
    );
}

/// What blocks read is known, and decides where some of their accesses go.
fn compare_alike(count: u64) {
    let (_, fewer) = compare_all(count, scattered);
    assert!(
        fewer > count * 3 / 10,
        "{fewer} kernels of {count} have requests that stand for several"
    );
}

fn compare_tiles(count: u64) {
    let (blocks, iterations) = compare_all(count, Tiles::program);
    assert!(
        blocks > count * 6 / 10,
        "{blocks} kernels of {count} have classes of several blocks"
    );
    assert!(
        iterations > count * 2 / 10,
        "{iterations} kernels of {count} have iterations that stand for several"
    );
}

#[test]
fn classes_count_as_all_blocks_do() {
    compare_blocks(SOME);
}

#[test]
fn iterations_count_as_all_iterations_do() {
    compare_iterations(SOME);
}

#[test]
fn iterations_that_data_decides_count_as_all_iterations_do() {
    compare_irregular(SOME);
}

#[test]
fn blocks_that_data_decides_count_as_all_blocks_do() {
    compare_alike(SOME / 2);
}

#[test]
fn tiles_and_stencils_count_as_all_blocks_do() {
    compare_tiles(SOME);
}

#[test]
#[ignore = "takes a minute: cargo xtask oracle"]
fn classes_of_many_kernels_count_as_all_blocks_do() {
    compare_blocks(MANY);
}

#[test]
#[ignore = "takes a minute: cargo xtask oracle"]
fn iterations_of_many_kernels_count_as_all_iterations_do() {
    compare_iterations(MANY);
}

#[test]
#[ignore = "takes a minute: cargo xtask oracle"]
fn many_iterations_that_data_decides_count_as_all_iterations_do() {
    compare_irregular(MANY);
}

#[test]
#[ignore = "takes a minute: cargo xtask oracle"]
fn many_blocks_that_data_decides_count_as_all_blocks_do() {
    compare_alike(MANY / 4);
}

#[test]
#[ignore = "takes a minute: cargo xtask oracle"]
fn many_tiles_and_stencils_count_as_all_blocks_do() {
    compare_tiles(MANY);
}
