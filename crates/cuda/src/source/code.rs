//! The flat program that a tree is lowered to: structured control, registers of one value a lane.
//!
//! Whole numbers are held as `i64` in the range of their type, floats as the bits of an `f64`,
//! pointers as tagged addresses (see `place.rs`).

use crate::source::scalar::Scalar;
use crate::source::{ArrayId, SiteId, Span};

pub type Reg = u16;

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Negate,
    Not,
    Complement,
    Abs,
    PopCount,
    LeadingZeros,
    FindFirst,
    ReverseBits,
    Floor,
    Ceil,
    Round,
    Truncate,
    Sqrt,
    Exp,
    Log,
    Exp2,
    Log2,
    Sin,
    Cos,
    Tan,
    SinApprox,
    CosApprox,
    TanApprox,
    LogApprox,
    Log2Approx,
    Log10Approx,
    Asin,
    Acos,
    Atan,
    Tanh,
    Sinh,
    Cosh,
    Asinh,
    Acosh,
    Atanh,
    Cbrt,
    Log10,
    /// Of one more than the operand.
    LogPlusOne,
    ExpMinusOne,
    Erf,
    /// One less the error function.
    ErfComplement,
    LogGamma,
    Gamma,
    /// To the nearest whole number, a half to the even one.
    RoundEven,
    /// The bits of a float.
    ToBits,
    /// The float of these bits.
    FromBits,
    /// A value that is not followed, as of the tensor cores.
    Opaque,
}

/// An operator with two operands of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Less,
    LessEqual,
    Equal,
    NotEqual,
    Minimum,
    Maximum,
    MultiplyHigh,
    Power,
    PowerApprox,
    /// The angle of the point whose y is the first operand.
    ArcTangent,
    CopySign,
}

impl Binary {
    pub const fn commutes(self) -> bool {
        matches!(
            self,
            Self::And
                | Self::Or
                | Self::Xor
                | Self::Equal
                | Self::NotEqual
                | Self::Minimum
                | Self::Maximum
                | Self::MultiplyHigh
        )
    }

    pub const fn compares(self) -> bool {
        matches!(
            self,
            Self::Less | Self::LessEqual | Self::Equal | Self::NotEqual
        )
    }
}

/// How lanes of a warp exchange values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exchange {
    /// From the lane that the operand names.
    Index,
    Up,
    Down,
    Xor,
    /// A bit for each lane that is on and whose value is not zero.
    Ballot,
    Any,
    All,
    /// The lanes that are on.
    Active,
    /// The lanes that hold the same value.
    Match,
    ReduceAdd,
    ReduceMinimum,
    ReduceMaximum,
    ReduceAnd,
    ReduceOr,
    ReduceXor,
    ReduceMultiply,
    /// Of the lanes up to this one.
    ScanAdd,
    ScanMultiply,
    /// Of the lanes before this one.
    BeforeAdd,
    BeforeMultiply,
}

/// What an atomic does to its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rmw {
    Add,
    Subtract,
    Exchange,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
    CompareAndSwap,
}

/// A scalar in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub address: Reg,
    pub offset: i32,
    pub scalar: Scalar,
    /// The array it lies in, where that is known before the launch; of a thread's own memory the
    /// array's first byte.
    pub array: Option<ArrayId>,
    /// Whether it lies in a thread's own memory.
    pub local: bool,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inst {
    Unary {
        op: Unary,
        scalar: Scalar,
        dst: Reg,
        a: Reg,
    },
    Binary {
        op: Binary,
        scalar: Scalar,
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Convert {
        from: Scalar,
        to: Scalar,
        dst: Reg,
        a: Reg,
    },
    Select {
        dst: Reg,
        condition: Reg,
        yes: Reg,
        no: Reg,
    },
    /// `dst = base + index * scale + offset`.
    Address {
        dst: Reg,
        base: Reg,
        index: Reg,
        scale: i32,
        offset: i32,
    },
    /// For all lanes: the first value of a variable.
    Init {
        dst: Reg,
        src: Reg,
    },
    /// For the lanes that are on.
    Move {
        dst: Reg,
        src: Reg,
    },
    /// An iteration of a loop ends, of which the source asks that so many be written out: 0 where it says nothing, 255
    /// for all.
    Turn {
        every: u8,
    },
    /// Reports lanes whose `index` is not below `extent`.
    Check {
        index: Reg,
        extent: u32,
        array: ArrayId,
        dimension: u8,
        span: Span,
    },
    /// One memory request.
    Request {
        site: SiteId,
        address: Reg,
        offset: i32,
    },
    /// What a request brings, or a thread's own memory.
    Read {
        dst: Reg,
        cell: Cell,
    },
    Write {
        src: Reg,
        cell: Cell,
    },
    /// What an atomic request does and brings; `dst` gets the old value.
    Atomic {
        rmw: Rmw,
        dst: Reg,
        a: Reg,
        b: Reg,
        cell: Cell,
    },
    Exchange {
        exchange: Exchange,
        scalar: Scalar,
        dst: Reg,
        a: Reg,
        b: Reg,
        width: Reg,
    },
    /// Goes to `otherwise` (past the `Else`, or to the `EndIf`) when no lane takes the branch.
    If {
        condition: Reg,
        otherwise: u32,
    },
    /// Ends the branch; goes to `end` when no lane takes the other.
    Else {
        end: u32,
    },
    EndIf,
    /// Lanes that break out of it wait at its end.
    Scope,
    EndScope,
    /// The lanes that are on leave `levels` frames (1: the innermost).
    Break {
        levels: u16,
    },
    /// Lanes whose condition is false wait at the end of the innermost scope, which is at `exit`.
    Test {
        condition: Reg,
        exit: u32,
    },
    /// Back to `head` while a lane is on.
    Loop {
        head: u32,
    },
    Return,
    Barrier {
        span: Span,
    },
    /// A barrier of the warp: memory may have changed.
    Fence,
    /// A bulk copy (`cp.async.bulk`) of what `from` begins to where `to` begins: no warp's request, and what the array
    /// at `to` holds is not known from here on.
    Bulk {
        to: Cell,
        from: Cell,
    },
    /// A value goes where it is not followed, as to `printf`.
    Use {
        src: Reg,
    },
}

impl Inst {
    /// The register it sets, if it sets one.
    pub const fn target(&self) -> Option<Reg> {
        match *self {
            Self::Unary { dst, .. }
            | Self::Binary { dst, .. }
            | Self::Convert { dst, .. }
            | Self::Select { dst, .. }
            | Self::Address { dst, .. }
            | Self::Init { dst, .. }
            | Self::Move { dst, .. }
            | Self::Read { dst, .. }
            | Self::Atomic { dst, .. }
            | Self::Exchange { dst, .. } => Some(dst),
            _ => None,
        }
    }

    /// The instruction it may go to, if it may go to another than the next.
    pub const fn jump(&mut self) -> Option<&mut u32> {
        match self {
            Self::If { otherwise: to, .. }
            | Self::Else { end: to }
            | Self::Test { exit: to, .. }
            | Self::Loop { head: to } => Some(to),
            _ => None,
        }
    }

    /// The registers it reads; unused places repeat the first.
    pub fn sources(&self) -> impl Iterator<Item = Reg> + use<> {
        let list: [Option<Reg>; 4] = match *self {
            Self::Unary { a, .. } | Self::Convert { a, .. } => [Some(a), None, None, None],
            Self::Binary { a, b, .. } => [Some(a), Some(b), None, None],
            Self::Select {
                condition, yes, no, ..
            } => [Some(condition), Some(yes), Some(no), None],
            Self::Address { base, index, .. } => [Some(base), Some(index), None, None],
            Self::Init { src, .. } | Self::Move { src, .. } => [Some(src), None, None, None],
            Self::Check { index, .. } => [Some(index), None, None, None],
            Self::Use { src } => [Some(src), None, None, None],
            Self::Bulk { to, from } => [Some(to.address), Some(from.address), None, None],
            Self::Request { address, .. } => [Some(address), None, None, None],
            Self::Read { cell, .. } => [Some(cell.address), None, None, None],
            Self::Write { src, cell } => [Some(src), Some(cell.address), None, None],
            Self::Atomic { a, b, cell, .. } => [Some(a), Some(b), Some(cell.address), None],
            Self::Exchange { a, b, width, .. } => [Some(a), Some(b), Some(width), None],
            Self::If { condition, .. } | Self::Test { condition, .. } => {
                [Some(condition), None, None, None]
            }
            _ => [None; 4],
        };
        list.into_iter().flatten()
    }
}

/// What a register holds before the first instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Preset {
    /// The same for the whole program.
    Constant(i64),
    BlockDim(u8),
    GridDim(u8),
    BlockIdx(u8),
    WarpLanes,
    ThreadIdx(u8),
    /// `threadIdx` without dimensions: x runs fastest.
    ThreadRank,
    Lane,
    Warp,
    /// The value of a scalar parameter.
    Parameter(u16),
    /// The address that a pointer parameter holds, or an array's first byte.
    Array(ArrayId),
    /// The elements of a buffer that the launch counts.
    Elements(ArrayId),
    /// First byte of a local array.
    Local(u32),
    /// The value of an expression's variable.
    Variable(u16),
}

impl Preset {
    /// Whether all warps of a block see the same value.
    pub const fn is_of_block(self) -> bool {
        !matches!(
            self,
            Self::ThreadIdx(_) | Self::ThreadRank | Self::Lane | Self::Warp
        )
    }
}

/// The flat program with its registers.
///
/// Registers are numbered: first those that no statement outlives (`0..temps`), then the presets,
/// then the variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    pub insts: Vec<Inst>,
    /// What each preset register holds, with the scalar type of parameters.
    pub presets: Vec<(Reg, Preset)>,
    pub registers: Reg,
    /// Registers that live no longer than a statement, which never holds a barrier.
    pub passing: Vec<bool>,
    /// Bytes of a thread's own arrays.
    pub local_bytes: u32,
}
