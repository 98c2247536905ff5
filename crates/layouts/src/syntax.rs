//! The tree of a layout text.

use std::ops::Range;

use super::Nest;

/// An expression and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub(super) kind: ExpressionKind,
    pub(super) span: Range<usize>,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(super) enum ExpressionKind {
    /// `(8,4)` or `8`: a shape, a number, or (where a layout is wanted) a compact layout.
    Shape(Nest),
    /// `shape:stride`.
    Strided(Nest, Nest),
    /// `shape:row` or `shape:col`.
    Compact(Nest, Order),
    /// `Swizzle<B,M,S>`, S as written.
    Swizzle { bits: u64, base: u64, shift: i64 },
    /// A name given before.
    Name(String),
    /// `left o right`.
    Compose(Box<Expression>, Box<Expression>),
    /// `function(arguments)`.
    Call(String, Vec<Expression>),
    /// `<tiler, tiler>`.
    Tiler(Vec<Expression>),
    /// `tma<mode>(rows, columns)`.
    Tma(String, Nest),
    /// Triton's swizzled or padded encoding on a shape.
    Triton(Encoding, Nest),
}

/// Which mode runs fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The rightmost: row-major.
    Row,
    /// The leftmost: column-major.
    Column,
}

/// One of Triton's encodings of shared memory.
#[derive(Clone, Debug)]
pub(super) enum Encoding {
    /// vec, perPhase, maxPhase; order.
    Swizzled([u64; 3], [u64; 2]),
    /// (interval, padding) pairs; order.
    Padded(Vec<(u64, u64)>, [u64; 2]),
    /// Bytes of the swizzle (0 for none), and whether it is transposed.
    Nvmma(u64, bool),
}

/// One statement.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// `type f16`.
    Type(String),
    /// `swizzle bytes`.
    SwizzleUnit(String),
    /// `shift absolute`.
    Shift(String),
    /// `base 512`.
    Base(u64),
    /// `name = expression`.
    Define(String, Expression),
    /// The layout to look at.
    Show(Expression),
    /// Lanes that read or write.
    Access(Access),
}

/// Lanes that read or write.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) store: bool,
    pub(super) pattern: Pattern,
    pub(super) at: (u64, u64),
    pub(super) bits: Option<u64>,
}

/// Which lanes touch what.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    /// A layout from (thread, value) to the tile's index.
    ThreadValue(Expression),
    /// So many lanes down and across; across runs fastest.
    Lanes { down: u64, across: u64 },
    /// All lanes along a row.
    Row,
    /// All lanes down a column.
    Column,
    /// Rows of 8x8 matrices of 16-byte rows, so many matrices of them below each other.
    Matrix {
        matrices: u8,
        down: u64,
        transposed: bool,
    },
    /// Copies of 4, 8 or 16 bytes a lane from global memory.
    AsyncCopy { bytes: u64 },
}
