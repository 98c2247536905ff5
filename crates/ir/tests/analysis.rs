//! Analyses on kernels in the text form.

use crate::support;

use lanescope_ir::analysis::{
    ControlFlow, Dominators, Loops, UnderlyingObject, Uniformity, ValueNumbers, split_webs,
    underlying_objects,
};
use lanescope_ir::{BlockId, Kernel, Register};
use support::read;

fn loops(kernel: &Kernel) -> (ControlFlow, Loops) {
    let flow = ControlFlow::of(kernel);
    let loops = Loops::of(&flow, &Dominators::of(&flow));
    (flow, loops)
}

const NESTED: &str = "
b0: r0 = mov.i32 0; r3 = special.thread.x; jump b1
b1: p1 = lt.i32 r0, 8; branch p1, b2, b5, b5
b2: r2 = mov.i32 0; jump b3
b3: r2 = add.i32 r2, 4; p4 = lt.i32 r2, r3; branch p4, b3, b4, b4
b4: r0 = add.i32 r0, 1; jump b1
b5: exit";

#[test]
fn of_thousands_of_loops_in_each_other_none_is_known() {
    // Each block but the last is a loop's header, and as far behind the middle a latch.
    let nest = |depth: usize| {
        let mut text = String::from("\n");
        for at in 0..depth {
            text += &format!("b{at}: r0 = mov.i32 0; jump b{}\n", at + 1);
        }
        for at in depth..2 * depth {
            let header = 2 * depth - 1 - at;
            text += &format!(
                "b{at}: p1 = lt.i32 r0, 8; branch p1, b{header}, b{}, b{}\n",
                at + 1,
                at + 1
            );
        }
        read(&format!("{text}b{}: exit", 2 * depth))
    };
    let (_, few) = loops(&nest(500));
    assert!(!few.is_cut());
    assert_eq!(few.all().len(), 500);
    let (_, many) = loops(&nest(2_000));
    assert!(many.is_cut() && many.all().is_empty());
    assert_eq!(many.innermost(BlockId(5)), None);
}

#[test]
fn natural_loops_nest() {
    let kernel = read(NESTED);
    let (_, loops) = loops(&kernel);
    let found: Vec<(u32, u32, usize)> = loops
        .all()
        .iter()
        .map(|one| (one.header.0, one.depth, one.blocks.len()))
        .collect();
    assert_eq!(found, [(1, 1, 4), (3, 2, 1)]);
    assert_eq!(loops.innermost(BlockId(3)), Some(1));
    assert_eq!(loops.innermost(BlockId(4)), Some(0));
    assert_eq!(loops.innermost(BlockId(5)), None);
    assert!(loops.is_within(1, 0) && !loops.is_within(0, 1));
    assert_eq!(loops.all()[0].exits, [(BlockId(1), BlockId(5))]);
}

#[test]
fn what_a_loop_moves_keeps_its_low_bits() {
    let kernel = read(NESTED);
    let (flow, loops) = loops(&kernel);
    let numbers = ValueNumbers::of(&kernel, &flow, &loops).expect("small");
    let inner = numbers.at(&kernel, BlockId(3)).expect("reached");
    // r2 is 0, 4, 8 …: its two lowest bits are known.
    assert_eq!(inner.register(Register(2)).low, 2);
    assert_eq!(inner.register(Register(2)).number & 3, 0);
    assert_eq!(inner.register(Register(0)).low, 0);
    let begin = numbers.at(&kernel, BlockId(2)).expect("reached");
    assert_eq!(begin.register(Register(0)).scope, 1);
}

#[test]
fn equal_sums_have_one_number() {
    let kernel = read(
        "b0: r0 = special.thread.x; r1 = add.i32 r0, 1; r2 = mul.i32 r1, 4; r3 = mad.i32 r0, 4, 4
  r4 = shl.i32 r0, 2; p5 = lt.i32 r0, 4; branch p5, b1, b2, b3
b1: r6 = mov.i32 r2; jump b3
b2: r6 = mov.i32 r3; jump b3
b3: escape r2, r3, r4, r6; exit",
    );
    let (flow, loops) = loops(&kernel);
    let numbers = ValueNumbers::of(&kernel, &flow, &loops).expect("small");
    let end = numbers.at(&kernel, BlockId(3)).expect("reached");
    let value = |register| end.register(Register(register));
    assert_eq!(value(2), value(3));
    assert_eq!(value(3).distance(value(4)), Some(4));
    assert_eq!(value(4).alignment(), 4);
    // Both branches bring the same.
    assert_eq!(value(6), value(2));
    assert!(value(2).is_apart(4, value(4), 4));
    assert!(!value(2).is_apart(4, value(4), 8));
}

#[test]
fn divergence_follows_data_and_control() {
    let kernel = read(
        "b0: r0 = special.thread.x; r1 = special.block.x; r2 = add.i32 r1, 1; r3 = mov.i32 0
  p4 = lt.i32 r0, 4; branch p4, b1, b2, b2
b1: r3 = mov.i32 1; r5 = mov.i32 7; jump b2
b2: r6 = vote.ballot p4; exit",
    );
    let flow = ControlFlow::of(&kernel);
    let uniformity = Uniformity::of(&kernel, &flow);
    let uniform: Vec<u32> = (0..7)
        .filter(|register| uniformity.is_uniform(Register(*register)))
        .collect();
    // r3 is written on one way only; r5 in one place.
    assert_eq!(uniform, [1, 2, 5, 6]);
    assert!(uniformity.is_divergent_block(BlockId(1)));
    assert!(!uniformity.is_divergent_block(BlockId(2)));
}

#[test]
fn uses_that_share_no_definition_are_webs_of_their_own() {
    let split = split_webs(&read(
        "
b0: r0 = special.thread.x; p1 = lt.u32 r0, 9; r0 = mov.u32 1; branch p1, b1, b2, b2
b1: r0 = mov.u32 2; jump b2
b2: escape r0; r0 = special.thread.y; @p1 r0 = mov.u32 3; escape r0; exit",
    ));
    let text = split.expect("small").to_string();
    let expected = read(
        "
b0: r0 = special.thread.x; p1 = lt.u32 r0, 9; r2 = mov.u32 1; branch p1, b1, b2, b2
b1: r2 = mov.u32 2; jump b2
b2: escape r2; r3 = special.thread.y; @p1 r3 = mov.u32 3; escape r3; exit",
    );
    assert_eq!(text, expected.to_string());
}

#[test]
fn addresses_point_into_what_they_are_computed_from() {
    let kernel = read(
        "  parameter \"in\" \"const float*\" offset=0 bytes=8
  parameter \"out\" \"float*\" offset=8 bytes=8
  parameter \"n\" \"int\" offset=16 bytes=4 scalar=i32
  s0 \"in[i]\" load global u32 bytes=4
  s1 \"in[in[i]]\" load global f32 bytes=4
  s2 \"out[in[i]]\" store global f32 bytes=4
  s3 \"in[i]\" load global u64 bytes=8
  s4 \"*in[i]\" store global f32 bytes=4
  s5 \"*(i < n ? in : out)\" store global f32 bytes=4
  s6 \"*p++\" store global f32 bytes=4
b0: d0 = parameter.u64 0; d1 = parameter.u64 8; r2 = parameter.i32 16; r3 = special.thread.x
  d4 = mul_wide.u32 r3, 4; d5 = add.u64 d0, d4; r6 = load s0 [d5]
  d7 = mul_wide.u32 r6, 4; d8 = add.u64 d0, d7; r9 = load s1 [d8]
  d10 = add.u64 d7, d1; store s2 [d10], r9
  d11 = load s3 [d5]; d12 = add.u64 d11, d4; store s4 [d12], r9
  p13 = lt.i32 r3, r2; d14 = select p13, d0, d1; store s5 [d14], r9
  d15 = mov.u64 d1; jump b1
b1: store s6 [d15], r9; d15 = add.u64 d15, d4; branch p13, b1, b2, b2
b2: exit",
    );
    let [input, output] = [0, 1].map(|at| Some(UnderlyingObject::Parameter(at)));
    let found = underlying_objects(&kernel);
    assert_eq!(found, [input, input, output, input, None, None, output]);
}
