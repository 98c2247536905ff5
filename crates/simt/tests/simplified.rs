//! What is computed of constants, twice, or for nobody takes no step, and the requests are the same.

use crate::support;

use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Op, Operand, ScalarType, SpecialRegister, Stage, TernaryOp,
    UnaryOp,
};
use lanescope_model::Operation;
use lanescope_simt::{Budget, End, Outcome, execute};
use support::{Builder, Keeper, row_of_blocks};

const LOADS: u64 = 8;

fn run(builder: &Builder) -> (Outcome, Vec<Vec<u64>>) {
    let mut keeper = Keeper::default();
    let launch = row_of_blocks(2, 64);
    let outcome = execute(&builder.kernel, &launch, 32, Budget::default(), &mut keeper);
    assert_eq!(outcome.end, End::Complete);
    let addresses = keeper.made.iter().map(|one| one.addresses.clone());
    (outcome, addresses.collect())
}

/// A kernel, and the address of each thread's own element.
fn beginning() -> (Builder, Operand) {
    let mut builder = Builder::new();
    let start = builder.pointer("in");
    let thread = builder.special(SpecialRegister::ThreadIndex(0));
    let address = builder.element(start, thread);
    (builder, address)
}

#[test]
fn an_unrolled_counter_takes_no_steps() {
    let (mut plain, base) = beginning();
    for place in 0..LOADS {
        plain.load(
            AddressSpace::Global,
            base,
            i64::try_from(place * 4).unwrap(),
        );
    }
    let (mut unrolled, base) = beginning();
    let counter = unrolled.register(64);
    let copy = |builder: &mut Builder, a: Operand| {
        builder.push(Op::Unary {
            op: UnaryOp::Move,
            ty: ScalarType::I64,
            dst: counter,
            a,
        });
    };
    copy(&mut unrolled, Operand::Constant(0));
    for _ in 0..LOADS {
        let dst = unrolled.register(64);
        unrolled.push(Op::Ternary {
            op: TernaryOp::MultiplyAdd,
            ty: ScalarType::U64,
            dst,
            a: counter.into(),
            b: Operand::Constant(4),
            c: base,
        });
        unrolled.load(AddressSpace::Global, dst.into(), 0);
        let one = Operand::Constant(1);
        let next = unrolled.register(64);
        unrolled.push(Op::Binary {
            op: BinaryOp::Add,
            ty: ScalarType::I64,
            dst: next,
            a: counter.into(),
            b: one,
        });
        copy(&mut unrolled, next.into());
    }
    let (plain, unrolled) = (run(&plain), run(&unrolled));
    assert_eq!(plain.1, unrolled.1);
    assert_eq!(plain.0.steps, unrolled.0.steps);
}

#[test]
fn what_is_computed_twice_takes_the_steps_of_once() {
    let tile = |builder: &mut Builder, base: Operand| {
        let lane = builder.special(SpecialRegister::Lane);
        let by = Operand::Constant(5);
        let row = builder.binary(BinaryOp::Remainder, ScalarType::U32, lane, by);
        builder.element(base, row)
    };
    let (mut once, base) = beginning();
    let address = tile(&mut once, base);
    once.load(AddressSpace::Global, address, 0);
    once.load(AddressSpace::Global, address, 4);
    let (mut twice, base) = beginning();
    for offset in [0, 4] {
        let address = tile(&mut twice, base);
        twice.load(AddressSpace::Global, address, offset);
    }
    let (once, twice) = (run(&once), run(&twice));
    assert_eq!(once.1, twice.1);
    assert_eq!(once.0.steps, twice.0.steps);
}

#[test]
fn a_register_of_the_iteration_before_is_no_second_one() {
    // `second` is read before it is written again: between the two it is not what `first` is.
    let (mut builder, base) = beginning();
    let [first, second] = [0; 2].map(|_| builder.register(64));
    let counter = builder.register(64);
    let body = builder.block();
    builder.end(lanescope_ir::Terminator::Jump(body));
    builder.at(body);
    let scaled = |dst| Op::Binary {
        op: BinaryOp::Multiply,
        ty: ScalarType::U64,
        dst,
        a: counter.into(),
        b: Operand::Constant(4),
    };
    builder.push(scaled(first));
    let address = builder.binary(BinaryOp::Add, ScalarType::U64, base, second.into());
    builder.load(AddressSpace::Global, address, 0);
    builder.push(scaled(second));
    builder.push(Op::Binary {
        op: BinaryOp::Add,
        ty: ScalarType::U64,
        dst: counter,
        a: counter.into(),
        b: Operand::Constant(1),
    });
    let more = builder.compare(
        lanescope_ir::Comparison::Less,
        ScalarType::U64,
        first.into(),
        Operand::Constant(12),
    );
    let end = builder.block();
    builder.end(lanescope_ir::Terminator::Branch {
        predicate: more,
        negated: false,
        taken: body,
        otherwise: end,
        join: None,
    });
    let (_, addresses) = run(&builder);
    let moved: Vec<u64> = addresses[..4]
        .iter()
        .map(|one| one[0] - addresses[0][0])
        .collect();
    assert_eq!(moved, [0, 0, 4, 8]);
}

#[test]
fn stores_cannot_change_what_the_read_only_cache_holds() {
    let steps = |is_read_only: bool| {
        let (mut builder, base) = beginning();
        builder.kernel.stage = Stage::Ptx;
        let index = builder.load(AddressSpace::Global, base, 0);
        builder.kernel.sites[0].is_read_only = is_read_only;
        let address = builder.element(base, index);
        builder.load(AddressSpace::Global, address, 0);
        let thread = builder.special(SpecialRegister::ThreadIndex(0));
        let value = builder.multiply(thread, thread);
        let site = builder.site(AddressSpace::Global, Operation::Store);
        builder.push(Op::Store {
            src: vec![value],
            address: Address {
                base,
                index: None,
                offset: 0,
            },
            site,
        });
        run(&builder).0.steps
    };
    // Whoever else reads may read what is stored, so that it is computed.
    assert!(steps(true) < steps(false));
}

/// A loop of eight iterations, and what it does; its counter is handed over.
fn loop_of_eight(builder: &mut Builder, body: impl FnOnce(&mut Builder, Operand)) {
    let counter = builder.register(64);
    let start = builder.block();
    builder.end(lanescope_ir::Terminator::Jump(start));
    builder.at(start);
    body(builder, counter.into());
    let one = Operand::Constant(1);
    let next = builder.binary(BinaryOp::Add, ScalarType::U64, counter.into(), one);
    builder.push(Op::Unary {
        op: UnaryOp::Move,
        ty: ScalarType::U64,
        dst: counter,
        a: next,
    });
    let eight = Operand::Constant(8);
    let more = builder.compare(
        lanescope_ir::Comparison::Less,
        ScalarType::U64,
        counter.into(),
        eight,
    );
    let end = builder.block();
    builder.end(lanescope_ir::Terminator::Branch {
        predicate: more,
        negated: false,
        taken: start,
        otherwise: end,
        join: None,
    });
    builder.at(end);
}

/// An element that the remainder of a value chooses.
fn element_by_remainder(builder: &mut Builder, base: Operand, of: Operand) -> Operand {
    let five = Operand::Constant(5);
    let row = builder.binary(BinaryOp::Remainder, ScalarType::U32, of, five);
    builder.element(base, row)
}

#[test]
fn what_a_loop_does_not_change_takes_the_steps_of_once() {
    let load = |builder: &mut Builder, address: Operand, counter: Operand| {
        let four = Operand::Constant(4);
        let offset = builder.binary(BinaryOp::Multiply, ScalarType::U64, counter, four);
        let place = builder.binary(BinaryOp::Add, ScalarType::U64, address, offset);
        builder.load(AddressSpace::Global, place, 0);
    };
    let (mut before, base) = beginning();
    let lane = before.special(SpecialRegister::Lane);
    let address = element_by_remainder(&mut before, base, lane);
    loop_of_eight(&mut before, |builder, counter| {
        load(builder, address, counter);
    });
    let (mut inside, base) = beginning();
    let lane = inside.special(SpecialRegister::Lane);
    loop_of_eight(&mut inside, |builder, counter| {
        let address = element_by_remainder(builder, base, lane);
        load(builder, address, counter);
    });
    let (before, inside) = (run(&before), run(&inside));
    assert_eq!(before.1, inside.1);
    assert_eq!(before.0.steps, inside.0.steps);
}

#[test]
fn what_an_iteration_reads_before_it_computes_it_stays_in_the_loop() {
    let (mut builder, base) = beginning();
    let lane = builder.special(SpecialRegister::Lane);
    let late = builder.register(64);
    loop_of_eight(&mut builder, |builder, _| {
        let address = builder.binary(BinaryOp::Add, ScalarType::U64, base, late.into());
        builder.load(AddressSpace::Global, address, 0);
        builder.push(Op::Binary {
            op: BinaryOp::Multiply,
            ty: ScalarType::U64,
            dst: late,
            a: lane,
            b: Operand::Constant(64),
        });
    });
    let (_, addresses) = run(&builder);
    let of_lane_one: Vec<u64> = addresses[..3]
        .iter()
        .map(|one| one[1] - addresses[0][1])
        .collect();
    assert_eq!(of_lane_one, [0, 64, 64]);
}

#[test]
fn a_copy_is_what_its_source_was_when_it_was_made() {
    let (mut builder, base) = beginning();
    let kept = builder.register(64);
    let first = builder.register(64);
    let set = |builder: &mut Builder, dst, a| {
        builder.push(Op::Unary {
            op: UnaryOp::Move,
            ty: ScalarType::U64,
            dst,
            a,
        });
    };
    let lane = builder.special(SpecialRegister::Lane);
    let eight = Operand::Constant(8);
    let far = builder.binary(BinaryOp::Multiply, ScalarType::U64, lane, eight);
    set(&mut builder, first, far);
    set(&mut builder, kept, first.into());
    let address = builder.binary(BinaryOp::Add, ScalarType::U64, base, kept.into());
    builder.load(AddressSpace::Global, address, 0);
    let farther = builder.binary(BinaryOp::Multiply, ScalarType::U64, far, eight);
    set(&mut builder, first, farther);
    for register in [kept, first] {
        let address = builder.binary(BinaryOp::Add, ScalarType::U64, base, register.into());
        builder.load(AddressSpace::Global, address, 0);
    }
    let (_, addresses) = run(&builder);
    let of_lane_one: Vec<u64> = addresses[..3]
        .iter()
        .map(|one| one[1] - addresses[0][0])
        .collect();
    assert_eq!(of_lane_one, [12, 12, 68]);
}
