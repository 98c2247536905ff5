//! What of a kernel is not emitted as WGSL, and in what the emitted text differs from it.

use std::fmt;

use crate::Language;

/// What a kernel does that is not emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// Arithmetic or memory of 64-bit floats.
    Double,
    /// An atomic of 64 bits.
    WideAtomic,
    /// An atomic of 8 or 16 bits.
    NarrowAtomic {
        /// Its bits.
        bits: u32,
    },
    /// A clock, or a multiprocessor's number.
    Unpredictable,
    /// Clusters of blocks.
    Cluster,
    /// A barrier of the whole grid or cluster.
    GridBarrier,
    /// A barrier with a number, or for some threads of the block.
    NamedBarrier,
    /// A barrier object in shared memory.
    ObjectBarrier,
    /// A fence that orders memory for other blocks.
    Fence,
    /// Shared memory through which lanes of a warp talk in lock step.
    LockStep,
    /// A pointer that may point into several buffers.
    SeveralBuffers {
        /// The access as written.
        access: String,
    },
    /// A pointer of which it is not known into what it points.
    UnknownBuffer {
        /// The access as written.
        access: String,
    },
    /// Pointers into different buffers, compared or subtracted.
    PointersMixed,
    /// A pointer is stored to memory or passed between lanes.
    PointerAsNumber,
    /// Two arrays that share their bytes.
    OverlappingArrays {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
    /// Dynamic shared memory of which the launch does not say the size.
    UnsizedShared {
        /// The array.
        array: String,
    },
    /// A constant index outside of its array.
    OutOfBounds {
        /// The access as written.
        access: String,
    },
    /// An array that is passed by value and indexed.
    IndexedParameter,
    /// An instruction by its name.
    Instruction {
        /// Its name.
        name: String,
    },
    /// Registers that hold convergence barriers' lanes.
    MachineCode,
    /// A jump whose target only the run knows.
    IndirectJump,
    /// A loop with several entries.
    Irreducible,
    /// A block of more threads than WGSL promises, or the adapter has.
    BlockTooLarge {
        /// Threads of the block.
        threads: u64,
        /// What the device takes.
        most: u32,
    },
    /// More shared memory than the adapter has.
    SharedTooLarge {
        /// Bytes of a block.
        bytes: u64,
        /// What the device has.
        most: u32,
    },
    /// More buffers than a stage may bind.
    TooManyBuffers {
        /// Buffers.
        buffers: usize,
        /// What the device binds.
        most: u32,
    },
    /// A warp operation in a block that is no whole number of warps, or with lanes that are not in one warp.
    NoBlock,
    /// Nesting or targets beyond what is emitted.
    TooLarge,
    /// The kernel is not valid.
    Invalid,
}

impl RefusalKind {
    /// What to say of it: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        in_folder!(language, emit::refusal(self))
    }
}

impl fmt::Display for RefusalKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

/// A difference between the kernel and the text that runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Note {
    /// A buffer that the kernel accesses at several widths.
    SeveralWidths(String),
    /// Bytes or half words are stored.
    NarrowStores(String),
    /// Atomics on floats.
    FloatAtomics(String),
    /// An array with atomics.
    AtomicArray(String),
    /// Warp operations.
    Exchanges,
    /// Shuffles and votes are operations of subgroups.
    Subgroups,
    /// Threads that are done early.
    Masked,
    /// Loops that vote.
    LoopVote,
    /// Loads from shared memory that decide about barriers.
    UniformLoads,
    /// Fused multiplication and addition.
    Fused,
    /// Halves.
    Halves,
    /// A folded grid.
    Folded,
    /// Output of the kernel that is no memory.
    NotPrinted,
    /// Indices that depend on data, which a first run checks.
    WatchedFirst,
    /// Indices that depend on data, which nothing checks.
    Unwatched,
}

impl Note {
    /// What to say of it: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        in_folder!(language, emit::note(self))
    }
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}
