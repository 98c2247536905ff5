//! Stores that stand in both sides of an `if`, and stores that change nothing.

use crate::support;

use lanescope_ir::{Kernel, Op};
use lanescope_optimizer::{Pass, RemarkKind};
use support::run;

const SITES: &str = "  s0 \"a[i]\" load global f32 bytes=4 array=a0
  s1 \"a[i]\" store global f32 bytes=4 array=a0
  s2 \"s[i]\" store shared f32 bytes=4 array=a1";

fn stores(kernel: &Kernel) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| matches!(one.op, Op::Store { .. })).count()
}

/// Stores left of an `if` whose sides are these, with `before` ahead of it.
fn merged(before: &str, yes: &str, no: &str) -> usize {
    let blocks = format!(
        "b0: r0 = special.thread.x; r1 = rem.u32 r0, 2; p2 = eq.u32 r1, 0; {before} branch p2, b1, b2, b3
b1: {yes} jump b3
b2: {no} jump b3
b3: exit"
    );
    stores(&run(&[Pass::BranchMerging], SITES, &blocks).kernel)
}

const ONE: &str = "d3 = convert.u64.u32.rz r0; d4 = mul.u64 d3, 4; store s1 [d4], 0x3f800000;";
const TWO: &str = "d5 = convert.u64.u32.rz r0; d6 = mul.u64 d5, 4; store s1 [d6], 0x40000000;";

#[test]
fn stores_that_end_both_sides_are_one() {
    assert_eq!(merged("", ONE, TWO), 1);
}

#[test]
fn a_guard_around_both_sides_keeps_their_stores_apart() {
    let blocks = format!(
        "b0: r0 = special.thread.x; r1 = rem.u32 r0, 2; p2 = eq.u32 r1, 0; p7 = lt.u32 r0, 9; branch p7, b1, b5, b5
b1: branch p2, b2, b3, b4
b2: {ONE} jump b4
b3: {TWO} jump b4
b4: jump b5
b5: exit"
    );
    let guarded = run(&[Pass::BranchMerging], SITES, &blocks).kernel;
    assert_eq!(stores(&guarded), 2, "{guarded}");
}

#[test]
fn an_index_that_a_load_shares_keeps_stores_apart() {
    let shared = "d3 = convert.u64.u32.rz r0; d4 = mul.u64 d3, 4; r8 = load s0 [d4 + 4096]; store s1 [d4], r8;";
    assert_eq!(merged("", shared, TWO), 2);
    // Not where the address is known before the branch.
    let known = "d9 = convert.u64.u32.rz r0; d10 = mul.u64 d9, 4; r11 = load s0 [d10]; escape r11;";
    assert_eq!(merged(known, shared, TWO), 1);
    // Nor in shared memory.
    let own = shared.replace("store s1", "store s2");
    assert_eq!(merged("", &own, &TWO.replace("store s1", "store s2")), 1);
}

#[test]
fn zero_is_stored_on_its_own() {
    assert_eq!(merged("", ONE, &TWO.replace("0x40000000", "0")), 2);
}

/// Stores left after dead-store elimination, and whether one is said to change nothing.
fn left(blocks: &str) -> (usize, bool) {
    let optimized = run(&[Pass::DeadStores], SITES, blocks);
    let kinds = optimized.remarks.iter().map(|one| one.kind);
    let is_said = kinds.into_iter().any(|kind| kind == RemarkKind::Unchanged);
    (stores(&optimized.kernel), is_said)
}

#[test]
fn a_store_of_what_was_loaded_from_its_place_is_left_out() {
    let head = "b0: r0 = special.thread.x; d1 = convert.u64.u32.rz r0; d2 = mul.u64 d1, 8; r3 = load s0 [d2]; r4 = load s0 [d2 + 4];";
    let back = "store s1 [d2], r3; store s1 [d2 + 4], r4; exit";
    assert_eq!(left(&format!("{head} {back}")), (0, true));
    // A member that was changed is stored.
    let changed = "r3 = add.u32 r3, 1;";
    assert_eq!(left(&format!("{head} {changed} {back}")), (1, true));
    // Something else may have been written there, or a barrier stands between.
    let other = "d5 = mul.u64 d1, 12; store s1 [d5], 1;";
    assert_eq!(left(&format!("{head} {other} {back}")), (3, false));
    assert_eq!(left(&format!("{head} barrier 0; {back}")), (2, false));
}

/// Accesses left of `body` after global optimization of arrays in shared memory.
fn of_unread(sites: &str, body: &str) -> usize {
    let blocks = format!(
        "b0: r0 = special.thread.x; r1 = mul.u32 r0, 4; d2 = convert.u64.u32.rz r0; {body}
          store s1 [d2], 0x3f800000; exit"
    );
    let passes = [Pass::DeadStores, Pass::DeadCode];
    let kernel = run(&passes, &format!("{SITES}\n{sites}"), &blocks).kernel;
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| !one.op.sites().is_empty()).count()
}

#[test]
fn stores_to_a_shared_array_that_is_never_read_go_with_what_they_need() {
    let read = "  s3 \"s[i]\" load shared f32 bytes=4 array=a1";
    let stored = "r3 = load s0 [d2]; store s2 [r1], r3; barrier 0;";
    assert_eq!(of_unread("", stored), 1);
    // A load whose value nothing uses reads nothing.
    assert_eq!(of_unread(read, &format!("{stored} r4 = load s3 [r1];")), 1);
    let used = format!("{stored} r4 = load s3 [r1]; escape r4;");
    assert_eq!(of_unread(read, &used), 4);
}

#[test]
fn stores_to_an_array_that_something_may_read_stay() {
    let body = "r3 = load s0 [d2]; store s2 [r1], r3; barrier 0;";
    for (site, other) in [
        (
            "  s3 \"*p\" load generic f32 bytes=4",
            "r4 = load s3 [d2]; escape r4;",
        ),
        (
            "  s3 \"*p\" load shared f32 bytes=4",
            "r4 = load s3 [r1]; escape r4;",
        ),
        (
            "  s3 \"s[i]\" atomic shared u32 bytes=4 array=a1",
            "atomic.add s3 [r1], 1;",
        ),
        (
            "  s3 \"s[i]\" store shared f32 bytes=4 array=a1 volatile",
            "store s3 [r1], 1;",
        ),
    ] {
        assert_eq!(of_unread(site, &format!("{body} {other}")), 4, "{site}");
    }
    // What is not understood may read it; what only computes does not.
    let code = "r4 = unmodelled \"asm\", r1;";
    assert_eq!(of_unread("", &format!("{body} {code}")), 3);
    let pure = "r4 = unmodelled.pure \"asm\", r1;";
    assert_eq!(of_unread("", &format!("{body} {pure}")), 1);
    // A pointer that only stores reads nothing.
    let site = "  s3 \"*p\" store generic f32 bytes=4";
    assert_eq!(of_unread(site, &format!("{body} store s3 [d2], 1;")), 2);
}

#[test]
fn zero_at_the_end_of_a_loop_is_joined_only_where_nothing_stands_behind_it() {
    let looped = |behind: &str| {
        let blocks = format!(
            "b0: r0 = special.thread.x; jump b1
b1: p1 = lt.u32 r0, 99; branch p1, b2, b6, b6
b2: p2 = lt.u32 r0, 40; branch p2, b3, b4, b5
b3: {ONE} jump b5
b4: {} jump b5
b5: {behind} r0 = add.u32 r0, 32; jump b1
b6: exit",
            TWO.replace("0x40000000", "0")
        );
        stores(&run(&[Pass::BranchMerging], SITES, &blocks).kernel)
    };
    assert_eq!(looped(""), 1);
    assert_eq!(
        looped("d7 = convert.u64.u32.rz r0; r8 = load s0 [d7]; escape r8;"),
        2
    );
    assert_eq!(looped("barrier 0;"), 2);
}
