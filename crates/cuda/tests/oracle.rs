//! Kernels as written against an evaluator of the tree that knows no intermediate representation: the same requests, in
//! the same order for each warp.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "conversions of C are what is written down here"
)]

mod evaluate;
mod generate;

use evaluate::{Oracle, Seen};
use generate::Random;
use lanescope_cuda::{KernelOptions, read};
use lanescope_frontend::{Lines, Severity};
use lanescope_model::{LaneMask, Operation};
use lanescope_simt::{self as simt, Contents, ParameterValue};
use lanescope_syntax::{Sink, lexer, parser, preprocessor, tree::Tree};

/// Programs that every run of the tests compares.
const SOME: u64 = 300;
/// Programs that `cargo xtask oracle` compares.
const ALL: u64 = 10_000;

/// The tree of a source, without what is to be said about it.
fn parse_tree(source: &str) -> Tree {
    let mut sink = Sink::new(source);
    let tokens = preprocessor::preprocess(lexer::lex(source, &mut sink), &[], &mut sink);
    parser::parse_source(tokens, &mut sink)
}

struct Requests<'k> {
    kernel: &'k lanescope_ir::Kernel,
    seen: Vec<Seen>,
}

impl simt::Observer for Requests<'_> {
    fn access(&mut self, access: &simt::Access<'_>) -> bool {
        let site = &self.kernel.sites[access.site.index()];
        let place = self.kernel.places[site.place.index()];
        let lanes = LaneMask(access.request.active.0).iter();
        self.seen.push(Seen {
            warp: (access.block, access.warp),
            line: place.line,
            kind: match access.request.operation {
                Operation::Load => 0,
                Operation::Store => 1,
                _ => 2,
            },
            bytes: access.request.width.bytes(),
            lanes: lanes
                .map(|lane| (lane, access.request.addresses[lane] & ((1 << 40) - 1)))
                .collect(),
        });
        true
    }
}

fn requests(source: &str, (grid, threads): (u32, u32), n: i32, m: u32) -> Vec<Seen> {
    let parsed = read(source, &KernelOptions::default());
    let errors = parsed.diagnostics.iter();
    let errors: Vec<_> = errors
        .filter(|one| one.severity() == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{source}\n{errors:?}");
    let kernel = parsed.kernel.unwrap();
    assert_eq!(kernel.verify(), Ok(()), "{source}");
    let buffer = ParameterValue::Buffer {
        bytes: None,
        base_offset: 0,
        contents: Contents::Zero,
        offset_in_allocation: 0,
    };
    let mut parameters = vec![buffer; 5];
    parameters.push(ParameterValue::Bytes(n.to_le_bytes().to_vec()));
    parameters.push(ParameterValue::Bytes(m.to_le_bytes().to_vec()));
    let launch = simt::Launch {
        grid: [grid, 1, 1],
        block: [threads, 1, 1],
        parameters,
        ..simt::Launch::default()
    };
    let mut requests = Requests {
        kernel: &kernel,
        seen: Vec::new(),
    };
    let outcome = simt::execute(&kernel, &launch, 32, simt::Budget::default(), &mut requests);
    assert_eq!(outcome.end, simt::End::Complete, "{source}");
    assert!(outcome.doubts.is_empty(), "{source}\n{:?}", outcome.doubts);
    requests.seen
}

#[test]
fn generated_programs_ask_for_what_their_trees_say() {
    compare(0..SOME);
}

#[test]
#[ignore = "takes minutes: cargo xtask oracle"]
fn all_generated_programs_ask_for_what_their_trees_say() {
    compare(0..ALL);
}

fn compare(seeds: std::ops::Range<u64>) {
    let programs = usize::try_from(seeds.end - seeds.start).unwrap();
    let mut total = 0;
    for seed in seeds {
        let source = generate::kernel(seed);
        let mut random = Random::new(seed + (1 << 40));
        let threads = [32, 40, 64][random.below(3) as usize];
        let grid = 1 + random.below(2) as u32;
        let (n, m) = (random.below(1 << 12) as i32, random.below(1 << 32) as u32);
        let tree = parse_tree(&source);
        let lines = Lines::of(&source);
        let mut oracle = Oracle::new(&tree, &lines);
        oracle.run(grid, threads, n.into(), m.into());
        let mut expected = oracle.seen;
        let mut found = requests(&source, (grid, threads), n, m);
        expected.sort_by_key(|one| one.warp);
        found.sort_by_key(|one| one.warp);
        let differs = expected
            .iter()
            .zip(&found)
            .position(|(one, other)| one != other);
        assert!(
            differs.is_none() && expected.len() == found.len(),
            "seed {seed}, {} and {} requests, {:#?}\n{source}",
            expected.len(),
            found.len(),
            differs.map(|at| (&expected[at], &found[at]))
        );
        total += found.len();
    }
    assert!(total > 100 * programs, "{total} requests");
}
