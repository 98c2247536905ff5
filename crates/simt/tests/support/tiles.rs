//! Random kernels as people write them: tiles, stencils, grid-stride loops, triangles; guards at both edges, nested
//! loops, pointers advanced by the block and by each step, warps of unequal work.

use super::Builder;
use super::generate::Random;
use lanescope_ir::{
    AddressSpace, ArrayId, BinaryOp, Comparison, Op, Operand, Register, Rounding, ScalarType,
    SpecialRegister, Terminator, UnaryOp,
};
use lanescope_model::Operation;
use lanescope_simt::{Contents, Launch, ParameterValue};

/// Bytes of shared memory: a tile of a word a thread, and room for what reads past it.
const SHARED: u64 = 8192;

/// A kernel and its launch.
pub struct Tiles {
    random: Random,
    builder: Builder,
    input: Operand,
    output: Operand,
    /// Columns, rows and depth, which the launch gives.
    sizes: [Operand; 3],
    given: [u64; 3],
    block: [u32; 3],
    grid: [u32; 3],
    x: Operand,
    y: Operand,
    thread: Operand,
    /// Whether sums and comparisons are unsigned.
    ty: ScalarType,
}

fn constant(value: u64) -> Operand {
    Operand::Constant(value)
}

impl Tiles {
    /// The kernel and launch of a seed.
    pub fn program(seed: u64) -> (lanescope_ir::Kernel, Launch) {
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95) | 1);
        let mut builder = Builder::new();
        builder.kernel.shared_bytes = Some(SHARED);
        let (input, output) = (builder.pointer("in"), builder.pointer("out"));
        let sizes = ["n", "m", "k"].map(|name| builder.scalar(name));
        let block = random.pick(&[
            [32, 1, 1],
            [64, 2, 1],
            [16, 16, 1],
            [48, 1, 1],
            [20, 5, 1],
            [32, 8, 1],
        ]);
        let grid = random.pick(&[[9, 1, 1], [5, 4, 1], [2, 7, 1], [3, 2, 2], [17, 1, 1]]);
        let ty = random.pick(&[ScalarType::U32, ScalarType::I32]);
        let [tx, ty_index, bx, by] = [
            SpecialRegister::ThreadIndex(0),
            SpecialRegister::ThreadIndex(1),
            SpecialRegister::BlockIndex(0),
            SpecialRegister::BlockIndex(1),
        ]
        .map(|one| builder.special(one));
        let place = |builder: &mut Builder, of: Operand, side: u32, thread: Operand| {
            let first = builder.binary(BinaryOp::Multiply, ty, of, constant(side.into()));
            builder.binary(BinaryOp::Add, ty, first, thread)
        };
        let x = place(&mut builder, bx, block[0], tx);
        let y = place(&mut builder, by, block[1], ty_index);
        let thread = place(&mut builder, ty_index, block[0], tx);
        // Extents of the grid, less or more than that: edges on either side of a block, or beyond all of them.
        let near = |random: &mut Random, blocks: u32, side: u32| {
            let whole = u64::from(blocks * side);
            let less = random.pick(&[0, 0, 1, 3, u64::from(side) / 2, u64::from(side)]);
            if random.chance(80) {
                whole.saturating_sub(less).max(1)
            } else {
                whole + less
            }
        };
        let columns = near(&mut random, grid[0], block[0]);
        let given = [
            random.pick(&[columns, columns, 128, 96]),
            near(&mut random, grid[1], block[1]),
            random.pick(&[8, 24, 33, 64, 100]),
        ];
        let mut tiles = Self {
            random,
            builder,
            input,
            output,
            sizes,
            given,
            block,
            grid,
            x,
            y,
            thread,
            ty,
        };
        tiles.advance();
        tiles.body();
        let launch = tiles.launch();
        (tiles.builder.kernel, launch)
    }

    fn launch(&mut self) -> Launch {
        let random = &mut self.random;
        let buffer = |random: &mut Random| ParameterValue::Buffer {
            bytes: random.pick(&[None, None, Some(1 << 20), Some(30_000)]),
            base_offset: random.pick(&[0, 0, 256, 64, 36]),
            contents: Contents::Unknown,
            offset_in_allocation: random.pick(&[0, 0, 128, 4096]),
        };
        let mut parameters = vec![buffer(random), buffer(random)];
        parameters.extend(self.given.map(|size| {
            ParameterValue::Bytes(u32::try_from(size).unwrap().to_le_bytes().to_vec())
        }));
        Launch {
            grid: self.grid,
            block: self.block,
            parameters,
            ..Launch::default()
        }
    }

    /// Pointers that a block moves to what is its own.
    fn advance(&mut self) {
        for at in 0..2 {
            if self.random.chance(50) {
                continue;
            }
            let axis = u8::try_from(self.random.below(2)).unwrap();
            let block = self.builder.special(SpecialRegister::BlockIndex(axis));
            let by = match self.random.below(4) {
                0 => self.sizes[0],
                1 => self.sizes[2],
                2 => constant(u64::from(self.block[0])),
                _ => constant(self.random.pick(&[8, 64, 72, 1000])),
            };
            let elements = self.builder.binary(BinaryOp::Multiply, self.ty, block, by);
            let pointer = if at == 0 { self.input } else { self.output };
            let moved = self.moved(pointer, elements);
            if at == 0 {
                self.input = moved;
            } else {
                self.output = moved;
            }
        }
    }

    /// `pointer + elements`, in one of the ways that compilers write it.
    fn moved(&mut self, pointer: Operand, elements: Operand) -> Operand {
        let ty = self.ty;
        let wide = if ty.is_signed() {
            ScalarType::I64
        } else {
            ScalarType::U64
        };
        let offset = if self.random.chance(50) {
            self.builder
                .binary(BinaryOp::MultiplyWide, ty, elements, constant(4))
        } else {
            let dst = self.builder.register(64);
            self.builder.push(Op::Convert {
                from: ty,
                to: wide,
                rounding: Rounding::TowardsZero,
                saturate: false,
                dst,
                a: elements,
            });
            self.builder
                .binary(BinaryOp::ShiftLeft, wide, dst.into(), constant(2))
        };
        self.builder
            .binary(BinaryOp::Add, ScalarType::U64, pointer, offset)
    }

    fn sum(&mut self, a: Operand, b: Operand) -> Operand {
        self.builder.binary(BinaryOp::Add, self.ty, a, b)
    }

    fn product(&mut self, a: Operand, b: Operand) -> Operand {
        self.builder.binary(BinaryOp::Multiply, self.ty, a, b)
    }

    /// `row * columns + column`.
    fn at(&mut self, row: Operand, columns: Operand, column: Operand) -> Operand {
        let first = self.product(row, columns);
        self.sum(first, column)
    }

    fn load(&mut self, index: Operand) {
        let pointer = self.input;
        self.global(pointer, index, true);
    }

    fn store(&mut self, index: Operand) {
        let pointer = self.output;
        self.global(pointer, index, false);
    }

    fn global(&mut self, pointer: Operand, index: Operand, load: bool) {
        let address = self.moved(pointer, index);
        if load {
            self.builder.load(AddressSpace::Global, address, 0);
        } else {
            self.builder
                .store(AddressSpace::Global, address, 0, self.thread);
        }
        let site = self.builder.kernel.sites.last_mut().unwrap();
        site.array = Some(ArrayId(u32::from(!load)));
        assert_eq!(site.operation == Operation::Load, load);
    }

    fn shared(&mut self, word: Operand, load: bool) {
        let word = self.builder.binary(
            BinaryOp::And,
            ScalarType::U32,
            word,
            constant(SHARED / 4 - 1),
        );
        let at = self
            .builder
            .binary(BinaryOp::ShiftLeft, ScalarType::U32, word, constant(2));
        if load {
            self.builder.load(AddressSpace::Shared, at, 0);
        } else {
            self.builder.store(AddressSpace::Shared, at, 0, self.thread);
        }
    }

    /// Runs `body` where a condition holds.
    fn when(&mut self, op: Comparison, a: Operand, b: Operand, body: impl FnOnce(&mut Self)) {
        let predicate = self.builder.compare(op, self.ty, a, b);
        let [inside, join] = std::array::from_fn(|_| self.builder.block());
        self.builder.end(Terminator::Branch {
            predicate,
            negated: false,
            taken: inside,
            otherwise: join,
            join: Some(join),
        });
        self.builder.at(inside);
        body(self);
        self.builder.end(Terminator::Jump(join));
        self.builder.at(join);
    }

    fn copy_of(&mut self, value: Operand, bits: u8) -> Register {
        let dst = self.builder.register(bits);
        self.assign(dst, value, bits);
        dst
    }

    fn assign(&mut self, dst: Register, value: Operand, bits: u8) {
        self.builder.push(Op::Unary {
            op: UnaryOp::Move,
            ty: if bits == 64 {
                ScalarType::U64
            } else {
                ScalarType::U32
            },
            dst,
            a: value,
        });
    }

    /// `for (counter = first; counter < end; counter += step) body`.
    fn each(
        &mut self,
        (first, end, step): (Operand, Operand, Operand),
        body: impl FnOnce(&mut Self, Operand),
    ) {
        let counter = self.copy_of(first, 32);
        let [head, inside, out] = std::array::from_fn(|_| self.builder.block());
        self.builder.end(Terminator::Jump(head));
        self.builder.at(head);
        let predicate = self
            .builder
            .compare(Comparison::Less, self.ty, counter.into(), end);
        self.builder.end(Terminator::Branch {
            predicate,
            negated: false,
            taken: inside,
            otherwise: out,
            join: Some(out),
        });
        self.builder.at(inside);
        body(self, counter.into());
        self.builder.push(Op::Binary {
            op: BinaryOp::Add,
            ty: self.ty,
            dst: counter,
            a: counter.into(),
            b: step,
        });
        self.builder.end(Terminator::Jump(head));
        self.builder.at(out);
    }

    fn body(&mut self) {
        let [n, m, _] = self.sizes;
        if self.random.chance(15) {
            // `if (x >= n) return;`
            let predicate = self
                .builder
                .compare(Comparison::GreaterEqual, self.ty, self.x, n);
            let [leave, stay] = std::array::from_fn(|_| self.builder.block());
            self.builder.end(Terminator::Branch {
                predicate,
                negated: false,
                taken: leave,
                otherwise: stay,
                join: None,
            });
            self.builder.at(stay);
            self.part(false);
        } else {
            self.part(true);
        }
        let (x, y) = (self.x, self.y);
        let index = self.at(y, n, x);
        match self.random.below(3) {
            0 => self.store(index),
            1 => self.when(Comparison::Less, x, n, |one| one.store(index)),
            _ => self.when(Comparison::Less, x, n, |one| {
                one.when(Comparison::Less, y, m, |one| one.store(index));
            }),
        }
    }

    /// What the kernel does before its last store.
    fn part(&mut self, may_wait: bool) {
        match self.random.below(if may_wait { 6 } else { 4 }) {
            0 => self.stencil(),
            1 => self.stride(),
            2 => self.triangle(),
            3 => self.nest(),
            _ => self.tile(),
        }
    }

    /// Loads on both sides of a point; what lies beyond an edge is left out, or the edge itself is taken.
    fn stencil(&mut self) {
        let [n, m, _] = self.sizes;
        let (x, y) = (self.x, self.y);
        let index = self.at(y, n, x);
        let clamps = self.random.chance(40) && self.ty.is_signed();
        let edges = [
            (x, n, constant(1)),
            (y, m, n),
            (x, n, constant(u64::from(self.random.chance(50)) * 31 + 1)),
        ];
        for (at, end, step) in edges {
            let last = self
                .builder
                .binary(BinaryOp::Subtract, self.ty, end, constant(1));
            if clamps {
                let before = self
                    .builder
                    .binary(BinaryOp::Subtract, self.ty, at, constant(1));
                let least = self
                    .builder
                    .binary(BinaryOp::Maximum, self.ty, before, constant(0));
                let most = self.builder.binary(BinaryOp::Minimum, self.ty, least, last);
                let there = self.at(y, n, most);
                self.load(there);
                continue;
            }
            self.when(Comparison::Greater, at, constant(0), |one| {
                let before = one.builder.binary(BinaryOp::Subtract, one.ty, index, step);
                one.load(before);
            });
            self.when(Comparison::Less, at, last, |one| {
                let behind = one.sum(index, step);
                one.load(behind);
            });
        }
    }

    /// A loop that steps through an array by the whole grid.
    fn stride(&mut self) {
        let step = u64::from(self.grid[0] * self.block[0]);
        let rounds = self.random.pick(&[3, 17, 40]);
        let end = (step * rounds).saturating_sub(self.random.pick(&[0, 1, 16, 100]));
        self.each((self.x, constant(end), constant(step)), |one, i| {
            one.load(i);
            if one.random.chance(40) {
                let word = one.sum(i, constant(3));
                one.shared(word, true);
            }
        });
    }

    /// Warps, or threads, that do more the higher their number is; inner loops as long as the outer one has come.
    fn triangle(&mut self) {
        let by = self.random.pick(&[0, 3, 5]);
        let own = self.builder.binary(
            BinaryOp::ShiftRight,
            ScalarType::U32,
            self.thread,
            constant(by),
        );
        let more = constant(self.random.pick(&[1, 9, 40]));
        let end = self.sum(own, more);
        let is_nested = self.random.chance(40);
        self.each((constant(0), end, constant(1)), |one, i| {
            let [n, _, _] = one.sizes;
            let index = one.at(i, n, one.x);
            one.load(index);
            if is_nested {
                let end = one
                    .builder
                    .binary(BinaryOp::And, ScalarType::U32, i, constant(7));
                one.each((constant(0), end, constant(1)), |one, j| {
                    let word = one.at(j, constant(32), one.thread);
                    one.shared(word, true);
                });
            }
        });
    }

    /// Two or three loops, one in another, over an array of that many dimensions.
    fn nest(&mut self) {
        let [n, _, k] = self.sizes;
        let counts = [5, 12, 30].map(constant);
        let outer = if self.random.chance(50) {
            k
        } else {
            self.random.pick(&counts)
        };
        let inner = self.random.pick(&counts);
        let step = constant(self.random.pick(&[1, 1, 2, 8]));
        let is_deep = self.random.chance(15);
        self.each((constant(0), outer, step), |one, i| {
            one.each((constant(0), inner, constant(1)), |one, j| {
                let row = one.at(i, inner, j);
                let index = one.at(row, n, one.x);
                one.load(index);
                if is_deep {
                    one.each((constant(0), constant(5), constant(1)), |one, l| {
                        let word = one.at(l, constant(33), j);
                        one.shared(word, true);
                    });
                }
            });
            let word = one.sum(i, one.thread);
            one.shared(word, true);
        });
    }

    /// A tile filled and read between barriers, step by step along the depth.
    fn tile(&mut self) {
        let [n, _, k] = self.sizes;
        let step = self.random.pick(&[4, 8, 16]);
        let is_moved = self.random.chance(50);
        let is_guarded = self.random.chance(50);
        let inner = self.random.pick(&[3, 8, 20]);
        let pitch = self.random.pick(&[8, 16, 33, 64]);
        let pointer = self.copy_of(self.input, 64);
        let kept = self.input;
        self.input = pointer.into();
        let by = if self.random.chance(50) {
            constant(step)
        } else {
            self.product(n, constant(step))
        };
        self.each((constant(0), k, constant(step)), |one, i| {
            let column = if is_moved {
                one.x
            } else {
                one.sum(i, one.thread)
            };
            let index = one.at(one.y, k, column);
            if is_guarded {
                one.when(Comparison::Less, column, n, |one| one.load(index));
            } else {
                one.load(index);
            }
            one.shared(one.thread, false);
            one.builder.barrier();
            one.each((constant(0), constant(inner), constant(1)), |one, dot| {
                let word = one.at(one.thread, constant(pitch), dot);
                one.shared(word, true);
                let word = one.at(dot, constant(pitch), one.thread);
                one.shared(word, true);
            });
            one.builder.barrier();
            if is_moved {
                let moved = one.moved(pointer.into(), by);
                one.assign(pointer, moved, 64);
            }
        });
        self.input = kept;
    }
}
