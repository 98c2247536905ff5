//! Whole launches beside what a GPU takes for them, and what the page shows behind a keystroke, with a budget each,
//! natively: `cargo xtask bench query`. Ends with a failure where one takes longer.

#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program for developers"
)]

mod launch_case;
mod unrolled_gemm;

use lanescope_query::{Answer, Compiler, Read, answer};
use lanescope_share::{Launch, Source, State};
use launch_case::{CASES, Case, given};
use std::process::ExitCode;
use std::time::Instant;

/// Runs of each launch; the median counts.
const RUNS: usize = 3;

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

impl Case {
    /// Milliseconds of the median run, and how it ended.
    fn time(&self) -> (f64, String) {
        let (ms, analysis) = median(|| self.analyse());
        let blocks = analysis.outcome.blocks_done;
        let status = analysis.standing.status.key();
        let agrees = if analysis.totals == self.measured {
            "as measured"
        } else {
            "not as measured"
        };
        let gpu_ms = self.gpu_ms;
        (
            ms,
            format!("{status}, {blocks} blocks, {agrees}; {gpu_ms} ms on the GPU"),
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
