//! Tiles and stencils, with accesses put between their instructions whose places data decides.

use super::Builder;
use super::generate::Random;
use super::tiles::Tiles;
use lanescope_ir::{
    AddressSpace, BinaryOp, Kernel, Op, Operand, Register, ScalarType, ShuffleMode, SpecialRegister,
};
use lanescope_simt::{Contents, Launch, ParameterValue};

/// Elements of each buffer that is read.
const ELEMENTS: u64 = 1 << 10;

struct Scattered {
    builder: Builder,
    random: Random,
    keys: Operand,
    values: Operand,
    sums: Operand,
    /// The thread's number along x in the grid.
    number: Operand,
    /// Registers of the tile that hold numbers.
    numbers: Vec<Register>,
}

/// The kernel and launch of a seed.
pub fn scattered(seed: u64) -> (Kernel, Launch) {
    let (kernel, mut launch) = Tiles::program(seed);
    let registers = (0..).map(Register).zip(&kernel.registers);
    let numbers = registers.filter(|(_, bits)| **bits == 32);
    let numbers = numbers.map(|(register, _)| register).collect();
    let mut builder = Builder { kernel, current: 0 };
    let first = std::mem::take(&mut builder.kernel.blocks[0].instructions);
    let [keys, values, sums] = ["keys", "values", "sums"].map(|name| builder.pointer(name));
    let thread = builder.special(SpecialRegister::ThreadIndex(0));
    let block = builder.special(SpecialRegister::BlockIndex(0));
    let size = builder.special(SpecialRegister::BlockSize(0));
    let before = builder.multiply(block, size);
    let number = builder.add(before, thread);
    builder.kernel.blocks[0].instructions.extend(first);
    let mut scattered = Scattered {
        builder,
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        keys,
        values,
        sums,
        number,
        numbers,
    };
    for _ in 0..=scattered.random.below(3) {
        scattered.insert();
    }
    let buffer = |contents| ParameterValue::Buffer {
        bytes: Some(ELEMENTS * 4),
        base_offset: 0,
        contents,
        offset_in_allocation: 0,
    };
    let random = [1, 2].map(|more| buffer(Contents::Random(seed + more)));
    launch.parameters.extend(random);
    launch.parameters.push(buffer(Contents::Zero));
    launch.grid[0] *= scattered.random.pick(&[1, 2, 4]);
    (scattered.builder.kernel, launch)
}

impl Scattered {
    /// Puts a piece somewhere into the kernel, behind what it is made of.
    fn insert(&mut self) {
        let block = self.random.below(self.builder.kernel.blocks.len());
        let instructions = &mut self.builder.kernel.blocks[block].instructions;
        let least = if block == 0 {
            8.min(instructions.len())
        } else {
            0
        };
        let at = least + self.random.below(instructions.len() - least + 1);
        let rest = instructions.split_off(at);
        self.builder.current = block;
        self.piece();
        self.builder.kernel.blocks[block].instructions.extend(rest);
    }

    /// An element of a buffer.
    fn place(&mut self, of: Operand, index: Operand) -> Operand {
        let last = Operand::Constant(ELEMENTS - 1);
        let index = self
            .builder
            .binary(BinaryOp::And, ScalarType::U32, index, last);
        self.builder.element(of, index)
    }

    fn load(&mut self, of: Operand, index: Operand) -> Operand {
        let at = self.place(of, index);
        self.builder.load(AddressSpace::Global, at, 0)
    }

    fn piece(&mut self) {
        let index = if self.random.chance(70) {
            self.number
        } else {
            self.random.pick(&self.numbers).into()
        };
        let mut key = self.load(self.keys, index);
        if self.random.chance(20) {
            key = self.neighbours(key);
        }
        if self.random.chance(30) {
            key = self.load(self.values, key);
        }
        match self.random.below(4) {
            0 | 1 => {
                self.load(self.values, key);
            }
            2 => {
                let at = self.place(self.sums, key);
                self.builder.add_one(AddressSpace::Global, at);
            }
            _ => {
                let four = Operand::Constant(4);
                let near = Operand::Constant(127);
                let word = self
                    .builder
                    .binary(BinaryOp::And, ScalarType::U32, key, near);
                let at = self.builder.multiply(word, four);
                self.builder.add_one(AddressSpace::Shared, at);
            }
        }
    }

    /// What the lane beside it holds.
    fn neighbours(&mut self, key: Operand) -> Operand {
        let dst = self.builder.register(32);
        self.builder.push(Op::Shuffle {
            mode: ShuffleMode::Butterfly,
            dst,
            in_range: None,
            a: key,
            lane: Operand::Constant(1),
            clamp: Operand::Constant(31),
        });
        dst.into()
    }
}
