//! Demanded bits: what is not demanded changes nothing that is.

use crate::support;

use lanescope_ir::analysis::DemandedBits;
use lanescope_ir::{
    BinaryOp, Block, BlockId, Instruction, Kernel, Op, Operand, PlaceId, Register, ScalarType,
    Terminator, TernaryOp, UnaryOp, eval,
};
use support::read;

/// The masks of the operands of a block's instructions, first to last.
fn masks(kernel: &Kernel, block: u32) -> Vec<Vec<u64>> {
    let acts = |one: &Instruction| matches!(one.op, Op::Escape { .. });
    let demanded = DemandedBits::of(kernel, &acts).expect("small");
    let mut all = Vec::new();
    demanded.walk(kernel, BlockId(block), &acts, &mut |_, bits| {
        all.push(bits.to_vec());
    });
    all.reverse();
    all
}

#[test]
fn a_counter_in_the_low_half_demands_nothing_of_the_high_one() {
    let kernel = read(
        "
b0: r0 = prmt.u32 0, r0, 0x7610; jump b1
b1: r1 = and.u32 r0, 0xff; escape r1; r2 = add.u32 r0, 1; r0 = special.thread.x; r0 = prmt.u32 r2, r0, 0x7610; p3 = ne.u32 r1, 9; branch p3, b1, b2, b2
b2: exit",
    );
    assert_eq!(masks(&kernel, 0), [[0xff, 0, 0]]);
    let of_loop = masks(&kernel, 1);
    assert_eq!(of_loop[0], [0xff, u64::MAX]);
    assert_eq!(of_loop[2], [0xff, 0xff]);
    assert_eq!(of_loop[4], [0xff, 0, 0]);
}

#[test]
fn what_a_guard_may_keep_stays_demanded() {
    let kernel = read(
        "
b0: r0 = special.thread.x; r1 = special.thread.y; p2 = lt.u32 r1, 4; @p2 r0 = add.u32 r1, 1; r3 = and.u32 r0, 3; escape r3; exit",
    );
    let of_operands = masks(&kernel, 0);
    assert_eq!(of_operands[2], [u64::MAX; 2]);
    assert_eq!(of_operands[3], [3, 3]);
}

/// Numbers without a pattern (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn choose<T: Copy>(&mut self, among: &[T]) -> T {
        let count = among.len() as u64;
        among[usize::try_from(self.next() % count).expect("an index")]
    }
}

const DST: Register = Register(4);

fn operation(numbers: &mut Numbers) -> Op {
    use BinaryOp as Two;
    use ScalarType::{I32, I64, U32, U64};
    let ty = numbers.choose(&[U32, I32, U64, I64]);
    let mut operand = |at: u32, most: u64| match numbers.next() % 2 {
        0 => Operand::Register(Register(at)),
        _ => Operand::Constant((numbers.next() % most) & ty.mask()),
    };
    let (a, b, c) = (
        operand(0, u64::MAX),
        operand(1, u64::MAX),
        operand(2, u64::MAX),
    );
    let (near, far) = (
        Operand::Constant(numbers.next() % 70),
        Operand::Constant(numbers.next() % 70),
    );
    let dst = DST;
    match numbers.next() % 9 {
        0 => Op::Binary {
            op: numbers.choose(&[Two::And, Two::Or, Two::Xor, Two::Add, Two::Subtract]),
            ty,
            dst,
            a,
            b,
        },
        1 => Op::Binary {
            op: numbers.choose(&[Two::Multiply, Two::Minimum, Two::MultiplyHigh]),
            ty,
            dst,
            a,
            b,
        },
        2 => Op::Binary {
            op: numbers.choose(&[Two::ShiftLeft, Two::ShiftRight]),
            ty,
            dst,
            a,
            b: near,
        },
        3 => Op::Ternary {
            op: numbers.choose(&[TernaryOp::MultiplyAdd, TernaryOp::Add3]),
            ty,
            dst,
            a,
            b,
            c,
        },
        4 => Op::Ternary {
            op: TernaryOp::BytePermute,
            ty: U32,
            dst,
            a,
            b,
            c: Operand::Constant(numbers.next() & 0xffff),
        },
        5 => Op::Ternary {
            op: TernaryOp::BitFieldExtract,
            ty,
            dst,
            a,
            b: near,
            c: far,
        },
        6 => Op::Lop3 {
            table: u8::try_from(numbers.next() & 0xff).expect("a byte"),
            wide: ty.bits() == 64,
            dst,
            a,
            b,
            c,
        },
        7 => Op::BitFieldInsert {
            ty: numbers.choose(&[U32, U64]),
            dst,
            a,
            b,
            position: near,
            length: far,
        },
        _ => Op::Unary {
            op: numbers.choose(&[
                UnaryOp::Move,
                UnaryOp::Not,
                UnaryOp::Negate,
                UnaryOp::ReverseBits,
            ]),
            ty,
            dst,
            a,
        },
    }
}

fn unguarded(op: Op) -> Instruction {
    Instruction {
        guard: None,
        op,
        place: PlaceId::default(),
    }
}

/// What the operation gives of three registers.
fn value(op: &Op, registers: [u64; 3]) -> u64 {
    let of = |operand: Operand| match operand {
        Operand::Constant(bits) => bits,
        Operand::Register(register) => registers[register.index()],
    };
    match *op {
        Op::Unary { op, ty, a, .. } => eval::unary(op, ty, of(a)),
        Op::Binary { op, ty, a, b, .. } => eval::binary(op, ty, of(a), of(b)),
        Op::Ternary {
            op, ty, a, b, c, ..
        } => eval::ternary(op, ty, of(a), of(b), of(c)),
        Op::Lop3 {
            table,
            wide,
            a,
            b,
            c,
            ..
        } => eval::lop3(table, wide, of(a), of(b), of(c)),
        Op::BitFieldInsert {
            ty,
            a,
            b,
            position,
            length,
            ..
        } => eval::bit_field_insert(ty, of(a), of(b), of(position), of(length)),
        _ => unreachable!("no such operation is made"),
    }
}

#[test]
fn bits_that_are_not_demanded_change_none_that_are() {
    let mut numbers = Numbers(11);
    let mut omitted = 0;
    for _ in 0..200_000 {
        let op = operation(&mut numbers);
        let wanted = match numbers.next() % 3 {
            0 => 1 << (numbers.next() % 64),
            1 => numbers.next() & numbers.next() & numbers.next(),
            _ => 0xff << (8 * (numbers.next() % 8)),
        };
        let mask = Op::Binary {
            op: BinaryOp::And,
            ty: ScalarType::U64,
            dst: Register(5),
            a: DST.into(),
            b: Operand::Constant(wanted),
        };
        let escape = Op::Escape {
            src: vec![Register(5).into()],
        };
        let mut kernel = Kernel {
            registers: vec![64; 6],
            ..Kernel::default()
        };
        kernel.blocks = vec![Block {
            instructions: [op.clone(), mask, escape].map(unguarded).to_vec(),
            terminator: Terminator::Exit,
            place: PlaceId::default(),
        }];
        let demanded = &masks(&kernel, 0)[0];
        let registers = std::array::from_fn(|_| numbers.next());
        let mut others = registers;
        for (operand, bits) in op.uses().iter().zip(demanded) {
            if let Operand::Register(register) = operand {
                omitted += u64::from(bits.count_zeros());
                let noise = numbers.next() & !bits;
                others[register.index()] ^= noise;
            }
        }
        let (first, second) = (value(&op, registers), value(&op, others));
        assert_eq!(
            first & wanted,
            second & wanted,
            "{op:?} {wanted:x} {demanded:x?}"
        );
    }
    // Most bits are omitted: a test that demands all would pass too.
    assert!(omitted > 200_000 * 32, "{omitted}");
}
