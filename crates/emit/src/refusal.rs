//! Refusals: what a kernel does that WGSL has no word for.

use lanescope_ir::Place;

/// Why a kernel is not emitted, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Refusal {
    /// What the text does.
    pub kind: RefusalKind,
    /// Where, in the reader's text; the default where that is not known.
    pub place: Place,
}

/// What a kernel does that is not emitted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalKind {
    /// Arithmetic or memory of 64-bit floats.
    #[error("double has no type in WGSL; use float")]
    Double,
    /// An atomic of 64 bits.
    #[error("atomics of 64 bits do not exist in WGSL; use 32 bits")]
    WideAtomic,
    /// An atomic of 8 or 16 bits.
    #[error("atomics of {bits} bits do not exist in WGSL; use 32 bits")]
    NarrowAtomic {
        /// Its bits.
        bits: u32,
    },
    /// A clock, or a multiprocessor's number.
    #[error("a clock or a multiprocessor's number cannot be read in WGSL")]
    Unpredictable,
    /// Clusters of blocks.
    #[error("clusters of blocks do not exist in WGSL")]
    Cluster,
    /// A barrier of the whole grid or cluster.
    #[error("a barrier of the whole grid does not exist in WGSL; split the kernel there")]
    GridBarrier,
    /// A barrier with a number, or for some threads of the block.
    #[error(
        "named barriers and barriers of some threads do not exist in WGSL; use __syncthreads()"
    )]
    NamedBarrier,
    /// A barrier object in shared memory.
    #[error("barrier objects in shared memory do not exist in WGSL")]
    ObjectBarrier,
    /// A fence that orders memory for other blocks.
    #[error("WGSL has no fence between blocks, so that what other blocks read here is not defined")]
    Fence,
    /// Shared memory through which lanes of a warp talk in lock step.
    #[error(
        "volatile shared memory relies on a warp's lanes running in step, which WGSL does not promise; use __syncthreads()"
    )]
    LockStep,
    /// A pointer that may point into several buffers.
    #[error(
        "`{access}` may be in one of several buffers; WGSL has no pointers to choose between them"
    )]
    SeveralBuffers {
        /// The access as written.
        access: String,
    },
    /// A pointer of which it is not known into what it points.
    #[error("which buffer `{access}` is in is not known before the run")]
    UnknownBuffer {
        /// The access as written.
        access: String,
    },
    /// Pointers into different buffers, compared or subtracted.
    #[error("pointers into different buffers are compared or subtracted")]
    PointersMixed,
    /// A pointer is stored to memory or passed between lanes.
    #[error("a pointer is used as a number, which WGSL's buffers do not have")]
    PointerAsNumber,
    /// Two arrays that share their bytes.
    #[error("`{one}` and `{other}` are two names for the same shared memory; use one of them")]
    OverlappingArrays {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
    /// Dynamic shared memory of which the launch does not say the size.
    #[error("the size of `{array}` is not known; give the bytes of dynamic shared memory")]
    UnsizedShared {
        /// The array.
        array: String,
    },
    /// A constant index outside of its array.
    #[error("`{access}` is outside of its array; a browser would move it inside")]
    OutOfBounds {
        /// The access as written.
        access: String,
    },
    /// An array that is passed by value and indexed.
    #[error("a parameter passed by value is indexed by a variable")]
    IndexedParameter,
    /// An instruction by its name.
    #[error("`{name}` has no counterpart in WGSL")]
    Instruction {
        /// Its name.
        name: String,
    },
    /// Registers that hold convergence barriers' lanes.
    #[error("convergence barriers are kept in registers, as only machine code does")]
    MachineCode,
    /// A jump whose target only the run knows.
    #[error("a jump or call through a register cannot be written in WGSL")]
    IndirectJump,
    /// A loop with several entries.
    #[error("a loop is entered in several places, as `goto` into a loop does")]
    Irreducible,
    /// A block of more threads than WGSL promises, or the adapter has.
    #[error("a block of {threads} threads; this device takes {most}")]
    BlockTooLarge {
        /// Threads of the block.
        threads: u64,
        /// What the device takes.
        most: u32,
    },
    /// More shared memory than the adapter has.
    #[error("{bytes} bytes of shared memory; this device has {most}")]
    SharedTooLarge {
        /// Bytes of a block.
        bytes: u64,
        /// What the device has.
        most: u32,
    },
    /// More buffers than a stage may bind.
    #[error("{buffers} buffers; this device binds {most} at once")]
    TooManyBuffers {
        /// Buffers.
        buffers: usize,
        /// What the device binds.
        most: u32,
    },
    /// A warp operation in a block that is no whole number of warps, or with lanes that are not in one warp.
    #[error("a kernel whose blocks are not known has no size in WGSL; give the block")]
    NoBlock,
    /// Nesting or targets beyond what is emitted.
    #[error("the kernel's control flow is too deep or too wide to be emitted")]
    TooLarge,
    /// The kernel is not valid.
    #[error("the kernel is not valid")]
    Invalid,
}
