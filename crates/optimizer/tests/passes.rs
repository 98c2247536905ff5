//! Each pass on kernels in the text form: before and after.

use crate::support;

use lanescope_ir::{Kernel, Op};
use lanescope_optimizer::{Pass, Profile, RemarkKind, optimize};
use support::run;

/// How many loads and stores a kernel has.
fn accesses(kernel: &Kernel) -> (usize, usize) {
    let ops = || kernel.blocks.iter().flat_map(|block| &block.instructions);
    (
        ops()
            .filter(|one| matches!(one.op, Op::Load { .. }))
            .count(),
        ops()
            .filter(|one| matches!(one.op, Op::Store { .. }))
            .count(),
    )
}

const SHARED: &str = "  s0 \"s[t]\" load shared f32 bytes=4 array=a1
  s1 \"s[t]\" store shared f32 bytes=4 array=a1";

/// `r1` is the address of the thread's element.
const ADDRESS: &str = "r0 = special.thread.x; r1 = mul.i32 r0, 4";

#[test]
fn the_profile_none_changes_nothing() {
    let kernel: Kernel = format!("kernel \"k\" {{\n a0 \"a\" global \"float\" size=4\n a1 \"s\" shared \"float\" size=4\n{SHARED}\nb0: {ADDRESS}; r2 = load s0 [r1]; r3 = load s0 [r1]; exit\n}}")
        .parse()
        .expect("well formed");
    let optimized = optimize(&kernel, &Profile::NONE);
    assert_eq!(optimized.kernel, kernel);
    assert_eq!(optimized.remarks, []);
}

#[test]
fn a_load_of_what_is_held_is_eliminated() {
    let count = |body: &str| {
        accesses(
            &run(
                &[Pass::LoadElimination],
                SHARED,
                &format!("b0: {ADDRESS}; {body}; exit"),
            )
            .kernel,
        )
    };
    // Read twice, stored and read, and the same with something in between.
    assert_eq!(
        count("r2 = load s0 [r1]; r3 = load s0 [r1]; escape r2, r3"),
        (1, 0)
    );
    assert_eq!(
        count("store s1 [r1], 7; r2 = load s0 [r1]; escape r2"),
        (0, 1)
    );
    assert_eq!(
        count("r2 = load s0 [r1]; barrier 0; r3 = load s0 [r1]; escape r2, r3"),
        (2, 0)
    );
    assert_eq!(
        count("r2 = load s0 [r1]; store s1 [r1 + 4], 7; r3 = load s0 [r1]; escape r2, r3"),
        (1, 1)
    );
    assert_eq!(
        count("r2 = load s0 [r1]; store s1 [0], 7; r3 = load s0 [r1]; escape r2, r3"),
        (2, 1)
    );
}

#[test]
fn a_loop_s_own_place_is_loaded_in_each_iteration() {
    let blocks = |address: &str| {
        format!(
            "b0: {ADDRESS}; r2 = mov.i32 0; r5 = parameter.i32 8; jump b1
b1: p3 = lt.i32 r2, r5; branch p3, b2, b3, b3
b2: r6 = mul.i32 r2, 4; r4 = load s0 [{address}]; escape r4; r2 = add.i32 r2, 1; jump b1
b3: exit"
        )
    };
    let guarded = |address: &str| {
        let kernel = run(&[Pass::LoadElimination], SHARED, &blocks(address)).kernel;
        kernel
            .blocks
            .iter()
            .flat_map(|block| &block.instructions)
            .any(|one| matches!(one.op, Op::Load { .. }) && one.guard.is_some())
    };
    assert!(guarded("r1"), "an invariant load is done once");
    assert!(!guarded("r6"), "a place that moves is loaded again");
}

#[test]
fn what_one_branch_stored_is_partly_held_behind_it() {
    let blocks = format!(
        "b0: {ADDRESS}; p2 = lt.i32 r0, 16; branch p2, b1, b2, b2
b1: store s1 [r1], 7; jump b2
b2: r3 = load s0 [r1]; escape r3; exit"
    );
    let optimized = run(&[Pass::LoadElimination], SHARED, &blocks);
    assert!(matches!(
        optimized.remarks[0].kind,
        RemarkKind::PartlyEliminated { .. }
    ));
    // What it loaded from shared memory is loaded again.
    let blocks = blocks.replace("store s1 [r1], 7", "r4 = load s0 [r1]; escape r4");
    assert_eq!(run(&[Pass::LoadElimination], SHARED, &blocks).remarks, []);
}

#[test]
fn an_overwritten_store_is_dead() {
    let count = |body: &str| {
        accesses(
            &run(
                &[Pass::DeadStores],
                SHARED,
                &format!("b0: {ADDRESS}; {body}; barrier 0; r9 = load s0 [r1]; escape r9; exit"),
            )
            .kernel,
        )
    };
    assert_eq!(count("store s1 [r1], 1; store s1 [r1], 2"), (1, 1));
    assert_eq!(
        count("store s1 [r1], 1; barrier 0; store s1 [r1], 2"),
        (1, 2)
    );
    assert_eq!(
        count("store s1 [r1], 1; r2 = load s0 [0]; escape r2; store s1 [r1], 2"),
        (2, 2)
    );
    assert_eq!(count("store s1 [r1], 1; store s1 [r1 + 4], 2"), (1, 2));
}

#[test]
fn an_unused_load_is_dead() {
    let optimized = run(
        &[Pass::DeadCode],
        SHARED,
        &format!("b0: {ADDRESS}; r2 = load s0 [r1]; r3 = add.i32 r2, 1; exit"),
    );
    assert_eq!(accesses(&optimized.kernel), (0, 0));
    assert_eq!(optimized.remarks[0].kind, RemarkKind::Unused);
}

#[test]
fn a_load_is_dead_whose_value_is_overwritten_before_it_is_read() {
    let loads = |between: &str| {
        let blocks = format!(
            "b0: {ADDRESS}; p2 = lt.i32 r0, 16; branch p2, b1, b2, b2
b1: r3 = load s0 [r1]; jump b2
b2: {between} store s1 [r1], r3; exit"
        );
        accesses(&run(&[Pass::DeadCode], SHARED, &blocks).kernel).0
    };
    assert_eq!(loads("r3 = mov.f32 0;"), 0);
    assert_eq!(loads(""), 1);
    assert_eq!(loads("p4 = lt.i32 r0, 8; @p4 r3 = mov.f32 0;"), 1);
}

#[test]
fn a_load_sinks_into_the_branch_that_needs_it() {
    let blocks = |behind: &str| {
        format!(
            "b0: {ADDRESS}; r3 = load s0 [r1]; p2 = lt.i32 r0, 16; branch p2, b1, b2, b2
b1: store s1 [r1], r3; jump b2
b2: {behind} exit"
        )
    };
    let in_entry = |behind: &str| {
        let kernel = run(&[Pass::CodeSinking], SHARED, &blocks(behind)).kernel;
        kernel.blocks[0]
            .instructions
            .iter()
            .any(|one| matches!(one.op, Op::Load { .. }))
    };
    assert!(!in_entry(""));
    assert!(in_entry("escape r3;"));
}

#[test]
fn accesses_of_both_branches_are_one() {
    let optimized = run(
        &[Pass::BranchMerging],
        SHARED,
        &format!(
            "b0: {ADDRESS}; p2 = lt.i32 r0, 16; branch p2, b1, b2, b3
b1: r3 = load s0 [r1 + 4]; jump b3
b2: r3 = load s0 [r1]; jump b3
b3: escape r3; exit"
        ),
    );
    assert_eq!(accesses(&optimized.kernel), (1, 0));
    assert!(matches!(
        optimized.remarks[0].kind,
        RemarkKind::Merged { .. }
    ));
}

#[test]
fn neighbours_become_one_wide_access() {
    let loads = "r2 = load s0 [r1]; r3 = load s0 [r1 + 4]; r4 = load s0 [r1 + 8]; r5 = load s0 [r1 + 12]; escape r2, r3, r4, r5";
    let count = |scale: u32, body: &str| {
        let blocks = format!("b0: r0 = special.thread.x; r1 = mul.i32 r0, {scale}; {body}; exit");
        accesses(&run(&[Pass::Vectorization], SHARED, &blocks).kernel)
    };
    assert_eq!(count(16, loads), (1, 0));
    assert_eq!(count(8, loads), (2, 0));
    assert_eq!(count(4, loads), (4, 0));
    // Three of four words are one load of all.
    assert_eq!(
        count(
            16,
            &loads.replace("r5 = load s0 [r1 + 12]", "r5 = mov.i32 0")
        ),
        (1, 0)
    );
    // A store between parts loads.
    assert_eq!(
        count(
            16,
            "r2 = load s0 [r1]; store s1 [r1 + 256], 1; r3 = load s0 [r1 + 4]; escape r2, r3"
        ),
        (2, 1)
    );
    assert_eq!(count(16, "store s1 [r1], 1; store s1 [r1 + 4], 2"), (0, 1));
}

#[test]
fn a_counted_loop_is_written_out() {
    let blocks = "b0: r0 = mov.i32 4; jump b1
b1: p1 = lt.i32 0, r0; branch p1, b2, b3, b3
b2: r2 = mul.i32 r0, 4; store s1 [r2], 1; r0 = shr.i32 r0, 1; jump b1
b3: exit";
    let optimized = run(&[Pass::LoopUnrolling], SHARED, blocks);
    assert_eq!(accesses(&optimized.kernel), (0, 3));
    assert_eq!(optimized.kernel.blocks.len(), 1);
    // As the source says.
    let sites = format!("{SHARED}\n  unroll b1 1");
    assert_eq!(
        accesses(&run(&[Pass::LoopUnrolling], &sites, blocks).kernel),
        (0, 1)
    );
}

#[test]
fn a_loop_of_unknown_length_is_cut_into_pieces() {
    let blocks = "b0: r0 = special.thread.x; r3 = parameter.i32 0; jump b1
b1: p1 = lt.i32 r0, r3; branch p1, b2, b3, b3
b2: r2 = mul.i32 r0, 4; store s1 [r2], 1; r4 = add.i32 r0, 1; r0 = mov.i32 r4; jump b1
b3: exit";
    let optimized = run(&[Pass::RuntimeUnrolling], SHARED, blocks);
    // Singly, and 16, 8 and 4 at a time.
    assert_eq!(accesses(&optimized.kernel), (0, 1 + 16 + 8 + 4));
    let with_barrier = blocks.replace("r4 = add", "barrier 0; r4 = add");
    assert_eq!(
        accesses(&run(&[Pass::RuntimeUnrolling], SHARED, &with_barrier).kernel),
        (0, 1)
    );
}

#[test]
fn one_lane_does_an_atomic_on_a_shared_address() {
    let sites = "  s0 \"s[0]\" reduction shared u32 bytes=4 array=a1";
    let elects = |blocks: &str| {
        run(&[Pass::WarpAggregation], sites, blocks)
            .kernel
            .to_string()
            .contains("elect")
    };
    assert!(elects(
        "b0: r0 = special.thread.x; atomic.add s0 [0], r0; exit"
    ));
    assert!(!elects(
        "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; atomic.add s0 [r1], r0; exit"
    ));
    assert!(!elects(
        "b0: r0 = special.thread.x; p1 = eq.i32 r0, 3; branch p1, b1, b2, b2\nb1: atomic.add s0 [0], r0; jump b2\nb2: exit"
    ));
}

/// Whether a load sinks whose value goes through `middle` into a side that ends with `jump b2`.
fn sinks_through(middle: &str, behind: &str) -> bool {
    let blocks = format!(
        "b0: {ADDRESS}; r3 = load s0 [r1]; {middle} p5 = lt.u32 r0, 3; branch p5, b1, b2, b2
b1: store s1 [r1], r4; jump b2
b2: {behind} exit"
    );
    let optimized = run(&[Pass::CodeSinking], SHARED, &blocks);
    let mut kinds = optimized.remarks.iter().map(|one| one.kind);
    kinds.any(|kind| kind == RemarkKind::Sunk)
}

#[test]
fn loads_sink_past_arithmetic_of_halves_only_into_branches_that_stay() {
    let store = "store s1 [r1 + 64], 1;";
    let single = "r4 = add.f32 r3, r3;";
    let narrowed = "h7 = convert.f16.f32.rn r3;";
    let half = format!("{narrowed} r4 = convert.f32.f16.rn h7;");
    let both = format!("{narrowed} h8 = add.f16 h7, h7; r4 = convert.f32.f16.rn h8;");
    assert!(sinks_through(single, store));
    assert!(sinks_through(single, ""));
    assert!(!sinks_through(&half, store));
    assert!(sinks_through(&half, ""));
    assert!(!sinks_through(&both, store));
    assert!(!sinks_through(&both, ""));
    // Past what it has nothing to do with, too.
    let beside = format!("{single} h9 = convert.f16.u32.rn r0; escape h9;");
    assert!(!sinks_through(&beside, store));
}
