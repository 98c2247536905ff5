//! Passes over loops around loops, and over places that a loop changes, on kernels in the text form.

use crate::support;

use lanescope_ir::{Kernel, Op, SiteId, Terminator};
use lanescope_optimizer::{Pass, Profile};

const SITES: &str = "  s0 \"s[i]\" load shared f32 bytes=4 array=a1
  s1 \"s[i]\" store shared f32 bytes=4 array=a1
  s2 \"a[i]\" load global f32 bytes=4 array=a0
  s3 \"s[j]\" load shared f32 bytes=4 array=a1";

fn run(passes: &[Pass], blocks: &str) -> Kernel {
    support::run(passes, SITES, blocks).kernel
}

/// Accesses of a site.
fn accesses(kernel: &Kernel, site: u32) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| {
        let memory = matches!(one.op, Op::Load { .. } | Op::Store { .. });
        memory && one.op.sites().contains(&SiteId(site))
    })
    .count()
}

fn branches(kernel: &Kernel) -> usize {
    let is_branch =
        |one: &&lanescope_ir::Block| matches!(one.terminator, Terminator::Branch { .. });
    kernel.blocks.iter().filter(is_branch).count()
}

/// `for (i < OUTER) for (j < INNER) s[t] -= s[i + j * 9 + t]`.
const NEST: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = mov.i32 0; r9 = parameter.i32 0; jump b1
b1: p11 = lt.i32 r2, OUTER; branch p11, b2, b6, b6
b2: r3 = mov.i32 0; jump b3
b3: p12 = lt.i32 r3, INNER; branch p12, b4, b5, b5
b4: r4 = mul.i32 r3, 9; r5 = add.i32 r4, r2; r6 = mul.i32 r5, 4; r7 = add.i32 r6, r1; r8 = load s3 [r7]; r10 = load s0 [r1]; r13 = sub.f32 r10, r8; store s1 [r1], r13; r3 = add.i32 r3, 1; jump b3
b5: r2 = add.i32 r2, 1; jump b1
b6: exit";

#[test]
fn a_loop_around_one_of_unknown_trips_is_written_out_where_it_is_small_with_its_pieces() {
    let left = |outer: &str, inner: &str| {
        let blocks = NEST.replace("OUTER", outer).replace("INNER", inner);
        branches(&run(&[Pass::LoopUnrolling], &blocks))
    };
    // Each copy keeps the inner loop.
    assert_eq!(left("3", "r9"), 3);
    assert_eq!(left("9", "r9"), 2);
    // Triangular loops: nothing is left of a small one, a large one stays.
    assert_eq!(left("4", "r2"), 0);
    assert_eq!(left("12", "r2"), 2);
    // Inner loops of known trips are written out first.
    assert_eq!(left("12", "3"), 0);
}

/// `for (i < 1,000)` around sums that do not change, which a compiler makes before the loop.
#[test]
fn what_is_written_out_is_bounded_by_work_too() {
    let sums: String = (20..520)
        .map(|register| format!("r{register} = add.i32 r9, {register}; "))
        .collect();
    let blocks = format!(
        "  unroll b1 1000
b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = mov.i32 0; r9 = parameter.i32 0; jump b1
b1: p11 = lt.i32 r2, 1000; branch p11, b2, b3, b3
b2: {sums}store s1 [r1], r519; r2 = add.i32 r2, 1; jump b1
b3: exit"
    );
    let profile = Profile {
        passes: vec![Pass::LoopUnrolling].into(),
        ..Profile::NVCC_13_SM_90
    };
    let within = |work| {
        let optimized = support::run_within(&profile, work, SITES, &blocks);
        (optimized.is_complete, accesses(&optimized.kernel, 1))
    };
    assert_eq!(within(1 << 18), (false, 1));
    assert_eq!(within(1 << 24), (true, 1000));
}

/// `s[t] = 0; for (j < n) s[t] += FROM; use(s[t])`.
const SUM: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r3 = parameter.i32 0; r5 = mov.i32 0; d14 = parameter.u64 8; BEFORE jump b1
b1: p11 = lt.i32 r5, r3; branch p11, b2, b3, b3
b2: r2 = load s0 [r1]; r6 = mul.i32 r5, 4; d7 = convert.u64.i32.rz r6; d8 = add.u64 d7, d14; r9 = FROM; r10 = add.f32 r2, r9; store s1 [r1], r10; r5 = add.i32 r5, 1; jump b1
b3: r12 = load s0 [r1]; escape r12; exit";

fn sum(passes: &[Pass], before: &str, from: &str) -> Kernel {
    run(passes, &SUM.replace("BEFORE", before).replace("FROM", from))
}

#[test]
fn a_sum_in_memory_is_kept_in_a_register_through_a_loop() {
    let passes = [Pass::ScalarPromotion];
    let promoted = sum(&passes, "", "load s2 [d8]");
    assert_eq!((accesses(&promoted, 0), accesses(&promoted, 1)), (2, 1));
    // The loop's test, the one before it, and whether an iteration was made.
    assert_eq!(branches(&promoted), 3, "{promoted}");
    // Not where the loop reads what it may have stored.
    let other = sum(&passes, "", "load s3 [r6]");
    assert_eq!(other, sum(&[], "", "load s3 [r6]"));
}

#[test]
fn what_was_stored_before_a_loop_is_not_loaded_for_it_or_behind() {
    let passes = [
        Pass::ScalarPromotion,
        Pass::RuntimeUnrolling,
        Pass::LoadElimination,
        Pass::DeadCode,
    ];
    for passes in [&passes[..], Pass::ALL] {
        let kernel = sum(passes, "store s1 [r1], 0;", "load s2 [d8]");
        assert_eq!(accesses(&kernel, 0), 0, "{kernel}");
        // Nor where the loop makes the address.
        let again = SUM.replace("b2:", "b2: r20 = mul.i32 r0, 4;");
        let again = again.replace("load s0 [r1]; r6", "load s0 [r20]; r6");
        let again = again.replace("store s1 [r1], r10", "store s1 [r20], r10");
        let again = again.replace("BEFORE", "store s1 [r1], 0;");
        let kernel = run(passes, &again.replace("FROM", "load s2 [d8]"));
        assert_eq!(accesses(&kernel, 0), 0, "{kernel}");
    }
}

#[test]
fn pieces_and_single_iterations_each_load_first_what_they_change() {
    let passes = [
        Pass::RuntimeUnrolling,
        Pass::LoadElimination,
        Pass::DeadCode,
    ];
    let kernel = sum(&passes, "", "load s3 [r6]");
    // The first of each stage, and what stands behind; flags end what is held between.
    assert_eq!(accesses(&kernel, 0), 4 + 1, "{kernel}");
    let ends = kernel.blocks.iter().filter(|block| {
        let flags = block.instructions.iter().all(|one| {
            matches!(
                one.op,
                Op::Unary {
                    op: lanescope_ir::UnaryOp::Move,
                    ty: lanescope_ir::ScalarType::Bool,
                    ..
                }
            )
        });
        flags && !block.instructions.is_empty()
    });
    assert!(ends.count() >= 1, "{kernel}");
}

/// `v = s[t]; BETWEEN for (i = t; i < n; i += 32) s[i] = v; BEHIND`.
const SCALED: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r3 = parameter.i32 0; r8 = LOAD; BETWEEN jump b1
b1: p11 = lt.i32 r0, r3; branch p11, b2, b3, b3
b2: r6 = mul.i32 r0, 4; store s1 [r6], r8; r0 = add.i32 r0, 32; jump b1
b3: BEHIND exit";

#[test]
fn a_load_that_only_a_loop_needs_waits_for_its_first_iteration() {
    let sites = format!("{SITES}\n  s4 \"c[t]\" load shared f32 bytes=4 array=a1 readonly");
    let before_loop = |load: &str, between: &str, behind: &str| {
        let blocks = SCALED
            .replace("LOAD", load)
            .replace("BETWEEN", between)
            .replace("BEHIND", behind);
        let kernel = support::run(&[Pass::CodeSinking], &sites, &blocks).kernel;
        let entry = &kernel.blocks[0].instructions;
        let stays = entry.iter().any(|one| matches!(one.op, Op::Load { .. }));
        // Moved, it stands behind a test of its own.
        assert_eq!(branches(&kernel), if stays { 1 } else { 2 }, "{kernel}");
        stays
    };
    assert!(!before_loop("load s0 [r1]", "", ""));
    // With what is computed from it.
    assert!(!before_loop("load s0 [r1]", "r8 = add.f32 r8, r8;", ""));
    // Not where it is needed behind the loop, nor past a store or a barrier, but for what is only read.
    assert!(before_loop("load s0 [r1]", "", "escape r8;"));
    for between in ["store s1 [r1], 7;", "barrier 0;"] {
        assert!(before_loop("load s0 [r1]", between, ""));
        assert!(!before_loop("load s4 [r1]", between, ""));
    }
}

/// `while (i < n) { if (i < m) sum += s[PLACE]; i += 1; }`.
const NOW_AND_THEN: &str = "b0: r0 = special.thread.x; r1 = mul.i32 r0, 4; r2 = parameter.i32 0; r3 = parameter.i32 4; r4 = mov.i32 0; r5 = mov.f32 0; jump b1
b1: p6 = lt.i32 r4, r2; branch p6, b2, b5, b5
b2: p7 = lt.i32 r4, r3; branch p7, b3, b4, b4
b3: r8 = load s0 [PLACE]; r9 = add.f32 r5, r8; r5 = mov.f32 r9; MORE jump b4
b4: r4 = add.i32 r4, 1; jump b1
b5: store s1 [r1], r5; exit";

/// Whether the load stands before the loop, which keeps its header.
fn is_hoisted(place: &str, more: &str) -> bool {
    let blocks = NOW_AND_THEN.replace("MORE", more);
    let kernel = run(&[Pass::LoopInvariants], &blocks.replace("PLACE", place));
    let side = kernel
        .blocks
        .get(3)
        .into_iter()
        .flat_map(|block| &block.instructions);
    assert_eq!(accesses(&kernel, 0), 1, "{kernel}");
    !side
        .into_iter()
        .any(|one| matches!(one.op, Op::Load { .. }))
}

#[test]
fn a_load_that_cannot_fault_is_hoisted_though_only_some_iterations_make_it() {
    assert!(is_hoisted("8", ""));
    assert!(is_hoisted("1020", ""));
    // Its place is not known, or does not lie in the array.
    assert!(!is_hoisted("r1", ""));
    assert!(!is_hoisted("1024", ""));
    // Something may write there, or nothing is held.
    assert!(!is_hoisted("8", "store s1 [r1], 0;"));
    assert!(is_hoisted("8", "store s1 [12], 0;"));
    assert!(!is_hoisted("8", "barrier 0;"));
}

/// `for (j = 0; j < n; j += STEP) use(a[j], a[j + 1])`, whose index is made of `INDEX` and whose array begins at `BASE`.
const WINDOW: &str = "b0: r0 = parameter.i32 0; d1 = special.address.0; r2 = special.thread.x; r5 = mov.i32 0; d20 = mad.u64 d1, 1, 64; jump b1
b1: p11 = lt.i32 r5, r0; branch p11, b2, b3, b3
b2: INDEX d6 = convert.i64.i32.rn r3; d7 = mad.u64 d6, 4, BASE; r8 = load s2 [d7]; r9 = add.i32 r3, 1; d10 = convert.i64.i32.rn r9; d12 = mad.u64 d10, 4, BASE; r13 = load s4 [d12]; STORE r5 = add.i32 r5, STEP; jump b1
b3: exit";

#[test]
fn a_load_of_what_the_iteration_before_has_loaded_is_done_once_before_the_loop() {
    let sites = format!(
        "{SITES}\n  s4 \"a[i + 1]\" load global f32 bytes=4 array=a0\n  s5 \"a[i]\" store global f32 bytes=4 array=a0"
    );
    let in_loop = |index: &str, base: &str, step: &str, store: &str| {
        let blocks = WINDOW
            .replace("INDEX", index)
            .replace("BASE", base)
            .replace("STEP", step)
            .replace("STORE", store);
        let kernel = support::run(&[Pass::ScalarPromotion], &sites, &blocks).kernel;
        let loads = |block: usize, site: u32| {
            let all = kernel.blocks[block].instructions.iter();
            let is_of = |one: &&lanescope_ir::Instruction| one.op.sites().contains(&SiteId(site));
            all.filter(is_of).count()
        };
        assert_eq!(accesses(&kernel, 2), 1);
        assert_eq!(loads(2, 4), 1);
        loads(2, 2)
    };
    let plain = "r3 = mov.i32 r5;";
    assert_eq!(in_loop(plain, "d1", "1", ""), 0);
    // Another step, a row of a matrix, an index in one, and a store that may touch it leave the load where it is.
    assert_eq!(in_loop(plain, "d1", "2", ""), 1);
    assert_eq!(in_loop(plain, "d20", "1", ""), 1);
    assert_eq!(in_loop("r3 = add.i32 r5, r2;", "d1", "1", ""), 1);
    assert_eq!(in_loop(plain, "d1", "1", "store s5 [d7], r8;"), 1);
}

/// `for (i = t; i < n; i += stride) BODY`, where `ADD` is the type of that sum.
const STRIDED: &str = "b0: r0 = special.thread.x; r1 = parameter.i32 0; r2 = BY; r5 = mov.i32 r0; r12 = mov.f32 0; d14 = parameter.u64 8; jump b1
b1: p11 = lt.i32 r5, r1; branch p11, b2, b3, b3
b2: d6 = convert.i64.i32.rn r5; d7 = mad.u64 d6, 4, d14; r8 = load s2 [d7]; r12 = add.f32 r12, r8; BODY r9 = add.ADD r5, r2; r5 = mov.i32 r9; jump b1
b3: escape r12; exit";

#[test]
fn a_loop_whose_counter_moves_by_a_stride_is_cut_into_four_where_it_cannot_wrap_and_must_end() {
    let copies = |sites: &str, by: &str, add: &str, body: &str| {
        let blocks = STRIDED
            .replace("BY", by)
            .replace("ADD", add)
            .replace("BODY", body);
        let kernel = support::run(&[Pass::RuntimeUnrolling], sites, &blocks).kernel;
        accesses(&kernel, 2)
    };
    let size = "special.block_size.x";
    // One iteration, and four at a time.
    assert_eq!(copies(SITES, size, "i32", ""), 5);
    assert_eq!(copies(SITES, "parameter.i32 4", "i32", ""), 5);
    // A sum without sign may wrap around, a barrier may wait, a volatile load may trap, and the stride may change.
    assert_eq!(copies(SITES, size, "u32", ""), 1);
    assert_eq!(copies(SITES, size, "i32", "barrier 0;"), 1);
    assert_eq!(copies(SITES, size, "i32", "r2 = add.i32 r2, 1;"), 1);
    let volatile = SITES.replace("array=a0", "array=a0 volatile");
    assert_eq!(copies(&volatile, size, "i32", ""), 1);
}
