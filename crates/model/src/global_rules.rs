//! How a device serves requests to global memory.

use crate::fact::Sourced;
use crate::{Operation, Unknown};

/// The protocol by which global traffic is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Distinct sectors, one request.
    Sectors,
    /// Distinct sectors; 8 bytes a lane are two requests, 16 four.
    SplitSectors,
    /// Distinct lines, one request.
    Lines,
    /// Distinct lines; 8 bytes a lane are two requests, 16 four.
    SplitLines,
    /// CC 1.0 and 1.1.
    OrderedSegments,
    /// CC 1.2 and 1.3.
    ShrinkingSegments,
    /// Of each pass over the lanes that wait the sectors that it serves ([`crate::atomic_passes`]).
    AtomicPasses,
}

/// A protocol with its source, or why there is none.
pub(crate) type Counting = Sourced<Result<Protocol, Unknown>>;

/// All rules of a device's global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobalRules {
    /// Bytes of a sector, a power of two; the line's where lines have no sectors.
    pub(crate) sector_bytes: Sourced<Result<u32, Unknown>>,
    /// Bytes of a line, a power of two.
    pub(crate) line_bytes: Sourced<Result<u32, Unknown>>,
    /// Loads.
    pub(crate) loads: Counting,
    /// Stores.
    pub(crate) stores: Counting,
    /// Atomic operations and reductions.
    pub(crate) atomics: Counting,
}

impl GlobalRules {
    /// The rule for `operation`.
    pub(crate) const fn counting(&self, operation: Operation) -> Counting {
        match operation {
            Operation::Load => self.loads,
            Operation::Store => self.stores,
            Operation::Atomic
            | Operation::Reduction
            | Operation::Increment
            | Operation::CompareAndSwap => self.atomics,
            Operation::MatrixLoad { .. } | Operation::MatrixStore { .. } | Operation::AsyncCopy => {
                Sourced::new(
                    Err(Unknown::Instruction),
                    self.loads.source,
                    self.loads.confidence,
                )
            }
        }
    }
}
