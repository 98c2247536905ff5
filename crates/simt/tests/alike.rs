//! Blocks that are alike but for accesses that data decides: what is regular about them is told at once, and all of it is
//! told.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support;

use lanescope_ir::Kernel;
use lanescope_simt::{Blocks, Budget, Contents, End, Launch, Observer, ParameterValue};
use support::LINES;
use support::patterns::{Patterns, both};

const BLOCKS: u64 = 40;

/// A kernel whose threads load the key of their number, `r6`, and do what the text says with it; `d1` points to values.
fn kernel(body: &str) -> Kernel {
    let text = format!(
        "kernel \"k\" stage=ptx shared=1024 {{
  parameter \"keys\" \"\" offset=0 bytes=8
  parameter \"values\" \"\" offset=8 bytes=8
  s0 \"\" load global u32 bytes=4
  s1 \"\" load global u32 bytes=4
  s2 \"\" store shared u32 bytes=4
  s3 \"\" load shared u32 bytes=4
b0: d0 = parameter.u64 0; d1 = parameter.u64 8; r2 = special.thread.x; r3 = special.block.x
  r4 = mul.u32 r3, 64; r4 = add.u32 r4, r2
  d5 = mul_wide.u32 r4, 4; d5 = add.u64 d0, d5; r6 = load s0 [d5]; r6 = and.u32 r6, 255
  r7 = mul.u32 r2, 4
{body}
}}"
    );
    let kernel: Kernel = text.parse().expect("the text is a kernel");
    assert_eq!(kernel.verify(), Ok(()));
    kernel
}

/// A load of the value that a register numbers.
const GATHER: &str = "  d8 = mul_wide.u32 r6, 4; d8 = add.u64 d1, d8; r9 = load s1 [d8]";

fn launch() -> Launch {
    let buffer = |seed, elements: u64| ParameterValue::Buffer {
        bytes: Some(elements * 4),
        base_offset: 0,
        offset_in_allocation: 0,
        contents: Contents::Random(seed),
    };
    Launch {
        grid: [u32::try_from(BLOCKS).unwrap(), 1, 1],
        block: [64, 1, 1],
        parameters: vec![buffer(1, BLOCKS * 64), buffer(2, 256)],
        ..Launch::default()
    }
}

/// How many requests are observed of those that are made, after comparing both, and what is found.
fn observed_and_made(kernel: &Kernel) -> (u64, u64) {
    let ([full, classes], outcomes) = both(kernel, &launch());
    assert!(outcomes.iter().all(|outcome| outcome.end == End::Complete));
    assert_eq!(full.all, classes.all);
    assert_eq!(outcomes[0].findings, outcomes[1].findings);
    (classes.observed, full.observed)
}

#[test]
fn what_is_regular_about_blocks_is_told_at_once() {
    let (observed, made) = observed_and_made(&kernel(&format!("{GATHER}\n  exit")));
    // Four blocks are watched for races; of the others the loads of keys are told of the first alone.
    assert_eq!((observed, made), (2 * (4 * 2 + 2 + 35), 2 * 2 * BLOCKS));
}

#[test]
fn lanes_that_leave_are_the_same_in_all_blocks() {
    let body = format!(
        "  p10 = lt.u32 r2, 50; branch p10, b1, b2, b2\nb1:\n{GATHER}\n  jump b2\nb2: exit"
    );
    let (observed, made) = observed_and_made(&kernel(&body));
    assert!(observed < made * 8 / 10, "{observed} of {made}");
}

#[test]
fn what_data_keeps_from_being_alike_runs_block_by_block() {
    let branch = format!(
        "  p10 = lt.u32 r6, 99; branch p10, b1, b2, b2\nb1:\n{GATHER}\n  jump b2\nb2: exit"
    );
    // What a block has written to its shared memory is not written again.
    let own = format!("  store s2 [r7], r6; barrier 0; r6 = load s3 [r7]\n{GATHER}\n  exit");
    for body in [branch, own] {
        let (observed, made) = observed_and_made(&kernel(&body));
        assert_eq!(observed, made, "{body}");
    }
}

#[test]
fn what_hangs_on_data_out_of_bounds_is_found() {
    let body = format!("  r6 = mul.u32 r6, 2\n{GATHER}\n  exit");
    let ([full, classes], [first, second]) = both(&kernel(&body), &launch());
    assert_eq!(full.all, classes.all);
    assert!(!first.findings.is_empty());
    assert_eq!(first.findings, second.findings);
}

/// Stops after so many requests.
struct Stopping {
    patterns: Patterns,
    left: u64,
}

impl Observer for Stopping {
    fn access(&mut self, access: &lanescope_simt::Access<'_>) -> bool {
        self.left = self.left.saturating_sub(1);
        self.patterns.access(access) && self.left != 0
    }

    fn block_done(&mut self, done: &lanescope_simt::BlockDone) -> bool {
        self.patterns.block_done(done)
    }
}

/// What stops a run in the midst of blocks that run together is heeded behind them: the blocks that are done are counted
/// whole, and no other.
#[test]
fn a_run_that_is_stopped_counts_the_blocks_that_are_done() {
    let kernel = kernel(&format!("{GATHER}\n  exit"));
    let budget = Budget::default();
    for left in 1..90 {
        let patterns = Patterns::default();
        let mut stopping = Stopping { patterns, left };
        let outcome =
            lanescope_simt::execute_classes(&kernel, &launch(), 32, budget, LINES, &mut stopping);
        assert_eq!(outcome.end, End::Observer, "{left}");
        let first = Launch {
            blocks: Blocks::First(outcome.blocks_done),
            ..launch()
        };
        let mut full = Patterns::default();
        lanescope_simt::execute(&kernel, &first, 32, budget, &mut full);
        assert_eq!(stopping.patterns.all, full.all, "{left}");
    }
}
