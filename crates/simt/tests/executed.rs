//! What warps execute, and with how many lanes, on kernels whose counts are plain.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support;

use lanescope_ir::Kernel;
use lanescope_simt::{Access, Budget, Executed, execute, execute_classes};
use support::{LINES, row_of_blocks};

/// Of each line: warp instructions, and thread instructions.
fn by_line(kernel: &Kernel, executed: &[Executed]) -> Vec<(u32, u64, u64)> {
    let line = |one: &Executed| {
        let place = kernel.places[one.place.index()];
        (place.line, one.warp_instructions, one.thread_instructions)
    };
    executed.iter().map(line).collect()
}

/// Both ways of running come to the same.
fn run(text: &str, blocks: u32, threads: u32) -> Vec<(u32, u64, u64)> {
    let kernel: Kernel = text.parse().unwrap();
    let launch = row_of_blocks(blocks, threads);
    let mut goes_on = |_: &Access<'_>| true;
    let budget = Budget::default();
    let full = execute(&kernel, &launch, 32, budget, &mut goes_on).executed;
    let classes = execute_classes(&kernel, &launch, 32, budget, LINES, &mut goes_on).executed;
    assert_eq!(full, classes);
    by_line(&kernel, &full)
}

/// `if (t < 5) <three instructions>` and one for all behind.
const BRANCH: &str = r#"
kernel "k" stage=ptx shared=0 {
  registers r0 p1 r2
  place 0 0..0
  place 1 0..0 1:1
  place 2 0..0 2:1
  place 3 0..0 3:1
b0:
  r0 = special.thread.x #1
  p1 = lt.u32 r0, 5 #1
  branch p1, b1, b2, b2 #1
b1:
  r2 = add.u32 r0, 1 #2
  r2 = add.u32 r2, 1 #2
  r2 = add.u32 r2, 1 #2
  jump b2 #2
b2:
  exit #3
}
"#;

#[test]
fn a_branch_leaves_lanes_behind() {
    // Two warps of 32 lanes, and one of 6; five of the first take the branch.
    let lines = run(BRANCH, 1, 70);
    assert_eq!(lines, [(1, 9, 210), (2, 3, 15), (3, 3, 70)]);
    // What nothing reads counts all the same, and so do blocks that one stands for.
    let lines = run(BRANCH, 1000, 70);
    assert_eq!(
        lines,
        [(1, 9000, 210_000), (2, 3000, 15_000), (3, 3000, 70_000)]
    );
}

/// Lane l runs `l + 1` iterations of a loop of two instructions.
const LOOP: &str = r#"
kernel "k" stage=ptx shared=0 {
  registers r0 r1 p2
  place 0 0..0
  place 1 0..0 1:1
  place 2 0..0 2:1
b0:
  r0 = special.thread.x #1
  r1 = add.u32 0, 0 #1
  jump b1 #1
b1:
  r1 = add.u32 r1, 1 #2
  p2 = le.u32 r1, r0 #2
  branch p2, b1, b2, b2 #2
b2:
  exit #1
}
"#;

#[test]
fn a_loop_runs_as_long_as_its_last_lane() {
    // 32 rounds of three instructions; lane l takes part in l + 1 of them.
    let lines = run(LOOP, 3, 32);
    assert_eq!(lines, [(1, 3 * 3, 3 * 96), (2, 3 * 96, 3 * 3 * 528)]);
}

/// A long loop of all lanes, whose iterations stand for each other.
const LONG: &str = r#"
kernel "k" stage=ptx shared=0 {
  registers r0 r1 p2 d3 d4 d5 r6
  place 0 0..0
  place 1 0..0 1:1
  place 2 0..0 2:1
  parameter "in" "const int*" offset=0 bytes=8 array=a0 #1
  a0 "in" global "int" size=4 align=256
  s0 "in[i]" load global i32 bytes=4 array=a0 #2
b0:
  r0 = special.thread.x #1
  d3 = parameter.u64 0 #1
  jump b1 #1
b1:
  d4 = mul_wide.u32 r0, 4 #2
  d5 = add.u64 d3, d4 #2
  r6 = load s0 [d5] #2
  r0 = add.u32 r0, 64 #2
  p2 = lt.u32 r0, 64000 #2
  branch p2, b1, b2, b2 #2
b2:
  exit #1
}
"#;

#[test]
fn iterations_that_stand_for_others_count_as_all() {
    // Two warps, 1,000 rounds of six instructions each, in 50 blocks.
    let lines = run(LONG, 50, 64);
    assert_eq!(lines, [(1, 50 * 6, 50 * 192), (2, 600_000, 19_200_000)]);
}

/// Lanes wait in the middle of a block: machine code, a row an instruction, of which two compute nothing that matters.
const ROWS: &str = r#"
kernel "k" stage=machine shared=0 barriers=1 {
  registers r0 p1
  place 0 0..0
  place 1 0..0 1:1
  place 2 0..0 2:1
  place 3 0..0 3:1
  place 4 0..0 4:1
  place 5 0..0 5:1
  place 6 0..0 6:1
  place 7 0..0 7:1
b0:
  r0 = special.thread.x #1
  arm c0, b2 #2
  p1 = lt.u32 r0, 8 #3
  branch p1, b2, b1 #3
b1:
  jump b2 #5
b2:
  join c0 #6
  exit #7
}
"#;

#[test]
fn rows_of_a_listing_count_whatever_they_do() {
    // Rows 4 and 5 are for 24 lanes; `BSYNC` is issued for both parts, and what follows for all together.
    let lines = run(ROWS, 2, 32);
    let [one, two] = [2, 64];
    assert_eq!(
        lines,
        [
            (1, one, two),
            (2, one, two),
            (3, one, two),
            (4, 2, 48),
            (5, 2, 48),
            (6, 4, 64),
            (7, 2, 64)
        ]
    );
}

#[test]
fn of_a_source_only_accesses_have_lines() {
    let text = LONG.replace("stage=ptx", "stage=source");
    let lines = run(&text, 1, 64);
    // The end of each block stands nowhere.
    let ends = (0, 2002, 64_064);
    assert_eq!(lines, [ends, (1, 4, 128), (2, 10_000, 320_000)]);
}
