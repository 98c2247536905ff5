//! Whole launches with a budget each, natively: `cargo xtask bench query`. Ends with a failure where one takes longer.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program for developers"
)]

use lanescope_query::{Analysis, Question, analyse};
use lanescope_share::{Launch, Source, State};
use std::process::ExitCode;
use std::time::Instant;

/// Requests that a launch may take, as on the command line.
const MAX_REQUESTS: u64 = 100_000_000;
/// Runs of each launch; the median counts.
const RUNS: usize = 3;

/// A launch, and how long its count may take.
struct Case {
    name: &'static str,
    source: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    arguments: &'static str,
    budget_ms: f64,
}

const CASES: [Case; 8] = [
    Case {
        name: "sgemm 256^3",
        source: include_str!("sgemm.cu"),
        grid: [4, 4, 1],
        block: [512, 1, 1],
        arguments: "m=256 n=256 k=256 alpha=1 beta=1 a=65536 b=65536 c=65536",
        budget_ms: 300.0,
    },
    Case {
        name: "sgemm 1024^3",
        source: include_str!("sgemm.cu"),
        grid: [16, 16, 1],
        block: [512, 1, 1],
        arguments: "m=1024 n=1024 k=1024 alpha=1 beta=1 a=1048576 b=1048576 c=1048576",
        budget_ms: 300.0,
    },
    Case {
        name: "sgemm 4096^3",
        source: include_str!("sgemm.cu"),
        grid: [64, 64, 1],
        block: [512, 1, 1],
        arguments: "m=4096 n=4096 k=4096 alpha=1 beta=1 a=16777216 b=16777216 c=16777216",
        budget_ms: 300.0,
    },
    Case {
        name: "reduction 2^28",
        source: include_str!("reduce.cu"),
        grid: [1056, 1, 1],
        block: [256, 1, 1],
        arguments: "in=268435456 out=1056 n=268435456",
        budget_ms: 1_000.0,
    },
    Case {
        name: "transpose 16384^2",
        source: include_str!("transpose.cu"),
        grid: [512, 512, 1],
        block: [32, 8, 1],
        arguments: "in=268435456 out=268435456 side=16384",
        budget_ms: 1_000.0,
    },
    Case {
        name: "stencil 512^3",
        source: include_str!("stencil.cu"),
        grid: [16, 64, 512],
        block: [32, 8, 1],
        arguments: "in=134217728 out=134217728 nx=512 ny=512 nz=512",
        budget_ms: 1_000.0,
    },
    Case {
        name: "softmax 8192x50257",
        source: include_str!("softmax.cu"),
        grid: [8192, 1, 1],
        block: [1024, 1, 1],
        arguments: "in=411705344 out=411705344 columns=50257",
        budget_ms: 1_000.0,
    },
    Case {
        name: "histogram 2^26",
        source: include_str!("histogram.cu"),
        grid: [1056, 1, 1],
        block: [256, 1, 1],
        arguments: "in=67108864,random:1 counts=256 n=67108864",
        budget_ms: 1_000.0,
    },
];

impl Case {
    fn analyse(&self) -> Analysis {
        let arguments = self.arguments.split(' ').map(|argument| {
            let (name, value) = argument.split_once('=').expect("a name and a value");
            (name.to_owned(), value.to_owned())
        });
        let state = State {
            source: Source::Kernel(self.source.to_owned()),
            launch: Launch {
                grid: self.grid,
                block: self.block,
                arguments: arguments.collect(),
                ..Launch::default()
            },
            ..State::default()
        };
        analyse(Question::of(&state, MAX_REQUESTS).expect("a question"))
    }

    /// Milliseconds of the median run, and how it ended.
    fn time(&self) -> (f64, String) {
        let mut times = Vec::new();
        let mut said = String::new();
        for _ in 0..RUNS {
            let start = Instant::now();
            let analysis = self.analyse();
            times.push(start.elapsed().as_secs_f64() * 1e3);
            let blocks = analysis.outcome.blocks_done;
            said = format!("{}, {blocks} blocks", analysis.standing.status.key());
        }
        times.sort_by(f64::total_cmp);
        (times[RUNS / 2], said)
    }
}

fn main() -> ExitCode {
    // `cargo test` builds and starts benchmarks too; it is not to time anything.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    println!("{:<20} {:>9} {:>9}", "launch", "ms", "budget");
    let mut all_within = true;
    for case in &CASES {
        let (ms, said) = case.time();
        let within = ms <= case.budget_ms;
        all_within &= within;
        let mark = if within { "" } else { "  too slow" };
        println!(
            "{:<20} {ms:>9.1} {:>9.0}  {said}{mark}",
            case.name, case.budget_ms
        );
    }
    if all_within {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
