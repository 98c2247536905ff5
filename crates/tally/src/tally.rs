//! Sums over the requests of a run.

use crate::costliest::{Costliest, CostlyRequest};
use crate::counter::{Answer, Counter};
use crate::{Contention, SiteTally};
use lanescope_cuda::source::Program;
use lanescope_ir::SiteId;
use lanescope_model::{
    AsyncCopyCounts, Device, GlobalCounts, Operation, Request, SharedCounts, Space, Unit, Unknown,
};
use lanescope_simt::{Access, AsyncCopyAccess, Certainty, Observer};
use std::collections::BTreeMap;

/// What one site, or several, cost on one device; all but `ways` and `certainty` are sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Requests of warps.
    pub requests: u64,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// The fewest wavefronts, where the hardware may choose.
    pub wavefronts_least: u64,
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
    /// Sectors as the profiler's source page counts them: fewer than `sectors` where lanes of an atomic share an address,
    /// each of which asks; more where a copy past L1 fills a unit from two sectors of a line.
    pub addressed_sectors: u64,
    /// Distinct bytes of global memory asked for, request by request.
    pub bytes_used: u64,
    /// Bytes of all sectors.
    pub bytes_moved: u64,
    /// What sectors are on this device; `None` before the first request to global memory.
    pub unit: Option<Unit>,
    /// Why there is no number, where a request has none.
    pub unknown: Option<Unknown>,
    /// The least certain of the requests.
    pub certainty: Certainty,
    /// What the hardware's rule leaves open of asynchronous copies.
    pub copies: OpenCopies,
}

/// What the hardware's rule leaves open of asynchronous copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenCopies {
    /// Whether wavefronts are a lower bound.
    pub is_bound: bool,
    /// Whether lanes write one place from different sources: sectors are those of the lowest lane.
    pub has_rivals: bool,
}

impl OpenCopies {
    /// What either leaves open.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            is_bound: self.is_bound || other.is_bound,
            has_rivals: self.has_rivals || other.has_rivals,
        }
    }
}

impl Sums {
    /// The sums of one request.
    fn of(answer: Answer, certainty: Certainty) -> Self {
        let mut one = Self {
            requests: 1,
            certainty,
            ..Self::default()
        };
        let counted = match answer {
            Answer::Shared(counts) => counts.map(|counts| one.set_shared(&counts)),
            Answer::Global(counts) => counts.map(|counts| one.set_global(&counts)),
        };
        one.unknown = counted.err();
        one
    }

    /// The sums of what an asynchronous copy does to shared memory.
    fn of_copy(counts: &Result<AsyncCopyCounts, Unknown>, certainty: Certainty) -> Self {
        let mut one = Self {
            requests: 1,
            certainty,
            unknown: counts.as_ref().err().copied(),
            ..Self::default()
        };
        if let Ok(counts) = counts {
            one.wavefronts = counts.wavefronts.into();
            one.wavefronts_least = one.wavefronts;
            one.ideal_wavefronts = counts.ideal_wavefronts.into();
            one.conflicts = counts.conflicts.into();
            one.ways = counts.ways;
            one.copies.is_bound = !counts.has_exact_wavefronts;
        }
        one
    }

    /// The sums of what an asynchronous copy reads of global memory, of which a plain load of the same lanes takes `load`:
    /// the rule of copies past L1 counts sectors by both sides.
    fn of_copy_load(load: Self, counts: &Result<AsyncCopyCounts, Unknown>) -> Self {
        let mut one = Self {
            unknown: load.unknown.or(counts.as_ref().err().copied()),
            ..load
        };
        if let Ok(counts) = counts {
            one.sectors = counts.sectors.into();
            one.ideal_sectors = counts.ideal_sectors.into();
            one.addressed_sectors = counts.page_sectors.into();
            one.copies.has_rivals = !counts.has_exact_sectors;
        }
        one
    }

    fn set_shared(&mut self, counts: &SharedCounts) {
        self.wavefronts = u64::from(counts.wavefronts);
        self.wavefronts_least = u64::from(counts.wavefronts_least);
        self.ideal_wavefronts = u64::from(counts.ideal_wavefronts);
        self.conflicts = u64::from(counts.conflicts);
        self.ways = counts.ways;
    }

    fn set_global(&mut self, counts: &GlobalCounts) {
        self.global_requests = u64::from(counts.requests);
        self.sectors = u64::from(counts.units);
        self.ideal_sectors = u64::from(counts.ideal_units);
        self.addressed_sectors = self.sectors;
        self.bytes_used = u64::from(counts.bytes_used);
        self.bytes_moved = u64::from(counts.bytes_moved);
        self.unit = Some(counts.unit);
    }

    /// Adds the sums of other requests of the same device.
    pub fn add(&mut self, other: &Self) {
        self.add_times(other, 1);
    }

    /// Adds the sums of as many others as `times` says; what is more than a sum holds is its most.
    pub fn add_times(&mut self, other: &Self, times: u64) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more.saturating_mul(times));
        add(&mut self.requests, other.requests);
        add(&mut self.wavefronts, other.wavefronts);
        add(&mut self.wavefronts_least, other.wavefronts_least);
        add(&mut self.ideal_wavefronts, other.ideal_wavefronts);
        add(&mut self.conflicts, other.conflicts);
        self.ways = self.ways.max(other.ways);
        add(&mut self.global_requests, other.global_requests);
        add(&mut self.sectors, other.sectors);
        add(&mut self.ideal_sectors, other.ideal_sectors);
        add(&mut self.addressed_sectors, other.addressed_sectors);
        add(&mut self.bytes_used, other.bytes_used);
        add(&mut self.bytes_moved, other.bytes_moved);
        self.unit = self.unit.or(other.unit);
        self.unknown = self.unknown.or(other.unknown);
        self.certainty = self.certainty.max(other.certainty);
        self.copies = self.copies.or(other.copies);
    }
}

/// The figures of a whole run, by the names that a profiler's totals have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// `smsp__…wavefronts_mem_shared_op_ld`, less those of matrix loads.
    pub shared_load_wavefronts: u64,
    /// `…data_bank_conflicts…op_ld`.
    pub shared_load_bank_conflicts: u64,
    /// `…wavefronts_mem_shared_op_st`, less those of matrix stores.
    pub shared_store_wavefronts: u64,
    /// `…data_bank_conflicts…op_st`.
    pub shared_store_bank_conflicts: u64,
    /// `…wavefronts_mem_shared_op_atom`.
    pub shared_atomic_wavefronts: u64,
    /// Wavefronts of `ldmatrix`, which the profiler counts with the loads.
    pub matrix_load_wavefronts: u64,
    /// Wavefronts of `stmatrix`, which the profiler counts with the stores.
    pub matrix_store_wavefronts: u64,
    /// `…wavefronts_mem_shared_op_ldgsts`: asynchronous copies.
    pub async_copy_wavefronts: u64,
    /// Load requests to global memory.
    pub global_load_requests: u64,
    /// Sectors that they touch.
    pub global_load_sectors: u64,
    /// Store requests to global memory.
    pub global_store_requests: u64,
    /// Sectors that they touch.
    pub global_store_sectors: u64,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_red`: atomic operations whose old value nobody wants.
    pub global_reduction_requests: u64,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_red`.
    pub global_reduction_sectors: u64,
    /// `l1tex__t_requests_pipe_lsu_mem_global_op_atom`: atomic operations that give the old value back.
    pub global_atomic_requests: u64,
    /// `l1tex__t_sectors_pipe_lsu_mem_global_op_atom`.
    pub global_atomic_sectors: u64,
}

impl Totals {
    /// Every figure under its public name, which JSON, tables and the measured kernels have in common.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, u64); 16] {
        [
            ("shared_load_wavefronts", self.shared_load_wavefronts),
            (
                "shared_load_bank_conflicts",
                self.shared_load_bank_conflicts,
            ),
            ("shared_store_wavefronts", self.shared_store_wavefronts),
            (
                "shared_store_bank_conflicts",
                self.shared_store_bank_conflicts,
            ),
            ("shared_atomic_wavefronts", self.shared_atomic_wavefronts),
            ("matrix_load_wavefronts", self.matrix_load_wavefronts),
            ("matrix_store_wavefronts", self.matrix_store_wavefronts),
            ("async_copy_wavefronts", self.async_copy_wavefronts),
            ("global_load_requests", self.global_load_requests),
            ("global_load_sectors", self.global_load_sectors),
            ("global_store_requests", self.global_store_requests),
            ("global_store_sectors", self.global_store_sectors),
            ("global_reduction_requests", self.global_reduction_requests),
            ("global_reduction_sectors", self.global_reduction_sectors),
            ("global_atomic_requests", self.global_atomic_requests),
            ("global_atomic_sectors", self.global_atomic_sectors),
        ]
    }
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
    /// Matrices are read from shared memory (`ldmatrix`).
    MatrixLoad,
    /// Matrices are written to shared memory (`stmatrix`).
    MatrixStore,
    /// Shared memory is written by an asynchronous copy (`cp.async`).
    AsyncCopy,
    /// Global memory is read.
    GlobalLoad,
    /// Global memory is written.
    GlobalStore,
    /// An atomic operation on global memory that gives the old value back.
    GlobalAtomic,
    /// An atomic operation on global memory whose old value is not used.
    GlobalReduction,
}

impl Kind {
    /// The kind of a request.
    #[must_use]
    pub fn of(space: Space, operation: Operation) -> Self {
        match (space, operation) {
            (_, Operation::AsyncCopy) => Self::AsyncCopy,
            (Space::Shared, Operation::MatrixLoad { .. }) => Self::MatrixLoad,
            (Space::Shared, Operation::MatrixStore { .. }) => Self::MatrixStore,
            (Space::Shared, Operation::Load) => Self::SharedLoad,
            (Space::Shared, Operation::Store) => Self::SharedStore,
            (
                Space::Shared,
                Operation::Atomic
                | Operation::Reduction
                | Operation::Increment
                | Operation::CompareAndSwap,
            ) => Self::SharedAtomic,
            (Space::Global, Operation::Load | Operation::MatrixLoad { .. }) => Self::GlobalLoad,
            (Space::Global, Operation::Store | Operation::MatrixStore { .. }) => Self::GlobalStore,
            // There is no compare and swap without an old value.
            (Space::Global, Operation::Atomic | Operation::CompareAndSwap) => Self::GlobalAtomic,
            (Space::Global, Operation::Reduction | Operation::Increment) => Self::GlobalReduction,
        }
    }

    /// It in words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::SharedLoad => "shared load",
            Self::SharedStore => "shared store",
            Self::SharedAtomic => "shared atomic",
            Self::MatrixLoad => "matrix load",
            Self::MatrixStore => "matrix store",
            Self::AsyncCopy => "async copy",
            Self::GlobalLoad => "global load",
            Self::GlobalStore => "global store",
            Self::GlobalAtomic => "global atomic",
            Self::GlobalReduction => "global reduction",
        }
    }

    /// Whether its requests go to shared memory.
    #[must_use]
    pub const fn is_shared(self) -> bool {
        match self {
            Self::SharedLoad
            | Self::SharedStore
            | Self::SharedAtomic
            | Self::MatrixLoad
            | Self::MatrixStore
            | Self::AsyncCopy => true,
            Self::GlobalLoad | Self::GlobalStore | Self::GlobalAtomic | Self::GlobalReduction => {
                false
            }
        }
    }
}

/// Sums the requests of a run by site; give it to [`lanescope_cuda::source::execute`].
#[derive(Clone, Debug)]
pub struct Tally<'d> {
    counter: Counter<'d>,
    /// `[site]`: by kind, in order.
    sites: Vec<Vec<(Kind, Sums)>>,
    contention: Contention,
    costliest: Costliest,
}

/// The sums of a kind.
fn of_kind(kinds: &mut Vec<(Kind, Sums)>, kind: Kind) -> &mut Sums {
    let at = match kinds.iter().position(|(known, _)| *known >= kind) {
        Some(at) if kinds[at].0 == kind => at,
        place => {
            let at = place.unwrap_or(kinds.len());
            kinds.insert(at, (kind, Sums::default()));
            at
        }
    };
    &mut kinds[at].1
}

/// The load whose sectors are those of the addresses of an atomic on global memory; `None` of any other request.
fn addressed<'a>(request: &Request<'a>) -> Option<Request<'a>> {
    let is_global_atomic = request.space == Space::Global && request.operation.is_atomic();
    is_global_atomic.then_some(Request {
        operation: Operation::Load,
        ..*request
    })
}

impl<'d> Tally<'d> {
    /// Sums of nothing yet, for `device`.
    #[must_use]
    pub fn new(device: &'d Device) -> Self {
        Self {
            counter: Counter::new(device),
            sites: Vec::new(),
            contention: Contention::default(),
            costliest: Costliest::default(),
        }
    }

    /// Which compare-and-swap loops may take more than one round.
    #[must_use]
    pub const fn contention(&self) -> &Contention {
        &self.contention
    }

    /// The request that cost most above its ideal; of equals, the first. Asynchronous copies are not among them.
    #[must_use]
    pub fn costliest(&self) -> Option<&CostlyRequest> {
        self.costliest.request()
    }

    /// What each access cost, by access and kind, in that order.
    pub fn accesses(&self) -> impl Iterator<Item = (SiteId, Kind, &Sums)> {
        let sites = (0..).map(SiteId).zip(&self.sites);
        sites.flat_map(|(site, kinds)| kinds.iter().map(move |(kind, sums)| (site, *kind, sums)))
    }

    /// What a site cost; a site may have gone to several memories.
    #[must_use]
    pub fn site(&self, site: SiteId) -> Sums {
        let mut all = Sums::default();
        for sums in self
            .sites
            .get(site.0 as usize)
            .into_iter()
            .flatten()
            .map(|(_, sums)| sums)
        {
            all.add(sums);
        }
        all
    }

    /// The same sums by site and by memory, which a verdict is made of; one for each of the `count` sites of a program.
    #[must_use]
    pub fn sites(&self, count: usize) -> Vec<SiteTally> {
        let ids = (0..u32::try_from(count).unwrap_or(u32::MAX)).map(SiteId);
        ids.map(|id| {
            let kinds = self.sites.get(id.0 as usize).into_iter().flatten();
            kinds.fold(SiteTally::new(id), |mut site, (kind, sums)| {
                site.add_kind(*kind, sums);
                site
            })
        })
        .collect()
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
        for (_, sums) in self.sites.iter().flatten().filter(|(of, _)| *of == kind) {
            all.add(sums);
        }
        all
    }

    /// The sums of the whole run.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let [
            shared_loads,
            shared_stores,
            atomics,
            matrix_loads,
            matrix_stores,
            copies,
            loads,
            stores,
            reductions,
            global_atomics,
        ] = [
            Kind::SharedLoad,
            Kind::SharedStore,
            Kind::SharedAtomic,
            Kind::MatrixLoad,
            Kind::MatrixStore,
            Kind::AsyncCopy,
            Kind::GlobalLoad,
            Kind::GlobalStore,
            Kind::GlobalReduction,
            Kind::GlobalAtomic,
        ]
        .map(|kind| self.kind(kind));
        Totals {
            shared_load_wavefronts: shared_loads.wavefronts,
            shared_load_bank_conflicts: shared_loads.conflicts,
            shared_store_wavefronts: shared_stores.wavefronts,
            shared_store_bank_conflicts: shared_stores.conflicts,
            shared_atomic_wavefronts: atomics.wavefronts,
            matrix_load_wavefronts: matrix_loads.wavefronts,
            matrix_store_wavefronts: matrix_stores.wavefronts,
            async_copy_wavefronts: copies.wavefronts,
            global_load_requests: loads.global_requests,
            global_load_sectors: loads.sectors,
            global_store_requests: stores.global_requests,
            global_store_sectors: stores.sectors,
            global_reduction_requests: reductions.global_requests,
            global_reduction_sectors: reductions.sectors,
            global_atomic_requests: global_atomics.global_requests,
            global_atomic_sectors: global_atomics.sectors,
        }
    }
}

impl Tally<'_> {
    /// Adds a request.
    fn count(&mut self, access: &Access<'_>) {
        let request = &access.request;
        let mut one = Sums::of(self.counter.answer(request), access.certainty);
        if let Some(load) = addressed(request)
            && let Ok(counts) = self.counter.global_counts(&load)
        {
            one.addressed_sectors = counts.units.into();
        }
        self.contention.note(access, one.ways);
        self.offer(&one, || {
            let place = (access.block_index, access.warp, access.occurrence);
            CostlyRequest::of(access.site, place, request)
        });
        let kind = Kind::of(request.space, request.operation);
        self.add(access.site, kind, &one, access.times);
    }

    /// What one request costs, which is not remembered.
    pub(crate) fn cost(&self, request: &Request<'_>, certainty: Certainty) -> Sums {
        let mut one = Sums::of(self.counter.asked(request), certainty);
        if let Some(load) = addressed(request)
            && let Ok(counts) = self.counter.device().global_counts(&load)
        {
            one.addressed_sectors = counts.units.into();
        }
        one
    }

    /// Keeps a request of the cost `one` if it is the costliest so far.
    pub(crate) fn offer(&mut self, one: &Sums, request: impl FnOnce() -> CostlyRequest) {
        self.costliest.offer(one, request);
    }

    pub(crate) const fn counter(&self) -> &Counter<'_> {
        &self.counter
    }

    /// Adds what a request costs, `times` times, to a site.
    pub(crate) fn add(&mut self, site: SiteId, kind: Kind, one: &Sums, times: u64) {
        let at = site.0 as usize;
        if self.sites.len() <= at {
            self.sites.resize_with(at + 1, Vec::new);
        }
        if let Some(kinds) = self.sites.get_mut(at) {
            of_kind(kinds, kind).add_times(one, times);
        }
    }

    /// Adds the sums of another tally of the same device, `times` times.
    pub fn add_all(&mut self, other: &Self, times: u64) {
        for (site, kinds) in (0..).map(SiteId).zip(&other.sites) {
            for (kind, sums) in kinds {
                self.add(site, *kind, sums, times);
            }
        }
    }

    /// Adds the sums of another tally of the same device, `times` times, and takes them out of it.
    pub(crate) fn take(&mut self, other: &mut Self, times: u64) {
        self.contention.take(&mut other.contention);
        self.costliest.take(&mut other.costliest);
        if self.sites.len() < other.sites.len() {
            self.sites.resize_with(other.sites.len(), Vec::new);
        }
        for (sums, more) in self.sites.iter_mut().zip(&mut other.sites) {
            for (kind, more) in more.drain(..) {
                of_kind(sums, kind).add_times(&more, times);
            }
        }
    }
}

impl Observer for Tally<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.count(access);
        true
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        let counts = self.counter.device().async_copy_counts(&copy.copy);
        if let Some(load) = copy.load() {
            let alone = Sums::of(self.counter.answer(&load.request), load.certainty);
            let one = Sums::of_copy_load(alone, &counts);
            self.offer(&one, || {
                let place = (load.block_index, load.warp, load.occurrence);
                CostlyRequest::of(load.site, place, &load.request)
            });
            self.add(load.site, Kind::GlobalLoad, &one, load.times);
        }
        let one = Sums::of_copy(&counts, copy.certainty);
        self.add(copy.site, Kind::AsyncCopy, &one, copy.times);
        true
    }
}
