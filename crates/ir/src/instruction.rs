//! Instructions of a kernel.

use crate::{
    ArrayId, AtomicOp, BarrierId, BinaryOp, BlockId, Comparison, MatchMode, PlaceId, Register,
    Rounding, ScalarType, ShuffleMode, SiteId, SpecialRegister, TernaryOp, UnaryOp, VoteMode,
    WarpReduceOp, WarpReduceScope,
};

/// What an instruction reads: a register, or the bits of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// A constant: bits, zero-extended.
    Constant(u64),
}

impl Default for Operand {
    /// Zero.
    fn default() -> Self {
        Self::Constant(0)
    }
}

impl Operand {
    /// The register, if it is one.
    #[must_use]
    pub const fn register(self) -> Option<Register> {
        match self {
            Self::Register(register) => Some(register),
            Self::Constant(_) => None,
        }
    }

    /// The bits of a constant, if it is one.
    #[must_use]
    pub const fn constant(self) -> Option<u64> {
        match self {
            Self::Constant(bits) => Some(bits),
            Self::Register(_) => None,
        }
    }
}

impl From<Register> for Operand {
    fn from(register: Register) -> Self {
        Self::Register(register)
    }
}

/// The address of a memory access: `base + index + offset`, modulo two to 64 (shared, local: two to 32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// A register of 32 or 64 bits, or a constant.
    pub base: Operand,
    /// A second term, as SASS's uniform register.
    pub index: Option<Operand>,
    /// Bytes added.
    pub offset: i64,
}

/// The predicate of an instruction: only lanes in which it holds (or, negated, does not) execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// A register of one bit.
    pub predicate: Register,
    /// Whether the lanes in which it does not hold execute.
    pub negated: bool,
}

/// One instruction: what is done, by which of the active lanes, and where the source says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its predicate, if it has one.
    pub guard: Option<Guard>,
    /// What is done.
    pub op: Op,
    /// Where it stands in the source.
    pub place: PlaceId,
}

/// What an instruction does. Registers written change in the lanes that execute it and keep their values in others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// `dst = op a`. [`UnaryOp::IsNan`] and [`UnaryOp::IsFinite`] write a predicate, counts a 32-bit number.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// How `a` is read.
        ty: ScalarType,
        /// The result.
        dst: Register,
        /// The operand.
        a: Operand,
    },
    /// `dst = a op b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// How operands are read; a shift's amount is always a `u32`.
        ty: ScalarType,
        /// The result.
        dst: Register,
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
    },
    /// `dst = op(a, b, c)`.
    Ternary {
        /// The operator.
        op: TernaryOp,
        /// How operands are read.
        ty: ScalarType,
        /// The result.
        dst: Register,
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
        /// Third operand.
        c: Operand,
    },
    /// Any function of three bits, bit by bit: bit `4 a + 2 b + c` of `table` (`LOP3`).
    Lop3 {
        /// The truth table.
        table: u8,
        /// Whether operands are 64 bits wide, not 32.
        wide: bool,
        /// The result.
        dst: Register,
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
        /// Third operand.
        c: Operand,
    },
    /// The `length & 0xff` low bits of `a` put over `b` from bit `position & 0xff` on (`bfi`).
    BitFieldInsert {
        /// `U32` or `U64`.
        ty: ScalarType,
        /// The result.
        dst: Register,
        /// The bits.
        a: Operand,
        /// What they are put over.
        b: Operand,
        /// First bit.
        position: Operand,
        /// Bits.
        length: Operand,
    },
    /// 32-bit sum of three with carries: `dst = a + b + c + carry_in[0] + carry_in[1]`; `carry_out[0]` holds whether
    /// the sum passes 2^32, `carry_out[1]` whether it passes 2^33 (`IADD3`, `add.cc`).
    AddCarry {
        /// The result.
        dst: Register,
        /// Predicates that get the carries.
        carry_out: [Option<Register>; 2],
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
        /// Third operand.
        c: Operand,
        /// Predicates added.
        carry_in: [Option<Operand>; 2],
    },
    /// `dst = a relation b`, a predicate. With `unordered` it also holds where an operand is a NaN.
    Compare {
        /// The relation.
        op: Comparison,
        /// How operands are read.
        ty: ScalarType,
        /// Whether it holds where an operand is a NaN.
        unordered: bool,
        /// The predicate.
        dst: Register,
        /// First operand.
        a: Operand,
        /// Second operand.
        b: Operand,
    },
    /// `dst = predicate ? yes : no`.
    Select {
        /// The result.
        dst: Register,
        /// The predicate.
        predicate: Operand,
        /// Where it holds.
        yes: Operand,
        /// Where it does not.
        no: Operand,
    },
    /// Conversion of `a` from one type to another. Integers wrap, or saturate; floats become integers as `rounding`
    /// says and saturate.
    Convert {
        /// The operand's type.
        from: ScalarType,
        /// The result's type.
        to: ScalarType,
        /// How it rounds.
        rounding: Rounding,
        /// Whether integers out of range become the nearest in range.
        saturate: bool,
        /// The result.
        dst: Register,
        /// The operand.
        a: Operand,
    },
    /// Parts of equal width side by side, the lowest first.
    Pack {
        /// The whole, as wide as all parts.
        dst: Register,
        /// Its parts: 2 or 4.
        parts: Vec<Operand>,
    },
    /// The parts of a whole, the lowest first; [`Op::Pack`] turned round.
    Unpack {
        /// Registers that get the parts: 2 or 4; `None` where a part is not wanted.
        parts: Vec<Option<Register>>,
        /// Bits of a part.
        part_bits: u32,
        /// The whole.
        a: Operand,
    },
    /// Reads a special register.
    Special {
        /// The result.
        dst: Register,
        /// Which.
        register: SpecialRegister,
    },
    /// Reads a kernel parameter's bytes from `offset` on; `address` (if there is one) is added.
    Parameter {
        /// How many bits are read, and whether they are sign-extended.
        ty: ScalarType,
        /// The result.
        dst: Register,
        /// Bytes from the first parameter's first byte.
        offset: u32,
        /// Bytes added by a register: an array passed by value.
        index: Option<Operand>,
    },
    /// Reads memory. Element i of a lane's access goes to `dst[i]`.
    Load {
        /// Registers that get the elements; `None` where an element is not wanted.
        dst: Vec<Option<Register>>,
        /// Where.
        address: Address,
        /// The access: space, element type, width, source place.
        site: SiteId,
    },
    /// Writes memory.
    Store {
        /// The elements.
        src: Vec<Operand>,
        /// Where.
        address: Address,
        /// The access.
        site: SiteId,
    },
    /// Changes one word of memory in one step.
    Atomic {
        /// How.
        op: AtomicOp,
        /// Gets the old value; `None`: nobody asks (`red`).
        dst: Option<Register>,
        /// Where.
        address: Address,
        /// The operand; of a compare-and-swap, what is expected.
        a: Operand,
        /// Of a compare-and-swap, what is put there.
        b: Option<Operand>,
        /// The access; its element type says how the word is read.
        site: SiteId,
    },
    /// `ldmatrix`: one 8 x 8 matrix of 16-bit elements for each of `dst`; lane i of the first `8 * dst.len()` gives a
    /// row's address.
    MatrixLoad {
        /// One 32-bit register a matrix.
        dst: Vec<Register>,
        /// Where.
        address: Address,
        /// Whether matrices are transposed on the way.
        transposed: bool,
        /// The access.
        site: SiteId,
    },
    /// `stmatrix`: [`Op::MatrixLoad`] turned round.
    MatrixStore {
        /// One 32-bit register a matrix.
        src: Vec<Operand>,
        /// Where.
        address: Address,
        /// Whether matrices are transposed on the way.
        transposed: bool,
        /// The access.
        site: SiteId,
    },
    /// `cp.async` (`LDGSTS`): from global to shared memory without registers.
    AsyncCopy {
        /// Where to, in shared memory.
        destination: Address,
        /// Where from, in global memory.
        source: Address,
        /// Bytes a lane: 4, 8 or 16.
        bytes: u8,
        /// Bytes that are read, the rest being zeros; `None`: all.
        source_bytes: Option<Operand>,
        /// Whether it passes L1 by (`.cg`).
        bypasses_l1: bool,
        /// The access to shared memory.
        site: SiteId,
        /// The access to global memory.
        source_site: SiteId,
    },
    /// A bulk or tensor copy (`cp.async.bulk`, `UBLKCP`, `UTMALDG`), or an instruction of the tensor cores that reads
    /// shared memory by descriptor (`wgmma`): its traffic is not a warp's request and is not counted.
    BulkAccess {
        /// Operands that say where.
        addresses: Vec<Operand>,
        /// Registers it writes, whose values are not followed.
        dst: Vec<Register>,
        /// The access.
        site: SiteId,
    },
    /// A texture or surface access: its own pipe, not counted. Registers written hold what is not known.
    Texture {
        /// Registers it writes.
        dst: Vec<Register>,
        /// Operands.
        src: Vec<Operand>,
        /// The access.
        site: SiteId,
    },
    /// Takes another lane's value (`shfl.sync`).
    Shuffle {
        /// From where.
        mode: ShuffleMode,
        /// The result.
        dst: Register,
        /// Gets whether the lane asked for is in range and active.
        in_range: Option<Register>,
        /// What each lane gives.
        a: Operand,
        /// The lane, or the distance.
        lane: Operand,
        /// PTX's `c`: segment mask in bits 8-12, clamp in bits 0-4.
        clamp: Operand,
    },
    /// Asks all active lanes.
    Vote {
        /// What is asked.
        mode: VoteMode,
        /// A predicate, or for a ballot a mask.
        dst: Register,
        /// The predicate.
        a: Operand,
    },
    /// Finds lanes that hold the same value.
    Match {
        /// Which lanes.
        mode: MatchMode,
        /// How wide the value is.
        ty: ScalarType,
        /// The mask.
        dst: Register,
        /// Gets whether all hold the same.
        predicate: Option<Register>,
        /// The value.
        a: Operand,
    },
    /// Reduces or scans a value over lanes (`redux.sync`).
    WarpReduce {
        /// How.
        op: WarpReduceOp,
        /// Over which lanes.
        scope: WarpReduceScope,
        /// How the value is read.
        ty: ScalarType,
        /// The result.
        dst: Register,
        /// The value.
        a: Operand,
    },
    /// The mask of the active lanes.
    ActiveMask {
        /// The mask.
        dst: Register,
    },
    /// Whether this lane is the first that is active (`elect.sync`).
    Elect {
        /// The predicate.
        dst: Register,
    },
    /// Waits until the block's threads have come (`bar.sync`); with `arrive`, only says that this warp has.
    Barrier {
        /// Which of the block's barriers.
        id: Operand,
        /// Threads it waits for; `None`: all of the block.
        threads: Option<Operand>,
        /// Whether it does not wait.
        arrive: bool,
    },
    /// [`Op::Barrier`] with a reduction of a predicate over the block (`bar.red`, `__syncthreads_count`).
    BarrierReduce {
        /// What: `Add` counts lanes, `And` and `Or` give a predicate.
        op: WarpReduceOp,
        /// The result.
        dst: Register,
        /// The predicate.
        a: Operand,
        /// Which of the block's barriers.
        id: Operand,
    },
    /// Waits for the warps of the whole cluster or grid.
    WideBarrier {
        /// Whether it does not wait.
        arrive: bool,
    },
    /// Waits for the lanes of `mask` (`WARPSYNC`, `bar.warp.sync`).
    WarpSync {
        /// The lanes.
        mask: Operand,
    },
    /// Orders memory accesses; what other threads wrote may be seen from here on.
    Fence,
    /// An operation on a barrier object in shared memory (`mbarrier`, `SYNCS`). A test or wait finds its phase
    /// complete.
    ObjectBarrier {
        /// The predicate of a test or wait.
        done: Option<Register>,
        /// A state token, whose value is not followed.
        state: Option<Register>,
        /// Where.
        address: Address,
    },
    /// Arms a convergence barrier for the active lanes, which meet at `join` (`BSSY`).
    Arm {
        /// Which barrier.
        barrier: BarrierId,
        /// Where its [`Op::Join`] stands.
        join: BlockId,
    },
    /// Waits until all lanes of the convergence barrier have come, left it or exited (`BSYNC`).
    Join {
        /// Which barrier.
        barrier: BarrierId,
    },
    /// The active lanes leave the convergence barrier (`BREAK`).
    Leave {
        /// Which barrier.
        barrier: BarrierId,
    },
    /// Puts a convergence barrier's lanes into a register (`BMOV`).
    SaveBarrier {
        /// The mask.
        dst: Register,
        /// Which barrier.
        barrier: BarrierId,
    },
    /// Gives a convergence barrier the lanes of a register.
    RestoreBarrier {
        /// Which barrier.
        barrier: BarrierId,
        /// The mask.
        a: Operand,
    },
    /// Reports a lane whose index is not below an array's extent; does nothing else.
    BoundsCheck {
        /// The index, as `ty` reads it.
        index: Operand,
        /// How it is read.
        ty: ScalarType,
        /// The extent.
        extent: u64,
        /// The array.
        array: ArrayId,
        /// Which of its dimensions, from 0.
        dimension: u8,
    },
    /// Values go where they are not followed, as to `printf`; keeps what computes them alive.
    Escape {
        /// The values.
        src: Vec<Operand>,
    },
    /// An instruction that is not modelled: what it writes is unknown, and whatever depends on that.
    Unmodelled {
        /// Its name, as in `HMMA.16816.F32`.
        name: String,
        /// Registers it writes.
        dst: Vec<Register>,
        /// Registers and constants it reads.
        src: Vec<Operand>,
        /// Whether only values come of it that never decide anything but values: arithmetic of the tensor cores, say.
        /// Otherwise it may have touched memory, and the run is not fully counted.
        is_pure: bool,
    },
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// On to a block.
    Jump(BlockId),
    /// Lanes in which the predicate holds (or, negated, does not) go to `taken`, others to `otherwise`.
    Branch {
        /// A predicate.
        predicate: Operand,
        /// Whether lanes in which it does not hold are those that go to `taken`.
        negated: bool,
        /// Where to.
        taken: BlockId,
        /// Where others go.
        otherwise: BlockId,
        /// Where the lanes meet again: the branch's immediate post-dominator; `None` where convergence barriers say.
        join: Option<BlockId>,
    },
    /// To the target that the index chooses, the last for all others (`brx`).
    Switch {
        /// The index.
        index: Operand,
        /// Targets; at least one.
        targets: Vec<BlockId>,
    },
    /// To the block at a code address (`RET`, `BRX`, a call's return), one of [`crate::Kernel::code_addresses`].
    Indirect {
        /// The code address.
        address: Operand,
    },
    /// The lane's work ends.
    Exit,
}
