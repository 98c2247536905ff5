//! Kernels that say the same in other words: loops left by barriers, words and bits that go nowhere, local memory, chains.

use crate::support;

use lanescope_ir::{Kernel, Op, Terminator};
use lanescope_optimizer::{Pass, RemarkKind};
use support::run;

const SITES: &str = "  s0 \"s[i]\" load shared f32 bytes=4 array=a1
  s1 \"s[i]\" store shared f32 bytes=4 array=a1
  s2 \"a[i]\" load global f32 bytes=4 array=a0
  s3 \"v[i]\" load shared f32 bytes=16 array=a1
  s4 \"\" store local f32 bytes=4
  s5 \"\" load local f32 bytes=4
  s6 \"a[i]\" atomic global u32 bytes=4 array=a0
  s7 \"w[i]\" load shared u32 bytes=4 array=a1";

fn ops(kernel: &Kernel) -> impl Iterator<Item = &Op> {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.map(|instruction| &instruction.op)
}

fn barriers(kernel: &Kernel) -> usize {
    let names = |op: &&Op| matches!(op, Op::Arm { .. } | Op::Join { .. } | Op::Leave { .. });
    ops(kernel).filter(names).count()
}

fn loads(kernel: &Kernel) -> usize {
    ops(kernel)
        .filter(|op| matches!(op, Op::Load { .. }))
        .count()
}

fn stores(kernel: &Kernel) -> usize {
    ops(kernel)
        .filter(|op| matches!(op, Op::Store { .. }))
        .count()
}

/// A kernel of these blocks, verified, without any pass of choice.
fn canonical(blocks: &str) -> Kernel {
    run(&[Pass::LoopUnrolling], SITES, blocks).kernel
}

const ADDRESS: &str = "r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = parameter.i32 0;";
const BODY: &str = "r5 = load s0 [r1]; escape r5; r0 = add.i32 r0, 32;";

/// `while (true) { if (!(i < n)) break; … }`, `while (1) { if (i < n) … else break; }` and `while (i < n) …`.
fn spellings() -> [String; 3] {
    [
        format!(
            "b0: {ADDRESS} arm c0, b4; jump b1
b1: p3 = lt.i32 r0, r2; p4 = not.bool p3; arm c1, b3; branch p4, b2, b3
b2: leave c1; jump b4
b3: join c1; {BODY} jump b1
b4: join c0; exit"
        ),
        format!(
            "b0: {ADDRESS} arm c0, b5; jump b1
b1: p3 = lt.i32 r0, r2; arm c1, b4; branch p3, b2, b3
b2: {BODY} jump b4
b3: leave c1; jump b5
b4: join c1; jump b1
b5: join c0; exit"
        ),
        format!(
            "b0: {ADDRESS} jump b1
b1: p3 = lt.i32 r0, r2; branch p3, b2, b3, b3
b2: {BODY} jump b1
b3: exit"
        ),
    ]
}

#[test]
fn loops_that_break_where_they_begin_are_cut_as_others() {
    let cut = spellings().map(|blocks| {
        let optimized = run(&[Pass::RuntimeUnrolling], SITES, &blocks);
        assert_eq!(barriers(&optimized.kernel), 0, "{}", optimized.kernel);
        let times = |kind: RemarkKind| matches!(kind, RemarkKind::Unrolled { times: 4 });
        assert!(optimized.remarks.iter().any(|one| times(one.kind)));
        loads(&optimized.kernel)
    });
    assert_eq!(cut, [cut[2]; 3]);
}

#[test]
fn a_continue_leaves_the_flow_of_an_if() {
    let blocks = format!(
        "b0: {ADDRESS} jump b1
b1: p3 = lt.i32 r0, r2; branch p3, b2, b6, b6
b2: arm c0, b5; r7 = and.i32 r0, 1; p4 = eq.i32 r7, 0; arm c1, b4; branch p4, b3, b4
b3: leave c1; jump b5
b4: join c1; r5 = load s0 [r1]; escape r5; jump b5
b5: join c0; r0 = add.i32 r0, 32; jump b1
b6: exit"
    );
    let kernel = canonical(&blocks);
    assert_eq!(barriers(&kernel), 0, "{kernel}");
    let joins = kernel
        .blocks
        .iter()
        .filter(|block| matches!(block.terminator, Terminator::Branch { join: Some(_), .. }));
    assert_eq!(joins.count(), 2, "{kernel}");
}

#[test]
fn a_barrier_that_some_lanes_leave_and_others_wait_at_stays() {
    // `if (a) { if (b) break; x; } else y; z;`: lanes of `x` and `y` meet at `z`, which is no post-dominator.
    let blocks = format!(
        "b0: {ADDRESS} p3 = lt.i32 r0, 8; arm c0, b5; branch p3, b1, b4
b1: p4 = lt.i32 r0, 4; branch p4, b2, b3
b2: leave c0; jump b6
b3: r5 = load s0 [r1]; escape r5; jump b5
b4: r6 = load s0 [r1 + 4]; escape r6; jump b5
b5: join c0; store s1 [r1], 1; jump b6
b6: exit"
    );
    assert_eq!(barriers(&canonical(&blocks)), 3);
}

#[test]
fn a_vector_is_loaded_in_the_words_that_are_used() {
    let widths = |used: [bool; 4]| {
        let escapes = used.iter().zip(10..).filter(|(used, _)| **used);
        let escapes: Vec<String> = escapes.map(|(_, at)| format!("escape r{at};")).collect();
        let blocks = format!(
            "b0: r0 = special.thread.x; r1 = mul.i32 r0, 16; r10, r11, r12, r13 = load s3 [r1]; {} exit",
            escapes.join(" ")
        );
        let kernel = run(&[Pass::DeadCode], SITES, &blocks).kernel;
        let widths = ops(&kernel).filter_map(|op| match op {
            Op::Load { site, address, .. } => {
                Some((address.offset, kernel.sites[site.index()].width.bytes()))
            }
            _ => None,
        });
        widths.collect::<Vec<_>>()
    };
    assert_eq!(widths([true, false, true, false]), [(0, 4), (8, 4)]);
    assert_eq!(widths([false, true, true, false]), [(4, 4), (8, 4)]);
    assert_eq!(widths([false, false, true, true]), [(8, 8)]);
    assert_eq!(widths([false, true, false, false]), [(4, 4)]);
    assert_eq!(widths([true, true, false, true]), [(0, 16)]);
    assert_eq!(widths([true; 4]), [(0, 16)]);
    assert_eq!(widths([false; 4]), []);
}

#[test]
fn what_a_bit_field_keeps_of_bits_that_are_overwritten_is_not_loaded() {
    let left = |second: &str| {
        let blocks = format!(
            "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = load s7 [r1];
  r3 = and.u32 r2, 0xffff0000; r4 = and.u32 r0, 0xffff; r5 = or.u32 r3, r4;
  r6 = and.u32 r5, {second}; r7 = shl.u32 r0, 16; r8 = or.u32 r6, r7; store s1 [r1], r8; exit"
        );
        loads(&run(&[Pass::DeadCode], SITES, &blocks).kernel)
    };
    assert_eq!(left("0xffff"), 0);
    assert_eq!(left("0xffffff"), 1);
}

#[test]
fn stores_to_local_memory_go_with_what_was_loaded_for_them() {
    let passes = [Pass::LoadElimination, Pass::DeadStores, Pass::DeadCode];
    let count = |read: &str| {
        let blocks = format!(
            "b0: d0 = special.address.0; d1 = special.local_window; r5 = special.thread.x; r2 = load s2 [d0]; r3 = load s2 [d0 + 64];
  store s4 [d1], r2; store s4 [d1 + 4], r3; d7 = convert.u64.u32.rz r5; d8 = add.u64 d1, d7; r4 = load s5 [{read}]; store s1 [0], r4; exit"
        );
        let kernel = run(&passes, SITES, &blocks).kernel;
        (loads(&kernel), stores(&kernel))
    };
    // The element that is read is a register, the other is not made.
    assert_eq!(count("d1"), (1, 1));
    // At an index that nobody knows any may be read.
    assert_eq!(count("d8"), (3, 3));
}

#[test]
fn an_atomic_whose_old_value_nobody_asks_for_is_a_reduction() {
    use lanescope_model::Operation;
    let operation = |op: &str, behind: &str| {
        let blocks = format!(
            "b0: d0 = special.address.0; r1 = special.thread.x; r2 = atomic.{op} s6 [d0], r1; r3 = add.u32 r2, 1; {behind} exit"
        );
        let kernel = run(&[Pass::DeadCode], SITES, &blocks).kernel;
        kernel.sites[6].operation
    };
    assert_eq!(operation("max", ""), Operation::Reduction);
    assert_eq!(operation("max", "escape r3;"), Operation::Atomic);
    // There is no exchange in global memory without the old value.
    assert_eq!(operation("exch", ""), Operation::Atomic);
}

/// `if (t < 8) v = s[ONE]; else if (t < 20) v = s[TWO]; else v = s[THREE];`
fn chain(last: &str) -> usize {
    let blocks = format!(
        "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; p2 = lt.i32 r0, 8; branch p2, b1, b2, b6
b1: r3 = mul.i32 r1, 2; r4 = load s0 [r3]; r9 = mov.f32 r4; jump b6
b2: p5 = lt.i32 r0, 20; branch p5, b3, b4, b5
b3: r6 = sub.i32 124, r1; r7 = load s0 [r6]; r9 = mov.f32 r7; jump b5
b4: {last} jump b5
b5: jump b6
b6: store s1 [r1], r9; exit"
    );
    loads(&run(&[Pass::BranchMerging], SITES, &blocks).kernel)
}

#[test]
fn what_all_arms_of_a_chain_end_with_stands_behind_them() {
    assert_eq!(chain("r8 = load s0 [r1 + 64]; r9 = mov.f32 r8;"), 1);
    assert_ne!(chain("r9 = mov.f32 0;"), 1);
    assert_ne!(chain("r8 = load s0 [r1 + 64]; r9 = add.f32 r8, r8;"), 1);
}

/// `do { if (j == 2) { j += ADDED; continue; } use(s[t]); if (j > 5) break; j += 2; } while (j < 9);`
fn spinning(added: &str) -> Kernel {
    canonical(&format!(
        "b0: {ADDRESS} r6 = rem.i32 r0, 3; arm c0, b7; jump b1
b1: arm c1, b6; p8 = eq.i32 r6, 2; branch p8, b2, b3, b3
b2: r9 = add.i32 r6, {added}; r6 = mov.i32 r9; jump b6
b3: r5 = load s0 [r1]; escape r5; p10 = lt.i32 5, r6; branch p10, b4, b5
b4: leave c1; jump b7
b5: r9 = add.i32 r6, 2; r6 = mov.i32 r9; jump b6
b6: join c1; p11 = lt.i32 r6, 9; branch p11, b1, b7
b7: join c0; exit"
    ))
}

#[test]
fn a_test_that_every_way_into_it_answers_is_none_and_lanes_that_continue_go_round() {
    let branches = |kernel: &Kernel| {
        let is_branch =
            |block: &&lanescope_ir::Block| matches!(block.terminator, Terminator::Branch { .. });
        kernel.blocks.iter().filter(is_branch).count()
    };
    let spun = spinning("1");
    assert_eq!((branches(&spun), barriers(&spun)), (2, 0), "{spun}");
    // Where the test may fail, lanes meet before it.
    let tested = spinning("7");
    assert_eq!(branches(&tested), 3, "{tested}");
    assert!(barriers(&tested) > 0, "{tested}");
}
