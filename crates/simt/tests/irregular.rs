//! Loops in which data decides where accesses go: what is regular about them is told at once, and all of it is told.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use crate::support;

use lanescope_ir::{
    AddressSpace, BinaryOp, Comparison, Kernel, Op, Operand, Register, ScalarType, SpecialRegister,
    Terminator,
};
use lanescope_simt::{Contents, End, Launch, ParameterValue};
use support::Builder;
use support::patterns::both;

/// Threads of the launch, and the iterations that each takes.
const THREADS: u64 = 3 * 64;
const ITERATIONS: u64 = 40;

/// What the body of a loop is made with.
struct Body {
    builder: Builder,
    keys: Operand,
    values: Operand,
    /// The loop's counter: the thread's number at first, more by all threads each time.
    index: Register,
    /// For the body: the thread's number at first.
    own: Register,
}

impl Body {
    /// Element `index & mask` of a buffer.
    fn load(&mut self, from: Operand, index: Operand, mask: u64) -> Operand {
        let at = self.place(from, index, mask);
        self.builder.load(AddressSpace::Global, at, 0)
    }

    fn place(&mut self, from: Operand, index: Operand, mask: u64) -> Operand {
        let mask = Operand::Constant(mask);
        let index = self
            .builder
            .binary(BinaryOp::And, ScalarType::U32, index, mask);
        self.builder.element(from, index)
    }

    /// The key of this iteration.
    fn key(&mut self) -> Operand {
        let at = self.builder.element(self.keys, self.index.into());
        self.builder.load(AddressSpace::Global, at, 0)
    }

    fn store(&mut self, index: Operand, value: Operand) {
        let at = self.place(self.values, index, 0x3ff);
        self.builder.store(AddressSpace::Global, at, 0, value);
    }

    /// Adds one to a word of shared memory.
    fn count(&mut self, word: Operand) {
        let four = Operand::Constant(4);
        let word =
            self.builder
                .binary(BinaryOp::And, ScalarType::U32, word, Operand::Constant(255));
        let base = self
            .builder
            .binary(BinaryOp::Multiply, ScalarType::U32, word, four);
        self.builder.add_one(AddressSpace::Shared, base);
    }

    fn keep(&mut self, value: Operand) {
        let (dst, ty) = (self.own, ScalarType::U32);
        self.builder.push(Op::Unary {
            op: lanescope_ir::UnaryOp::Move,
            ty,
            dst,
            a: value,
        });
    }
}

/// `for (index = thread; index < count; index += THREADS) body`, where `count` is less for some lanes.
fn looped(body: impl Fn(&mut Body), is_ragged: bool) -> Kernel {
    let mut builder = Builder::new();
    builder.kernel.shared_bytes = Some(1024);
    let (keys, values) = (builder.pointer("keys"), builder.pointer("values"));
    let [thread, block, size] = [
        SpecialRegister::ThreadIndex(0),
        SpecialRegister::BlockIndex(0),
        SpecialRegister::BlockSize(0),
    ]
    .map(|register| builder.special(register));
    let first = builder.multiply(block, size);
    let first = builder.add(first, thread);
    let (index, own) = (builder.register(32), builder.register(32));
    let zero = Operand::Constant(0);
    for (dst, a) in [(index, first), (own, first)] {
        builder.push(Op::Binary {
            op: BinaryOp::Add,
            ty: ScalarType::U32,
            dst,
            a,
            b: zero,
        });
    }
    let less = if is_ragged { thread } else { zero };
    let less = builder.multiply(less, Operand::Constant(THREADS / 4));
    let count = Operand::Constant(THREADS * ITERATIONS);
    let count = builder.binary(BinaryOp::Subtract, ScalarType::U32, count, less);
    let [around, out] = [builder.block(), builder.block()];
    builder.end(Terminator::Jump(around));
    builder.at(around);
    let mut made = Body {
        builder,
        keys,
        values,
        index,
        own,
    };
    body(&mut made);
    let mut builder = made.builder;
    builder.push(Op::Binary {
        op: BinaryOp::Add,
        ty: ScalarType::U32,
        dst: index,
        a: index.into(),
        b: Operand::Constant(THREADS),
    });
    let goes_on = builder.compare(Comparison::Less, ScalarType::U32, index.into(), count);
    builder.end(Terminator::Branch {
        predicate: goes_on,
        negated: false,
        taken: around,
        otherwise: out,
        join: Some(out),
    });
    builder.kernel
}

fn launch() -> Launch {
    let buffer = |seed| ParameterValue::Buffer {
        bytes: Some(1 << 20),
        base_offset: 0,
        contents: Contents::Random(seed),
        offset_in_allocation: 0,
    };
    Launch {
        grid: [3, 1, 1],
        block: [64, 1, 1],
        parameters: vec![buffer(1), buffer(2)],
        ..Launch::default()
    }
}

/// How many requests are observed of those that are made, after comparing both.
fn observed_and_made(kernel: &Kernel) -> (u64, u64) {
    let ([full, classes], outcomes) = both(kernel, &launch());
    assert!(outcomes.iter().all(|outcome| outcome.end == End::Complete));
    assert_eq!(full.all, classes.all);
    (classes.observed, full.observed)
}

/// What makes a loop's accesses irregular, by name.
type Case = (&'static str, fn(&mut Body));

/// Of these, the accesses at keys are told one by one and those of keys at once.
const IRREGULAR: [Case; 6] = [
    ("gather", |body| {
        let key = body.key();
        body.load(body.values, key, 0x3ff);
    }),
    ("scatter", |body| {
        let key = body.key();
        body.store(key, Operand::Constant(1));
    }),
    ("histogram", |body| {
        let key = body.key();
        body.count(key);
    }),
    ("gather of a gather", |body| {
        let key = body.key();
        let key = body.load(body.values, key, 0x3ff);
        body.load(body.keys, key, 0x3ff);
    }),
    ("no data, but no line either", |body| {
        body.key();
        let index = body.index.into();
        let square = body.builder.multiply(index, index);
        body.load(body.values, square, 0x3ff);
    }),
    ("one register for both", |body| {
        let key = body.key();
        body.keep(key);
        body.load(body.values, body.own.into(), 0x3ff);
        body.keep(Operand::Constant(0));
    }),
];

/// Of these, an iteration depends on what the ones before did.
const CARRIED: [Case; 2] = [
    ("chase", |body| {
        let next = body.load(body.keys, body.own.into(), 0x3ff);
        body.keep(next);
    }),
    ("read back", |body| {
        let key = body.key();
        body.store(key, key);
        let at = body.builder.element(body.values, body.index.into());
        let read = body.builder.load(AddressSpace::Global, at, 0);
        body.count(read);
    }),
];

#[test]
fn irregular_accesses_are_made_for_each_iteration() {
    for (name, body) in IRREGULAR {
        for is_ragged in [false, true] {
            let (observed, made) = observed_and_made(&looped(body, is_ragged));
            assert!(observed < made * 9 / 10, "{name}: {observed} of {made}");
            assert!(observed > made * 4 / 10, "{name}: {observed} of {made}");
        }
    }
}

#[test]
fn iterations_that_hang_on_each_other_run_one_by_one() {
    for (name, body) in CARRIED {
        let (observed, made) = observed_and_made(&looped(body, false));
        assert_eq!(observed, made, "{name}");
    }
}
