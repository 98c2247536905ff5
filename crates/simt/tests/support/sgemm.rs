//! Blocked SGEMM: 512 threads make 64 x 64 of C in steps of 8 along K, eight results a thread down a column.

use super::Builder;
use lanescope_ir::{
    Address, AddressSpace, BinaryOp, Comparison, Kernel, Op, Operand, Register, ScalarType,
    SpecialRegister, Terminator, TernaryOp, UnaryOp,
};
use lanescope_model::{Operation, Width};
use lanescope_simt::{Contents, Launch, ParameterValue};

const AS: u64 = 0;
const BS: u64 = 64 * 8 * 4;

fn constant(value: u64) -> Operand {
    Operand::Constant(value)
}

struct Sgemm {
    b: Builder,
}

impl Sgemm {
    /// `a * b + c` of 32 bits.
    fn mad(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        let dst = self.b.register(32);
        let (op, ty) = (TernaryOp::MultiplyAdd, ScalarType::U32);
        self.b.push(Op::Ternary {
            op,
            ty,
            dst,
            a,
            b,
            c,
        });
        dst.into()
    }

    fn fused(&mut self, dst: Register, a: Operand, b: Operand) {
        let (op, ty) = (TernaryOp::MultiplyAdd, ScalarType::F32);
        self.b.push(Op::Ternary {
            op,
            ty,
            dst,
            a,
            b,
            c: dst.into(),
        });
    }

    /// Two neighbouring floats of shared memory with one load.
    fn load_pair(&mut self, base: Operand, offset: u64) -> [Operand; 2] {
        let site = self.b.site_of(
            AddressSpace::Shared,
            Operation::Load,
            ScalarType::F32,
            Width::Bytes8,
        );
        let dst = [self.b.register(32), self.b.register(32)];
        let offset = i64::try_from(offset).unwrap();
        self.b.push(Op::Load {
            dst: dst.map(Some).to_vec(),
            address: Address {
                base,
                index: None,
                offset,
            },
            site,
        });
        dst.map(Operand::from)
    }

    fn advance(&mut self, pointer: Register, bytes: Operand) {
        self.b.push(Op::Binary {
            op: BinaryOp::Add,
            ty: ScalarType::U64,
            dst: pointer,
            a: pointer.into(),
            b: bytes,
        });
    }
}

/// The kernel; parameters are A, B, C and the size.
pub fn kernel() -> Kernel {
    let mut s = Sgemm { b: Builder::new() };
    let [a, b, c] = ["A", "B", "C"].map(|name| s.b.pointer(name));
    let n = s.b.scalar("n");
    let tid = s.b.special(SpecialRegister::ThreadIndex(0));
    let [bx, by] = [0, 1].map(|axis| s.b.special(SpecialRegister::BlockIndex(axis)));
    let split = |s: &mut Sgemm, by: u64| {
        let rest =
            s.b.binary(BinaryOp::Remainder, ScalarType::U32, tid, constant(by));
        (
            s.b.binary(BinaryOp::Divide, ScalarType::U32, tid, constant(by)),
            rest,
        )
    };
    let (row_a, column_a) = split(&mut s, 8);
    let (row_b, column_b) = split(&mut s, 64);
    let row_block = s.b.multiply(by, constant(64));
    let row = s.b.add(row_block, row_a);
    let index_a = s.mad(row, n, column_a);
    let at_a = s.b.element(a, index_a);
    let first_b = s.mad(bx, constant(64), column_b);
    let index_b = s.mad(row_b, n, first_b);
    let at_b = s.b.element(b, index_b);
    let row_c = s.mad(row_b, constant(8), row_block);
    let index_c = s.mad(row_c, n, first_b);
    let at_c = s.b.element(c, index_c);
    let step_b =
        s.b.binary(BinaryOp::MultiplyWide, ScalarType::U32, n, constant(32));
    let step_c =
        s.b.binary(BinaryOp::MultiplyWide, ScalarType::U32, n, constant(4));
    let put = s.b.multiply(tid, constant(4));
    let from_a = s.b.multiply(row_b, constant(8 * 8 * 4));
    let from_b = s.b.multiply(column_b, constant(4));
    let sums: Vec<Register> = (0..8).map(|_| s.b.register(32)).collect();
    let k = s.b.register(32);
    s.b.push(Op::Unary {
        op: UnaryOp::Move,
        ty: ScalarType::U32,
        dst: k,
        a: constant(0),
    });
    let [head, body, out] = std::array::from_fn(|_| s.b.block());
    s.b.end(Terminator::Jump(head));
    s.b.at(head);
    let goes_on = s.b.compare(Comparison::Less, ScalarType::U32, k.into(), n);
    s.b.end(Terminator::Branch {
        predicate: goes_on,
        negated: false,
        taken: body,
        otherwise: out,
        join: Some(out),
    });
    s.b.at(body);
    for (from, to) in [(at_a, AS), (at_b, BS)] {
        let value = s.b.load(AddressSpace::Global, from, 0);
        s.b.store(AddressSpace::Shared, put, i64::try_from(to).unwrap(), value);
    }
    s.b.barrier();
    s.advance(at_a.register().unwrap(), constant(32));
    s.advance(at_b.register().unwrap(), step_b);
    let columns: Vec<Operand> = (0..8)
        .map(|dot| {
            s.b.load(
                AddressSpace::Shared,
                from_b,
                i64::try_from(BS).unwrap() + dot * 256,
            )
        })
        .collect();
    for (result, sum) in (0..).zip(&sums) {
        for pair in 0..4 {
            let values = s.load_pair(from_a, AS + result * 32 + pair as u64 * 8);
            for (half, value) in values.into_iter().enumerate() {
                s.fused(*sum, value, columns[pair * 2 + half]);
            }
        }
    }
    s.b.barrier();
    s.b.push(Op::Binary {
        op: BinaryOp::Add,
        ty: ScalarType::U32,
        dst: k,
        a: k.into(),
        b: constant(8),
    });
    s.b.end(Terminator::Jump(head));
    s.b.at(out);
    for sum in sums {
        let old = s.b.load(AddressSpace::Global, at_c, 0);
        s.fused(sum, old, constant(0x3f80_0000));
        s.b.store(AddressSpace::Global, at_c, 0, sum.into());
        s.advance(at_c.register().unwrap(), step_c);
    }
    s.b.kernel.shared_bytes = Some(BS + 8 * 64 * 4);
    s.b.kernel
}

/// Its launch on square matrices.
pub fn launch(size: u32) -> Launch {
    let bytes = u64::from(size) * u64::from(size) * 4;
    let buffer = || ParameterValue::Buffer {
        bytes: Some(bytes),
        base_offset: 0,
        contents: Contents::Unknown,
        offset_in_allocation: 0,
    };
    Launch {
        grid: [size / 64, size / 64, 1],
        block: [512, 1, 1],
        parameters: vec![
            buffer(),
            buffer(),
            buffer(),
            ParameterValue::Bytes(size.to_le_bytes().to_vec()),
        ],
        ..Launch::default()
    }
}
