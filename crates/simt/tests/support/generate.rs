//! Random kernels as trees: straight code, branches, loops, guards, shared memory, warp operations.

use super::Builder;
use lanescope_ir::{
    Address, AddressSpace, BarrierId, BinaryOp, Comparison, Guard, Op, Operand, Register, Rounding,
    ScalarType, ShuffleMode, SpecialRegister, Terminator, TernaryOp, UnaryOp, VoteMode,
};
use lanescope_model::Operation;

/// A piece of a kernel.
#[derive(Clone, Debug)]
pub enum Node {
    /// An instruction that a thread does alone.
    Do(Op, Option<Guard>),
    /// An instruction that all threads of a warp or block do together.
    Together(Op),
    /// `if (predicate) then else other`.
    If(Operand, Vec<Node>, Vec<Node>),
    /// `for (counter = 0; counter < bound; counter++) body`.
    Loop(Register, Operand, Vec<Node>),
}

/// xorshift64*.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).unwrap()
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Makes kernels.
pub struct Generator {
    pub random: Random,
    pub builder: Builder,
    narrow: Vec<Register>,
    wide: Vec<Register>,
    predicates: Vec<Register>,
    input: Operand,
    output: Operand,
    /// Values that differ from block to block in simple ways only, so that blocks can be proved alike.
    tame: bool,
    /// Loops of many iterations, whose registers grow by steps.
    long: bool,
}

/// Bytes of each half of shared memory; threads of a block are at most as many as words.
pub const HALF: u64 = 1024;
/// Elements of the input buffer.
pub const INPUT: u64 = 1 << 16;

impl Generator {
    pub fn new(seed: u64, tame: bool) -> Self {
        let mut builder = Builder::new();
        let input = builder.pointer("input");
        let output = builder.pointer("output");
        let n = builder.scalar("n");
        builder.kernel.shared_bytes = Some(HALF * 2);
        let mut narrow = vec![n.register().unwrap()];
        for special in [
            SpecialRegister::ThreadIndex(0),
            SpecialRegister::ThreadIndex(1),
            SpecialRegister::BlockIndex(0),
            SpecialRegister::BlockIndex(1),
            SpecialRegister::BlockSize(0),
            SpecialRegister::Lane,
        ] {
            narrow.push(builder.special(special).register().unwrap());
        }
        narrow.extend((0..4).map(|_| builder.register(32)));
        let wide = (0..3).map(|_| builder.register(64)).collect();
        let predicates = (0..3).map(|_| builder.register(1)).collect();
        Self {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            builder,
            narrow,
            wide,
            predicates,
            input,
            output,
            tame,
            long: false,
        }
    }

    /// The same with long loops.
    pub fn with_long_loops(seed: u64, tame: bool) -> Self {
        Self {
            long: true,
            ..Self::new(seed, tame)
        }
    }

    /// How many iterations a loop takes, in a register; constants and what the launch says, and of lanes each its own.
    fn long_bound(&mut self, uniform: bool) -> (Op, Register) {
        let dst = self.builder.register(32);
        let (a, b) = if uniform || self.random.chance(60) {
            let counts = [9, 17, 20, 33, 64, 100, 150];
            (
                Operand::Constant(self.random.pick(&counts)),
                u64::from(u32::MAX),
            )
        } else {
            (self.value(), self.random.pick(&[31, 63, 127]))
        };
        let op = Op::Binary {
            op: BinaryOp::And,
            ty: ScalarType::U32,
            dst,
            a,
            b: Operand::Constant(b),
        };
        (op, dst)
    }

    /// Registers that grow by a step in each iteration.
    fn inductions(&mut self, nodes: &mut Vec<Node>) {
        for _ in 0..=self.random.below(2) {
            let dst = self.narrow_result();
            let by = self
                .random
                .pick(&[1, 2, 3, 4, 8, 24, 32, 64, 256, 1000, 0xffff_ffff]);
            nodes.push(Node::Do(
                Op::Binary {
                    op: BinaryOp::Add,
                    ty: ScalarType::U32,
                    dst,
                    a: dst.into(),
                    b: Operand::Constant(by),
                },
                None,
            ));
        }
    }

    fn value(&mut self) -> Operand {
        if self.random.chance(25) {
            let constants = [0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 128, 0xffff_ffff];
            return Operand::Constant(self.random.pick(&constants));
        }
        let register = self.random.pick(&self.narrow);
        register.into()
    }

    fn wide_value(&mut self) -> Operand {
        if self.random.chance(20) {
            return Operand::Constant(self.random.next());
        }
        self.random.pick(&self.wide).into()
    }

    fn predicate(&mut self) -> Register {
        self.random.pick(&self.predicates)
    }

    /// A register that may change: not one of those that say who the thread is.
    fn narrow_result(&mut self) -> Register {
        self.random.pick(&self.narrow[7..11])
    }

    fn wide_result(&mut self) -> Register {
        self.random.pick(&self.wide)
    }

    fn compare(&mut self) -> Op {
        let relations = [
            Comparison::Equal,
            Comparison::NotEqual,
            Comparison::Less,
            Comparison::LessEqual,
            Comparison::Greater,
            Comparison::GreaterEqual,
        ];
        Op::Compare {
            op: self.random.pick(&relations),
            ty: self
                .random
                .pick(&[ScalarType::U32, ScalarType::I32, ScalarType::U32]),
            unordered: false,
            dst: self.predicate(),
            a: self.value(),
            b: self.value(),
        }
    }

    fn binary(&mut self) -> Op {
        let tame = [
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::ShiftLeft,
            BinaryOp::ShiftRight,
            BinaryOp::And,
            BinaryOp::Add,
            BinaryOp::Minimum,
            BinaryOp::Maximum,
            BinaryOp::Divide,
            BinaryOp::Remainder,
        ];
        let wild = [BinaryOp::Or, BinaryOp::Xor, BinaryOp::MultiplyHigh];
        let op = if self.random.chance(85) {
            self.random.pick(&tame)
        } else {
            self.random.pick(&wild)
        };
        Op::Binary {
            op,
            ty: self.random.pick(&[ScalarType::U32, ScalarType::I32]),
            dst: self.narrow_result(),
            a: self.value(),
            b: self.value(),
        }
    }

    /// An instruction of one thread that touches no memory.
    #[allow(clippy::too_many_lines, reason = "a table: one arm a choice")]
    fn arithmetic(&mut self) -> Op {
        let choice = if self.tame {
            self.random.below(12)
        } else {
            self.random.below(24)
        };
        match choice {
            0..=5 => self.binary(),
            6 | 7 => self.compare(),
            8 => Op::Ternary {
                op: self.random.pick(&[TernaryOp::MultiplyAdd, TernaryOp::Add3]),
                ty: ScalarType::U32,
                dst: self.narrow_result(),
                a: self.value(),
                b: self.value(),
                c: self.value(),
            },
            9 => Op::Select {
                dst: self.narrow_result(),
                predicate: self.predicate().into(),
                yes: self.value(),
                no: self.value(),
            },
            10 => Op::Convert {
                from: self
                    .random
                    .pick(&[ScalarType::U32, ScalarType::I32, ScalarType::U8]),
                to: self.random.pick(&[ScalarType::I64, ScalarType::U64]),
                rounding: Rounding::TowardsZero,
                saturate: false,
                dst: self.wide_result(),
                a: self.value(),
            },
            11 => Op::Convert {
                from: ScalarType::U64,
                to: ScalarType::U32,
                rounding: Rounding::TowardsZero,
                saturate: false,
                dst: self.narrow_result(),
                a: self.wide_value(),
            },
            12 => Op::AddCarry {
                dst: self.narrow_result(),
                carry_out: [Some(self.predicate()), None],
                a: self.value(),
                b: self.value(),
                c: Operand::Constant(0),
                carry_in: [Some(self.predicate().into()), None],
            },
            13 => Op::Pack {
                dst: self.wide_result(),
                parts: vec![self.value(), self.value()],
            },
            14 => Op::Unpack {
                parts: vec![Some(self.narrow_result()), None],
                part_bits: 32,
                a: self.wide_value(),
            },
            15 => Op::Lop3 {
                table: u8::try_from(self.random.below(256)).unwrap(),
                wide: false,
                dst: self.narrow_result(),
                a: self.value(),
                b: self.value(),
                c: self.value(),
            },
            16 => Op::Binary {
                op: self
                    .random
                    .pick(&[BinaryOp::Add, BinaryOp::Multiply, BinaryOp::ShiftRight]),
                ty: self.random.pick(&[ScalarType::U64, ScalarType::I64]),
                dst: self.wide_result(),
                a: self.wide_value(),
                b: self.wide_value(),
            },
            17 => Op::Unary {
                op: self.random.pick(&[
                    UnaryOp::Negate,
                    UnaryOp::Not,
                    UnaryOp::PopCount,
                    UnaryOp::Move,
                ]),
                ty: ScalarType::U32,
                dst: self.narrow_result(),
                a: self.value(),
            },
            18 => Op::Ternary {
                op: self.random.pick(&[TernaryOp::MultiplyAddWide]),
                ty: self.random.pick(&[ScalarType::U32, ScalarType::I32]),
                dst: self.wide_result(),
                a: self.value(),
                b: self.value(),
                c: self.wide_value(),
            },
            19 | 20 => Op::Ternary {
                op: self.random.pick(&[
                    TernaryOp::FunnelShiftLeft,
                    TernaryOp::FunnelShiftRight,
                    TernaryOp::FunnelShiftLeftClamped,
                    TernaryOp::FunnelShiftRightClamped,
                ]),
                ty: ScalarType::U32,
                dst: self.narrow_result(),
                a: self.value(),
                b: self.value(),
                c: Operand::Constant(self.random.below(40) as u64),
            },
            21 | 22 => Op::Ternary {
                op: TernaryOp::MultiplyAddHigh,
                ty: self.random.pick(&[ScalarType::U32, ScalarType::I32]),
                dst: self.narrow_result(),
                a: self.value(),
                // Reciprocals of 3, 24, 7 and 5 as compilers multiply by them.
                b: Operand::Constant(self.random.pick(&[
                    0xaaaa_aaab,
                    0x2aaa_aaab,
                    0x9249_2493,
                    0xcccc_cccd,
                ])),
                c: self.value(),
            },
            _ => Op::Ternary {
                op: self
                    .random
                    .pick(&[TernaryOp::BitFieldExtract, TernaryOp::BytePermute]),
                ty: ScalarType::U32,
                dst: self.narrow_result(),
                a: self.value(),
                b: self.value(),
                c: self.value(),
            },
        }
    }

    /// A load or store; shared memory is read in one half and written, each thread its own word, in the other.
    fn access(&mut self, nodes: &mut Vec<Node>, half: u64) {
        let index = self.builder.register(32);
        let mask = if self.tame { INPUT * 4 - 1 } else { INPUT - 1 };
        let (space, load, bytes) = match self.random.below(4) {
            0 => (AddressSpace::Global, true, mask),
            1 => (AddressSpace::Global, false, mask),
            2 => (AddressSpace::Shared, true, HALF / 4 - 1),
            _ => (AddressSpace::Shared, false, 0),
        };
        let own = space == AddressSpace::Shared && !load;
        let op = if own {
            Op::Special {
                dst: index,
                register: SpecialRegister::LinearThreadIndex,
            }
        } else {
            let sums = self.tame && space == AddressSpace::Global;
            let (op, b) = (BinaryOp::And, Operand::Constant(bytes));
            let a = self.value();
            let (op, b) = if sums {
                (BinaryOp::Add, self.value())
            } else {
                (op, b)
            };
            binary_word(op, index, a, b)
        };
        nodes.push(Node::Do(op, None));
        let operation = if load {
            Operation::Load
        } else {
            Operation::Store
        };
        let site = self.builder.site(space, operation);
        if space == AddressSpace::Global {
            let array = lanescope_ir::ArrayId(u32::from(!load));
            self.builder.kernel.sites[site.index()].array = Some(array);
        }
        let address = self.address(nodes, index, space, (load, half));
        let guard = self.guard();
        let op = if load {
            let dst = if self.long && self.random.chance(80) {
                self.builder.register(32)
            } else {
                self.narrow_result()
            };
            Op::Load {
                dst: vec![Some(dst)],
                address,
                site,
            }
        } else {
            Op::Store {
                src: vec![self.value()],
                address,
                site,
            }
        };
        nodes.push(Node::Do(op, guard));
    }

    /// The address of an element: of shared memory in one half for loads, in the other for stores.
    fn address(
        &mut self,
        nodes: &mut Vec<Node>,
        index: Register,
        space: AddressSpace,
        (load, half): (bool, u64),
    ) -> Address {
        if space == AddressSpace::Shared {
            let at = self.builder.register(32);
            let scaled = binary_word(BinaryOp::Multiply, at, index.into(), Operand::Constant(4));
            nodes.push(Node::Do(scaled, None));
            let half = if load { half } else { 1 - half };
            Address {
                base: at.into(),
                index: None,
                offset: i64::try_from(half * HALF).unwrap(),
            }
        } else {
            let at = self.builder.register(64);
            let base = if load { self.input } else { self.output };
            nodes.push(Node::Do(
                Op::Ternary {
                    op: TernaryOp::MultiplyAddWide,
                    ty: ScalarType::U32,
                    dst: at,
                    a: index.into(),
                    b: Operand::Constant(4),
                    c: base,
                },
                None,
            ));
            Address {
                base: at.into(),
                index: None,
                offset: 0,
            }
        }
    }

    fn guard(&mut self) -> Option<Guard> {
        self.random.chance(15).then(|| Guard {
            predicate: self.predicate(),
            negated: self.random.chance(50),
        })
    }

    fn nodes(&mut self, depth: usize, half: u64, most: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..=self.random.below(most) {
            match self.random.below(10) {
                0..=4 => {
                    let op = self.arithmetic();
                    let guard = self.guard();
                    nodes.push(Node::Do(op, guard));
                }
                5 | 6 => self.access(&mut nodes, half),
                7 | 8 if depth > 0 => {
                    let op = self.compare();
                    let Op::Compare { dst, .. } = op else {
                        unreachable!()
                    };
                    nodes.push(Node::Do(op, None));
                    let then = self.nodes(depth - 1, half, 3);
                    let other = if self.random.chance(50) {
                        self.nodes(depth - 1, half, 3)
                    } else {
                        Vec::new()
                    };
                    nodes.push(Node::If(dst.into(), then, other));
                }
                9 if self.long && depth == 3 => {
                    let (op, bound) = self.long_bound(false);
                    nodes.push(Node::Do(op, None));
                    let counter = self.builder.register(32);
                    self.narrow.push(counter);
                    let mut body = self.nodes(depth - 1, half, 4);
                    self.narrow.retain(|register| *register != counter);
                    self.inductions(&mut body);
                    nodes.push(Node::Loop(counter, bound.into(), body));
                }
                9 if depth > 0 => {
                    let bound = self.builder.register(32);
                    let a = self.value();
                    let b = Operand::Constant(self.random.pick(&[1, 3, 7]));
                    let op = Op::Binary {
                        op: BinaryOp::And,
                        ty: ScalarType::U32,
                        dst: bound,
                        a,
                        b,
                    };
                    nodes.push(Node::Do(op, None));
                    let counter = self.builder.register(32);
                    if self.random.chance(50) {
                        self.narrow.push(counter);
                    }
                    let body = self.nodes(depth - 1, half, 4);
                    self.narrow.retain(|register| *register != counter);
                    nodes.push(Node::Loop(counter, bound.into(), body));
                }
                _ => {
                    let op = self.arithmetic();
                    nodes.push(Node::Do(op, None));
                }
            }
        }
        nodes
    }

    fn together(&mut self) -> Op {
        match self.random.below(3) {
            0 => Op::Vote {
                mode: self.random.pick(&[VoteMode::Ballot, VoteMode::Ballot]),
                dst: self.narrow_result(),
                a: self.predicate().into(),
            },
            _ => Op::Shuffle {
                mode: self.random.pick(&[
                    ShuffleMode::Index,
                    ShuffleMode::Up,
                    ShuffleMode::Down,
                    ShuffleMode::Butterfly,
                ]),
                dst: self.narrow_result(),
                in_range: None,
                a: self.value(),
                lane: Operand::Constant(self.random.pick(&[0, 1, 2, 5, 16, 31])),
                clamp: Operand::Constant(self.random.pick(&[31, 0x1c1f, 0, 0x1800])),
            },
        }
    }

    /// A loop that all warps go through from barrier to barrier.
    fn block_loop(&mut self, half: u64) -> [Node; 2] {
        let (op, bound) = self.long_bound(true);
        let counter = self.builder.register(32);
        self.narrow.push(counter);
        let mut body = self.nodes(2, half, 3);
        let barrier = Op::Barrier {
            id: Operand::Constant(0),
            threads: None,
            arrive: false,
        };
        body.push(Node::Together(barrier.clone()));
        if self.random.chance(50) {
            body.extend(self.nodes(1, half, 2));
            body.push(Node::Together(barrier));
        }
        self.narrow.retain(|register| *register != counter);
        self.inductions(&mut body);
        [Node::Do(op, None), Node::Loop(counter, bound.into(), body)]
    }

    /// A whole kernel: its tree, and its form in `ir`.
    pub fn tree(&mut self) -> Vec<Node> {
        let mut all = Vec::new();
        for segment in 0..=self.random.below(3) {
            let half = segment as u64 % 2;
            if self.long && self.random.chance(30) {
                let node = self.block_loop(half);
                all.extend(node);
            }
            all.extend(self.nodes(3, half, 7));
            let op = if self.random.chance(60) {
                Op::Barrier {
                    id: Operand::Constant(0),
                    threads: None,
                    arrive: false,
                }
            } else {
                self.together()
            };
            all.push(Node::Together(op));
            // What was written in this segment may be read in the next.
            all.push(Node::Together(Op::Barrier {
                id: Operand::Constant(0),
                threads: None,
                arrive: false,
            }));
        }
        all
    }

    /// Writes a tree as blocks, joined by structured branches or by convergence barriers.
    pub fn lower(&mut self, nodes: &[Node], barriers: bool, depth: u32) {
        self.builder.kernel.barriers = 16;
        for node in nodes {
            match node {
                Node::Do(op, guard) => self.builder.push_guarded(op.clone(), *guard),
                Node::Together(op) => self.builder.push(op.clone()),
                Node::If(predicate, then, other) => {
                    let [taken, otherwise, join] = std::array::from_fn(|_| self.builder.block());
                    let barrier = BarrierId(depth);
                    if barriers {
                        self.builder.push(Op::Arm { barrier, join });
                    }
                    self.builder.end(Terminator::Branch {
                        predicate: *predicate,
                        negated: false,
                        taken,
                        otherwise,
                        join: (!barriers).then_some(join),
                    });
                    for (block, body) in [(taken, then), (otherwise, other)] {
                        self.builder.at(block);
                        self.lower(body, barriers, depth + 1);
                        self.builder.end(Terminator::Jump(join));
                    }
                    self.builder.at(join);
                    if barriers {
                        self.builder.push(Op::Join { barrier });
                    }
                }
                Node::Loop(counter, bound, body) => {
                    self.lower_loop(*counter, *bound, body, barriers, depth);
                }
            }
        }
    }

    fn lower_loop(
        &mut self,
        counter: Register,
        bound: Operand,
        body: &[Node],
        barriers: bool,
        depth: u32,
    ) {
        let [head, inside, out] = std::array::from_fn(|_| self.builder.block());
        let barrier = BarrierId(depth);
        self.builder.push(Op::Unary {
            op: UnaryOp::Move,
            ty: ScalarType::U32,
            dst: counter,
            a: Operand::Constant(0),
        });
        if barriers {
            self.builder.push(Op::Arm { barrier, join: out });
        }
        self.builder.end(Terminator::Jump(head));
        self.builder.at(head);
        let goes_on =
            self.builder
                .compare(Comparison::Less, ScalarType::U32, counter.into(), bound);
        self.builder.end(Terminator::Branch {
            predicate: goes_on,
            negated: false,
            taken: inside,
            otherwise: out,
            join: (!barriers).then_some(out),
        });
        self.builder.at(inside);
        self.lower(body, barriers, depth + 1);
        self.builder.push(Op::Binary {
            op: BinaryOp::Add,
            ty: ScalarType::U32,
            dst: counter,
            a: counter.into(),
            b: Operand::Constant(1),
        });
        self.builder.end(Terminator::Jump(head));
        self.builder.at(out);
        if barriers {
            self.builder.push(Op::Join { barrier });
        }
    }
}

/// An operation on words of 32 bits.
const fn binary_word(op: BinaryOp, dst: Register, a: Operand, b: Operand) -> Op {
    Op::Binary {
        op,
        ty: ScalarType::U32,
        dst,
        a,
        b,
    }
}
