//! Which loops the assembler makes 16 iterations at a time of: those whose pieces a register counts down.

use crate::support;

use lanescope_ir::{Kernel, Op};
use lanescope_optimizer::{Leaning, Pass};
use support::{run, run_leaning};

const SITES: &str = "  s0 \"a[i]\" load global f32 bytes=4 array=a0
  s1 \"s[i]\" load shared f32 bytes=4 array=a1
  s2 \"a[j]\" load global f32 bytes=4 array=a0";

/// `for (TY i = 0; i < n; i++) x += PLACE`, where the place is loaded into `r20`; the counter is `r7`, of 64 bits `d7`.
fn blocks(ty: &str, place: &str) -> String {
    let counter = if ty.ends_with("64") { "d7" } else { "r7" };
    let end = if ty.ends_with("64") { "d4" } else { "r2" };
    let next = if ty.ends_with("64") { "d30" } else { "r30" };
    format!(
        "b0: d0 = special.address.0; d1 = special.address.1; r2 = parameter.i32 0; r3 = parameter.i32 4; d4 = parameter.i64 8; r5 = special.thread.x; r6 = mov.f32 0; {counter} = mov.{ty} 0; jump b1
b1: p8 = lt.{ty} {counter}, {end}; branch p8, b2, b3, b3
b2: {place}; r6 = add.f32 r6, r20; {next} = add.{ty} {counter}, 1; {counter} = mov.{ty} {next}; jump b1
b3: escape r6; exit"
    )
}

fn loads(kernel: &Kernel) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| matches!(one.op, Op::Load { .. })).count()
}

/// Loads of a loop with one in each iteration: of stages of 16, 8, 4 and 1, and of 4 and 1.
const SIXTEEN: usize = 29;
const FOUR: usize = 5;

/// `a[INDEX]`, where the index is computed into `r10` from the counter `r7`.
fn at(index: &str, ty: &str) -> String {
    format!("{index}; d11 = convert.i64.{ty}.rn r10; d12 = mad.u64 d11, 4, d0; r20 = load s0 [d12]")
}

#[test]
fn pieces_are_four_where_an_index_may_wrap_around() {
    let cases = [
        ("i32", "r10 = add.i32 r7, r5", SIXTEEN),
        ("i32", "r10 = mul.i32 r7, 64", SIXTEEN),
        ("i32", "r9 = mul.i32 r7, r3; r10 = add.i32 r9, r5", SIXTEEN),
        ("i32", "r9 = add.i32 r7, 5; r10 = mul.i32 r9, r3", SIXTEEN),
        ("i32", "r9 = mul.i32 r7, 2; r10 = add.i32 r9, r5", SIXTEEN),
        ("i32", "r9 = mul.i32 r7, 64; r10 = add.i32 r9, r5", FOUR),
        ("i32", "r9 = shl.i32 r7, 5; r10 = add.i32 r9, r5", FOUR),
        ("i32", "r9 = mul.i32 r7, 2; r10 = mul.i32 r9, r3", FOUR),
        ("i32", "r9 = add.i32 r7, r5; r10 = mul.i32 r9, r3", FOUR),
        ("i32", "r9 = mul.u32 r7, r3; r10 = add.u32 r9, r5", FOUR),
        ("u32", "r10 = mov.u32 r7", SIXTEEN),
        ("u32", "r10 = add.u32 r7, 1", FOUR),
        ("u32", "r10 = add.u32 r7, r5", FOUR),
        ("u32", "r10 = mul.u32 r7, 2", FOUR),
    ];
    for (ty, index, expected) in cases {
        let place = at(index, ty);
        let optimized = run(&[Pass::RuntimeUnrolling], SITES, &blocks(ty, &place));
        assert_eq!(loads(&optimized.kernel), expected, "{ty}: {index}");
        assert!(optimized.close_calls.is_empty(), "{ty}: {index}");
    }
}

#[test]
fn a_counter_of_64_bits_is_counted_down_where_no_index_is_made_of_it() {
    let index = "d12 = mad.u64 d7, 4, d0; r20 = load s0 [d12]";
    let shared = "d12 = mad.u64 d7, 4, d1; r20 = load s1 [d12]";
    let pointer = "r20 = load s0 [d0]; d0 = add.i64 d0, 4";
    for (place, expected) in [(index, FOUR), (shared, FOUR), (pointer, SIXTEEN)] {
        let optimized = run(&[Pass::RuntimeUnrolling], SITES, &blocks("i64", place));
        assert_eq!(loads(&optimized.kernel), expected, "{place}");
    }
}

#[test]
fn places_in_shared_memory_do_not_keep_pieces_of_four() {
    let place = "r10 = mul.u32 r7, 32; d11 = convert.i64.u32.rn r10; d12 = mad.u64 d11, 4, d1; r20 = load s1 [d12]";
    let optimized = run(&[Pass::RuntimeUnrolling], SITES, &blocks("u32", place));
    assert_eq!(loads(&optimized.kernel), SIXTEEN);
}

#[test]
fn places_that_do_not_agree_are_a_close_call() {
    let place = format!(
        "{}; d13 = convert.i64.i32.rn r7; d14 = mad.u64 d13, 4, d0; r21 = load s2 [d14]; r20 = add.f32 r20, r21",
        at("r9 = mul.i32 r7, 64; r10 = add.i32 r9, r5", "i32")
    );
    let blocks = blocks("i32", &place);
    let passes = [Pass::RuntimeUnrolling];
    let fitted = run(&passes, SITES, &blocks);
    let other = run_leaning(Leaning::Otherwise, &passes, SITES, &blocks);
    assert_eq!(fitted.close_calls.len(), 1);
    assert_eq!(
        (loads(&fitted.kernel), loads(&other.kernel)),
        (2 * FOUR, 2 * SIXTEEN)
    );
}
