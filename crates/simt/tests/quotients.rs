//! Quotients as compilers write them, by high products and funnel shifts, grow with the block as what they divide does.

use crate::support;

use lanescope_ir::{AddressSpace, BinaryOp, Op, Operand, ScalarType, SpecialRegister, TernaryOp};
use lanescope_simt::{Budget, End, execute, execute_classes};
use std::collections::BTreeMap;
use support::{Builder, Keeper, LINES, row_of_blocks};

/// A load of `in[word + threadIdx.x]`, where `word` is what `index` makes of the block's index.
fn blocks_run(index: impl FnOnce(&mut Builder, Operand) -> Operand) -> u64 {
    let mut builder = Builder::new();
    let start = builder.pointer("in");
    let block = builder.special(SpecialRegister::BlockIndex(0));
    let thread = builder.special(SpecialRegister::ThreadIndex(0));
    let word = index(&mut builder, block);
    let sum = builder.add(word, thread);
    let address = builder.element(start, sum);
    builder.load(AddressSpace::Global, address, 0);
    let launch = row_of_blocks(3000, 32);
    let budget = Budget::default();
    let (mut full, mut classes) = (Keeper::default(), Keeper::default());
    execute(&builder.kernel, &launch, 32, budget, &mut full);
    let kernel = &builder.kernel;
    let outcome = execute_classes(kernel, &launch, 32, budget, LINES, &mut classes);
    assert_eq!((outcome.end, outcome.blocks_done), (End::Complete, 3000));
    // Where in its line each block begins, and how many do.
    let mut begins: BTreeMap<u64, u64> = BTreeMap::new();
    for one in &full.made {
        *begins.entry(one.addresses[0] % 128).or_default() += 1;
    }
    let mut classed: BTreeMap<u64, u64> = BTreeMap::new();
    for (one, (_, times)) in classes.made.iter().zip(&classes.blocks) {
        *classed.entry(one.addresses[0] % 128).or_default() += times;
    }
    assert_eq!(classed, begins);
    outcome.blocks_run
}

fn ternary(builder: &mut Builder, op: TernaryOp, [a, b, c]: [Operand; 3]) -> Operand {
    let dst = builder.register(32);
    let ty = ScalarType::U32;
    builder.push(Op::Ternary {
        op,
        ty,
        dst,
        a,
        b,
        c,
    });
    dst.into()
}

#[test]
fn products_by_a_reciprocal_grow_as_the_quotient() {
    // 24 i / 24 * 128: (24 i * 0xaaaaaaab >> 32) >> 4.
    let run = blocks_run(|builder, block| {
        let scaled = builder.multiply(block, Operand::Constant(24));
        let high = builder.binary(
            BinaryOp::MultiplyHigh,
            ScalarType::U32,
            scaled,
            Operand::Constant(0xaaaa_aaab),
        );
        let four = Operand::Constant(4);
        let quotient = builder.binary(BinaryOp::ShiftRight, ScalarType::U32, high, four);
        builder.multiply(quotient, Operand::Constant(128))
    });
    assert!(run < 10, "{run}");
}

#[test]
fn high_words_of_wide_products_grow_as_the_quotient() {
    // 24 i / 24 * 128, as machine code has it: the high word of 24 i * 0x2aaaaaab, by 4.
    let run = blocks_run(|builder, block| {
        let scaled = builder.multiply(block, Operand::Constant(24));
        let reciprocal = Operand::Constant(0x2aaa_aaab);
        let dst = builder.register(64);
        builder.push(Op::Binary {
            op: BinaryOp::MultiplyWide,
            ty: ScalarType::I32,
            dst,
            a: scaled,
            b: reciprocal,
        });
        let high = builder.register(32);
        builder.push(Op::Unpack {
            parts: vec![None, Some(high)],
            part_bits: 32,
            a: dst.into(),
        });
        let two = Operand::Constant(2);
        let quotient = builder.binary(BinaryOp::ShiftRight, ScalarType::U32, high.into(), two);
        builder.multiply(quotient, Operand::Constant(128))
    });
    assert!(run < 10, "{run}");
}

#[test]
fn words_of_shifted_double_words_grow_as_the_double_word() {
    // 1,024 i with nothing above, 5 to the right: 32 i, as many words as a line has.
    for (op, by) in [
        (TernaryOp::FunnelShiftRight, 5),
        (TernaryOp::FunnelShiftLeft, 27),
        (TernaryOp::FunnelShiftRightClamped, 5),
        (TernaryOp::FunnelShiftLeftClamped, 27),
    ] {
        let run = blocks_run(|builder, block| {
            let low = builder.multiply(block, Operand::Constant(32 * 32));
            ternary(
                builder,
                op,
                [low, Operand::Constant(0), Operand::Constant(by)],
            )
        });
        assert_eq!(run, 1, "{op:?}");
    }
}

#[test]
fn quotients_that_stay_for_several_blocks_are_classes_of_those() {
    let run = blocks_run(|builder, block| {
        let by = Operand::Constant(1000);
        let quotient = builder.binary(BinaryOp::Divide, ScalarType::U32, block, by);
        builder.multiply(quotient, Operand::Constant(8))
    });
    assert_eq!(run, 3);
}

fn remainder(builder: &mut Builder, block: Operand, by: u64) -> Operand {
    let by = Operand::Constant(by);
    builder.binary(BinaryOp::Remainder, ScalarType::U32, block, by)
}

/// The row of a tile, so many words apart.
fn row(builder: &mut Builder, block: Operand, tiles: u64) -> Operand {
    let by = Operand::Constant(tiles);
    let row = builder.binary(BinaryOp::Divide, ScalarType::U32, block, by);
    builder.multiply(row, Operand::Constant(4096))
}

#[test]
fn tiles_of_a_row_are_a_class_whichever_coordinate_comes_first() {
    let row_first = blocks_run(|builder, block| {
        let row = row(builder, block, 50);
        let tile = remainder(builder, block, 50);
        let column = builder.multiply(tile, Operand::Constant(32));
        builder.add(row, column)
    });
    assert_eq!(row_first, 3000 / 50);
    let column_first = blocks_run(|builder, block| {
        let tile = remainder(builder, block, 50);
        let column = builder.multiply(tile, Operand::Constant(32));
        let row = row(builder, block, 50);
        builder.add(row, column)
    });
    assert!(column_first <= 3000 / 50 + 2, "{column_first}");
    // Four tiles that are a line together: each begins in another quarter of it.
    let narrow = blocks_run(|builder, block| {
        let row = row(builder, block, 50);
        let tile = remainder(builder, block, 50);
        let column = builder.multiply(tile, Operand::Constant(8));
        builder.add(row, column)
    });
    assert!(narrow <= 4 * 3000 / 50, "{narrow}");
}

#[test]
fn tiles_by_masks_are_classes_too() {
    let run = blocks_run(|builder, block| {
        let eight = Operand::Constant(8);
        let place = builder.multiply(block, eight);
        let shift = Operand::Constant(8);
        let row = builder.binary(BinaryOp::ShiftRight, ScalarType::U32, place, shift);
        let row = builder.multiply(row, Operand::Constant(4096));
        let mask = Operand::Constant(0xf8);
        let column = builder.binary(BinaryOp::And, ScalarType::U32, place, mask);
        let column = builder.multiply(column, Operand::Constant(4));
        builder.add(row, column)
    });
    assert_eq!(run, 3000_u64.div_ceil(32));
    // The row set above the column, rather than added.
    let run = blocks_run(|builder, block| {
        let mask = Operand::Constant(0x1f);
        let column = builder.binary(BinaryOp::And, ScalarType::U32, block, mask);
        let column = builder.multiply(column, Operand::Constant(32));
        let row = Operand::Constant(0x1_0000);
        builder.binary(BinaryOp::Or, ScalarType::U32, column, row)
    });
    assert!(run <= 3000_u64.div_ceil(32), "{run}");
    // Bits above all that the launch reaches: none.
    let run = blocks_run(|builder, block| {
        let mask = Operand::Constant(0x1fff_f000);
        builder.binary(BinaryOp::And, ScalarType::U32, block, mask)
    });
    assert_eq!(run, 1);
}

#[test]
fn a_ring_of_buffers_comes_back() {
    let run = blocks_run(|builder, block| {
        let turn = remainder(builder, block, 3);
        builder.multiply(turn, Operand::Constant(8))
    });
    assert_eq!(run, 3);
}
