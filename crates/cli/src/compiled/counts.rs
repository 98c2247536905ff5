//! Sums over the requests of compiled code, by access.

use lanescope_ir::SiteId;
use lanescope_model::{Device, Operation, Request, Space};
use lanescope_simt::{Access, AsyncCopyAccess, BlockDone, Certainty, Observer, Periods};
use lanescope_tally::{Counter, Kind};
use std::collections::BTreeMap;

/// What one access cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SiteCounts {
    pub(super) requests: u64,
    pub(super) wavefronts: u64,
    pub(super) ideal_wavefronts: u64,
    pub(super) sectors: u64,
    pub(super) ideal_sectors: u64,
    /// Requests that have no number on the device.
    pub(super) unknown: u64,
    /// The least certain of its requests.
    pub(super) certainty: Certainty,
}

impl SiteCounts {
    fn add(&mut self, other: &Self, times: u64) {
        self.requests += other.requests * times;
        self.wavefronts += other.wavefronts * times;
        self.ideal_wavefronts += other.ideal_wavefronts * times;
        self.sectors += other.sectors * times;
        self.ideal_sectors += other.ideal_sectors * times;
        self.unknown += other.unknown * times;
        self.certainty = self.certainty.max(other.certainty);
    }
}

/// What an access is, as the profiler's counters tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// A load, store or atomic.
    Plain(Kind),
    /// `LDSM`, `STSM`: not among the profiler's shared loads and stores by instruction.
    Matrix(Kind),
    /// `LDGSTS`, where it writes shared memory: not among the profiler's shared stores.
    Copy,
}

impl Class {
    fn of(request: &Request<'_>) -> Self {
        let kind = Kind::of(request.space, request.operation);
        match request.operation {
            Operation::MatrixLoad { .. } | Operation::MatrixStore { .. } => Self::Matrix(kind),
            Operation::Load
            | Operation::Store
            | Operation::Atomic
            | Operation::Reduction
            | Operation::Increment
            | Operation::CompareAndSwap => Self::Plain(kind),
        }
    }

    /// Whether it goes to shared memory.
    pub(super) const fn is_shared(self) -> bool {
        match self {
            Self::Copy => true,
            Self::Plain(kind) | Self::Matrix(kind) => {
                matches!(
                    kind,
                    Kind::SharedLoad | Kind::SharedStore | Kind::SharedAtomic
                )
            }
        }
    }
}

/// Sums by access and class.
pub(super) struct Counts<'d> {
    counter: Counter<'d>,
    /// Of blocks that are done.
    pub(super) sites: BTreeMap<(SiteId, Class), SiteCounts>,
    /// Of the block that runs.
    block: BTreeMap<(SiteId, Class), SiteCounts>,
}

impl<'d> Counts<'d> {
    /// Of nothing yet.
    pub(super) fn new(device: &'d Device) -> Self {
        Self {
            counter: Counter::new(device),
            sites: BTreeMap::new(),
            block: BTreeMap::new(),
        }
    }

    fn count(&mut self, site: SiteId, request: &Request<'_>, certainty: Certainty, times: u64) {
        let mut one = SiteCounts {
            requests: 1,
            certainty,
            ..SiteCounts::default()
        };
        match request.space {
            Space::Shared => match self.counter.shared_counts(request) {
                Ok(counts) => {
                    one.wavefronts = counts.wavefronts.into();
                    one.ideal_wavefronts = counts.ideal_wavefronts.into();
                }
                Err(_) => one.unknown = 1,
            },
            Space::Global => match self.counter.global_counts(request) {
                Ok(counts) => {
                    one.sectors = counts.units.into();
                    one.ideal_sectors = counts.ideal_units.into();
                }
                Err(_) => one.unknown = 1,
            },
        }
        self.block
            .entry((site, Class::of(request)))
            .or_default()
            .add(&one, times);
    }

    /// What a block may be moved by without a count changing.
    pub(super) fn periods(&self) -> Periods {
        let (shared, global) = self.counter.periods();
        Periods { shared, global }
    }

    /// The sums of one class.
    pub(super) fn class(&self, class: Class) -> SiteCounts {
        let mut all = SiteCounts::default();
        for (_, counts) in self.sites.iter().filter(|((_, of), _)| *of == class) {
            all.add(counts, 1);
        }
        all
    }
}

impl Observer for Counts<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.count(access.site, &access.request, access.certainty, access.times);
        true
    }

    fn async_copy(&mut self, access: &AsyncCopyAccess<'_>) -> bool {
        let copy = &access.copy;
        if access.reads.0 != 0 {
            let load = Request {
                space: Space::Global,
                operation: Operation::Load,
                width: copy.width,
                active: access.reads,
                addresses: copy.sources,
            };
            self.count(access.source_site, &load, access.certainty, access.times);
        }
        let mut one = SiteCounts {
            requests: 1,
            certainty: access.certainty,
            ..SiteCounts::default()
        };
        match self.counter.device().async_copy_counts(copy) {
            Ok(counts) => {
                one.wavefronts = counts.wavefronts.into();
                one.ideal_wavefronts = counts.ideal_wavefronts.into();
            }
            Err(_) => one.unknown = 1,
        }
        let key = (access.site, Class::Copy);
        self.block.entry(key).or_default().add(&one, access.times);
        true
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        for (key, counts) in std::mem::take(&mut self.block) {
            self.sites.entry(key).or_default().add(&counts, done.times);
        }
        true
    }
}
