//! What is done, and where.

use lanescope_model::{Operation, Space};

/// What is done, and where: a row of a table by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Shared memory is read.
    SharedLoad,
    /// Shared memory is written.
    SharedStore,
    /// An atomic operation on shared memory.
    SharedAtomic,
    /// Matrices are read from shared memory (`ldmatrix`).
    MatrixLoad,
    /// Matrices are written to shared memory (`stmatrix`).
    MatrixStore,
    /// Shared memory is written by an asynchronous copy (`cp.async`).
    AsyncCopy,
    /// Global memory is read.
    GlobalLoad,
    /// Global memory is written.
    GlobalStore,
    /// An atomic operation on global memory that gives the old value back.
    GlobalAtomic,
    /// An atomic operation on global memory whose old value is not used.
    GlobalReduction,
}

impl Kind {
    /// The kind of a request.
    #[must_use]
    pub fn of(space: Space, operation: Operation) -> Self {
        match (space, operation) {
            (_, Operation::AsyncCopy) => Self::AsyncCopy,
            (Space::Shared, Operation::MatrixLoad { .. }) => Self::MatrixLoad,
            (Space::Shared, Operation::MatrixStore { .. }) => Self::MatrixStore,
            (Space::Shared, Operation::Load) => Self::SharedLoad,
            (Space::Shared, Operation::Store) => Self::SharedStore,
            (
                Space::Shared,
                Operation::Atomic
                | Operation::Reduction
                | Operation::Increment
                | Operation::CompareAndSwap,
            ) => Self::SharedAtomic,
            (Space::Global, Operation::Load | Operation::MatrixLoad { .. }) => Self::GlobalLoad,
            (Space::Global, Operation::Store | Operation::MatrixStore { .. }) => Self::GlobalStore,
            // There is no compare and swap without an old value.
            (Space::Global, Operation::Atomic | Operation::CompareAndSwap) => Self::GlobalAtomic,
            (Space::Global, Operation::Reduction | Operation::Increment) => Self::GlobalReduction,
        }
    }

    /// It in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::SharedLoad => "shared load",
            Self::SharedStore => "shared store",
            Self::SharedAtomic => "shared atomic",
            Self::MatrixLoad => "matrix load",
            Self::MatrixStore => "matrix store",
            Self::AsyncCopy => "async copy",
            Self::GlobalLoad => "global load",
            Self::GlobalStore => "global store",
            Self::GlobalAtomic => "global atomic",
            Self::GlobalReduction => "global reduction",
        }
    }

    /// Whether its requests go to shared memory.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        match self {
            Self::SharedLoad
            | Self::SharedStore
            | Self::SharedAtomic
            | Self::MatrixLoad
            | Self::MatrixStore
            | Self::AsyncCopy => true,
            Self::GlobalLoad | Self::GlobalStore | Self::GlobalAtomic | Self::GlobalReduction => {
                false
            }
        }
    }
}
