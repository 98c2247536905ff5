//! Sums over the requests of one place in the source.

use lanescope_lang::Counter;
use lanescope_model::{GlobalCounts, Operation, Request, SharedCounts, Space, Unit, Unknown};

/// What one place of the source costs on one device; all but `ways` are sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Requests of warps.
    pub(crate) requests: u64,
    pub(crate) wavefronts: u64,
    pub(crate) ideal_wavefronts: u64,
    pub(crate) conflicts: u64,
    /// The most n of n-way.
    pub(crate) ways: u32,
    /// Requests to global memory as the device splits them.
    pub(crate) global_requests: u64,
    /// Sectors, or what [`Tally::unit`] says.
    pub(crate) units: u64,
    pub(crate) ideal_units: u64,
    pub(crate) bytes_used: u64,
    pub(crate) bytes_moved: u64,
    /// What units are; none before the first request to global memory.
    pub(crate) unit: Option<Unit>,
    /// Why there is no number, where there is none.
    pub(crate) unknown: Option<Unknown>,
}

impl Tally {
    /// Counts one request, and gives its cost: wavefronts or units.
    pub(crate) fn count(&mut self, counter: &mut Counter<'_>, request: &Request<'_>) -> u32 {
        self.requests += 1;
        let cost = match request.space {
            Space::Shared => counter
                .shared_counts(request)
                .map(|counts| self.count_shared(&counts)),
            Space::Global => counter
                .global_counts(request)
                .map(|counts| self.count_global(&counts)),
        };
        cost.unwrap_or_else(|unknown| {
            self.unknown = Some(unknown);
            0
        })
    }

    fn count_shared(&mut self, counts: &SharedCounts) -> u32 {
        self.wavefronts += u64::from(counts.wavefronts);
        self.ideal_wavefronts += u64::from(counts.ideal_wavefronts);
        self.conflicts += u64::from(counts.conflicts);
        self.ways = self.ways.max(counts.ways);
        counts.wavefronts
    }

    fn count_global(&mut self, counts: &GlobalCounts) -> u32 {
        self.global_requests += u64::from(counts.requests);
        self.units += u64::from(counts.units);
        self.ideal_units += u64::from(counts.ideal_units);
        self.bytes_used += u64::from(counts.bytes_used);
        self.bytes_moved += u64::from(counts.bytes_moved);
        self.unit = Some(counts.unit);
        counts.units
    }

    /// Adds the sums of another place.
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.wavefronts += other.wavefronts;
        self.ideal_wavefronts += other.ideal_wavefronts;
        self.conflicts += other.conflicts;
        self.ways = self.ways.max(other.ways);
        self.global_requests += other.global_requests;
        self.units += other.units;
        self.ideal_units += other.ideal_units;
        self.bytes_used += other.bytes_used;
        self.bytes_moved += other.bytes_moved;
        self.unit = self.unit.or(other.unit);
        self.unknown = self.unknown.or(other.unknown);
    }
}

/// What a place does, in the words of the totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Op {
    SharedLoad,
    SharedStore,
    SharedAtomic,
    GlobalLoad,
    GlobalStore,
    GlobalAtomic,
}

impl Op {
    /// The kind of an operation on a memory.
    pub(crate) const fn of(space: Space, operation: Operation) -> Self {
        use Operation::{Atomic, Load, MatrixLoad, MatrixStore, Reduction, Store};
        match (space, operation) {
            (Space::Shared, Load | MatrixLoad { .. }) => Self::SharedLoad,
            (Space::Shared, Store | MatrixStore { .. }) => Self::SharedStore,
            (Space::Shared, Atomic | Reduction) => Self::SharedAtomic,
            (Space::Global, Load | MatrixLoad { .. }) => Self::GlobalLoad,
            (Space::Global, Store | MatrixStore { .. }) => Self::GlobalStore,
            (Space::Global, Atomic | Reduction) => Self::GlobalAtomic,
        }
    }

    /// The kind in words.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::SharedLoad => "shared load",
            Self::SharedStore => "shared store",
            Self::SharedAtomic => "shared atomic",
            Self::GlobalLoad => "global load",
            Self::GlobalStore => "global store",
            Self::GlobalAtomic => "global atomic",
        }
    }

    pub(crate) const fn is_shared(self) -> bool {
        matches!(
            self,
            Self::SharedLoad | Self::SharedStore | Self::SharedAtomic
        )
    }
}
