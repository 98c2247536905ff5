//! Sums over the requests of a run.

use crate::costliest::{Costliest, CostlyRequest, Place, WorstRequests};
use crate::counter::{Answer, Counter};
use crate::{Contention, Kind, SiteTally, Totals};
use lanescope_frontend::Program;
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
    pub page_sectors: u64,
    /// Requests of which `wavefronts` has a lower bound.
    pub bounds: u64,
    /// Requests whose lanes write one place from different sources, of which `sectors` has what the lowest lane takes.
    pub rivals: u64,
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

    /// The sums of one request of which nobody knows where it goes.
    fn somewhere() -> Self {
        Self {
            requests: 1,
            unknown: Some(Unknown::Address),
            certainty: Certainty::Partial,
            ..Self::default()
        }
    }

    /// The sums of what an asynchronous copy reads of global memory, and of what it does to shared memory.
    fn of_copy(counts: Result<AsyncCopyCounts, Unknown>, certainty: Certainty) -> [Self; 2] {
        let one = Self {
            requests: 1,
            certainty,
            ..Self::default()
        };
        let counts = match counts {
            Ok(counts) => counts,
            Err(unknown) => {
                let unknown = Some(unknown);
                return [Self { unknown, ..one }; 2];
            }
        };
        let read = Self {
            global_requests: counts.requests.into(),
            sectors: counts.sectors.into(),
            ideal_sectors: counts.ideal_sectors.into(),
            page_sectors: counts.page_sectors.into(),
            rivals: u64::from(!counts.has_exact_sectors),
            unit: Some(Unit::Sector),
            ..one
        };
        let written = Self {
            wavefronts: counts.wavefronts.into(),
            wavefronts_least: counts.wavefronts.into(),
            ideal_wavefronts: counts.ideal_wavefronts.into(),
            conflicts: counts.conflicts.into(),
            ways: counts.ways,
            bounds: u64::from(!counts.has_exact_wavefronts),
            ..one
        };
        [read, written]
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
        self.page_sectors = self.sectors;
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
        add(&mut self.page_sectors, other.page_sectors);
        add(&mut self.bounds, other.bounds);
        add(&mut self.rivals, other.rivals);
        add(&mut self.bytes_used, other.bytes_used);
        add(&mut self.bytes_moved, other.bytes_moved);
        self.unit = self.unit.or(other.unit);
        self.unknown = self.unknown.or(other.unknown);
        self.certainty = self.certainty.max(other.certainty);
    }
}

/// Sums the requests of a run by site; give it to [`lanescope_frontend::execute`].
#[derive(Clone, Debug)]
pub struct Tally<'d> {
    counter: Counter<'d>,
    /// `[site]`: by kind, in order.
    sites: Vec<Vec<(Kind, Sums)>>,
    contention: Contention,
    costliest: Costliest,
    worst: WorstRequests,
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
            worst: WorstRequests::default(),
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
            let none = SiteTally {
                worst: self.worst.of(id),
                ..SiteTally::new(id)
            };
            kinds.fold(none, |mut site, (kind, sums)| {
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
        let kind = Kind::of(request.space, request.operation);
        if access.certainty == Certainty::Partial && access.unknown != 0 {
            return self.add(access.site, kind, &Sums::somewhere(), access.times);
        }
        let mut one = Sums::of(self.counter.answer(request), access.certainty);
        if let Some(load) = addressed(request)
            && let Ok(counts) = self.counter.global_counts(&load)
        {
            one.page_sectors = counts.units.into();
        }
        self.contention.note(access, one.ways);
        let place = (access.block_index, access.warp, access.occurrence);
        self.offer(access.site, place, &one, request);
        self.add(access.site, kind, &one, access.times);
    }

    /// What one request costs, which is not remembered.
    pub(crate) fn cost(&self, request: &Request<'_>, certainty: Certainty) -> Sums {
        let mut one = Sums::of(self.counter.asked(request), certainty);
        if let Some(load) = addressed(request)
            && let Ok(counts) = self.counter.device().global_counts(&load)
        {
            one.page_sectors = counts.units.into();
        }
        one
    }

    /// Keeps a request of the cost `one` if it is the costliest so far, of all accesses or of its own.
    pub(crate) fn offer(&mut self, site: SiteId, place: Place, one: &Sums, request: &Request<'_>) {
        self.worst.offer(site, place, one);
        let kept = || CostlyRequest::of(site, place, request);
        self.costliest.offer(one, kept);
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
        self.worst.take(&mut other.worst);
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
        if copy.certainty == Certainty::Partial && copy.unknown != 0 {
            let somewhere = Sums::somewhere();
            if copy.load().is_some() {
                self.add(copy.source_site, Kind::GlobalLoad, &somewhere, copy.times);
            }
            self.add(copy.site, Kind::AsyncCopy, &somewhere, copy.times);
            return true;
        }
        let device = self.counter.device();
        let [mut read, written] =
            Sums::of_copy(device.async_copy_counts(&copy.copy), copy.certainty);
        if let Some(load) = copy.load() {
            if let Ok(counts) = device.global_counts(&load.request) {
                read.bytes_used = counts.bytes_used.into();
                read.bytes_moved = counts.bytes_moved.into();
            }
            let place = (load.block_index, load.warp, load.occurrence);
            self.offer(load.site, place, &read, &load.request);
            self.add(copy.source_site, Kind::GlobalLoad, &read, copy.times);
        }
        self.add(copy.site, Kind::AsyncCopy, &written, copy.times);
        true
    }
}
