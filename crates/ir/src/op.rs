//! The table of operations: one row each, from which follow [`Op`], visiting, verifying, the text form and effects.
//!
//! ```text
//! /// Doc of the operation.
//! Name = "mnemonic", effects [what it does besides writing registers], results where their values come from {
//!     /// Doc of the field.
//!     field: Type [how it is written] = the widths that it may have,
//! } where [further rules],
//! ```
//!
//! A field's type is its role. An `Operand` is read and a `Register` written; an `Address` is read as terms of a memory
//! access, which a `SiteId` names; a `BlockId`, `ArrayId` or `BarrierId` is an index into the kernel's tables. All other
//! types are modifiers of the mnemonic, in the order of the row, or numbers among the operands (`text::Form`). The text form
//! puts results before the mnemonic and accesses before other operands. An empty mnemonic stands for the name of the
//! operator. Widths (`verify::Width`) and rules (`verify::Rule`) may ask other fields of the row.

mod effect;
mod table;

use crate::text::Form::{Flag, Hex, Modifier};
use crate::text::{Arguments, Line, Textual};
use crate::verify::Rule::{Bytes, Count, Elements, InShared, Several, Takes};
use crate::verify::Width::{AtLeast, ElementOf, Exactly, PartOf, SameAs, Whole};
use crate::verify::{ADDRESS, ANY, Checked, Checker, PREDICATE, VALUE, WORD};
use crate::visit::{Slot, SlotMut, Slots};
use crate::{
    Address, ArrayId, AtomicOp, BarrierId, BinaryOp, BlockId, Comparison, Law, MatchMode, Operand,
    Register, Rounding, ScalarType, ShuffleMode, SiteId, SpecialRegister, TernaryOp, UnaryOp,
    VoteMode, WarpReduceOp, WarpReduceScope,
};
use table::{entry, ops};

pub use effect::{Effect, Effects, Origin, PlainAccess};

ops! {
    /// `dst = op a`. [`UnaryOp::IsNan`] and [`UnaryOp::IsFinite`] write a predicate, counts a 32-bit number.
    Unary = "", effects [], results Computed {
        /// The operator.
        op: UnaryOp,
        /// How `a` is read.
        ty: ScalarType,
        /// The result.
        dst: Register = Exactly(op.result_bits(*ty)),
        /// The operand.
        a: Operand = Exactly(ty.bits()),
    } where [Takes(op.name(), *ty, op.takes(*ty))],
    /// `dst = a op b`.
    Binary = "", effects [], results Computed {
        /// The operator.
        op: BinaryOp,
        /// How operands are read; a shift's amount is always a `u32`.
        ty: ScalarType,
        /// The result.
        dst: Register = Exactly(op.result_bits(*ty)),
        /// First operand.
        a: Operand = Exactly(ty.bits()),
        /// Second operand.
        b: Operand = if op.has(Law::Shifts) { WORD } else { Exactly(ty.bits()) },
    } where [Takes(op.name(), *ty, op.takes(*ty))],
    /// `dst = op(a, b, c)`.
    Ternary = "", effects [], results Computed {
        /// The operator.
        op: TernaryOp,
        /// How operands are read.
        ty: ScalarType,
        /// The result.
        dst: Register = Exactly(op.result_bits(*ty)),
        /// First operand.
        a: Operand = Exactly(ty.bits()),
        /// Second operand.
        b: Operand = if op.has(Law::Shifts) { WORD } else { Exactly(ty.bits()) },
        /// Third operand.
        c: Operand = if op.has(Law::Shifts) { WORD } else { Exactly(op.result_bits(*ty)) },
    } where [Takes(op.name(), *ty, op.takes(*ty))],
    /// Any function of three bits, bit by bit: bit `4 a + 2 b + c` of `table` (`LOP3`).
    Lop3 = "lop3", effects [], results Computed {
        /// The truth table.
        table: u8 [Hex],
        /// Whether operands are 64 bits wide, not 32.
        wide: bool [Flag("u32", "u64")],
        /// The result.
        dst: Register = Exactly(if *wide { 64 } else { 32 }),
        /// First operand.
        a: Operand = Exactly(if *wide { 64 } else { 32 }),
        /// Second operand.
        b: Operand = Exactly(if *wide { 64 } else { 32 }),
        /// Third operand.
        c: Operand = Exactly(if *wide { 64 } else { 32 }),
    },
    /// The `length & 0xff` low bits of `a` put over `b` from bit `position & 0xff` on (`bfi`).
    BitFieldInsert = "bfi", effects [], results Computed {
        /// `U32` or `U64`.
        ty: ScalarType,
        /// The result.
        dst: Register = Exactly(ty.bits()),
        /// The bits.
        a: Operand = Exactly(ty.bits()),
        /// What they are put over.
        b: Operand = Exactly(ty.bits()),
        /// First bit.
        position: Operand = WORD,
        /// Bits.
        length: Operand = WORD,
    } where [Takes("bfi", *ty, matches!(ty, ScalarType::U32 | ScalarType::U64))],
    /// 32-bit sum of three with carries: `dst = a + b + c + carry_in[0] + carry_in[1]`; `carry_out[0]` holds whether
    /// the sum passes 2^32, `carry_out[1]` whether it passes 2^33 (`IADD3`, `add.cc`).
    AddCarry = "add_carry", effects [], results Computed {
        /// The result.
        dst: Register = WORD,
        /// Predicates that get the carries.
        carry_out: [Option<Register>; 2] = PREDICATE,
        /// First operand.
        a: Operand = WORD,
        /// Second operand.
        b: Operand = WORD,
        /// Third operand.
        c: Operand = WORD,
        /// Predicates added.
        carry_in: [Option<Operand>; 2] = PREDICATE,
    },
    /// `dst = a relation b`, a predicate. With `unordered` it also holds where an operand is a NaN.
    Compare = "", effects [], results Computed {
        /// The relation.
        op: Comparison,
        /// How operands are read.
        ty: ScalarType,
        /// Whether it holds where an operand is a NaN.
        unordered: bool [Flag("", "unordered")],
        /// The predicate.
        dst: Register = PREDICATE,
        /// First operand.
        a: Operand = Exactly(ty.bits()),
        /// Second operand.
        b: Operand = Exactly(ty.bits()),
    },
    /// `dst = predicate ? yes : no`.
    Select = "select", effects [], results Computed {
        /// The result.
        dst: Register = ANY,
        /// The predicate.
        predicate: Operand = PREDICATE,
        /// Where it holds.
        yes: Operand = SameAs(*dst),
        /// Where it does not.
        no: Operand = SameAs(*dst),
    },
    /// Conversion of `a` from one type to another. Integers wrap, or saturate; floats become integers as `rounding`
    /// says and saturate.
    Convert = "convert", effects [], results Computed {
        /// The result's type.
        to: ScalarType,
        /// The operand's type.
        from: ScalarType,
        /// How it rounds.
        rounding: Rounding,
        /// Whether integers out of range become the nearest in range.
        saturate: bool [Flag("", "sat")],
        /// The result.
        dst: Register = Exactly(to.bits()),
        /// The operand.
        a: Operand = Exactly(from.bits()),
    },
    /// Parts of equal width side by side, the lowest first.
    Pack = "pack", effects [], results Computed {
        /// The whole, as wide as all parts.
        dst: Register = VALUE,
        /// Its parts: 2 or 4.
        parts: Vec<Operand> = PartOf(*dst, parts.len()),
    } where [Count("parts", parts.len(), &[2, 4])],
    /// The parts of a whole, the lowest first; [`Op::Pack`] turned round.
    Unpack = "unpack", effects [], results Computed {
        /// Registers that get the parts: 2 or 4; `None` where a part is not wanted.
        parts: Vec<Option<Register>> = Exactly(*part_bits),
        /// Bits of a part.
        part_bits: u32 [Modifier],
        /// The whole.
        a: Operand = Whole(parts.len(), *part_bits),
    } where [Count("parts", parts.len(), &[2, 4])],
    /// Reads a special register.
    Special = "special", effects [], results Launch {
        /// The result.
        dst: Register = register.width(),
        /// Which.
        register: SpecialRegister,
    },
    /// Reads a kernel parameter's bytes from `offset` on; `address` (if there is one) is added.
    Parameter = "parameter", effects [], results Launch {
        /// How many bits are read, and whether they are sign-extended.
        ty: ScalarType,
        /// The result.
        dst: Register = AtLeast(ty.bits()),
        /// Bytes from the first parameter's first byte.
        offset: u32,
        /// Bytes added by a register: an array passed by value.
        index: Option<Operand> = ADDRESS,
    },
    /// Reads memory. Element i of a lane's access goes to `dst[i]`.
    Load = "load", effects [Reads], results Memory {
        /// Registers that get the elements; `None` where an element is not wanted.
        dst: Vec<Option<Register>> = ElementOf(*site),
        /// The access: space, element type, width, source place.
        site: SiteId,
        /// Where.
        address: Address,
    } where [Elements(*site, dst.len())],
    /// Writes memory.
    Store = "store", effects [Writes], results Nothing {
        /// The elements.
        src: Vec<Operand> = ElementOf(*site),
        /// The access.
        site: SiteId,
        /// Where.
        address: Address,
    } where [Elements(*site, src.len())],
    /// Changes one word of memory in one step.
    Atomic = "atomic", effects [Reads, Writes, Atomic], results Memory {
        /// How.
        op: AtomicOp,
        /// Gets the old value; `None`: nobody asks (`red`).
        dst: Option<Register> = ElementOf(*site),
        /// The access; its element type says how the word is read.
        site: SiteId,
        /// Where.
        address: Address,
        /// The operand; of a compare-and-swap, what is expected.
        a: Operand = ElementOf(*site),
        /// Of a compare-and-swap, what is put there.
        b: Option<Operand> = ElementOf(*site),
    } where [Several(*site), Count("operands of an atomic", 1 + usize::from(b.is_some()), if matches!(op, AtomicOp::CompareAndSwap) { &[2] } else { &[1] })],
    /// `ldmatrix`: one 8 x 8 matrix of 16-bit elements for each of `dst`; lane i of the first `8 * dst.len()` gives a
    /// row's address.
    MatrixLoad = "ldmatrix", effects [Reads], results Memory {
        /// One 32-bit register a matrix.
        dst: Vec<Register> = WORD,
        /// The access.
        site: SiteId,
        /// Where.
        address: Address,
        /// Whether matrices are transposed on the way.
        transposed: bool [Flag("", "trans")],
    } where [Count("matrices", dst.len(), &[1, 2, 4])],
    /// `stmatrix`: [`Op::MatrixLoad`] turned round.
    MatrixStore = "stmatrix", effects [Writes], results Nothing {
        /// One 32-bit register a matrix.
        src: Vec<Operand> = WORD,
        /// The access.
        site: SiteId,
        /// Where.
        address: Address,
        /// Whether matrices are transposed on the way.
        transposed: bool [Flag("", "trans")],
    } where [Count("matrices", src.len(), &[1, 2, 4])],
    /// `cp.async` (`LDGSTS`): from global to shared memory without registers.
    AsyncCopy = "async_copy", effects [Reads, Writes], results Nothing {
        /// The access to shared memory.
        site: SiteId,
        /// Where to, in shared memory.
        destination: Address,
        /// The access to global memory.
        source_site: SiteId,
        /// Where from, in global memory.
        source: Address,
        /// Bytes a lane: 4, 8 or 16.
        bytes: u8 [Modifier],
        /// Bytes that are read, the rest being zeros; `None`: all.
        source_bytes: Option<Operand> = WORD,
        /// Whether it passes L1 by (`.cg`).
        bypasses_l1: bool [Flag("", "bypass")],
    } where [
        Count("bytes of a copy", usize::from(*bytes), &[4, 8, 16]),
        Bytes(*site, *bytes),
        Bytes(*source_site, *bytes),
        InShared(*site, true),
        InShared(*source_site, false),
    ],
    /// A bulk or tensor copy (`cp.async.bulk`, `UBLKCP`, `UTMALDG`), or an instruction of the tensor cores that reads
    /// shared memory by descriptor (`wgmma`): its traffic is not a warp's request and is not counted.
    BulkAccess = "bulk", effects [Reads, Writes], results Unknown {
        /// Operands that say where.
        addresses: Vec<Operand>,
        /// Registers it writes, whose values are not followed.
        dst: Vec<Register>,
        /// The access.
        site: SiteId,
        /// Bytes that it moves, where the instruction says how many and no barrier expects them
        /// ([`Op::ObjectBarrier::expected_bytes`]).
        bytes: Option<Operand> = WORD,
    },
    /// A texture or surface access: its own pipe, not counted. Registers written hold what is not known.
    Texture = "texture", effects [Reads], results Unknown {
        /// Registers it writes.
        dst: Vec<Register>,
        /// Operands.
        src: Vec<Operand>,
        /// The access.
        site: SiteId,
    },
    /// Takes another lane's value (`shfl.sync`).
    Shuffle = "shuffle", effects [Exchanges], results Lanes {
        /// From where.
        mode: ShuffleMode,
        /// The result.
        dst: Register = WORD,
        /// Gets whether the lane asked for is in range and active.
        in_range: Option<Register> = PREDICATE,
        /// What each lane gives.
        a: Operand = WORD,
        /// The lane, or the distance.
        lane: Operand = WORD,
        /// PTX's `c`: segment mask in bits 8-12, clamp in bits 0-4.
        clamp: Operand = WORD,
    },
    /// Asks all active lanes.
    Vote = "vote", effects [Exchanges], results Warp {
        /// What is asked.
        mode: VoteMode,
        /// A predicate, or for a ballot a mask.
        dst: Register = if matches!(mode, VoteMode::Ballot) { ADDRESS } else { PREDICATE },
        /// The predicate.
        a: Operand = PREDICATE,
    },
    /// Finds lanes that hold the same value.
    Match = "match", effects [Exchanges], results Mask {
        /// Which lanes.
        mode: MatchMode,
        /// How wide the value is.
        ty: ScalarType,
        /// The mask.
        dst: Register = ADDRESS,
        /// Gets whether all hold the same.
        predicate: Option<Register> = PREDICATE,
        /// The value.
        a: Operand = Exactly(ty.bits()),
    },
    /// Reduces or scans a value over lanes (`redux.sync`).
    WarpReduce = "reduce", effects [Exchanges], results Lanes {
        /// How.
        op: WarpReduceOp,
        /// Over which lanes.
        scope: WarpReduceScope,
        /// How the value is read.
        ty: ScalarType,
        /// The result.
        dst: Register = Exactly(ty.bits()),
        /// The value.
        a: Operand = Exactly(ty.bits()),
    },
    /// The mask of the active lanes.
    ActiveMask = "active_mask", effects [Exchanges], results Warp {
        /// The mask.
        dst: Register = ADDRESS,
    },
    /// Whether this lane is the first that is active (`elect.sync`).
    Elect = "elect", effects [Exchanges], results Mask {
        /// The predicate.
        dst: Register = PREDICATE,
    },
    /// Waits until the block's threads have come (`bar.sync`); with `arrive`, only says that this warp has.
    Barrier = "barrier", effects [Orders, WaitsForBlock], results Nothing {
        /// Which of the block's barriers.
        id: Operand = WORD,
        /// Threads it waits for; `None`: all of the block.
        threads: Option<Operand> = WORD,
        /// Whether it does not wait.
        arrive: bool [Flag("", "arrive")],
    },
    /// [`Op::Barrier`] with a reduction of a predicate over the block (`bar.red`, `__syncthreads_count`).
    BarrierReduce = "barrier_reduce", effects [Orders, WaitsForBlock], results Warp {
        /// What: `Add` counts lanes, `And` and `Or` give a predicate.
        op: WarpReduceOp,
        /// The result.
        dst: Register = if matches!(op, WarpReduceOp::Add) { WORD } else { PREDICATE },
        /// The predicate.
        a: Operand = PREDICATE,
        /// Which of the block's barriers.
        id: Operand = WORD,
    },
    /// Waits for the warps of the whole cluster or grid.
    WideBarrier = "wide_barrier", effects [Orders, WaitsForBlock], results Nothing {
        /// Whether it does not wait.
        arrive: bool [Flag("", "arrive")],
    },
    /// Waits for the lanes of `mask` (`WARPSYNC`, `bar.warp.sync`).
    WarpSync = "warp_sync", effects [Orders, WaitsForWarp], results Nothing {
        /// The lanes.
        mask: Operand = ADDRESS,
    },
    /// Orders memory accesses; what other threads wrote may be seen from here on.
    Fence = "fence", effects [Orders], results Nothing,
    /// An operation on a barrier object in shared memory (`mbarrier`, `SYNCS`). A test or wait finds its phase
    /// complete.
    ObjectBarrier = "object_barrier", effects [Reads, Writes, Orders], results Unknown {
        /// The predicate of a test or wait.
        done: Option<Register> = PREDICATE,
        /// A state token, whose value is not followed.
        state: Option<Register> = VALUE,
        /// Where.
        address: Address,
        /// Bytes that bulk copies are to bring before its phase completes (`expect_tx`), more than those it waits for already.
        expected_bytes: Option<Operand> = WORD,
    },
    /// Arms a convergence barrier for the active lanes, which meet at `join` (`BSSY`).
    Arm = "arm", effects [Converges], results Nothing {
        /// Which barrier.
        barrier: BarrierId,
        /// Where its [`Op::Join`] stands.
        join: BlockId,
    },
    /// Waits until all lanes of the convergence barrier have come, left it or exited (`BSYNC`).
    Join = "join", effects [Converges, WaitsForWarp], results Nothing {
        /// Which barrier.
        barrier: BarrierId,
    },
    /// The active lanes leave the convergence barrier (`BREAK`).
    Leave = "leave", effects [Converges, WaitsForWarp], results Nothing {
        /// Which barrier.
        barrier: BarrierId,
    },
    /// Puts a convergence barrier's lanes into a register (`BMOV`).
    SaveBarrier = "save_barrier", effects [Exchanges], results Warp {
        /// The mask.
        dst: Register = ADDRESS,
        /// Which barrier.
        barrier: BarrierId,
    },
    /// Gives a convergence barrier the lanes of a register.
    RestoreBarrier = "restore_barrier", effects [Converges], results Nothing {
        /// Which barrier.
        barrier: BarrierId,
        /// The mask.
        a: Operand = ADDRESS,
    },
    /// Reports a lane whose index is not below an array's extent; does nothing else.
    BoundsCheck = "bounds", effects [Reports], results Nothing {
        /// How it is read.
        ty: ScalarType,
        /// The index, as `ty` reads it.
        index: Operand = Exactly(ty.bits()),
        /// The extent.
        extent: u64,
        /// The array.
        array: ArrayId,
        /// Which of its dimensions, from 0.
        dimension: u8,
    } where [Takes("bounds", *ty, !ty.is_float())],
    /// Values go where they are not followed, as to `printf`; keeps what computes them alive.
    Escape = "escape", effects [Escapes], results Nothing {
        /// The values.
        src: Vec<Operand>,
    },
    /// The value of a variable that nothing wrote: any value, and none to rely on.
    Undefined = "undefined", effects [], results Unknown {
        /// The result.
        dst: Register = ANY,
    },
    /// An instruction that is not modelled: what it writes is unknown, and whatever depends on that.
    Unmodelled = "unmodelled", effects [Unmodelled], results Unknown {
        /// Its name, as in `HMMA.16816.F32`.
        name: String,
        /// Registers it writes.
        dst: Vec<Register>,
        /// Registers and constants it reads.
        src: Vec<Operand>,
        /// Whether only values come of it that never decide anything but values: arithmetic of the tensor cores, say.
        /// Otherwise it may have touched memory, and the run is not fully counted.
        is_pure: bool [Flag("", "pure")],
    },
}
