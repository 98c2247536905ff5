//! Loads of what an earlier iteration has stored, in loops that are cut and in loops that are not.

use crate::support;

use lanescope_ir::{Instruction, Kernel, Op, PlaceId};
use lanescope_optimizer::{Optimized, Pass};
use support::run;

const SITES: &str = "  s0 \"a[i]\" load global f32 bytes=4 array=a0
  s1 \"a[i + k]\" store global f32 bytes=4 array=a0
  s2 \"a[i - 1]\" load global f32 bytes=4 array=a0
  s3 \"s[0]\" store shared f32 bytes=4 array=a1";

const PASSES: [Pass; 3] = [
    Pass::RuntimeUnrolling,
    Pass::LoadElimination,
    Pass::DeadCode,
];

/// `for (i = 0; i < n; i++) BODY`; what is computed before the loop stands in `r5` (thread) and `d6` (a row of the array).
fn looped(before: &str, body: &str) -> String {
    format!(
        "b0: d0 = special.address.0; d1 = special.address.1; r2 = parameter.TY 0; r5 = special.thread.x; d4 = convert.i64.i32.rn r5; d6 = mad.u64 d4, 256, d0; {before} r7 = mov.TY 0; jump b1
b1: p8 = lt.TY r7, r2; branch p8, b2, b3, b3
b2: {body} r30 = add.TY r7, 1; r7 = mov.TY r30; jump b1
b3: exit"
    )
}

/// `BASE[i + k] = BASE[i] * 2`.
fn moved(base: &str, distance: usize) -> String {
    format!(
        "d9 = convert.i64.TY.rn r7; d10 = mad.u64 d9, 4, {base}; r11 = load s0 [d10]; r12 = mul.f32 r11, 0x40000000; r13 = add.TY r7, {distance}; d14 = convert.i64.TY.rn r13; d15 = mad.u64 d14, 4, {base}; store s1 [d15], r12;"
    )
}

fn optimized(ty: &str, before: &str, body: &str) -> Optimized {
    run(&PASSES, SITES, &looped(before, body).replace("TY", ty))
}

/// Loads that stand as they are, and those that only the first iteration makes or only some lanes.
fn loads(kernel: &Kernel) -> (usize, usize) {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let loads = all.filter(|one| matches!(one.op, Op::Load { .. }));
    let first = |one: &&Instruction| one.guard.is_some_and(|guard| guard.negated);
    let (first, plain): (Vec<_>, Vec<_>) = loads.partition(first);
    (plain.len(), first.len())
}

#[test]
fn pieces_take_along_what_they_store_by_the_names_of_an_array_and_the_counter() {
    // One load in the first of each stage of pieces, and of the single iterations.
    let one = optimized("i32", "", &moved("d0", 1));
    assert_eq!(loads(&one.kernel), (0, 4), "{}", one.kernel);
    // Three before the pieces; a single iteration loads.
    let three = optimized("i32", "", &moved("d0", 3));
    assert_eq!(loads(&three.kernel), (1, 9), "{}", three.kernel);
}

#[test]
fn pieces_of_a_row_load_again_but_for_what_the_store_right_before_wrote() {
    // Each stage once, and each single iteration.
    let one = optimized("i32", "", &moved("d6", 1));
    assert_eq!(loads(&one.kernel), (4, 0), "{}", one.kernel);
    // Two in each of four pieces of 16, of two of 8, of one of 4.
    let two = optimized("i32", "", &moved("d6", 2));
    assert_eq!(loads(&two.kernel), (8 + 4 + 2 + 1, 0), "{}", two.kernel);
}

#[test]
fn another_store_between_makes_each_piece_load() {
    let body = format!("{} store s3 [d1], r12;", moved("d6", 1));
    let kernel = optimized("i32", "", &body).kernel;
    assert_eq!(loads(&kernel), (4 + 2 + 1 + 1, 0), "{kernel}");
}

#[test]
fn a_value_stored_right_before_the_loop_is_not_loaded() {
    let before = "r20 = mov.f32 0; store s1 [d0], r20;";
    let begun = optimized("i32", before, &moved("d0", 1));
    let plain = optimized("i32", "", &moved("d0", 1));
    let always_first = |kernel: &Kernel| {
        let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
        let flags = all.filter(|one| match &one.op {
            Op::Unary { dst, a, .. } => {
                kernel.registers.get(dst.index()) == Some(&1) && a.constant() == Some(1)
            }
            _ => false,
        });
        flags.filter(|one| one.place == PlaceId::default()).count()
    };
    // The flag of the pieces is set before them too.
    assert_eq!(always_first(&begun.kernel), always_first(&plain.kernel) + 1);
}

#[test]
fn a_store_past_one_that_may_wrap_around_is_a_close_call() {
    let signed = optimized("i32", "", &moved("d6", 2));
    let unsigned = optimized("u32", "", &moved("d6", 2));
    assert_eq!(
        [signed.close_calls.len(), unsigned.close_calls.len()],
        [0, 1]
    );
    // Each iteration loads.
    assert_eq!(loads(&unsigned.kernel), (5, 0), "{}", unsigned.kernel);
}

#[test]
fn a_loop_that_is_not_to_be_unrolled_takes_along_what_it_stores() {
    let sites = format!("{SITES}\n  unroll b1 1");
    let blocks = |base: &str| looped("", &moved(base, 1)).replace("TY", "i32");
    let kept = run(&PASSES, &sites, &blocks("d0"));
    assert_eq!(loads(&kept.kernel), (0, 1), "{}", kept.kernel);
    let row = run(&PASSES, &sites, &blocks("d6"));
    assert_eq!(loads(&row.kernel), (1, 0), "{}", row.kernel);
}
