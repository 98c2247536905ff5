//! Sums over the requests of a run.

use crate::counter::Counter;
use lanescope_lang::{Access, Observer, Program, SiteId};
use lanescope_model::{Device, GlobalCounts, Operation, SharedCounts, Space, Unit, Unknown};
use std::collections::BTreeMap;

/// What one site, or several, cost on one device; all but `ways` are sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Requests of warps.
    pub requests: u64,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// Wavefronts without any conflict.
    pub ideal_wavefronts: u64,
    /// Wavefronts less ideal ones ("excessive").
    pub conflicts: u64,
    /// The most n of n-way.
    pub ways: u32,
    /// Requests to global memory, as the device splits them.
    pub global_requests: u64,
    /// Sectors of global memory, or what [`Sums::unit`] says.
    pub sectors: u64,
    /// The fewest sectors for the bytes asked for.
    pub ideal_sectors: u64,
    /// Distinct bytes of global memory asked for, request by request.
    pub bytes_used: u64,
    /// Bytes of all sectors.
    pub bytes_moved: u64,
    /// What sectors are on this device; `None` before the first request to global memory.
    pub unit: Option<Unit>,
    /// Why there is no number, where a request has none.
    pub unknown: Option<Unknown>,
}

impl Sums {
    fn add_shared(&mut self, counts: &SharedCounts) {
        self.wavefronts += u64::from(counts.wavefronts);
        self.ideal_wavefronts += u64::from(counts.ideal_wavefronts);
        self.conflicts += u64::from(counts.conflicts);
        self.ways = self.ways.max(counts.ways);
    }

    fn add_global(&mut self, counts: &GlobalCounts) {
        self.global_requests += u64::from(counts.requests);
        self.sectors += u64::from(counts.units);
        self.ideal_sectors += u64::from(counts.ideal_units);
        self.bytes_used += u64::from(counts.bytes_used);
        self.bytes_moved += u64::from(counts.bytes_moved);
        self.unit = Some(counts.unit);
    }

    /// Adds the sums of other requests of the same device.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.wavefronts += other.wavefronts;
        self.ideal_wavefronts += other.ideal_wavefronts;
        self.conflicts += other.conflicts;
        self.ways = self.ways.max(other.ways);
        self.global_requests += other.global_requests;
        self.sectors += other.sectors;
        self.ideal_sectors += other.ideal_sectors;
        self.bytes_used += other.bytes_used;
        self.bytes_moved += other.bytes_moved;
        self.unit = self.unit.or(other.unit);
        self.unknown = self.unknown.or(other.unknown);
    }
}

/// The figures of a whole run, by the names that a profiler's totals have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// `smsp__…wavefronts_mem_shared_op_ld`.
    pub shared_load_wavefronts: u64,
    /// `…data_bank_conflicts…op_ld`.
    pub shared_load_bank_conflicts: u64,
    /// `…wavefronts_mem_shared_op_st`.
    pub shared_store_wavefronts: u64,
    /// `…data_bank_conflicts…op_st`.
    pub shared_store_bank_conflicts: u64,
    /// `…wavefronts_mem_shared_op_atom`.
    pub shared_atomic_wavefronts: u64,
    /// Load requests to global memory.
    pub global_load_requests: u64,
    /// Sectors that they touch.
    pub global_load_sectors: u64,
    /// Store requests to global memory.
    pub global_store_requests: u64,
    /// Sectors that they touch.
    pub global_store_sectors: u64,
}

/// What is done, and where: a row of a table by line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Shared memory is read.
    SharedLoad,
    /// Shared memory is written.
    SharedStore,
    /// An atomic operation on shared memory.
    SharedAtomic,
    /// Global memory is read.
    GlobalLoad,
    /// Global memory is written.
    GlobalStore,
    /// An atomic operation on global memory whose old value is used.
    GlobalAtomic,
    /// An atomic operation on global memory whose old value is not used.
    GlobalReduction,
}

impl Kind {
    /// The kind of a request.
    #[must_use]
    pub fn of(space: Space, operation: Operation) -> Self {
        let loads = matches!(operation, Operation::Load | Operation::MatrixLoad { .. });
        let stores = matches!(operation, Operation::Store | Operation::MatrixStore { .. });
        match space {
            Space::Shared if loads => Self::SharedLoad,
            Space::Shared if stores => Self::SharedStore,
            Space::Shared => Self::SharedAtomic,
            Space::Global if loads => Self::GlobalLoad,
            Space::Global if stores => Self::GlobalStore,
            Space::Global if operation == Operation::Atomic => Self::GlobalAtomic,
            Space::Global => Self::GlobalReduction,
        }
    }
}

/// Sums the requests of a run by site; give it to [`lanescope_lang::execute`].
#[derive(Clone, Debug)]
pub struct Tally<'d> {
    counter: Counter<'d>,
    sites: Vec<BTreeMap<Kind, Sums>>,
}

impl<'d> Tally<'d> {
    /// Sums of nothing yet, for `device`.
    #[must_use]
    pub fn new(device: &'d Device) -> Self {
        Self {
            counter: Counter::new(device),
            sites: Vec::new(),
        }
    }

    /// What a site cost; a site may have gone to several memories.
    #[must_use]
    pub fn site(&self, site: SiteId) -> Sums {
        let mut all = Sums::default();
        for sums in self
            .sites
            .get(site.0 as usize)
            .into_iter()
            .flat_map(BTreeMap::values)
        {
            all.add(sums);
        }
        all
    }

    /// What each line cost, by line and kind, in that order.
    #[must_use]
    pub fn lines(&self, program: &Program) -> Vec<(u32, Kind, Sums)> {
        let mut lines: BTreeMap<(u32, Kind), Sums> = BTreeMap::new();
        for (site, kinds) in program.sites().iter().zip(&self.sites) {
            for (kind, sums) in kinds {
                lines.entry((site.line, *kind)).or_default().add(sums);
            }
        }
        lines
            .into_iter()
            .map(|((line, kind), sums)| (line, kind, sums))
            .collect()
    }

    /// The sums of all sites of one kind.
    #[must_use]
    pub fn kind(&self, kind: Kind) -> Sums {
        let mut all = Sums::default();
        for sums in self.sites.iter().filter_map(|kinds| kinds.get(&kind)) {
            all.add(sums);
        }
        all
    }

    /// The sums of the whole run.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let [shared_loads, shared_stores, atomics, loads, stores] = [
            Kind::SharedLoad,
            Kind::SharedStore,
            Kind::SharedAtomic,
            Kind::GlobalLoad,
            Kind::GlobalStore,
        ]
        .map(|kind| self.kind(kind));
        Totals {
            shared_load_wavefronts: shared_loads.wavefronts,
            shared_load_bank_conflicts: shared_loads.conflicts,
            shared_store_wavefronts: shared_stores.wavefronts,
            shared_store_bank_conflicts: shared_stores.conflicts,
            shared_atomic_wavefronts: atomics.wavefronts,
            global_load_requests: loads.global_requests,
            global_load_sectors: loads.sectors,
            global_store_requests: stores.global_requests,
            global_store_sectors: stores.sectors,
        }
    }
}

impl Observer for Tally<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let (at, request) = (access.site.0 as usize, &access.request);
        if self.sites.len() <= at {
            self.sites.resize_with(at + 1, BTreeMap::new);
        }
        let sums = self.sites[at]
            .entry(Kind::of(request.space, request.operation))
            .or_default();
        sums.requests += 1;
        let unknown = match request.space {
            Space::Shared => self
                .counter
                .shared_counts(request)
                .map(|counts| sums.add_shared(&counts))
                .err(),
            Space::Global => self
                .counter
                .global_counts(request)
                .map(|counts| sums.add_global(&counts))
                .err(),
        };
        sums.unknown = sums.unknown.or(unknown);
        true
    }
}
