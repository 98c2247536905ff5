//! The builder: structured steps become blocks where the right lanes meet.

use lanescope_ir::{
    BinaryOp, Builder, Kernel, Op, Operand, ScalarType, SpecialRegister, Stage, Terminator,
};

const TY: ScalarType = ScalarType::U32;

fn lane(builder: &mut Builder) -> Operand {
    let register = SpecialRegister::Lane;
    let lane = builder.at_entry(TY, |dst| Op::Special { dst, register });
    lane.into()
}

fn is_odd(builder: &mut Builder) -> Operand {
    let lane = lane(builder);
    let bit = builder.binary(BinaryOp::And, TY, lane, Operand::Constant(1));
    builder.convert(TY, ScalarType::Bool, bit)
}

fn finished(builder: Builder) -> Kernel {
    let kernel = builder.finish();
    assert_eq!(kernel.verify(), Ok(()), "{kernel}");
    let again: Kernel = kernel.to_string().parse().expect("its own text");
    assert_eq!(again, kernel);
    kernel
}

fn count(kernel: &Kernel, is: impl Fn(&Op) -> bool) -> usize {
    let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
    all.filter(|one| is(&one.op)).count()
}

#[test]
fn lanes_of_a_branch_meet_at_its_end() {
    let mut builder = Builder::new(Stage::Source);
    let odd = is_odd(&mut builder);
    builder.begin_if(odd);
    builder.emit(Op::Fence);
    builder.begin_else();
    builder.emit(Op::Fence);
    builder.end_if();
    let kernel = finished(builder);
    let Terminator::Branch {
        taken,
        otherwise,
        join,
        ..
    } = kernel.blocks[0].terminator
    else {
        panic!("{kernel}");
    };
    assert_eq!(
        kernel.blocks[taken.index()].terminator,
        Terminator::Jump(join.unwrap())
    );
    assert_eq!(
        kernel.blocks[otherwise.index()].terminator,
        Terminator::Jump(join.unwrap())
    );
    assert_eq!((kernel.blocks.len(), kernel.barriers), (4, 0));
}

#[test]
fn lanes_that_leave_two_structures_meet_by_barriers() {
    // do { if (odd) break; fence } while (odd): the branch inside is left for the loop's end.
    let mut builder = Builder::new(Stage::Source);
    let odd = is_odd(&mut builder);
    builder.begin_scope();
    let scope = builder.depth();
    builder.begin_loop();
    builder.begin_if(odd);
    builder.leave(scope);
    builder.end_if();
    builder.emit(Op::Fence);
    builder.stay_if(odd);
    builder.end_loop(Some(4));
    builder.end_scope();
    let kernel = finished(builder);
    // The scope and the branch each have one; what leaves says so to the branch.
    assert_eq!(kernel.barriers, 2);
    assert_eq!(count(&kernel, |op| matches!(op, Op::Arm { .. })), 2);
    assert_eq!(count(&kernel, |op| matches!(op, Op::Leave { .. })), 1);
    let joins = kernel
        .blocks
        .iter()
        .filter(|block| matches!(block.terminator, Terminator::Branch { join: Some(_), .. }));
    assert_eq!(joins.count(), 0);
    assert_eq!(kernel.loop_hints.len(), 1);
    assert_eq!(kernel.loop_hints[0].unroll, 4);
}

#[test]
fn what_is_taken_back_leaves_no_trace() {
    let plain = {
        let mut builder = Builder::new(Stage::Source);
        let odd = is_odd(&mut builder);
        builder.begin_if(odd);
        builder.emit(Op::Fence);
        builder.end_if();
        finished(builder)
    };
    let mut builder = Builder::new(Stage::Source);
    let odd = is_odd(&mut builder);
    let before = builder.position();
    builder.begin_scope();
    builder.begin_loop();
    let unread = lane(&mut builder);
    builder.binary(BinaryOp::Add, TY, unread, Operand::Constant(1));
    builder.rewind(before);
    assert_eq!(builder.depth(), 0);
    builder.emit(Op::Fence);
    let fence = builder.cut(before);
    builder.begin_if(odd);
    builder.append(fence);
    builder.end_if();
    assert_eq!(finished(builder), plain);
}

#[test]
fn steps_are_pure_that_change_nothing_from_before() {
    let mut builder = Builder::new(Stage::Source);
    let lane = lane(&mut builder);
    let variable = builder.register(TY);
    builder.assign(TY, TY, variable, lane);
    let start = builder.position();
    let sum = builder.binary(BinaryOp::Add, TY, lane, variable.into());
    assert!(builder.is_pure_since(start));
    builder.assign(TY, TY, variable, sum);
    assert!(!builder.is_pure_since(start));
    builder.rewind(start);
    builder.emit(Op::Fence);
    assert!(!builder.is_pure_since(start));
}

#[test]
fn a_conversion_is_made_once_until_its_operand_changes() {
    let mut builder = Builder::new(Stage::Source);
    let lane = lane(&mut builder);
    let variable = builder.register(TY);
    builder.assign(TY, TY, variable, lane);
    let wide = |builder: &mut Builder| builder.convert(TY, ScalarType::U64, variable.into());
    let first = wide(&mut builder);
    assert_eq!(wide(&mut builder), first);
    builder.assign(TY, TY, variable, Operand::Constant(1));
    let second = wide(&mut builder);
    assert_ne!(second, first);
    builder.begin_scope();
    assert_ne!(wide(&mut builder), second);
}
