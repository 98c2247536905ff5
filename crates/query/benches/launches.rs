//! Whole launches, and what the page shows behind a keystroke, with a budget each, natively: `cargo xtask bench query`. Ends with a failure where one takes longer.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program for developers"
)]

mod unrolled_gemm;

use lanescope_query::{Analysis, Answer, Compiler, Question, Read, analyse, answer};
use lanescope_share::{Launch, Source, State};
use std::process::ExitCode;
use std::time::Instant;

/// Requests that a launch may take, as on the command line.
const MAX_REQUESTS: u64 = 100_000_000;
/// Runs of each launch; the median counts.
const RUNS: usize = 3;

/// A launch, and how long its count may take: several times what it takes on two quiet cores, so that a busy machine keeps
/// within it. The histogram, whose blocks are not alike, takes 1.5 s; 1 s is aimed at.
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
        budget_ms: 100.0,
    },
    Case {
        name: "transpose 16384^2",
        source: include_str!("transpose.cu"),
        grid: [512, 512, 1],
        block: [32, 8, 1],
        arguments: "in=268435456 out=268435456 side=16384",
        budget_ms: 100.0,
    },
    Case {
        name: "stencil 512^3",
        source: include_str!("stencil.cu"),
        grid: [16, 64, 512],
        block: [32, 8, 1],
        arguments: "in=134217728 out=134217728 nx=512 ny=512 nz=512",
        budget_ms: 100.0,
    },
    Case {
        name: "softmax 8192x50257",
        source: include_str!("softmax.cu"),
        grid: [8192, 1, 1],
        block: [1024, 1, 1],
        arguments: "in=411705344 out=411705344 columns=50257",
        budget_ms: 500.0,
    },
    Case {
        name: "histogram 2^26",
        source: include_str!("histogram.cu"),
        grid: [1056, 1, 1],
        block: [256, 1, 1],
        arguments: "in=67108864,random:1 counts=256 n=67108864",
        budget_ms: 4_000.0,
    },
];

/// What the page shows behind a keystroke, and how long that may take.
struct Keystroke {
    name: String,
    state: State,
    read: fn(&State) -> Read,
    budget_ms: f64,
}

impl Keystroke {
    fn all() -> [Self; 2] {
        let kernel = include_str!("../../fixes/benches/hundred_lines.cu");
        let (listing, instructions) = unrolled_gemm::listing();
        let state = |source: &str, grid, block, arguments| State {
            source: Source::Kernel(source.to_owned()),
            launch: Launch {
                grid,
                block,
                arguments: given(arguments),
                ..Launch::default()
            },
            ..State::default()
        };
        [
            Self {
                name: "hundred lines".to_owned(),
                state: state(kernel, [8, 8, 1], [256, 1, 1], "width=250 height=250"),
                read: |state| Read::of(state, Compiler::Nvcc13).expect("a kernel"),
                budget_ms: 33.0,
            },
            Self {
                name: format!("SASS of {instructions}"),
                state: state(&listing, [1; 3], [256, 1, 1], ""),
                read: |state| {
                    let Source::Kernel(text) = &state.source else {
                        panic!("a listing");
                    };
                    let parsed = lanescope_compiled::read(text, None).expect("a listing");
                    Read::foreign(state, parsed)
                },
                budget_ms: 100.0,
            },
        ]
    }

    fn answer(&self) -> Answer {
        answer(&self.state, (self.read)(&self.state))
    }

    /// Milliseconds of the median run, and what it counted.
    fn time(&self) -> (f64, String) {
        let (ms, answer) = median(|| self.answer());
        let outcome = answer.outcome.as_ref();
        let (requests, blocks) = outcome.map_or((0, 0), |one| (one.requests, one.blocks_done));
        let status = answer.standing().status.key();
        (
            ms,
            format!("{status}, {blocks} blocks, {requests} requests"),
        )
    }
}

/// Milliseconds of the median of some runs, and what the last one gave.
fn median<T>(run: impl Fn() -> T) -> (f64, T) {
    let timed = || {
        let start = Instant::now();
        let result = run();
        (start.elapsed().as_secs_f64() * 1e3, result)
    };
    let (first, mut last) = timed();
    let mut times = vec![first];
    for _ in 1..RUNS {
        let (ms, result) = timed();
        times.push(ms);
        last = result;
    }
    times.sort_by(f64::total_cmp);
    (times[RUNS / 2], last)
}

/// Arguments as `name=value name=value`.
fn given(arguments: &str) -> Vec<(String, String)> {
    let arguments = arguments.split_whitespace().map(|argument| {
        let (name, value) = argument.split_once('=').expect("a name and a value");
        (name.to_owned(), value.to_owned())
    });
    arguments.collect()
}

impl Case {
    fn analyse(&self) -> Analysis {
        let state = State {
            source: Source::Kernel(self.source.to_owned()),
            launch: Launch {
                grid: self.grid,
                block: self.block,
                arguments: given(self.arguments),
                ..Launch::default()
            },
            ..State::default()
        };
        analyse(Question::of(&state, MAX_REQUESTS).expect("a question"))
    }

    /// Milliseconds of the median run, and how it ended.
    fn time(&self) -> (f64, String) {
        let (ms, analysis) = median(|| self.analyse());
        let blocks = analysis.outcome.blocks_done;
        (
            ms,
            format!("{}, {blocks} blocks", analysis.standing.status.key()),
        )
    }
}

fn main() -> ExitCode {
    // `cargo test` builds and starts benchmarks too; it is not to time anything.
    if !std::env::args().any(|argument| argument == "--bench") {
        return ExitCode::SUCCESS;
    }
    // What is named on the command line, alone; without a name, all.
    let named = std::env::args().skip(1).find(|one| !one.starts_with("--"));
    let wanted = |name: &str| named.as_ref().is_none_or(|one| name.contains(one.as_str()));
    println!("{:<20} {:>9} {:>9}", "launch", "ms", "budget");
    let mut all_within = true;
    let mut tell = |name: &str, budget_ms: f64, (ms, said): (f64, String)| {
        let within = ms <= budget_ms;
        all_within &= within;
        let mark = if within { "" } else { "  too slow" };
        println!("{name:<20} {ms:>9.1} {budget_ms:>9.0}  {said}{mark}");
    };
    for case in CASES.iter().filter(|one| wanted(one.name)) {
        tell(case.name, case.budget_ms, case.time());
    }
    for keystroke in Keystroke::all().iter().filter(|one| wanted(&one.name)) {
        tell(&keystroke.name, keystroke.budget_ms, keystroke.time());
    }
    if all_within {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
