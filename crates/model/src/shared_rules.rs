//! How a device serves requests to shared memory.

use crate::fact::Sourced;
use crate::warp_banks::Plan;
use crate::{Confidence, Operation, Sharing, Unknown, Width};

/// Where the words of shared memory lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Banks.
    pub(crate) banks: u32,
    /// Bytes of one word; successive words lie in successive banks.
    pub(crate) word_bytes: u32,
    /// Words that a bank delivers at once if they lie `banks` words apart in one aligned
    /// segment of `banks * paired` words (2 in the 4-byte mode of CC 3.x, else 1).
    pub(crate) paired: u32,
}

impl Layout {
    /// `banks` banks of `word_bytes` bytes.
    pub(crate) const fn new(banks: u32, word_bytes: u32) -> Self {
        Self {
            banks,
            word_bytes,
            paired: 1,
        }
    }
}

/// Which lanes of a warp are served together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Grouping {
    /// Runs of this many lanes, in order.
    Runs(u32),
    /// These sets, in order, each lane in one of them.
    Sets(&'static [u64]),
}

/// How one kind of access is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Service {
    /// The banks as this kind of access sees them.
    pub(crate) layout: Layout,
    /// The phases.
    pub(crate) grouping: Grouping,
    /// How lanes on one word fare.
    pub(crate) sharing: Sharing,
    /// Whether an access wider than a word is cut into requests of one word (CC 1.x).
    pub(crate) cut: bool,
    /// How 32 lanes are counted at once, if they can be.
    pub(crate) plan: Option<Plan>,
    /// The same with neighbouring phases merged.
    pub(crate) merged_plan: Option<Plan>,
}

impl Service {
    /// The same with its plan, for accesses of `bytes` bytes a lane.
    const fn planned(self, bytes: u32, warp_lanes: u32) -> Self {
        // Where words are narrower than the widest access of a class, units differ in it.
        let one_unit = bytes > 4 || self.layout.word_bytes >= 4;
        if !one_unit {
            return self;
        }
        Self {
            plan: Plan::new(&self, bytes, warp_lanes, false),
            merged_plan: Plan::new(&self, bytes, warp_lanes, true),
            ..self
        }
    }
}

/// A service with its source, or why there is none.
pub(crate) type Serving = Sourced<Result<Service, Unknown>>;

/// All rules of a device's shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SharedRules {
    /// The banks.
    pub(crate) layout: Sourced<Result<Layout, Unknown>>,
    /// `[up to 4, 8, 16 bytes a lane]`.
    pub(crate) reads: [Serving; 3],
    /// `[up to 4, 8, 16 bytes a lane]`.
    pub(crate) writes: [Serving; 3],
    /// Whether reads of 8 and 16 bytes merge phases whose neighbours agree.
    pub(crate) merge: Option<Sourced<()>>,
    /// Atomic operations, `[up to 4, 8, 16 bytes a lane]`.
    pub(crate) atomics: [Serving; 3],
    /// Increments by one whose old value nobody wants; `None`: as any atomic operation.
    pub(crate) increments: Option<Serving>,
    /// Whether compare and swap serves each phase of an atomic operation twice, once for each of
    /// its operands.
    pub(crate) swaps: Option<Sourced<()>>,
    /// `ldmatrix`.
    pub(crate) matrix_loads: Serving,
    /// `stmatrix`.
    pub(crate) matrix_stores: Serving,
}

/// The serving with its plan.
const fn planned(serving: Serving, bytes: u32, warp_lanes: u32) -> Serving {
    Sourced {
        value: match serving.value {
            Ok(service) => Ok(service.planned(bytes, warp_lanes)),
            Err(reason) => Err(reason),
        },
        ..serving
    }
}

/// The servings for accesses up to 4, of 8 and of 16 bytes a lane with their plans.
const fn all_planned([narrow, double, quad]: [Serving; 3], warp_lanes: u32) -> [Serving; 3] {
    [
        planned(narrow, 4, warp_lanes),
        planned(double, 8, warp_lanes),
        planned(quad, 16, warp_lanes),
    ]
}

impl SharedRules {
    /// The same with the plans of all services, for warps of `warp_lanes` lanes.
    pub(crate) const fn planned(self, warp_lanes: u32) -> Self {
        Self {
            reads: all_planned(self.reads, warp_lanes),
            writes: all_planned(self.writes, warp_lanes),
            atomics: all_planned(self.atomics, warp_lanes),
            increments: match self.increments {
                Some(serving) => Some(planned(serving, 4, warp_lanes)),
                None => None,
            },
            matrix_loads: planned(self.matrix_loads, 16, warp_lanes),
            matrix_stores: planned(self.matrix_stores, 16, warp_lanes),
            ..self
        }
    }

    /// The rule for `operation` of `width` bytes a lane.
    pub(crate) const fn serving(&self, operation: Operation, width: Width) -> &Serving {
        match operation {
            Operation::Load => &self.reads[width_class(width)],
            Operation::Store => &self.writes[width_class(width)],
            Operation::Atomic | Operation::Reduction | Operation::CompareAndSwap => {
                &self.atomics[width_class(width)]
            }
            Operation::Increment => match &self.increments {
                Some(serving) if width_class(width) == 0 => serving,
                _ => &self.atomics[width_class(width)],
            },
            Operation::MatrixLoad { .. } => &self.matrix_loads,
            Operation::MatrixStore { .. } => &self.matrix_stores,
            Operation::AsyncCopy => &COPY,
        }
    }
}

/// An asynchronous copy is no request of one memory.
const COPY: Serving = Sourced::new(
    Err(Unknown::Instruction),
    "a copy depends on both of its sides",
    Confidence::Given,
);

/// 0 up to 4 bytes a lane, 1 for 8, 2 for 16.
const fn width_class(width: Width) -> usize {
    match width {
        Width::Bytes1 | Width::Bytes2 | Width::Bytes4 => 0,
        Width::Bytes8 => 1,
        Width::Bytes16 => 2,
    }
}
