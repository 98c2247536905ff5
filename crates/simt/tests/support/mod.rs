//! Kernels built by hand, and an observer that keeps what it is told.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test uses a part"
)]

pub mod generate;
pub mod patterns;
pub mod scattered;
pub mod sgemm;
pub mod tiles;

use lanescope_ir::{
    Address, AddressSpace, Array, ArrayId, AtomicOp, BinaryOp, Block, BlockId, Comparison,
    Instruction, Kernel, Op, Operand, Parameter, PlaceId, Register, ScalarType, Site, SiteId,
    SpecialRegister, Terminator,
};
use lanescope_model::{Operation, Width};
use lanescope_simt::{
    Access, AsyncCopyAccess, BlockDone, Certainty, Contents, Launch, Observer, ParameterValue,
    Periods,
};

/// Blocks are alike whose addresses are equal modulo a line.
pub const LINES: Periods = Periods {
    shared: 128,
    global: 128,
};

/// A buffer from the first byte of its allocation on; without `bytes`, of a size that nothing tells.
pub fn buffer(bytes: Option<u64>, contents: Contents) -> ParameterValue {
    ParameterValue::Buffer {
        bytes,
        base_offset: 0,
        contents,
        offset_in_allocation: 0,
    }
}

/// So many blocks in a row of so many threads, with one buffer of zeros.
pub fn row_of_blocks(blocks: u32, threads: u32) -> Launch {
    Launch {
        grid: [blocks, 1, 1],
        block: [threads, 1, 1],
        parameters: vec![ParameterValue::Buffer {
            bytes: None,
            base_offset: 0,
            contents: Contents::Zero,
            offset_in_allocation: 0,
        }],
        ..Launch::default()
    }
}

/// A kernel in the making; instructions go to the current block.
pub struct Builder {
    pub kernel: Kernel,
    pub current: usize,
}

impl Builder {
    pub fn new() -> Self {
        let mut builder = Self {
            kernel: Kernel::default(),
            current: 0,
        };
        builder.kernel.places.push(Default::default());
        builder.block();
        builder
    }

    pub fn block(&mut self) -> BlockId {
        self.kernel.blocks.push(Block {
            instructions: Vec::new(),
            terminator: Terminator::Exit,
            place: PlaceId(0),
        });
        BlockId(u32::try_from(self.kernel.blocks.len() - 1).unwrap())
    }

    pub fn at(&mut self, block: BlockId) {
        self.current = block.index();
    }

    pub fn register(&mut self, bits: u8) -> Register {
        self.kernel.registers.push(bits);
        Register(u32::try_from(self.kernel.registers.len() - 1).unwrap())
    }

    /// Each instruction has a place of its own.
    pub fn push(&mut self, op: Op) {
        self.push_guarded(op, None);
    }

    pub fn push_guarded(&mut self, op: Op, guard: Option<lanescope_ir::Guard>) {
        self.kernel.places.push(Default::default());
        let place = PlaceId(u32::try_from(self.kernel.places.len() - 1).unwrap());
        self.kernel.blocks[self.current]
            .instructions
            .push(Instruction { guard, op, place });
    }

    pub fn end(&mut self, terminator: Terminator) {
        self.kernel.blocks[self.current].terminator = terminator;
    }

    pub fn special(&mut self, register: SpecialRegister) -> Operand {
        let dst = self.register(32);
        self.push(Op::Special { dst, register });
        dst.into()
    }

    pub fn binary(&mut self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let bits = if op == BinaryOp::MultiplyWide {
            ty.bits() * 2
        } else {
            ty.bits()
        };
        let dst = self.register(u8::try_from(bits).unwrap());
        self.push(Op::Binary { op, ty, dst, a, b });
        dst.into()
    }

    pub fn add(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinaryOp::Add, ScalarType::U32, a, b)
    }

    pub fn multiply(&mut self, a: Operand, b: Operand) -> Operand {
        self.binary(BinaryOp::Multiply, ScalarType::U32, a, b)
    }

    pub fn compare(&mut self, op: Comparison, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let dst = self.register(1);
        self.push(Op::Compare {
            op,
            ty,
            unordered: false,
            dst,
            a,
            b,
        });
        dst.into()
    }

    /// `base + 4 * index`, with the index zero-extended.
    pub fn element(&mut self, base: Operand, index: Operand) -> Operand {
        let wide = self.binary(
            BinaryOp::MultiplyWide,
            ScalarType::U32,
            index,
            Operand::Constant(4),
        );
        self.binary(BinaryOp::Add, ScalarType::U64, base, wide)
    }

    /// A pointer parameter of its own array, and its value.
    pub fn pointer(&mut self, name: &str) -> Operand {
        let array = ArrayId(u32::try_from(self.kernel.arrays.len()).unwrap());
        self.kernel.arrays.push(Array {
            name: name.to_owned(),
            place: PlaceId(0),
            space: AddressSpace::Global,
            element: "float".to_owned(),
            element_bytes: 4,
            header_bytes: 0,
            extents: Vec::new(),
            bytes: None,
            alignment: 4,
            base: 0,
            is_restrict: false,
            initial: Vec::new(),
        });
        self.parameter(name, Some(array), 8)
    }

    pub fn scalar(&mut self, name: &str) -> Operand {
        self.parameter(name, None, 4)
    }

    fn parameter(&mut self, name: &str, array: Option<ArrayId>, bytes: u32) -> Operand {
        let end = self
            .kernel
            .parameters
            .last()
            .map_or(0, |last| last.offset + last.bytes);
        let offset = end.next_multiple_of(bytes);
        let ty = if bytes == 8 {
            ScalarType::U64
        } else {
            ScalarType::U32
        };
        self.kernel.parameters.push(Parameter {
            name: name.to_owned(),
            place: PlaceId(0),
            declared: String::new(),
            offset,
            bytes,
            scalar: Some(ty),
            array,
        });
        let dst = self.register(u8::try_from(bytes * 8).unwrap());
        self.push(Op::Parameter {
            ty,
            dst,
            offset,
            index: None,
        });
        dst.into()
    }

    pub fn site(&mut self, space: AddressSpace, operation: Operation) -> SiteId {
        self.site_of(space, operation, ScalarType::U32, Width::Bytes4)
    }

    pub fn site_of(
        &mut self,
        space: AddressSpace,
        operation: Operation,
        element: ScalarType,
        width: Width,
    ) -> SiteId {
        self.kernel.sites.push(Site {
            text: String::new(),
            place: PlaceId(0),
            space,
            operation,
            element,
            width,
            array: None,
            is_volatile: false,
            is_read_only: false,
            is_warp_aggregated: false,
            alignment: (1, 0),
        });
        SiteId(u32::try_from(self.kernel.sites.len() - 1).unwrap())
    }

    pub fn load(&mut self, space: AddressSpace, base: Operand, offset: i64) -> Operand {
        let site = self.site(space, Operation::Load);
        let dst = self.register(32);
        let address = Address {
            base,
            index: None,
            offset,
        };
        self.push(Op::Load {
            dst: vec![Some(dst)],
            address,
            site,
        });
        dst.into()
    }

    pub fn store(&mut self, space: AddressSpace, base: Operand, offset: i64, value: Operand) {
        let site = self.site(space, Operation::Store);
        let address = Address {
            base,
            index: None,
            offset,
        };
        self.push(Op::Store {
            src: vec![value],
            address,
            site,
        });
    }

    /// Adds one to a word; nobody wants the old value.
    pub fn add_one(&mut self, space: AddressSpace, base: Operand) {
        let site = self.site(space, Operation::Reduction);
        let address = Address {
            base,
            index: None,
            offset: 0,
        };
        self.push(Op::Atomic {
            op: AtomicOp::Add,
            dst: None,
            address,
            a: Operand::Constant(1),
            b: None,
            site,
        });
    }

    pub fn barrier(&mut self) {
        self.push(Op::Barrier {
            id: Operand::Constant(0),
            threads: None,
            arrive: false,
        });
    }
}

/// A request that was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Made {
    pub site: u32,
    pub block: u64,
    pub warp: u32,
    pub active: u64,
    pub addresses: Vec<u64>,
    pub certainty: Certainty,
    pub unknown: u64,
}

/// Keeps every request.
#[derive(Default)]
pub struct Keeper {
    pub made: Vec<Made>,
    pub copies: u64,
    pub barriers: u64,
    pub blocks: Vec<(u64, u64)>,
}

impl Observer for Keeper {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.made.push(Made {
            site: access.site.0,
            block: access.block,
            warp: access.warp,
            active: access.request.active.0,
            addresses: access.request.addresses.to_vec(),
            certainty: access.certainty,
            unknown: access.unknown,
        });
        true
    }

    fn async_copy(&mut self, _copy: &AsyncCopyAccess<'_>) -> bool {
        self.copies += 1;
        true
    }

    fn barrier(&mut self) {
        self.barriers += 1;
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.blocks.push((done.block, done.times));
        true
    }
}
