//! The executor against a naive interpreter that runs one thread after another from the definition.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_wrap,
    reason = "helpers of tests"
)]

use crate::support;

use lanescope_ir::analysis::split_webs;
use lanescope_ir::{Op, Operand, ShuffleMode, SiteId, SpecialRegister, Stage, VoteMode, eval};
use lanescope_simt::{Budget, Certainty, Contents, End, Launch, ParameterValue, execute};
use std::collections::BTreeMap;
use support::generate::{Generator, Node};
use support::{Keeper, Made};

/// A thread: its registers, and the loops it is in.
#[derive(Clone)]
struct Thread {
    registers: Vec<u64>,
    index: [u32; 3],
    linear: u32,
    block: [u32; 3],
    iterations: Vec<u64>,
}

/// A request by what its lanes have in common: block, warp, access, iterations of the loops around it.
type Key = (u64, u32, u32, Vec<u64>);

struct Naive<'a> {
    kernel: &'a lanescope_ir::Kernel,
    launch: &'a Launch,
    shared: Vec<u8>,
    number: u64,
    requests: BTreeMap<Key, BTreeMap<u32, u64>>,
    input: u64,
    parameters: Vec<u8>,
}

impl Naive<'_> {
    fn get(&self, thread: &Thread, operand: Operand) -> u64 {
        match operand {
            Operand::Register(register) => thread.registers[register.index()],
            Operand::Constant(bits) => bits,
        }
    }

    fn set(&self, thread: &mut Thread, register: lanescope_ir::Register, value: u64) {
        let bits = self.kernel.registers[register.index()];
        thread.registers[register.index()] = value & (u64::MAX >> (64 - u32::from(bits)));
    }

    fn nodes(&mut self, thread: &mut Thread, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Do(op, guard) => {
                    let holds = guard.is_none_or(|guard| {
                        (thread.registers[guard.predicate.index()] & 1 == 1) != guard.negated
                    });
                    if holds {
                        self.step(thread, op);
                    }
                }
                Node::Together(_) => unreachable!("only at the outermost level"),
                Node::If(predicate, then, other) => {
                    let holds = self.get(thread, *predicate) & 1 == 1;
                    self.nodes(thread, if holds { then } else { other });
                }
                Node::Loop(counter, bound, body) => {
                    thread.iterations.push(0);
                    self.set(thread, *counter, 0);
                    while thread.registers[counter.index()] < self.get(thread, *bound) {
                        self.nodes(thread, body);
                        let next = thread.registers[counter.index()] + 1;
                        self.set(thread, *counter, next);
                        *thread.iterations.last_mut().unwrap() += 1;
                    }
                    thread.iterations.pop();
                }
            }
        }
    }

    #[allow(clippy::too_many_lines, reason = "a table: one arm an instruction")]
    fn step(&mut self, thread: &mut Thread, op: &Op) {
        let get = |operand: &Operand| self.get(thread, *operand);
        match op {
            Op::Unary { op, ty, dst, a } => self.set(thread, *dst, eval::unary(*op, *ty, get(a))),
            Op::Binary { op, ty, dst, a, b } => {
                let value = eval::binary(*op, *ty, get(a), get(b));
                self.set(thread, *dst, value);
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let value = eval::ternary(*op, *ty, get(a), get(b), get(c));
                self.set(thread, *dst, value);
            }
            Op::Lop3 {
                table,
                wide,
                dst,
                a,
                b,
                c,
            } => {
                let value = eval::lop3(*table, *wide, get(a), get(b), get(c));
                self.set(thread, *dst, value);
            }
            Op::Compare {
                op,
                ty,
                unordered,
                dst,
                a,
                b,
            } => {
                let holds = eval::compare(*op, *ty, *unordered, get(a), get(b));
                self.set(thread, *dst, u64::from(holds));
            }
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                let value = if get(predicate) & 1 == 1 {
                    get(yes)
                } else {
                    get(no)
                };
                self.set(thread, *dst, value);
            }
            Op::Convert {
                from,
                to,
                rounding,
                saturate,
                dst,
                a,
            } => {
                let value = eval::convert(*from, *to, *rounding, *saturate, get(a));
                self.set(thread, *dst, value);
            }
            Op::AddCarry {
                dst,
                carry_out,
                a,
                b,
                c,
                carry_in,
            } => {
                let carries = carry_in.map(|one| one.is_some_and(|one| get(&one) & 1 == 1));
                let (value, out) = eval::add_carry(get(a), get(b), get(c), carries);
                self.set(thread, *dst, value);
                for (to, carry) in carry_out.iter().zip(out) {
                    if let Some(to) = to {
                        self.set(thread, *to, u64::from(carry));
                    }
                }
            }
            Op::Pack { dst, parts } => {
                let parts: Vec<u64> = parts.iter().map(get).collect();
                self.set(thread, *dst, eval::pack(&parts, 32));
            }
            Op::Unpack {
                parts,
                part_bits,
                a,
            } => {
                let whole = get(a);
                for (at, part) in (0..).zip(parts) {
                    if let Some(part) = part {
                        self.set(thread, *part, eval::unpack(whole, *part_bits, at));
                    }
                }
            }
            Op::Special { dst, register } => {
                let value = self.special(thread, *register);
                self.set(thread, *dst, u64::from(value));
            }
            Op::Parameter {
                ty, dst, offset, ..
            } => {
                let start = *offset as usize;
                let bytes = &self.parameters[start..start + ty.bytes() as usize];
                let bytes = bytes.iter().rev();
                let value = bytes.fold(0, |all, byte| all << 8 | u64::from(*byte));
                self.set(thread, *dst, value);
            }
            Op::Load { dst, address, site } => {
                let value = self.load(thread, *address, *site);
                self.set(thread, dst[0].unwrap(), value);
            }
            Op::Store { src, address, site } => {
                let value = get(&src[0]);
                self.store(thread, value, *address, *site);
            }
            other => panic!("{other:?}"),
        }
    }

    fn special(&self, thread: &Thread, register: SpecialRegister) -> u32 {
        match register {
            SpecialRegister::ThreadIndex(axis) => thread.index[usize::from(axis)],
            SpecialRegister::BlockIndex(axis) => thread.block[usize::from(axis)],
            SpecialRegister::BlockSize(axis) => self.launch.block[usize::from(axis)],
            SpecialRegister::LinearThreadIndex => thread.linear,
            SpecialRegister::Lane => thread.linear % 32,
            other => panic!("{other:?}"),
        }
    }

    fn load(&mut self, thread: &Thread, address: lanescope_ir::Address, site: SiteId) -> u64 {
        let at = self.request(thread, address, site.0);
        if self.kernel.sites[site.index()].space == lanescope_ir::AddressSpace::Shared {
            let at = usize::try_from(at).unwrap();
            let bytes: [u8; 4] = self.shared[at..at + 4].try_into().unwrap();
            u64::from(u32::from_le_bytes(bytes))
        } else {
            (at - self.input) / 4
        }
    }

    fn store(&mut self, thread: &Thread, value: u64, address: lanescope_ir::Address, site: SiteId) {
        let at = self.request(thread, address, site.0);
        if self.kernel.sites[site.index()].space == lanescope_ir::AddressSpace::Shared {
            let at = usize::try_from(at).unwrap();
            let word = u32::try_from(value & 0xffff_ffff).unwrap();
            self.shared[at..at + 4].copy_from_slice(&word.to_le_bytes());
        }
    }

    fn request(&mut self, thread: &Thread, address: lanescope_ir::Address, site: u32) -> u64 {
        let offset = address.offset.cast_unsigned();
        let at = self.get(thread, address.base).wrapping_add(offset);
        let key = (
            self.number,
            thread.linear / 32,
            site,
            thread.iterations.clone(),
        );
        let before = self
            .requests
            .entry(key)
            .or_default()
            .insert(thread.linear % 32, at);
        assert_eq!(
            before, None,
            "a thread comes to an access once an iteration"
        );
        at
    }

    fn together(&self, threads: &mut [Thread], op: &Op) {
        match op {
            Op::Barrier { .. } => {}
            Op::Vote { mode, dst, a } => {
                assert_eq!(*mode, VoteMode::Ballot);
                for warp in threads.chunks_mut(32) {
                    let mask = warp.iter().enumerate().fold(0, |all, (lane, thread)| {
                        all | (self.get(thread, *a) & 1) << lane
                    });
                    warp.iter_mut()
                        .for_each(|thread| self.set(thread, *dst, mask));
                }
            }
            Op::Shuffle {
                mode,
                dst,
                a,
                lane,
                clamp,
                ..
            } => {
                for warp in threads.chunks_mut(32) {
                    let values: Vec<u64> = warp.iter().map(|thread| self.get(thread, *a)).collect();
                    for (at, thread) in warp.iter_mut().enumerate() {
                        let (by, clamp) = (self.get(thread, *lane), self.get(thread, *clamp));
                        let from = shuffled(*mode, at as i64, by as i64 & 31, clamp as i64);
                        // A lane that is not there gives nothing.
                        self.set(
                            thread,
                            *dst,
                            values.get(from).copied().unwrap_or(values[at]),
                        );
                    }
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn block(&mut self, number: u64, nodes: &[Node]) {
        self.number = number;
        self.shared.fill(0);
        let block = self.launch.block_at(number);
        let [x, y, _] = self.launch.block;
        let blank = vec![0; self.kernel.registers.len()];
        let count = u32::try_from(self.launch.block_threads()).unwrap();
        let mut threads: Vec<Thread> = (0..count)
            .map(|linear| Thread {
                registers: blank.clone(),
                index: [linear % x, linear / x % y, linear / x / y],
                linear,
                block,
                iterations: Vec::new(),
            })
            .collect();
        for node in nodes {
            if let Node::Together(op) = node {
                self.together(&mut threads, op);
            } else {
                for thread in &mut threads {
                    self.nodes(thread, std::slice::from_ref(node));
                }
            }
        }
    }
}

/// PTX's `shfl.sync`, as its pseudocode has it.
fn shuffled(mode: ShuffleMode, lane: i64, by: i64, clamp: i64) -> usize {
    let (cval, segment) = (clamp & 0x1f, clamp >> 8 & 0x1f);
    let max = (lane & segment) | (cval & !segment & 0x1f);
    let min = lane & segment;
    let (from, holds) = match mode {
        ShuffleMode::Up => (lane - by, lane - by >= max),
        ShuffleMode::Down => (lane + by, lane + by <= max),
        ShuffleMode::Butterfly => (lane ^ by, lane ^ by <= max),
        ShuffleMode::Index => {
            let from = min | (by & !segment);
            (from, from <= max)
        }
    };
    usize::try_from(if holds { from } else { lane }).unwrap()
}

fn launch_of(random: &mut support::generate::Random, contents: Contents) -> Launch {
    let block = random.pick(&[
        [32, 1, 1],
        [48, 1, 1],
        [64, 2, 1],
        [8, 8, 1],
        [16, 5, 1],
        [7, 3, 3],
    ]);
    let buffer = |contents: Contents| ParameterValue::Buffer {
        bytes: None,
        base_offset: 0,
        contents,
        offset_in_allocation: 0,
    };
    Launch {
        grid: [2, 2, 1],
        block,
        parameters: vec![
            buffer(contents),
            buffer(Contents::Zero),
            ParameterValue::Bytes(100_u32.to_le_bytes().to_vec()),
        ],
        ..Launch::default()
    }
}

fn by_lane(made: &Made) -> (u64, u32, u32, Vec<(u32, u64)>) {
    let lanes = (0..32).filter(|lane| made.active >> lane & 1 == 1);
    let lanes = lanes
        .map(|lane| (lane, made.addresses[lane as usize]))
        .collect();
    (made.block, made.warp, made.site, lanes)
}

/// What nobody needs is found by other ways in machine code than in a source.
const fn stage(seed: u64) -> Stage {
    if seed % 4 < 2 {
        Stage::Source
    } else {
        Stage::Machine
    }
}

/// A register for each web changes nothing that a kernel does.
#[test]
fn webs_of_their_own_make_the_same_requests() {
    let mut more = 0;
    for seed in 1..=1500 {
        let mut generator = Generator::new(seed, false);
        let tree = generator.tree();
        generator.lower(&tree, seed % 2 == 0, 0);
        let launch = launch_of(&mut generator.random, Contents::Iota);
        let kernel = generator.builder.kernel;
        let split = split_webs(&kernel).expect("small");
        assert_eq!(split.verify(), kernel.verify(), "seed {seed}");
        more += u32::from(split.registers.len() > kernel.registers.len());
        let run = |kernel| {
            let mut keeper = Keeper::default();
            execute(kernel, &launch, 32, Budget::default(), &mut keeper);
            keeper.made.iter().map(by_lane).collect::<Vec<_>>()
        };
        assert!(run(&kernel) == run(&split), "seed {seed}");
    }
    assert!(more > 100, "{more}");
}

#[test]
fn threads_one_by_one_make_the_same_requests() {
    let mut requests = 0;
    for seed in 1..=1500 {
        let mut generator = Generator::new(seed, false);
        let prologue = generator.builder.kernel.blocks[0].instructions.clone();
        let tree = generator.tree();
        let barriers = seed % 2 == 0;
        generator.lower(&tree, barriers, 0);
        let launch = launch_of(&mut generator.random, Contents::Iota);
        let mut kernel = generator.builder.kernel;
        kernel.stage = stage(seed);
        let mut keeper = Keeper::default();
        let outcome = execute(&kernel, &launch, 32, Budget::default(), &mut keeper);
        assert_eq!(outcome.end, End::Complete, "{seed}: {:?}", outcome.findings);
        // The prologue's pointers are what the executor chose.
        let input = 1 << 40;
        let mut parameters = Vec::new();
        parameters.extend((1_u64 << 40).to_le_bytes());
        parameters.extend((2_u64 << 40).to_le_bytes());
        parameters.extend(100_u32.to_le_bytes());
        let mut naive = Naive {
            kernel: &kernel,
            launch: &launch,
            shared: vec![0; 2048],
            number: 0,
            requests: BTreeMap::new(),
            input,
            parameters,
        };
        let mut nodes: Vec<Node> = prologue
            .into_iter()
            .map(|one| Node::Do(one.op, one.guard))
            .collect();
        nodes.extend(tree);
        for block in 0..4 {
            naive.block(block, &nodes);
        }
        let mut expected: Vec<_> = naive
            .requests
            .into_iter()
            .map(|((block, warp, site, _), lanes)| {
                (block, warp, site, lanes.into_iter().collect::<Vec<_>>())
            })
            .collect();
        expected.sort();
        let mut got: Vec<_> = keeper.made.iter().map(by_lane).collect();
        got.sort();
        requests += got.len();
        assert!(
            got == expected,
            "seed {seed}: {} requests, {} expected",
            got.len(),
            expected.len()
        );
    }
    assert!(requests > 40_000, "{requests}");
}

/// Whatever is said to be certain is what any contents give.
#[test]
fn what_is_certain_hangs_on_no_contents() {
    let mut compared = 0;
    for seed in 1..=1500 {
        let mut generator = Generator::new(seed, false);
        let tree = generator.tree();
        generator.lower(&tree, seed % 2 == 0, 0);
        let mut kernel = generator.builder.kernel;
        kernel.stage = stage(seed);
        let run = |contents| {
            let mut random = support::generate::Random(seed);
            let launch = launch_of(&mut random, contents);
            let mut keeper = Keeper::default();
            execute(&kernel, &launch, 32, Budget::default(), &mut keeper);
            let mut by_warp: BTreeMap<(u64, u32), Vec<Made>> = BTreeMap::new();
            for made in keeper.made {
                by_warp
                    .entry((made.block, made.warp))
                    .or_default()
                    .push(made);
            }
            by_warp
        };
        let unknown = run(Contents::Unknown);
        let known = run(Contents::Random(seed));
        for (warp, made) in unknown {
            let other = known.get(&warp).map_or(&[][..], |other| &other[..]);
            for (at, one) in made.iter().enumerate() {
                if one.certainty != Certainty::Certain {
                    continue;
                }
                let same = &other[at];
                assert_eq!(
                    (one.site, one.active),
                    (same.site, same.active),
                    "seed {seed}"
                );
                for lane in (0..32).filter(|lane| one.active >> lane & 1 == 1) {
                    assert_eq!(one.addresses[lane], same.addresses[lane], "seed {seed}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 100_000, "{compared}");
}
