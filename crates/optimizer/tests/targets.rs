//! What nvcc does otherwise for compute capability 10.0 and later, on kernels in the text form: before and after.

use crate::support;

use lanescope_ir::{Kernel, Op};
use lanescope_optimizer::{Pass, Profile};

const SITES: &str = "  s0 \"s[i]\" load shared f32 bytes=4 array=a1
  s1 \"s[i]\" store shared f32 bytes=4 array=a1
  s2 \"a[i]\" load global f32 bytes=4 array=a0
  s3 \"a[i]\" store global f32 bytes=4 array=a0
  s4 \"b[i]\" load global f32 bytes=4 array=a2";

const OTHER_ARRAY: &str = "  a2 \"b\" global \"float\" size=4
";

/// Loads and stores that are left for compute capabilities 9.0 and 10.0.
fn left(passes: &[Pass], blocks: &str) -> [(usize, usize); 2] {
    [Profile::NVCC_13_SM_90, Profile::NVCC_13_SM_100].map(|profile| {
        let profile = Profile {
            passes: passes.to_vec().into(),
            ..profile
        };
        let sites = format!("{OTHER_ARRAY}{SITES}");
        accesses(&support::run_profile(&profile, &sites, blocks).kernel)
    })
}

fn accesses(kernel: &Kernel) -> (usize, usize) {
    let all = || kernel.blocks.iter().flat_map(|block| &block.instructions);
    (
        all()
            .filter(|one| matches!(one.op, Op::Load { .. }))
            .count(),
        all()
            .filter(|one| matches!(one.op, Op::Store { .. }))
            .count(),
    )
}

/// An `if` whose sides load, compute and store as told, behind what is told.
fn diamond(before: &str, [first, second]: [&str; 2]) -> String {
    format!(
        "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = parameter.i32 0; {before} p3 = lt.i32 r0, r2; branch p3, b1, b2, b3
b1: {first} jump b3
b2: {second} jump b3
b3: escape r5; exit"
    )
}

#[test]
fn loads_that_both_branches_begin_with_are_hoisted_by_ptxas_alone() {
    let merging = [Pass::BranchMerging];
    let sides = |site: &str, end: &str| {
        [
            format!("r4 = load {site} [r1]; r5 = add.f32 r4, 1; {end}"),
            format!("r4 = load {site} [r1]; r5 = mul.f32 r4, r4; {end}"),
        ]
    };
    let count = |before: &str, site: &str, end: &str| {
        let [first, second] = sides(site, end);
        left(&merging, &diamond(before, [&first, &second]))
    };
    assert_eq!(count("", "s0", ""), [(1, 0), (1, 0)]);
    assert_eq!(count("", "s2", ""), [(1, 0), (1, 0)]);
    // Not behind a barrier or a store to that memory in the same block, nor where the sides store.
    assert_eq!(count("barrier 0;", "s0", ""), [(1, 0), (2, 0)]);
    assert_eq!(count("store s1 [r1 + 256], 0;", "s0", ""), [(1, 1), (2, 1)]);
    assert_eq!(count("store s1 [r1 + 256], 0;", "s2", ""), [(1, 1), (1, 1)]);
    assert_eq!(count("store s3 [r1 + 256], 0;", "s2", ""), [(1, 1), (2, 1)]);
    let [(before, _), (after, _)] = left(
        &merging,
        &diamond(
            "",
            [
                "r4 = load s0 [r1]; r5 = add.f32 r4, 1; store s1 [r1 + 8], r5;",
                "r4 = load s0 [r1]; r5 = mul.f32 r4, r4; store s3 [r1 + 64], r5;",
            ],
        ),
    );
    assert_eq!((before, after), (1, 2));
}

#[test]
fn loads_of_two_arrays_stay_two() {
    let count = |first: &str, second: &str| {
        let sides = [first, second].map(|place| format!("r5 = load {place};"));
        left(
            &[Pass::BranchMerging],
            &diamond("barrier 0;", [&sides[0], &sides[1]]),
        )
    };
    assert_eq!(count("s2 [r1]", "s4 [r1]"), [(1, 0), (2, 0)]);
    assert_eq!(count("s2 [r1]", "s2 [r1 + 64]"), [(1, 0), (1, 0)]);
    assert_eq!(count("s2 [r1]", "s2 [r0]"), [(1, 0), (1, 0)]);
    // Of shared memory only at places that lie a constant apart.
    assert_eq!(count("s0 [r1]", "s0 [r1 + 64]"), [(1, 0), (1, 0)]);
    assert_eq!(count("s0 [r1]", "s0 [r0]"), [(1, 0), (2, 0)]);
    let triangle = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = parameter.i32 0; r5 = load s2 [r1]; p3 = lt.i32 r0, r2; branch p3, b1, b2, b2
b1: r5 = load s4 [r1]; jump b2
b2: escape r5; exit";
    assert_eq!(left(&[Pass::BranchMerging], triangle), [(1, 0), (2, 0)]);
}

#[test]
fn neighbours_behind_half_their_place_stay_apart() {
    let count = |before: &str, scale: u32, body: &str| {
        let blocks = format!(
            "b0: r0 = special.thread.x; r9 = mul.i32 r0, 4; r1 = mul.i32 r0, {scale}; {before} barrier 0; {body}; exit"
        );
        left(&[Pass::Vectorization], &blocks)
    };
    let pair = "r2 = load s0 [r1]; r3 = load s0 [r1 + 4]; escape r2, r3";
    assert_eq!(count("", 8, pair), [(1, 0), (1, 0)]);
    assert_eq!(count("store s1 [r9], 0;", 8, pair), [(1, 1), (2, 1)]);
    assert_eq!(count("store s1 [r9], 0;", 16, pair), [(1, 1), (1, 1)]);
    let stores = "store s1 [r1], 1; store s1 [r1 + 4], 2";
    assert_eq!(count("store s1 [r9], 0;", 8, stores), [(0, 2), (0, 3)]);
    // Only what is always before counts.
    let behind_a_guard = "b0: r0 = special.thread.x; r9 = mul.i32 r0, 4; r1 = mul.i32 r0, 8; r4 = parameter.i32 0; p5 = lt.i32 r0, r4; branch p5, b1, b2, b2
b1: store s1 [r9], 0; jump b2
b2: barrier 0; r2 = load s0 [r1]; r3 = load s0 [r1 + 4]; escape r2, r3; exit";
    assert_eq!(
        left(&[Pass::Vectorization], behind_a_guard),
        [(1, 1), (1, 1)]
    );
}

#[test]
fn two_branches_on_an_index_that_is_zero_are_one() {
    let passes = [Pass::JumpThreading, Pass::LoadElimination, Pass::DeadStores];
    let count = |first: &str, second: &str, between: &str| {
        left(
            &passes,
            &format!(
                "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; p2 = {first}; branch p2, b1, b2, b2
b1: store s1 [r1], 1; jump b2
b2: {between} p3 = {second}; branch p3, b3, b4, b4
b3: store s1 [r1], 0; jump b4
b4: r4 = load s0 [8]; escape r4; exit"
            ),
        )
    };
    let (less, zero) = ("lt.i32 r0, 1", "eq.i32 r0, 0");
    assert_eq!(count(less, zero, ""), [(1, 2), (1, 1)]);
    assert_eq!(count(less, zero, "r5 = mov.i32 7;"), [(1, 2), (1, 1)]);
    // Another number, another way round, and what waits between.
    assert_eq!(count("lt.i32 r0, 2", zero, ""), [(1, 2), (1, 2)]);
    assert_eq!(count(less, "ne.i32 r0, 0", ""), [(1, 2), (1, 2)]);
    assert_eq!(count(less, zero, "barrier 0;"), [(1, 2), (1, 2)]);
}
