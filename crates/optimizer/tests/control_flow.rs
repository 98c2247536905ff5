//! Passes over loops and branches on kernels in the text form: before and after.

use crate::support;

use lanescope_ir::{Kernel, Op, Terminator};
use lanescope_optimizer::Pass;

const SITES: &str = "  s0 \"s[i]\" load shared f32 bytes=4 array=a1
  s1 \"s[i]\" store shared f32 bytes=4 array=a1
  s2 \"a[i]\" load global f32 bytes=4 array=a0";

/// A kernel of these blocks after some passes.
fn run(passes: &[Pass], blocks: &str) -> Kernel {
    support::run(passes, SITES, blocks).kernel
}

fn loads(kernel: &Kernel) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| matches!(one.op, Op::Load { .. })).count()
}

fn stores(kernel: &Kernel) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| matches!(one.op, Op::Store { .. })).count()
}

fn branches(kernel: &Kernel) -> usize {
    let is_branch =
        |one: &&lanescope_ir::Block| matches!(one.terminator, Terminator::Branch { .. });
    kernel.blocks.iter().filter(is_branch).count()
}

/// Whether no load stands in a block that is reached again from itself.
fn loops_load_nothing(kernel: &Kernel) -> bool {
    let flow = lanescope_ir::analysis::ControlFlow::of(kernel);
    (0..)
        .map(lanescope_ir::BlockId)
        .zip(&kernel.blocks)
        .all(|(id, block)| {
            let again = flow.reachable_from(id, None).get(id.index()) == Some(&true);
            !again
                || !block
                    .instructions
                    .iter()
                    .any(|one| matches!(one.op, Op::Load { .. }))
        })
}

const LOOP: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r3 = parameter.i32 0; jump b1
b1: p11 = lt.i32 r0, r3; branch p11, b2, b3, b3
b2: r2 = load s0 [r1]; BODY r0 = add.i32 r0, 1; escape r2; jump b1
b3: exit";

#[test]
fn what_every_iteration_loads_of_one_place_is_loaded_before_the_loop() {
    let hoisted =
        |body: &str| loops_load_nothing(&run(&[Pass::LoopInvariants], &LOOP.replace("BODY", body)));
    assert!(hoisted(""));
    // Nothing that the loop may write, nor past a barrier.
    assert!(hoisted("store s1 [r1 + 256], 1;"));
    assert!(!hoisted("store s1 [r1], 1;"));
    assert!(!hoisted("barrier 0;"));
    // The loop moves the address.
    assert!(!hoisted("r1 = mul.i32 r0, 4;"));
}

#[test]
fn only_lanes_that_make_an_iteration_load_before_the_loop() {
    let kernel = run(&[Pass::LoopInvariants], &LOOP.replace("BODY", ""));
    assert_eq!(loads(&kernel), 1);
    // The loop's test and the one before it.
    assert_eq!(branches(&kernel), 2);
    assert!(
        !kernel.blocks[0]
            .instructions
            .iter()
            .any(|one| matches!(one.op, Op::Load { .. }))
    );
}

/// `if (x < 16 && y < 16)`, of which the second test reads what is read behind it again.
const BOTH: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; p11 = lt.i32 r0, 16; p12 = mov.bool p11; branch p11, b1, b2, b2
b1: r2 = load s0 [r1]; p13 = lt.i32 r2, 16; p12 = mov.bool p13; jump b2
b2: branch p12, b3, b4, b4
b3: r4 = load s0 [r1]; escape r4; jump b4
b4: exit";

#[test]
fn a_block_that_only_branches_is_skipped_where_the_answer_is_known() {
    // Behind both tests the value is held.
    assert_eq!(loads(&run(&[Pass::LoadElimination], BOTH)), 2);
    let threaded = run(
        &[Pass::JumpThreading, Pass::LoadElimination, Pass::DeadCode],
        BOTH,
    );
    assert_eq!(loads(&threaded), 1);
}

#[test]
fn a_branch_around_a_little_arithmetic_is_predicated() {
    let count = |side: &str| {
        let blocks = format!(
            "b0: r0 = special.thread.x; r1 = mov.i32 r0; p11 = lt.i32 r0, 16; branch p11, b1, b2, b2
b1: {side}; jump b2
b2: escape r1; exit"
        );
        branches(&run(&[Pass::IfConversion], &blocks))
    };
    assert_eq!(count("r1 = add.i32 r1, 1"), 0);
    // Not what is dear, may fault or touches memory.
    assert_eq!(count("r1 = div.i32 r1, r0"), 1);
    assert_eq!(count("r1 = load s0 [r0]"), 1);
    assert_eq!(
        count(
            "r1 = add.i32 r1, 1; r1 = mul.i32 r1, 3; r1 = add.i32 r1, r0; r1 = mul.i32 r1, r0; r1 = add.i32 r1, 7"
        ),
        1
    );
}

#[test]
fn the_stores_of_all_cases_are_one() {
    let blocks =
        "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; p11 = lt.i32 r0, 8; branch p11, b1, b2, b6
b1: store s1 [r1], 1; jump b6
b2: p12 = lt.i32 r0, 16; branch p12, b3, b4, b5
b3: store s1 [r1 + 4], 2; jump b5
b4: store s1 [r1 + 8], 3; jump b5
b5: jump b6
b6: exit";
    assert_eq!(stores(&run(&[Pass::BranchMerging], blocks)), 1);
}

#[test]
fn every_counted_loop_is_cut() {
    let second = "b0: r0 = mov.i32 0; r3 = parameter.i32 0; jump b1
b1: p11 = lt.i32 r0, r3; branch p11, b2, b3, b3
b2: r2 = mul.i32 r0, 4; store s1 [r2], 1; r0 = add.i32 r0, 1; jump b1
b3: r5 = mov.i32 0; jump b4
b4: p12 = TEST; branch p12, b5, b6, b6
b5: r2 = mul.i32 r5, 4; store s1 [r2], 2; r5 = add.i32 r5, STEP; jump b4
b6: exit";
    let count = |test: &str, step: &str| {
        let blocks = second.replace("TEST", test).replace("STEP", step);
        stores(&run(&[Pass::RuntimeUnrolling], &blocks))
    };
    let (whole, cut) = (1, 16 + 8 + 4 + 1);
    assert_eq!(count("lt.i32 r5, r3", "1"), 2 * cut);
    assert_eq!(count("ne.i32 r5, r3", "1"), 2 * cut);
    assert_eq!(count("ne.i32 r5, r3", "2"), cut + whole);
    assert_eq!(count("eq.i32 r5, r3", "1"), cut + whole);
}

#[test]
fn a_loop_with_a_barrier_is_cut_where_all_lanes_make_as_many_iterations() {
    let blocks = "b0: r0 = mov.i32 0; r3 = END; jump b1
b1: p11 = lt.i32 r0, r3; branch p11, b2, b3, b3
b2: store s1 [0], 1; barrier 0; r0 = add.i32 r0, 1; jump b1
b3: exit";
    let count = |end: &str| stores(&run(&[Pass::RuntimeUnrolling], &blocks.replace("END", end)));
    assert_eq!(count("parameter.i32 0"), 16 + 8 + 4 + 1);
    assert_eq!(count("special.thread.x"), 1);
}

#[test]
fn a_counter_that_moves_by_the_warp_s_size_counts() {
    let blocks = "b0: r0 = special.thread.x; r3 = parameter.i32 0; r6 = special.STEP; jump b1
b1: p11 = lt.i32 r0, r3; branch p11, b2, b3, b3
b2: r2 = mul.i32 r0, 4; store s1 [r2], 1; r0 = add.i32 r0, r6; jump b1
b3: exit";
    let count = |step: &str| {
        stores(&run(
            &[Pass::RuntimeUnrolling],
            &blocks.replace("STEP", step),
        ))
    };
    assert_eq!(count("warp_size"), 1 + 16 + 8 + 4);
    // The block's size is a stride, of which the assembler makes no more.
    assert_eq!(count("block_size.x"), 1 + 4);
}

#[test]
fn a_quotient_parts_neighbours() {
    let count = |between: &str| {
        let blocks = format!(
            "b0: r0 = special.thread.x; r1 = mul.i32 r0, 16; r2 = load s0 [r1]; {between} r3 = load s0 [r1 + 4]; escape r2, r3, r5; exit"
        );
        loads(&run(&[Pass::Vectorization], &blocks))
    };
    assert_eq!(count("r5 = mul.f32 r2, r2;"), 1);
    assert_eq!(count("r5 = div.f32 r2, r2;"), 2);
    // That of a root is one instruction.
    assert_eq!(count("r5 = div.f32 0x3f800000, r2;"), 1);
}

#[test]
fn a_library_function_with_branches_parts_neighbours() {
    let pair = |access: [&str; 2], between: &str| {
        let [first, second] = access;
        let blocks = format!(
            "b0: r0 = special.thread.x; r1 = mul.i32 r0, 16; r4 = mov.f32 r0; {first} {between} {second} escape r2, r3, r5; exit"
        );
        run(&[Pass::Vectorization], &blocks)
    };
    let loaded = |between| {
        let access = ["r2 = load s0 [r1];", "r3 = load s0 [r1 + 4];"];
        loads(&pair(access, between))
    };
    let stored = |between| {
        let access = ["store s1 [r1], r4;", "store s1 [r1 + 4], r4;"];
        stores(&pair(access, between))
    };
    // A branch that is predicated in machine code parts stores alone.
    assert_eq!(
        [loaded("r5 = log.f32 r4;"), stored("r5 = log.f32 r4;")],
        [1, 2]
    );
    // One that stays parts both; the hardware's approximation has none.
    assert_eq!(
        [
            loaded("r5 = atan2.f32 r4, r4;"),
            stored("r5 = atan2.f32 r4, r4;")
        ],
        [2, 2]
    );
    assert_eq!(
        [
            loaded("r5 = log_approx.f32 r4;"),
            stored("r5 = log_approx.f32 r4;")
        ],
        [1, 1]
    );
    // Ten to a power is a function of its own.
    assert_eq!(stored("r5 = pow.f32 0x41200000, r4;"), 1);
    assert_eq!(stored("r5 = pow.f32 r4, 0x41200000;"), 2);
}

#[test]
fn a_number_that_a_branch_proves_is_known_behind_it() {
    let count = |test: &str, ways: &str| {
        let blocks = format!(
            "b0: r0 = special.thread.x; r4 = mov.i32 r0; p11 = {test}; branch p11, {ways}, b2
b1: r1 = mul.i32 r4, 4; r2 = load s0 [r1]; r3 = load s0 [r1 + 4]; escape r2, r3; jump b2
b2: exit"
        );
        loads(&run(&[Pass::LoadElimination, Pass::Vectorization], &blocks))
    };
    assert_eq!(count("eq.i32 r4, 4", "b1, b2"), 1);
    assert_eq!(count("eq.i32 r0, 4", "b1, b2"), 1);
    assert_eq!(count("ne.i32 r0, 4", "b2, b1"), 1);
    assert_eq!(count("lt.u32 r0, 1", "b1, b2"), 1);
    // Nothing is known where it does not hold, nor of a number that may be negative.
    assert_eq!(count("eq.i32 r0, 4", "b2, b1"), 2);
    assert_eq!(count("lt.i32 r0, 1", "b1, b2"), 2);
    // Not aligned.
    assert_eq!(count("eq.i32 r0, 3", "b1, b2"), 2);
}

/// `v = s[t]; BEFORE if (t < 8) { v = s[t + 1]; INSIDE } use(v)`.
const REPLACED: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = load s0 [r1]; r3 = mov.f32 r2; p11 = lt.i32 r0, 8; BEFORE branch p11, b1, b2, b2
b1: r4 = load s0 [r1 + 4]; INSIDE r3 = mov.f32 r4; jump b2
b2: escape r3; exit";

#[test]
fn a_load_that_replaces_another_is_one_with_it() {
    let left = |before: &str, inside: &str| {
        let blocks = REPLACED.replace("BEFORE", before).replace("INSIDE", inside);
        loads(&run(&[Pass::BranchMerging], &blocks))
    };
    assert_eq!(left("", ""), 1);
    // Not where something else uses a value, or writes memory before the branch.
    assert_eq!(left("escape r3;", ""), 2);
    assert_eq!(left("escape r2;", ""), 2);
    assert_eq!(left("store s1 [r1 + 64], 1;", ""), 2);
    assert_eq!(left("", "escape r4;"), 2);
    assert_eq!(left("", "r4 = mul.f32 r4, r4;"), 2);
}
