//! Outcome of a run: how it ended, what was found wrong, what was not known.

use crate::Certainty;
use lanescope_ir::{ArrayId, PlaceId, SiteId};
use std::collections::BTreeMap;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Every block that was asked for ran.
    Complete,
    /// After [`crate::Budget::requests`].
    Requests,
    /// After [`crate::Budget::steps`].
    Steps,
    /// [`crate::Budget::bytes`] do not hold the block's registers and memory.
    Bytes,
    /// The observer wanted no more.
    Observer,
    /// Every warp waits for what never comes.
    Deadlock,
    /// The kernel names a register, block, access or array that it does not have.
    Invalid,
}

impl End {
    /// Whether the run was cut short: by its budget, by a wait for what never comes, or by a kernel that is not well formed.
    #[must_use]
    pub const fn is_cut(self) -> bool {
        match self {
            Self::Requests | Self::Steps | Self::Bytes | Self::Deadlock | Self::Invalid => true,
            Self::Complete | Self::Observer => false,
        }
    }
}

/// What a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Requests given to the observer; those that it stood for are not among them.
    pub requests: u64,
    /// Instructions done, each for a warp.
    pub steps: u64,
    /// Blocks that ran, and those that they stood for.
    pub blocks_done: u64,
    /// Blocks that ran.
    pub blocks_run: u64,
    /// Blocks that were asked for.
    pub blocks_total: u64,
    /// What warps executed, by place, in the order of the kernel's places; of those that are stood for too.
    pub executed: Vec<Executed>,
    /// What is wrong with the program, each once a place.
    pub findings: Vec<Finding>,
    /// Where something unknown decided, each once a place.
    pub doubts: Vec<Doubt>,
}

impl Outcome {
    /// Adds what came of the blocks that follow; findings and doubts, each once a place, are `most` each.
    pub fn append(&mut self, next: Self, most: u32) {
        self.end = next.end;
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.requests, next.requests);
        add(&mut self.steps, next.steps);
        add(&mut self.blocks_done, next.blocks_done);
        add(&mut self.blocks_run, next.blocks_run);
        add(&mut self.blocks_total, next.blocks_total);
        self.executed = Executed::sums(self.executed.iter().chain(&next.executed).copied());
        let most = most as usize;
        for found in next.findings {
            let is_same = |known: &Finding| known.key() == found.key();
            if self.findings.len() < most && !self.findings.iter().any(is_same) {
                self.findings.push(found);
            }
        }
        for doubt in next.doubts {
            if self.doubts.len() < most && !self.doubts.contains(&doubt) {
                self.doubts.push(doubt);
            }
        }
    }
}

/// What warps executed at a place: of the kernel's, or what else names one, such as a line of its text.
///
/// Lanes that a predicate keeps from an instruction count as those that it does not: they are where the warp is. That is
/// how a profiler counts (`smsp__thread_inst_executed_per_inst_executed.ratio`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed<Place = PlaceId> {
    /// Where.
    pub place: Place,
    /// Instructions, each for a warp (`smsp__inst_executed`).
    pub warp_instructions: u64,
    /// The same, each for a lane that was there (`smsp__thread_inst_executed`).
    pub thread_instructions: u64,
    /// Bytes that bulk copies move: those that barriers expect, and those that a copy from shared memory says.
    pub bulk_bytes: u64,
    /// Bulk copies from shared memory, and barriers' expectations, whose bytes are not known.
    pub bulk_copies_unsized: u64,
}

impl<Place: Copy + Default + Ord> Executed<Place> {
    /// What was executed at each place altogether, in the places' order.
    #[must_use]
    pub fn sums(all: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut sums: BTreeMap<Place, Self> = BTreeMap::new();
        for executed in all {
            let sum = sums.entry(executed.place).or_default();
            let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
            sum.place = executed.place;
            add(&mut sum.warp_instructions, executed.warp_instructions);
            add(&mut sum.thread_instructions, executed.thread_instructions);
            add(&mut sum.bulk_bytes, executed.bulk_bytes);
            add(&mut sum.bulk_copies_unsized, executed.bulk_copies_unsized);
        }
        sums.into_values().collect()
    }

    /// The same at a place that is told otherwise.
    #[must_use]
    pub fn at<Other>(self, place: Other) -> Executed<Other> {
        Executed {
            place,
            warp_instructions: self.warp_instructions,
            thread_instructions: self.thread_instructions,
            bulk_bytes: self.bulk_bytes,
            bulk_copies_unsized: self.bulk_copies_unsized,
        }
    }
}

/// Something wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Where in the source.
    pub place: PlaceId,
    /// Which access.
    pub site: Option<SiteId>,
    /// Linear index of the block.
    pub block: u64,
    /// Warp in the block.
    pub warp: u32,
    /// Lane in the warp.
    pub lane: u32,
}

impl Finding {
    /// Two findings of one key are one.
    pub(crate) const fn key(&self) -> (u8, PlaceId, Option<SiteId>) {
        (self.kind.code(), self.place, self.site)
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// An access outside the array or memory it names.
    OutOfBounds {
        /// The array, where it is known.
        array: Option<ArrayId>,
        /// First byte asked for, from the array's (or memory's) first.
        offset: i64,
        /// Bytes of the array or memory.
        bytes: u64,
        /// What a sum or product of two 32-bit signed numbers in the index should be that does not fit into one.
        overflow: Option<i64>,
    },
    /// An address that is no multiple of what the access needs.
    Misaligned {
        /// First byte asked for, from the first of the memory or buffer.
        offset: i64,
        /// What it should be a multiple of.
        bytes: u64,
    },
    /// An index that is not below its array's extent.
    Index {
        /// The index.
        index: i64,
        /// The extent.
        extent: u64,
        /// The array.
        array: ArrayId,
        /// Which of its dimensions.
        dimension: u8,
    },
    /// Two warps on one word of shared memory, one of them writing, with no barrier between.
    Race {
        /// The other's access.
        other: SiteId,
        /// Whether the other writes.
        other_writes: bool,
        /// The other's warp.
        other_warp: u32,
        /// The other's lane.
        other_lane: u32,
        /// First byte of the word, from the first of shared memory.
        word: u64,
    },
    /// A barrier of the block at which some threads of a warp arrive without the others.
    DivergentBarrier {
        /// One of the warp's lanes that do not.
        missing_lane: u32,
    },
    /// A barrier of the block that threads which have exited do not reach.
    BarrierAfterExit {
        /// The warp of one of them.
        exited_warp: u32,
        /// Its lane.
        exited_lane: u32,
    },
    /// A wait that never ends.
    Deadlock {
        /// The warp of a thread that is elsewhere; that of the one that waits where all wait.
        other_warp: u32,
        /// Its lane.
        other_lane: u32,
    },
}

impl FindingKind {
    /// A number for each kind: a place has each once.
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::OutOfBounds { .. } => 0,
            Self::Misaligned { .. } => 1,
            Self::Index { .. } => 2,
            Self::Race { .. } => 3,
            Self::DivergentBarrier { .. } => 4,
            Self::Deadlock { .. } => 5,
            Self::BarrierAfterExit { .. } => 6,
        }
    }
}

/// What something unknown decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DoubtKind {
    /// Which way lanes go, or which lanes execute.
    Branch,
    /// Where an access goes.
    Address,
    /// Which threads a barrier waits for.
    Barrier,
    /// What was written at unknown places may have changed what was read since.
    Memory,
    /// What an instruction does that is not modelled.
    Instruction,
}

/// Why a value is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Contents of an array or buffer that nobody gave.
    Contents(ArrayId),
    /// Contents of memory that nobody gave, of a pointer that belongs to no array.
    Memory,
    /// Shared or local memory before anything was written there.
    Uninitialized,
    /// A parameter without a value, by its position.
    Parameter(u32),
    /// An instruction that is not modelled.
    Unmodelled(PlaceId),
    /// A clock, or something else that no launch says.
    Unpredictable,
    /// Another lane's value, which was asked for while that lane did not take part.
    InactiveLane,
    /// More was stored than is remembered.
    Forgotten,
}

impl Source {
    /// Whether only data is missing that somebody could give.
    #[must_use]
    pub const fn is_data(self) -> bool {
        matches!(self, Self::Contents(_) | Self::Memory)
    }

    /// How sure is what depends on it.
    #[must_use]
    pub const fn certainty(self) -> Certainty {
        if self.is_data() {
            Certainty::Assumed
        } else {
            Certainty::Partial
        }
    }
}

/// Where something unknown decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// What it decided.
    pub kind: DoubtKind,
    /// Where in the source.
    pub place: PlaceId,
    /// Which access.
    pub site: Option<SiteId>,
    /// Why it is unknown.
    pub source: Source,
}
