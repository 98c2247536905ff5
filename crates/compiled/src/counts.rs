//! Sums over the requests of compiled code, by access.

use crate::costliest::{Asked, Cost, Costliest};
use lanescope_ir::SiteId;
use lanescope_model::{Device, Operation, Request, Space};
use lanescope_simt::{
    Access, AffineAccess, AsyncCopyAccess, BlockDone, Certainty, Observer, Periods, Ranges,
};
use lanescope_tally::{Counter, Kind, Repeat, Repeats};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Told the blocks that are done so far; `false` stops the run.
pub type KeepGoing<'k> = &'k (dyn Fn(u64) -> bool + Sync);

/// Who is told, and the blocks that all who count have done.
#[derive(Clone, Copy)]
pub(crate) struct Watch<'k> {
    pub(crate) keep_going: KeepGoing<'k>,
    pub(crate) blocks_done: &'k AtomicU64,
}

impl Watch<'_> {
    fn goes_on(&self) -> bool {
        (self.keep_going)(self.blocks_done.load(Ordering::Relaxed))
    }
}

/// What one access cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SiteCounts {
    pub(crate) requests: u64,
    pub(crate) wavefronts: u64,
    pub(crate) ideal_wavefronts: u64,
    pub(crate) sectors: u64,
    pub(crate) ideal_sectors: u64,
    /// Sectors as the profiler's source page counts them: fewer than `sectors` where an atomic's lanes share an address,
    /// each of which asks; more where a copy past L1 fills a unit from two sectors of a line.
    pub(crate) page_sectors: u64,
    /// n of "n-way" of its worst request.
    pub(crate) ways: u32,
    /// Requests that have no number on the device.
    pub(crate) unknown: u64,
    /// Requests of which `wavefronts` has a lower bound.
    pub(crate) bounds: u64,
    /// Requests whose lanes write one place from different sources, of which `sectors` has what the lowest lane takes.
    pub(crate) rivals: u64,
    /// The least certain of its requests.
    pub(crate) certainty: Certainty,
}

impl SiteCounts {
    fn add(&mut self, other: &Self, times: u64) {
        self.requests += other.requests * times;
        self.wavefronts += other.wavefronts * times;
        self.ideal_wavefronts += other.ideal_wavefronts * times;
        self.sectors += other.sectors * times;
        self.ideal_sectors += other.ideal_sectors * times;
        self.page_sectors += other.page_sectors * times;
        self.unknown += other.unknown * times;
        self.bounds += other.bounds * times;
        self.rivals += other.rivals * times;
        self.ways = self.ways.max(other.ways);
        self.certainty = self.certainty.max(other.certainty);
    }
}

/// What an access is, as the profiler's counters tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
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
    pub(crate) const fn is_shared(self) -> bool {
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

/// Requests on lines, of a site, each as certain as the others.
type LineRepeats = Repeats<(SiteId, Certainty), (Class, SiteCounts)>;

/// Sums by access and class.
pub(crate) struct Counts<'d> {
    counter: Counter<'d>,
    watch: Watch<'d>,
    /// Whether the run may be cut where its blocks would run one by one.
    pub(crate) may_cut: bool,
    /// Whether it was.
    pub(crate) is_cut: bool,
    /// Whether the blocks that were left are alike but for accesses that hang on data.
    pub(crate) alike: bool,
    /// The request that costs most above its ideal; of equals, the first.
    pub(crate) costliest: Option<Costliest>,
    /// Of blocks that are done.
    pub(crate) sites: BTreeMap<(SiteId, Class), SiteCounts>,
    /// What is to be added to `block`.
    repeats: LineRepeats,
    /// `[site]`: of the block that runs.
    block: Vec<Vec<(Class, SiteCounts)>>,
}

impl<'d> Counts<'d> {
    /// Of nothing yet.
    pub(crate) fn new(device: &'d Device, watch: Watch<'d>) -> Self {
        Self {
            counter: Counter::new(device),
            watch,
            may_cut: false,
            is_cut: false,
            alike: false,
            costliest: None,
            sites: BTreeMap::new(),
            repeats: Repeats::default(),
            block: Vec::new(),
        }
    }

    fn count(&mut self, asked: &Asked<'_>, certainty: Certainty, times: u64) {
        let one = self.cost(asked, certainty);
        self.add(asked.site, Class::of(&asked.request), &one, times);
    }

    /// What a request costs, which may be the costliest.
    fn cost(&mut self, asked: &Asked<'_>, certainty: Certainty) -> SiteCounts {
        let request = &asked.request;
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
                    one.ways = counts.ways;
                }
                Err(_) => one.unknown = 1,
            },
            Space::Global => match self.counter.global_counts(request) {
                Ok(counts) => {
                    one.sectors = counts.units.into();
                    one.ideal_sectors = counts.ideal_units.into();
                    one.page_sectors = self.addressed_sectors(request, counts.units).into();
                }
                Err(_) => one.unknown = 1,
            },
        }
        self.keep_costliest(asked, &one);
        one
    }

    /// Counts a request on a line that is like none that is remembered.
    fn count_line(&mut self, to: (SiteId, Certainty), repeat: &Repeat, access: &AffineAccess) {
        let addresses = access.addresses();
        let asked = Asked {
            site: to.0,
            block: access.block_index,
            warp: access.warp,
            occurrence: access.occurrence,
            request: access.request(&addresses),
        };
        let one = self.cost(&asked, access.certainty);
        let class = Class::of(&asked.request);
        let mut repeats = std::mem::take(&mut self.repeats);
        repeats.remember(
            to,
            repeat,
            (class, one),
            access.times,
            |(site, _), (class, one), times| {
                self.add(site, *class, one, times);
            },
        );
        self.repeats = repeats;
    }

    /// Adds what is counted by the times it was made to the block that runs.
    fn settle(&mut self) {
        let mut repeats = std::mem::take(&mut self.repeats);
        repeats.settle(|(site, _), (class, one), times| self.add(site, *class, one, times));
        self.repeats = repeats;
    }

    /// Adds a request of the block that runs.
    fn add(&mut self, site: SiteId, class: Class, one: &SiteCounts, times: u64) {
        if self.block.len() <= site.index() {
            self.block.resize_with(site.index() + 1, Vec::new);
        }
        let Some(classes) = self.block.get_mut(site.index()) else {
            return;
        };
        match classes.iter_mut().find(|(of, _)| *of == class) {
            Some((_, counts)) => counts.add(one, times),
            None => {
                let mut counts = SiteCounts::default();
                counts.add(one, times);
                classes.push((class, counts));
            }
        }
    }

    /// Adds what was counted of the blocks that follow.
    pub(crate) fn append(&mut self, next: Self) {
        for (key, counts) in next.sites {
            self.sites.entry(key).or_default().add(&counts, 1);
        }
        let costs_more = |kept: &Costliest| {
            let ours = self.costliest.as_ref();
            ours.is_none_or(|ours| kept.cost > ours.cost)
        };
        if let Some(kept) = next.costliest.filter(costs_more) {
            self.costliest = Some(kept);
        }
    }

    /// Adds the block that ran, for so many.
    pub(crate) fn close(&mut self, times: u64) {
        self.settle();
        for (site, classes) in (0..).map(SiteId).zip(&mut self.block) {
            for (class, counts) in classes.drain(..) {
                self.sites
                    .entry((site, class))
                    .or_default()
                    .add(&counts, times);
            }
        }
    }

    /// Sectors of the addresses of a request that takes `sectors`.
    fn addressed_sectors(&mut self, request: &Request<'_>, sectors: u32) -> u32 {
        let has_contention = match request.operation {
            Operation::Load
            | Operation::Store
            | Operation::MatrixLoad { .. }
            | Operation::MatrixStore { .. } => false,
            Operation::Atomic
            | Operation::Reduction
            | Operation::Increment
            | Operation::CompareAndSwap => true,
        };
        if !has_contention {
            return sectors;
        }
        let load = Request {
            operation: Operation::Load,
            ..*request
        };
        self.counter
            .global_counts(&load)
            .map_or(sectors, |counts| counts.units)
    }

    fn keep_costliest(&mut self, asked: &Asked<'_>, counts: &SiteCounts) {
        let cost = Cost {
            conflicts: counts.wavefronts - counts.ideal_wavefronts,
            excess_sectors: counts.sectors.saturating_sub(counts.ideal_sectors),
            units: counts.wavefronts + counts.sectors,
        };
        if self.costliest.as_ref().is_none_or(|kept| cost > kept.cost) {
            self.costliest = Some(Costliest::of(asked, cost));
        }
    }

    /// What a block may be moved by without a count changing.
    pub(crate) fn periods(&self) -> Periods {
        let (shared, global) = self.counter.periods();
        Periods { shared, global }
    }

    /// The sums of one class.
    pub(crate) fn class(&self, class: Class) -> SiteCounts {
        let mut all = SiteCounts::default();
        for (_, counts) in self.sites.iter().filter(|((_, of), _)| *of == class) {
            all.add(counts, 1);
        }
        all
    }
}

/// What an asynchronous copy costs on either side.
struct CopyCounts {
    /// Of global memory; `None` where no lane reads.
    read: Option<SiteCounts>,
    /// Of shared memory.
    written: SiteCounts,
}

impl CopyCounts {
    fn of(device: &Device, access: &AsyncCopyAccess<'_>) -> Self {
        let copy = &access.copy;
        let one = SiteCounts {
            requests: 1,
            certainty: access.certainty,
            ..SiteCounts::default()
        };
        let reads = copy.active.0 & copy.reads.0 != 0;
        let Ok(counts) = device.async_copy_counts(copy) else {
            let unknown = SiteCounts { unknown: 1, ..one };
            return Self {
                read: reads.then_some(unknown),
                written: unknown,
            };
        };
        let read = SiteCounts {
            sectors: counts.sectors.into(),
            ideal_sectors: counts.ideal_sectors.into(),
            page_sectors: counts.page_sectors.into(),
            rivals: u64::from(!counts.has_exact_sectors),
            ..one
        };
        let written = SiteCounts {
            wavefronts: counts.wavefronts.into(),
            ideal_wavefronts: counts.ideal_wavefronts.into(),
            ways: counts.ways,
            bounds: u64::from(!counts.has_exact_wavefronts),
            ..one
        };
        Self {
            read: reads.then_some(read),
            written,
        }
    }
}

impl Observer for Counts<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let asked = Asked {
            site: access.site,
            block: access.block_index,
            warp: access.warp,
            occurrence: access.occurrence,
            request: access.request,
        };
        self.count(&asked, access.certainty, access.times);
        self.watch.goes_on()
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let repeat = LineRepeats::request(&self.counter, site.0, access)?;
        let to = (site, access.certainty);
        if !self.repeats.count(to, &repeat, access.times) {
            self.count_line(to, &repeat, access);
        }
        Some(self.watch.goes_on())
    }

    fn async_copy(&mut self, access: &AsyncCopyAccess<'_>) -> bool {
        let halves = CopyCounts::of(self.counter.device(), access);
        if let Some(read) = halves.read {
            let asked = Asked {
                site: access.source_site,
                block: access.block_index,
                warp: access.warp,
                occurrence: access.occurrence,
                request: Request {
                    space: Space::Global,
                    operation: Operation::Load,
                    width: access.copy.width,
                    active: access.copy.reads,
                    addresses: access.copy.sources,
                },
            };
            self.keep_costliest(&asked, &read);
            let class = Class::Plain(Kind::GlobalLoad);
            self.add(access.source_site, class, &read, access.times);
        }
        self.add(access.site, Class::Copy, &halves.written, access.times);
        self.watch.goes_on()
    }

    fn goes_on(&mut self) -> bool {
        self.watch.goes_on()
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.close(done.times);
        let blocks_done = &self.watch.blocks_done;
        blocks_done.fetch_add(done.times, Ordering::Relaxed);
        self.watch.goes_on()
    }

    fn one_by_one(&mut self, blocks: u64, alike: bool) -> bool {
        self.alike = alike;
        self.is_cut = self.may_cut && blocks >= Ranges::FEWEST_BLOCKS;
        !self.is_cut
    }
}
