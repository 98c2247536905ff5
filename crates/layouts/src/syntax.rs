//! The tree of a layout text.

use std::ops::Range;

use super::encoding::Encoding;
use super::{Layout, Nest};

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
    /// `shape:stride over F2`: steps are XORed instead of added.
    Xored(Nest, Nest),
    /// `shape:row` or `shape:col`.
    Compact(Nest, Order),
    /// `Swizzle<B,M,S>`, S as written.
    Swizzle { bits: u64, base: u64, shift: i64 },
    /// A name given before.
    Name(String),
    /// `left o right`.
    Compose(Box<Expression>, Box<Expression>),
    /// `function(arguments)`, and `Template<arguments>` alike.
    Call(String, Vec<Expression>),
    /// `name = value` among the arguments of a call.
    Keyword(String, Box<Expression>),
    /// `left * right` (or `/`) of two numbers.
    Arithmetic(char, Box<Expression>, Box<Expression>),
    /// `<tiler, tiler>`.
    Tiler(Vec<Expression>),
    /// `tma<mode>(rows, columns)`.
    Tma(String, Nest),
    /// `smem_ptr[16b](unset)`: what follows it lies in memory, in elements of so many bits; the
    /// address, where one is given.
    Pointer { bits: u64, address: Option<u64> },
    /// An encoding of Triton's without a shape.
    Encoding(Encoding),
    /// An encoding of Triton's on a shape, with the element type of a `memdesc`.
    Encoded {
        encoding: Box<Expression>,
        shape: Nest,
        element: Option<String>,
    },
}

/// Which mode runs fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The rightmost: row-major.
    Row,
    /// The leftmost: column-major.
    Column,
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
    Access(AccessOf<Expression>),
    /// An operation of Triton's on a layout: the layout to look at, and the lanes that read or
    /// write it.
    Operation(Expression, Tensor<AccessOf<Expression>>),
    /// A line that says nothing of layouts.
    Nothing,
}

/// The tensor in registers that an operation on memory is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tensor<A> {
    /// None is named.
    None,
    /// An operand of a dot: its loads are the compiler's choice.
    DotOperand,
    /// One with an encoding.
    Of(A),
}

/// Lanes that read or write; `L` stands for a layout of threads and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AccessOf<L> {
    pub(super) store: bool,
    pub(super) pattern: Pattern<L>,
    pub(super) at: (u64, u64),
    pub(super) bits: Option<u64>,
    /// Whether the memory is that of another block of the cluster.
    pub(super) remote: bool,
    /// Whether it is done again and again until it has been everywhere in the tile.
    pub(super) everywhere: bool,
}

/// An access with nothing left to look up.
pub(super) type Access = AccessOf<Threads>;

/// A layout of threads and values, evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// CuTe's: from (thread, value) to the tile's index.
    Layout(Layout),
    /// Triton's distributed encoding.
    Encoding(Encoding),
}

/// Which lanes touch what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern<L> {
    /// A layout from (thread, value) to the tile's index, or a distributed encoding.
    ThreadValue(L),
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

impl<L> AccessOf<L> {
    /// The same with `resolve` applied to a layout of threads.
    ///
    /// # Errors
    /// As `resolve`.
    pub(super) fn resolved<T, E>(
        &self,
        resolve: impl FnOnce(&L) -> Result<T, E>,
    ) -> Result<AccessOf<T>, E> {
        let pattern = match &self.pattern {
            Pattern::ThreadValue(layout) => Pattern::ThreadValue(resolve(layout)?),
            Pattern::Lanes { down, across } => Pattern::Lanes {
                down: *down,
                across: *across,
            },
            Pattern::Row => Pattern::Row,
            Pattern::Column => Pattern::Column,
            Pattern::Matrix {
                matrices,
                down,
                transposed,
            } => Pattern::Matrix {
                matrices: *matrices,
                down: *down,
                transposed: *transposed,
            },
            Pattern::AsyncCopy { bytes } => Pattern::AsyncCopy { bytes: *bytes },
        };
        Ok(AccessOf {
            store: self.store,
            pattern,
            at: self.at,
            bits: self.bits,
            remote: self.remote,
            everywhere: self.everywhere,
        })
    }
}
