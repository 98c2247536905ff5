//! Instructions that become one: an extension and a product, a result and its move. The requests are the same.

use crate::support;

use lanescope_ir::{
    AddressSpace, BinaryOp, Comparison, Op, Operand, Register, Rounding, ScalarType,
    SpecialRegister, Terminator, TernaryOp, UnaryOp,
};
use lanescope_simt::{Budget, End, execute};
use support::{Builder, Keeper, row_of_blocks};

/// Steps, and the address of each lane of each request.
fn run(builder: &Builder) -> (u64, Vec<Vec<u64>>) {
    let mut keeper = Keeper::default();
    let launch = row_of_blocks(1, 32);
    let outcome = execute(&builder.kernel, &launch, 32, Budget::default(), &mut keeper);
    assert_eq!(outcome.end, End::Complete);
    let addresses = keeper.made.iter().map(|one| one.addresses.clone());
    (outcome.steps, addresses.collect())
}

/// Addresses counted from the first lane's of the first request.
fn places(addresses: &[Vec<u64>]) -> Vec<Vec<i64>> {
    let start = addresses[0][0];
    let place = |address: &u64| address.wrapping_sub(start).cast_signed();
    let of_request = |request: &Vec<u64>| request.iter().map(place).collect();
    addresses.iter().map(of_request).collect()
}

fn convert(
    builder: &mut Builder,
    a: Operand,
    (from, to): (ScalarType, ScalarType),
    saturate: bool,
) -> Operand {
    let dst = builder.register(64);
    builder.push(Op::Convert {
        from,
        to,
        rounding: Rounding::NearestEven,
        saturate,
        dst,
        a,
    });
    dst.into()
}

/// `a * by + c`.
fn product(
    builder: &mut Builder,
    (op, ty): (TernaryOp, ScalarType),
    a: Operand,
    by: u64,
    c: Operand,
) -> Operand {
    let dst = builder.register(64);
    builder.push(Op::Ternary {
        op,
        ty,
        dst,
        a,
        b: Operand::Constant(by),
        c,
    });
    dst.into()
}

/// Lanes from -16 on, scattered: each squared and made negative in turn, so that it lies on no line.
fn scattered(builder: &mut Builder) -> Operand {
    let lane = builder.special(SpecialRegister::Lane);
    let square = builder.binary(BinaryOp::Multiply, ScalarType::I32, lane, lane);
    let centre = Operand::Constant(200);
    builder.binary(BinaryOp::Subtract, ScalarType::I32, square, centre)
}

#[test]
fn an_extended_factor_takes_the_steps_of_a_wide_product() {
    for (by, ty) in [
        (4, ScalarType::I32),
        (4, ScalarType::U32),
        (12, ScalarType::I32),
        (1 << 30, ScalarType::I32),
    ] {
        let mut apart = Builder::new();
        let base = apart.pointer("in");
        let index = scattered(&mut apart);
        let wide = convert(&mut apart, index, (ty, ScalarType::I64), false);
        let one = (TernaryOp::MultiplyAdd, ScalarType::U64);
        let address = product(&mut apart, one, wide, by, base);
        apart.load(AddressSpace::Global, address, 0);
        let mut fused = Builder::new();
        let base = fused.pointer("in");
        let index = scattered(&mut fused);
        let address = product(
            &mut fused,
            (TernaryOp::MultiplyAddWide, ty),
            index,
            by,
            base,
        );
        fused.load(AddressSpace::Global, address, 0);
        let (apart, fused) = (run(&apart), run(&fused));
        assert_eq!(apart, fused, "by {by} of {ty:?}");
        let from_first = places(&apart.1)[0][1];
        assert_eq!(from_first, i64::try_from(by).unwrap());
    }
}

#[test]
fn a_saturating_extension_stays() {
    let mut builder = Builder::new();
    let base = builder.pointer("in");
    let index = scattered(&mut builder);
    let types = (ScalarType::I32, ScalarType::U64);
    let wide = convert(&mut builder, index, types, true);
    let one = (TernaryOp::MultiplyAdd, ScalarType::U64);
    let address = product(&mut builder, one, wide, 4, base);
    builder.load(AddressSpace::Global, address, 0);
    let (_, addresses) = run(&builder);
    let expected = |lane: i64| 4 * (lane * lane - 200).max(0);
    assert_eq!(
        places(&addresses)[0],
        (0..32).map(expected).collect::<Vec<_>>()
    );
}

#[test]
fn what_was_extended_is_what_it_was_then() {
    let mut builder = Builder::new();
    let base = builder.pointer("in");
    let lane = builder.special(SpecialRegister::Lane);
    let index = builder.register(32);
    let set = |builder: &mut Builder, by: u64| {
        builder.push(Op::Binary {
            op: BinaryOp::Multiply,
            ty: ScalarType::U32,
            dst: index,
            a: lane,
            b: Operand::Constant(by),
        });
    };
    set(&mut builder, 3);
    let types = (ScalarType::U32, ScalarType::U64);
    let wide = convert(&mut builder, index.into(), types, false);
    set(&mut builder, 5);
    let one = (TernaryOp::MultiplyAdd, ScalarType::U64);
    for a in [wide, index.into()] {
        let address = product(&mut builder, one, a, 4, base);
        builder.load(AddressSpace::Global, address, 0);
    }
    let (_, addresses) = run(&builder);
    let places = places(&addresses);
    assert_eq!((places[0][1], places[1][1]), (12, 20));
}

/// A loop of eight whose counter `advance` moves on; its element is read in each iteration.
fn counted(advance: impl FnOnce(&mut Builder, Register, Operand)) -> Builder {
    let mut builder = Builder::new();
    let base = builder.pointer("in");
    let counter = builder.register(64);
    let body = builder.block();
    builder.end(Terminator::Jump(body));
    builder.at(body);
    let one = (TernaryOp::MultiplyAdd, ScalarType::U64);
    let address = product(&mut builder, one, counter.into(), 4, base);
    builder.load(AddressSpace::Global, address, 0);
    advance(&mut builder, counter, base);
    let eight = Operand::Constant(8);
    let more = builder.compare(Comparison::Less, ScalarType::U64, counter.into(), eight);
    let end = builder.block();
    builder.end(Terminator::Branch {
        predicate: more,
        negated: false,
        taken: body,
        otherwise: end,
        join: None,
    });
    builder.at(end);
    builder
}

fn add_one(counter: Register, dst: Register) -> Op {
    Op::Binary {
        op: BinaryOp::Add,
        ty: ScalarType::U64,
        dst,
        a: counter.into(),
        b: Operand::Constant(1),
    }
}

fn moved(from: Register, to: Register) -> Op {
    Op::Unary {
        op: UnaryOp::Move,
        ty: ScalarType::U64,
        dst: to,
        a: from.into(),
    }
}

#[test]
fn a_result_that_is_only_moved_takes_no_move() {
    let direct = counted(|builder, counter, _| builder.push(add_one(counter, counter)));
    let by_move = counted(|builder, counter, _| {
        let next = builder.register(64);
        builder.push(add_one(counter, next));
        builder.push(moved(next, counter));
    });
    assert_eq!(run(&direct), run(&by_move));
}

#[test]
fn a_move_stays_behind_what_reads_the_former_value() {
    let builder = counted(|builder, counter, base| {
        let next = builder.register(64);
        builder.push(add_one(counter, next));
        let one = (TernaryOp::MultiplyAdd, ScalarType::U64);
        let address = product(builder, one, counter.into(), 64, base);
        builder.load(AddressSpace::Global, address, 0);
        builder.push(moved(next, counter));
    });
    let (_, addresses) = run(&builder);
    let former: Vec<i64> = places(&addresses)
        .iter()
        .skip(1)
        .step_by(2)
        .map(|request| request[0])
        .collect();
    assert_eq!(former, (0..8).map(|turn| turn * 64).collect::<Vec<_>>());
}
