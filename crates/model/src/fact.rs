//! Numbers of hardware, each with where it comes from.

use crate::{Confidence, Unknown};

/// A value of a device together with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sourced<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it comes from.
    pub(crate) source: &'static str,
    /// How far it can be trusted.
    pub(crate) confidence: Confidence,
}

impl<T> Sourced<T> {
    /// `value` as `source` has it.
    pub(crate) const fn new(value: T, source: &'static str, confidence: Confidence) -> Self {
        Self {
            value,
            source,
            confidence,
        }
    }
}

/// One number or rule of a device, with its source and how far it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What the value is of.
    pub quantity: Quantity,
    /// The value.
    pub value: Value,
    /// Where it comes from: the name of a document, a measurement or a table.
    pub source: &'static str,
    /// How far it can be trusted.
    pub confidence: Confidence,
}

/// What a [`Fact`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Lanes of a warp (AMD: wave; Intel: sub-group).
    WarpLanes,
    /// Banks of shared memory.
    Banks,
    /// Bytes of one word of one bank.
    BankBytes,
    /// The lanes served together when each reads this many bytes or fewer.
    ReadPhases {
        /// Bytes a lane.
        bytes: u32,
    },
    /// The lanes served together when each writes this many bytes or fewer.
    WritePhases {
        /// Bytes a lane.
        bytes: u32,
    },
    /// When the phases of a wide load are merged.
    ReadMerge,
    /// How atomic operations on shared memory are served.
    SharedAtomics,
    /// How increments by one of shared memory are served, where that differs.
    SharedIncrements,
    /// How compare and swap in shared memory is served, where that differs.
    SharedSwaps,
    /// How `ldmatrix` is served.
    MatrixLoads,
    /// How `stmatrix` is served.
    MatrixStores,
    /// The pieces in which global loads are counted.
    GlobalLoads,
    /// The pieces in which global stores are counted.
    GlobalStores,
    /// How atomic operations and reductions on global memory are counted.
    GlobalAtomics,
    /// Bytes of a sector of global memory.
    SectorBytes,
    /// Bytes of a cache line of global memory.
    LineBytes,
    /// Bytes of one SM that its L1 cache and shared memory divide.
    L1Bytes,
    /// Bytes that come into an SM from L2 in a cycle.
    FillBytesPerCycle,
    /// Bytes of shared memory of one SM (compute unit, core).
    SharedBytesPerSm,
    /// The most bytes of shared memory that one block can have.
    SharedBytesPerBlock,
    /// Bytes of shared memory that the system takes for each block.
    SharedBytesReserved,
    /// Bytes to which a block's shared memory is rounded up.
    SharedGranularity,
    /// The most warps resident on one SM.
    WarpsPerSm,
    /// The most blocks resident on one SM.
    BlocksPerSm,
    /// The most threads of one block.
    ThreadsPerBlock,
}

/// The value of a [`Fact`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value {
    /// A number of things.
    Count(u32),
    /// A number of bytes.
    Bytes(u32),
    /// A rule.
    Rule(Rule),
    /// Not known, or does not apply.
    Unknown(Unknown),
}

/// A rule by which a device serves a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rule {
    /// The sets of lanes served together, `[phase]`, over one warp.
    Phases {
        /// The lane sets, in the order the hardware serves them.
        lanes: Vec<crate::LaneMask>,
        /// How lanes on the same word fare.
        sharing: Sharing,
    },
    /// Loads of 8 and 16 bytes a lane: if for all lanes that are on, lane *i* and lane *i* ^ 1
    /// want the same address, or for all of them lane *i* and lane *i* ^ 2 do, two phases
    /// become one.
    MergePairs,
    /// Each phase is served twice, once for each of two operands.
    TwicePhases,
    /// Each warp instruction is one request, counted in sectors.
    Sectors,
    /// Each warp instruction is one request, counted in whole lines.
    Lines,
    /// Counted in whole lines; 8 bytes a lane are two requests, 16 bytes four.
    SplitLines,
    /// Counted in sectors; 8 bytes a lane are two requests, 16 bytes four.
    SplitSectors,
    /// CC 1.0 and 1.1: a half-warp is one transaction if lane *k* wants word *k* of an aligned
    /// segment, else sixteen.
    OrderedSegments,
    /// CC 1.2 and 1.3: segments served one after another, each shrunk to what is used of it.
    ShrinkingSegments,
    /// Sectors, each time a pass over the lanes serves one: a pass takes lanes of one line, and of each bank the first.
    AtomicPasses,
}

/// How several lanes that want words of one bank fare in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sharing {
    /// Lanes on the same word share it: a bank takes as many passes as words.
    AnyWord,
    /// As [`Sharing::AnyWord`], and one pass more (CC 2.x, 16 bytes a lane).
    AnyWordPlusOne,
    /// One word a step is broadcast to all its lanes; every other bank serves one lane (CC 1.x).
    OneWordAStep,
    /// No lane shares: a bank takes as many passes as lanes.
    None,
}
