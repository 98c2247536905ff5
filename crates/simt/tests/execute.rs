//! What single features do: reconvergence, barriers, memory, bounds, budgets.

use crate::support;

use lanescope_ir::{
    Address, AddressSpace, BarrierId, BinaryOp, Comparison, Kernel, Op, Operand, Register,
    ScalarType, ShuffleMode, SpecialRegister, Terminator,
};
use lanescope_model::{Operation, Width};
use lanescope_simt::{
    Blocks, Budget, Certainty, Contents, DoubtKind, End, FindingKind, Launch, Outcome,
    ParameterValue, Periods, Source, execute, execute_classes,
};
use support::{Builder, Keeper};

fn constant(value: u64) -> Operand {
    Operand::Constant(value)
}

fn run(kernel: &Kernel, launch: &Launch) -> (Keeper, Outcome) {
    let mut keeper = Keeper::default();
    let outcome = execute(kernel, launch, 32, Budget::default(), &mut keeper);
    (keeper, outcome)
}

fn launch(grid: u32, block: u32, parameters: Vec<ParameterValue>) -> Launch {
    Launch {
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        parameters,
        ..Launch::default()
    }
}

fn buffer(bytes: u64, contents: Contents) -> ParameterValue {
    ParameterValue::Buffer {
        bytes: Some(bytes),
        base_offset: 0,
        contents,
        offset_in_allocation: 0,
    }
}

/// `out[blockIdx.x * blockDim.x + threadIdx.x] = 1` behind a guard `i < n`.
fn guarded() -> Kernel {
    let mut b = Builder::new();
    let out = b.pointer("out");
    let n = b.scalar("n");
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let block = b.special(SpecialRegister::BlockIndex(0));
    let size = b.special(SpecialRegister::BlockSize(0));
    let first = b.multiply(block, size);
    let i = b.add(first, tid);
    let inside = b.compare(Comparison::Less, ScalarType::U32, i, n);
    let (body, end) = (b.block(), b.block());
    b.end(Terminator::Branch {
        predicate: inside,
        negated: false,
        taken: body,
        otherwise: end,
        join: Some(end),
    });
    b.at(body);
    let at = b.element(out, i);
    b.store(AddressSpace::Global, at, 0, constant(1));
    b.end(Terminator::Jump(end));
    b.kernel
}

#[test]
fn a_guard_leaves_lanes_out() {
    let n = ParameterValue::Bytes(70_u32.to_le_bytes().to_vec());
    let (keeper, outcome) = run(
        &guarded(),
        &launch(2, 64, vec![buffer(280, Contents::Zero), n]),
    );
    assert_eq!(outcome.end, End::Complete);
    assert!(outcome.findings.is_empty() && outcome.doubts.is_empty());
    let active: Vec<u64> = keeper.made.iter().map(|made| made.active).collect();
    assert_eq!(active, [0xffff_ffff, 0xffff_ffff, 0x3f]);
    assert_eq!(
        keeper.made[2].addresses[5] - keeper.made[0].addresses[0],
        69 * 4
    );
    assert_eq!(keeper.blocks, [(0, 1), (1, 1)]);
}

#[test]
fn bounds_are_checked() {
    let n = ParameterValue::Bytes(70_u32.to_le_bytes().to_vec());
    let parameters = vec![buffer(276, Contents::Zero), n];
    let (_, outcome) = run(&guarded(), &launch(2, 64, parameters));
    let [finding] = outcome.findings[..] else {
        panic!("{:?}", outcome.findings)
    };
    let FindingKind::OutOfBounds { offset, bytes, .. } = finding.kind else {
        panic!("{finding:?}")
    };
    assert_eq!(
        (offset, bytes, finding.lane, finding.block),
        (276, 276, 5, 1)
    );
}

#[test]
fn a_missing_parameter_is_partial_and_unread_contents_are_assumed() {
    let n = || ParameterValue::Bytes(70_u32.to_le_bytes().to_vec());
    let (keeper, outcome) = run(
        &guarded(),
        &launch(1, 32, vec![ParameterValue::Missing, n()]),
    );
    assert_eq!(keeper.made[0].certainty, Certainty::Partial);
    assert_eq!(keeper.made[0].unknown, 0xffff_ffff);
    assert_eq!(outcome.doubts[0].source, Source::Parameter(0));

    let mut b = Builder::new();
    let from = b.pointer("from");
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let at = b.element(from, tid);
    let index = b.load(AddressSpace::Global, at, 0);
    let there = b.element(from, index);
    b.load(AddressSpace::Global, there, 0);
    let (keeper, outcome) = run(
        &b.kernel,
        &launch(1, 32, vec![buffer(1 << 20, Contents::Unknown)]),
    );
    assert_eq!(keeper.made[0].certainty, Certainty::Certain);
    assert_eq!(keeper.made[1].certainty, Certainty::Assumed);
    assert_eq!(outcome.doubts[0].kind, DoubtKind::Address);
    let (keeper, outcome) = run(
        &b.kernel,
        &launch(1, 32, vec![buffer(1 << 20, Contents::Iota)]),
    );
    assert_eq!(keeper.made[1].certainty, Certainty::Certain);
    assert_eq!(keeper.made[1].addresses, keeper.made[0].addresses);
    assert!(outcome.doubts.is_empty());
}

#[test]
fn a_loop_whose_end_hangs_on_a_missing_parameter_is_left() {
    let mut b = Builder::new();
    let out = b.pointer("out");
    let n = b.scalar("n");
    let last = b.binary(BinaryOp::Subtract, ScalarType::U32, n, constant(1));
    let (body, end) = (b.block(), b.block());
    b.end(Terminator::Jump(body));
    b.at(body);
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let at = b.element(out, tid);
    b.store(AddressSpace::Global, at, 0, constant(1));
    // As zero it would be a loop of 2^32 iterations.
    let again = b.compare(Comparison::NotEqual, ScalarType::U32, last, constant(0));
    b.end(Terminator::Branch {
        predicate: again,
        negated: false,
        taken: body,
        otherwise: end,
        join: None,
    });
    let parameters = vec![buffer(128, Contents::Zero), ParameterValue::Missing];
    let (keeper, outcome) = run(&b.kernel, &launch(1, 32, parameters));
    assert_eq!(outcome.end, End::Complete);
    assert_eq!(keeper.made.len(), 1);
    let [doubt] = outcome.doubts[..] else {
        panic!("{:?}", outcome.doubts)
    };
    assert_eq!(
        (doubt.kind, doubt.source),
        (DoubtKind::Branch, Source::Parameter(1))
    );
}

#[test]
fn every_block_and_every_iteration_costs() {
    let mut kernel = Builder::new().kernel;
    let budget = Budget {
        steps: 1000,
        ..Budget::default()
    };
    let huge = Launch {
        grid: [u32::MAX, 65535, 65535],
        block: [1, 1, 1],
        ..Launch::default()
    };
    let mut keeper = Keeper::default();
    let outcome = execute(&kernel, &huge, 32, budget, &mut keeper);
    assert_eq!((outcome.end, outcome.steps), (End::Steps, 1000));
    let none = Launch {
        block: [0, 1, 1],
        ..huge.clone()
    };
    let outcome = execute(&kernel, &none, 32, budget, &mut keeper);
    assert_eq!(outcome.end, End::Steps);
    kernel.blocks[0].terminator = Terminator::Jump(lanescope_ir::BlockId(0));
    let outcome = execute(&kernel, &launch(1, 32, Vec::new()), 32, budget, &mut keeper);
    assert_eq!(outcome.end, End::Steps);
    let wide = Launch {
        block: [u32::MAX, u32::MAX, u32::MAX],
        ..launch(1, 1, Vec::new())
    };
    let outcome = execute(&kernel, &wide, 32, budget, &mut keeper);
    assert_eq!(outcome.end, End::Bytes);
}

#[test]
fn what_a_kernel_does_not_have_is_refused() {
    let mut b = Builder::new();
    b.push(Op::ActiveMask { dst: Register(7) });
    let (_, outcome) = run(&b.kernel, &launch(1, 32, Vec::new()));
    assert_eq!(outcome.end, End::Invalid);
    let (_, outcome) = run(&Kernel::default(), &launch(1, 32, Vec::new()));
    assert_eq!(outcome.end, End::Invalid);
}

#[test]
fn ranges_of_blocks_add_up() {
    let n = ParameterValue::Bytes(1000_u32.to_le_bytes().to_vec());
    let all = launch(9, 96, vec![buffer(4000, Contents::Zero), n]);
    let (whole, _) = run(&guarded(), &all);
    let mut parts = Vec::new();
    for (first, end) in [(0, 4), (4, 5), (5, 99)] {
        let part = Launch {
            blocks: Blocks::Range(first, end),
            ..all.clone()
        };
        parts.extend(run(&guarded(), &part).0.made);
    }
    assert_eq!(whole.made, parts);
}

/// Lanes below a bound take one way through `BSSY`/`BSYNC`, some leave by `BREAK`, some exit.
#[test]
fn convergence_barriers_gather_lanes() {
    let mut b = Builder::new();
    b.kernel.barriers = 1;
    let barrier = BarrierId(0);
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let [low, high, out, join, leaves] = std::array::from_fn(|_| b.block());
    let first = b.compare(Comparison::Less, ScalarType::U32, tid, constant(8));
    b.push(Op::Arm { barrier, join });
    let branch = |predicate, taken, otherwise| Terminator::Branch {
        predicate,
        negated: false,
        taken,
        otherwise,
        join: None,
    };
    b.end(branch(first, high, low));
    b.at(low);
    b.store(AddressSpace::Shared, constant(0), 0, constant(1));
    let gone = b.compare(Comparison::Less, ScalarType::U32, tid, constant(12));
    b.end(branch(gone, out, leaves));
    b.at(high);
    b.store(AddressSpace::Shared, constant(0), 4, constant(1));
    b.end(Terminator::Jump(join));
    b.at(out);
    b.end(Terminator::Exit);
    b.at(join);
    b.push(Op::Join { barrier });
    b.store(AddressSpace::Shared, constant(0), 8, constant(1));
    b.end(Terminator::Exit);
    b.at(leaves);
    let breaks = b.compare(Comparison::Less, ScalarType::U32, tid, constant(16));
    let last = b.block();
    b.end(branch(breaks, last, join));
    b.at(last);
    b.push(Op::Leave { barrier });
    b.store(AddressSpace::Shared, constant(0), 12, constant(1));
    b.end(Terminator::Exit);
    b.kernel.shared_bytes = Some(16);
    let (keeper, outcome) = run(&b.kernel, &launch(1, 32, Vec::new()));
    assert_eq!(outcome.end, End::Complete, "{:?}", outcome.findings);
    let mut seen: Vec<(u64, u64)> = keeper
        .made
        .iter()
        .map(|made| (made.addresses[0], made.active))
        .collect();
    seen.sort_unstable();
    let expected = [(0, 0xffff_ff00), (4, 0xff), (8, 0xffff_00ff), (12, 0xf000)];
    assert_eq!(seen, expected);
}

#[test]
fn barriers_order_warps_and_races_are_found_without() {
    let kernel = |with_barrier: bool| {
        let mut b = Builder::new();
        let tid = b.special(SpecialRegister::ThreadIndex(0));
        let at = b.multiply(tid, constant(4));
        let value = b.binary(BinaryOp::Subtract, ScalarType::U32, constant(63), tid);
        b.store(AddressSpace::Shared, at, 0, value);
        if with_barrier {
            b.barrier();
        }
        let other = b.multiply(value, constant(4));
        let read = b.load(AddressSpace::Shared, other, 0);
        let there = b.multiply(read, constant(4));
        b.store(AddressSpace::Shared, there, 256, constant(0));
        b.kernel.shared_bytes = Some(512);
        b.kernel
    };
    let (keeper, outcome) = run(&kernel(true), &launch(1, 64, Vec::new()));
    assert!(
        outcome.findings.is_empty() && outcome.doubts.is_empty(),
        "{outcome:?}"
    );
    assert_eq!(keeper.barriers, 1);
    let last = keeper.made.last().unwrap();
    let expected: Vec<u64> = (32..64).map(|lane| 256 + lane * 4).collect();
    assert_eq!(last.addresses, expected);
    let (_, outcome) = run(&kernel(false), &launch(1, 64, Vec::new()));
    // Thread 32 writes the word that thread 31 has read.
    let found = outcome.findings[0];
    assert_eq!((found.warp, found.lane), (1, 0));
    let FindingKind::Race {
        other_warp,
        other_lane,
        other_writes,
        word,
        ..
    } = found.kind
    else {
        panic!("{found:?}");
    };
    assert_eq!((other_warp, other_lane, other_writes), (0, 31, false));
    assert_eq!(word, 128);
    assert_eq!(outcome.doubts[0].source, Source::Uninitialized);
}

#[test]
fn a_barrier_that_never_opens_is_found() {
    let mut b = Builder::new();
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let first = b.compare(Comparison::Less, ScalarType::U32, tid, constant(8));
    let (wait, end) = (b.block(), b.block());
    b.end(Terminator::Branch {
        predicate: first,
        negated: false,
        taken: wait,
        otherwise: end,
        join: Some(end),
    });
    b.at(wait);
    b.push(Op::Barrier {
        id: constant(1),
        threads: Some(constant(64)),
        arrive: false,
    });
    b.end(Terminator::Jump(end));
    let (_, outcome) = run(&b.kernel, &launch(1, 32, Vec::new()));
    assert_eq!(outcome.end, End::Deadlock);
    // The lanes from 8 on have exited.
    let deadlock = FindingKind::Deadlock {
        other_warp: 0,
        other_lane: 8,
    };
    assert!(outcome.findings.iter().any(|one| one.kind == deadlock));
}

#[test]
fn atomics_and_shuffles_are_exact() {
    let mut b = Builder::new();
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let site = b.site(AddressSpace::Shared, Operation::Atomic);
    b.store(AddressSpace::Shared, constant(0), 0, constant(0));
    let old = b.register(32);
    b.push(Op::Atomic {
        op: lanescope_ir::AtomicOp::Add,
        dst: Some(old),
        address: Address {
            base: constant(0),
            index: None,
            offset: 0,
        },
        a: constant(4),
        b: None,
        site,
    });
    let other = b.register(32);
    b.push(Op::Shuffle {
        mode: ShuffleMode::Butterfly,
        dst: other,
        in_range: None,
        a: old.into(),
        lane: constant(1),
        clamp: constant(31),
    });
    b.load(AddressSpace::Shared, other.into(), 4);
    let _ = tid;
    b.kernel.shared_bytes = Some(256);
    let (keeper, outcome) = run(&b.kernel, &launch(1, 32, Vec::new()));
    assert!(
        outcome.doubts.is_empty() && outcome.findings.is_empty(),
        "{outcome:?}"
    );
    let expected: Vec<u64> = (0..32).map(|lane| 4 + (lane ^ 1) * 4).collect();
    assert_eq!(keeper.made[2].addresses, expected);
}

#[test]
fn matrices_and_copies_move_values() {
    let mut b = Builder::new();
    let from = b.pointer("from");
    let tid = b.special(SpecialRegister::ThreadIndex(0));
    let at = b.multiply(tid, constant(16));
    let wide = b.binary(BinaryOp::MultiplyWide, ScalarType::U32, tid, constant(16));
    let source = b.binary(BinaryOp::Add, ScalarType::U64, from, wide);
    let site = b.site_of(
        AddressSpace::Shared,
        Operation::Store,
        ScalarType::U32,
        Width::Bytes16,
    );
    let source_site = b.site_of(
        AddressSpace::Global,
        Operation::Load,
        ScalarType::U32,
        Width::Bytes16,
    );
    let address = |base| Address {
        base,
        index: None,
        offset: 0,
    };
    b.push(Op::AsyncCopy {
        destination: address(at),
        source: address(source),
        bytes: 16,
        source_bytes: None,
        bypasses_l1: true,
        site,
        source_site,
    });
    let matrix = b.site_of(
        AddressSpace::Shared,
        Operation::MatrixLoad { matrices: 1 },
        ScalarType::U16,
        Width::Bytes16,
    );
    let got = b.register(32);
    b.push(Op::MatrixLoad {
        dst: vec![got],
        address: address(at),
        transposed: false,
        site: matrix,
    });
    let low = b.binary(BinaryOp::And, ScalarType::U32, got.into(), constant(0xff));
    let there = b.multiply(low, constant(4));
    b.load(AddressSpace::Shared, there, 0);
    b.kernel.shared_bytes = Some(1024);
    let bytes: Vec<u8> = (0..512_u32)
        .map(|at| u8::try_from(at / 2 % 256).unwrap())
        .collect();
    let given = buffer(512, Contents::Bytes(bytes.into()));
    let (keeper, outcome) = run(&b.kernel, &launch(1, 32, vec![given]));
    assert!(
        outcome.doubts.is_empty() && outcome.findings.is_empty(),
        "{outcome:?}"
    );
    assert_eq!(keeper.copies, 1);
    // Row r of the matrix holds elements 8 r to 8 r + 7; lane i gets elements 2 i and 2 i + 1.
    let expected: Vec<u64> = (0..32).map(|lane| lane * 2 * 4).collect();
    assert_eq!(keeper.made[1].addresses, expected);
    assert_eq!(keeper.made[0].active, 0xff);
}

#[test]
fn a_huge_grid_falls_into_few_classes() {
    let periods = Periods {
        shared: 256,
        global: 128,
    };
    let n: u32 = (1 << 28) - 5;
    let parameters = vec![
        buffer(u64::from(n) * 4, Contents::Zero),
        ParameterValue::Bytes(n.to_le_bytes().to_vec()),
    ];
    // Two blocks more than there are elements for.
    let whole = launch((1 << 20) + 2, 256, parameters);
    let mut keeper = Keeper::default();
    let budget = Budget::default();
    let outcome = execute_classes(&guarded(), &whole, 32, budget, periods, &mut keeper);
    assert_eq!(
        (outcome.end, outcome.blocks_done),
        (End::Complete, (1 << 20) + 2)
    );
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    let mut times: Vec<u64> = keeper.blocks.iter().map(|block| block.1).collect();
    times.sort_unstable();
    assert_eq!(times, [1, 2, (1 << 20) - 1]);

    let empty = Launch {
        grid: [u32::MAX, 65535, 65535],
        ..launch(1, 32, Vec::new())
    };
    let kernel = Builder::new().kernel;
    let outcome = execute_classes(&kernel, &empty, 32, budget, periods, &mut keeper);
    assert_eq!((outcome.end, outcome.blocks_run), (End::Complete, 1));
    assert_eq!(outcome.blocks_done, outcome.blocks_total);
}
