//! Notes: where what runs is not what was counted, and why.

/// A difference between the kernel and the text that runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// A buffer that the kernel accesses at several widths.
    #[error(
        "`{0}` is accessed at several widths and is an array of words here: wide accesses are made word by word"
    )]
    SeveralWidths(String),
    /// Bytes or half words are stored.
    #[error("bytes and half words of `{0}` are stored by two atomics on their word")]
    NarrowStores(String),
    /// Atomics on floats.
    #[error("atomics on floats of `{0}` are loops of compare-and-swap")]
    FloatAtomics(String),
    /// An array with atomics.
    #[error("every access to `{0}` is atomic, as some are")]
    AtomicArray(String),
    /// Warp operations.
    #[error("shuffles and votes go through workgroup memory, with barriers")]
    Exchanges,
    /// Threads that are done early.
    #[error("threads that are done wait at the barriers that are left, under a mask")]
    Masked,
    /// Loops that vote.
    #[error("a loop with barriers asks in each iteration whether any thread is left")]
    LoopVote,
    /// Loads from shared memory that decide about barriers.
    #[error(
        "loads of shared memory that decide about barriers are made once for the block, with barriers"
    )]
    UniformLoads,
    /// Fused multiplication and addition.
    #[error("a device may round a fused multiplication and addition twice")]
    Fused,
    /// Halves.
    #[error("half precision is computed in 32 bits and rounded")]
    Halves,
    /// A folded grid.
    #[error("the grid is folded, as no dimension may exceed 65535 workgroups")]
    Folded,
    /// Output of the kernel that is no memory.
    #[error("what the kernel prints is left out")]
    NotPrinted,
}
