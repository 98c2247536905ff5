//! The flat program that the machine runs: structured control, registers of one value a lane.
//!
//! Whole numbers are held as `i64` in the range of their type, floats as the bits of an `f64`,
//! pointers as tagged addresses (see `place.rs`).

use crate::scalar::Scalar;
use crate::{ArrayId, SiteId, Span};

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
    /// Stands where an instruction was left out.
    Nothing,
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
    /// A loop begins that the compiler writes out only where it knows what `probe` holds: the
    /// loop's condition before its first turn.
    Enter {
        probe: Option<Reg>,
        widest: u8,
    },
    /// Turns begin that the compiler of such a loop writes out one after another: it does not know
    /// what `dst` is then, but for its `low` lowest bits.
    Refresh {
        dst: Reg,
        probe: Option<Reg>,
        low: u8,
    },
    /// Before the test of a loop that the compiler cuts into pieces: lanes that make different
    /// numbers of turns part there. The test compares `a` with `b`.
    Cut {
        a: Reg,
        b: Reg,
        probe: Option<Reg>,
        cut: Cut,
    },
    /// A turn of such a loop ends. The compiler writes out `every` of them one after another, and
    /// joins the accesses of `joined`.
    Turn {
        probe: Option<Reg>,
        every: u8,
        joined: u8,
    },
    /// Such a loop has ended.
    Leave {
        probe: Option<Reg>,
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
    /// A request that waits until both branches of an `if` have said their lanes; with `same`
    /// only where both ask for one address.
    Gather {
        site: SiteId,
        address: Reg,
        offset: i32,
        same: bool,
    },
    /// The request that was gathered.
    Issue {
        site: SiteId,
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
    /// The branch that begins next is the second half of `&&` or `||`.
    Half,
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
    /// The compiler makes a branch here, past which accesses do not move.
    Wall,
    /// A value goes where it is not followed, as to `printf`.
    Use {
        src: Reg,
    },
}

/// How a compiler cuts a loop that goes on while its counter is less than an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// By what a turn changes the counter.
    pub step: i32,
    /// Whether that is the lanes of a warp: only where these are 32 is anything cut.
    pub in_warps: bool,
    /// Whether the counter is the second of the two that are compared.
    pub is_second: bool,
    /// Whether the loop goes on where the two are equal.
    pub with_end: bool,
    pub pieces: Pieces,
    /// Whether the turns left over come before the pieces.
    pub singles_first: bool,
}

impl Cut {
    /// Turns of a lane that compares `a` with `b`; `None` where the counter never comes to its end.
    pub fn turns(self, a: i64, b: i64) -> Option<u32> {
        let way = b.checked_sub(a)?;
        if way < 0 || way == 0 && !self.with_end {
            return Some(0);
        }
        let step = if self.is_second {
            -self.step
        } else {
            self.step
        };
        if step <= 0 {
            return None;
        }
        let way = if self.with_end {
            way.checked_add(1)?
        } else {
            way
        };
        let turns = way.cast_unsigned().div_ceil(step.unsigned_abs().into());
        u32::try_from(turns).ok()
    }
}

/// The pieces that a loop is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Of 16 turns, then of 8 and 4.
    Sixteen,
    /// All of so many turns.
    Equal(u8),
    /// Of 4 turns, then of 2 and 1.
    Halving,
}

impl Pieces {
    /// Turns of the smallest piece of several.
    pub fn turns(self) -> u32 {
        match self {
            Self::Sixteen | Self::Halving => 4,
            Self::Equal(turns) => u32::from(turns.max(1)),
        }
    }
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
            | Self::Refresh { dst, .. }
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
            Self::Cut { a, b, probe, .. } => [Some(a), Some(b), probe, None],
            Self::Check { index, .. } => [Some(index), None, None, None],
            Self::Use { src } => [Some(src), None, None, None],
            Self::Enter { probe, .. } | Self::Turn { probe, .. } | Self::Leave { probe } => {
                [probe, None, None, None]
            }
            Self::Request { address, .. } | Self::Gather { address, .. } => {
                [Some(address), None, None, None]
            }
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
    /// For each passing register its place; registers that never hold a value at once share one.
    pub slots: Vec<u16>,
    /// Bytes of a thread's own arrays.
    pub local_bytes: u32,
}
