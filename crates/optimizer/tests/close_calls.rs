//! Decisions of the cost model near a threshold, and loops that are left in two places.

use crate::support;

use lanescope_ir::{Kernel, Op};
use lanescope_optimizer::{Leaning, Pass};
use support::{run, run_leaning};

const SITES: &str = "  s0 \"s[i]\" load shared f32 bytes=4 array=a1
  s1 \"s[i]\" store shared f32 bytes=4 array=a1";

/// `for (i < n) { WORK }`.
const LOOP: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = mov.i32 0; r9 = parameter.i32 0; r5 = mov.i32 0; jump b1
b1: p11 = lt.i32 r2, r9; branch p11, b2, b3, b3
b2: r4 = mul.i32 r2, 4; r3 = load s0 [r4]; WORK r5 = add.i32 r5, r3; r2 = add.i32 r2, 1; jump b1
b3: store s1 [r1], r5; exit";

fn loads(kernel: &Kernel) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| matches!(one.op, Op::Load { .. })).count()
}

#[test]
fn sizes_near_a_threshold_are_close_calls_and_go_either_way() {
    let passes = [Pass::RuntimeUnrolling];
    let close: Vec<(usize, usize, bool)> = (0..110)
        .map(|more| {
            let work = "r3 = add.i32 r3, 7; ".repeat(more);
            let blocks = LOOP.replace("WORK", &work);
            let fitted = run(&passes, SITES, &blocks);
            let other = run_leaning(Leaning::Otherwise, &passes, SITES, &blocks);
            assert_eq!(fitted.close_calls, other.close_calls);
            let is_close = !fitted.close_calls.is_empty();
            (loads(&fitted.kernel), loads(&other.kernel), is_close)
        })
        .collect();
    // Only close calls are taken otherwise, and all of them are.
    for (fitted, other, is_close) in &close {
        assert_eq!(fitted != other, *is_close, "{close:?}");
    }
    // Around each of the three thresholds there are some, and most sizes are none.
    let pieces = |from: usize, to: usize| {
        let is_there = |one: &&(usize, usize, bool)| (one.0, one.1) == (from, to);
        close.iter().filter(is_there).count()
    };
    for [a, b] in [[29, 5], [5, 3], [3, 1]] {
        assert!(pieces(a, b) > 0 && pieces(b, a) > 0, "{close:?}");
    }
    assert!(close.iter().filter(|one| one.2).count() < 45);
}

/// The most further instructions with which a loop around `work` is cut into pieces of 4.
fn room_beside(work: &str) -> usize {
    let is_cut_into_4 = |more: &usize| {
        let work = format!("{work}{}", "r5 = add.i32 r5, 7; ".repeat(*more));
        let kernel = run(
            &[Pass::RuntimeUnrolling],
            SITES,
            &LOOP.replace("WORK", &work),
        );
        loads(&kernel.kernel) == 5
    };
    (0..60).filter(is_cut_into_4).max().unwrap_or(0)
}

#[test]
fn operations_cost_what_was_measured_of_each() {
    let alone = room_beside("");
    let cost = |work: &str| alone - room_beside(work);
    assert_eq!(cost("r6 = xor.i32 r3, r9; "), 1);
    assert_eq!(cost("r6 = div.i32 r3, 4; "), 4);
    assert_eq!(cost("r6 = rem.i32 r3, r9; "), 4);
    assert_eq!(cost("r6 = div.u32 r3, 8; "), 1);
    assert_eq!(cost("r6 = min.i32 r3, r9; "), 2);
    assert_eq!(cost("r6 = abs.i32 r3; "), 3);
    assert_eq!(cost("r6 = div.f32 r3, r9; "), 4);
    // Copies, what the loop does not change, what is there already, and the extension of what was loaded.
    assert_eq!(cost("r6 = mov.i32 r3; "), 0);
    assert_eq!(cost("r6 = mul.i32 r9, 3; "), 0);
    assert_eq!(cost("r6 = xor.i32 r2, r9; r7 = xor.i32 r2, r9; "), 1);
    assert_eq!(cost("d6 = convert.u64.i32.rz r3; "), 0);
    assert_eq!(cost("d6 = convert.u64.i32.rz r2; "), 1);
}

#[test]
fn a_function_of_two_spellings_is_a_close_call_where_they_differ() {
    let close = |more: usize| {
        let work = format!("r6 = exp.f32 r3; {}", "r3 = add.i32 r3, 7; ".repeat(more));
        let cut = run(
            &[Pass::RuntimeUnrolling],
            SITES,
            &LOOP.replace("WORK", &work),
        );
        (loads(&cut.kernel), !cut.close_calls.is_empty())
    };
    // `__expf` would leave pieces of 4.
    assert_eq!(close(36), (3, true));
    assert_eq!(close(26), (5, false));
    assert_eq!(close(60), (3, false));
}

/// A loop that is left where it begins, and again right behind.
const LEFT_TWICE: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = mov.i32 0; r9 = parameter.i32 0; r5 = mov.i32 0; jump b1
b1: p11 = lt.i32 r2, r9; branch p11, b2, b5, b5
b2: MORE p12 = gt.TYPE r2, r0; branch p12, b3, b4
b3: WAY
b4: r4 = mul.i32 r2, 4; r3 = load s0 [r4]; r5 = add.i32 r5, r3; r2 = add.i32 r2, 1; jump b1
b5: store s1 [r1], r5; exit";

#[test]
fn a_loop_left_twice_to_one_place_is_counted() {
    let of = |more: &str, ty: &str, way: &str| {
        let blocks = LEFT_TWICE.replace("MORE", more).replace("TYPE", ty);
        let passes = [Pass::LoopUnrolling, Pass::RuntimeUnrolling];
        loads(&run(&passes, SITES, &blocks.replace("WAY", way)).kernel)
    };
    // Pieces of 16, 8, 4 and one.
    assert_eq!(of("", "i32", "jump b5"), 29);
    assert_eq!(of("r6 = add.i32 r2, 1;", "i32", "jump b5"), 29);
    // Two more instructions, numbers without sign, another way out, something needed behind.
    assert_eq!(
        of("r6 = add.i32 r2, 1; r7 = add.i32 r6, r9;", "i32", "jump b5"),
        1
    );
    assert_eq!(of("", "u32", "jump b5"), 1);
    assert_eq!(of("", "i32", "exit"), 1);
    assert_eq!(of("r5 = add.i32 r2, 1;", "i32", "jump b5"), 1);
}

/// `for (i < OUTER) for (j < INNER) s[t] += s[4 i + j]`.
const NEST: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = mov.i32 0; r9 = parameter.i32 0; r5 = mov.i32 0; jump b1
b1: p11 = lt.i32 r2, OUTER; branch p11, b2, b6, b6
b2: r3 = mov.i32 0; jump b3
b3: p12 = lt.i32 r3, INNER; branch p12, b4, b5, b5
b4: r4 = add.i32 r3, r2; r6 = mul.i32 r4, 4; r8 = load s0 [r6]; r5 = add.i32 r5, r8; r3 = add.i32 r3, 1; jump b3
b5: r2 = add.i32 r2, 1; jump b1
b6: store s1 [r1], r5; exit";

#[test]
fn whether_a_nest_is_written_out_is_a_close_call() {
    let is_close = |outer: &str, inner: &str| {
        let blocks = NEST.replace("OUTER", outer).replace("INNER", inner);
        !run(&[Pass::LoopUnrolling], SITES, &blocks)
            .close_calls
            .is_empty()
    };
    // Of a triangle always, of a loop of unknown trips unless it comes to much.
    assert!(is_close("4", "r2"));
    assert!(is_close("60", "r2"));
    assert!(is_close("4", "r9"));
    assert!(!is_close("60", "r9"));
    // Of trips that are known, and where the outer loop's are not.
    assert!(!is_close("12", "3"));
    assert!(!is_close("r9", "r2"));
}
