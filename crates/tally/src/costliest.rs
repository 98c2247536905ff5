//! The request that costs most above its ideal.

use lanescope_ir::SiteId;
use lanescope_model::{LaneMask, Operation, Request, Space, Width};

use crate::Sums;

/// A request that was kept, to be drawn or looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostlyRequest {
    /// The access that made it.
    pub site: SiteId,
    /// Coordinates of its block.
    pub block: [u32; 3],
    /// Its warp in the block.
    pub warp: u32,
    /// How often the warp had come to the access before.
    pub occurrence: u64,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    addresses: Vec<u64>,
}

impl CostlyRequest {
    /// A request of `site` in a block and a warp.
    pub(crate) fn of(
        site: SiteId,
        (block, warp, occurrence): Place,
        request: &Request<'_>,
    ) -> Self {
        let Request {
            space,
            operation,
            width,
            active,
            addresses,
        } = *request;
        Self {
            site,
            block,
            warp,
            occurrence,
            space,
            operation,
            width,
            active,
            addresses: addresses.to_vec(),
        }
    }

    /// As the model takes it.
    #[must_use]
    pub fn request(&self) -> Request<'_> {
        let &Self {
            space,
            operation,
            width,
            active,
            ref addresses,
            ..
        } = self;
        Request {
            space,
            operation,
            width,
            active,
            addresses,
        }
    }
}

/// Where a request was made that costs most of those of its access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstRequest {
    /// Coordinates of its block.
    pub block: [u32; 3],
    /// Its warp in the block.
    pub warp: u32,
    /// How often the warp had come to the access before.
    pub occurrence: u64,
    pub(crate) cost: Cost,
}

impl WorstRequest {
    /// The costlier of two; of equals, the first.
    pub(crate) fn or(first: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (first, other) {
            (Some(first), Some(other)) if other.cost > first.cost => Some(other),
            (None, other) => other,
            (first, _) => first,
        }
    }
}

/// Keeps the costliest request of each access; of equals, the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorstRequests(Vec<Option<WorstRequest>>);

impl WorstRequests {
    /// Keeps a request of the cost `sums` where it is the costliest of its access so far.
    pub(crate) fn offer(&mut self, site: SiteId, (block, warp, occurrence): Place, sums: &Sums) {
        let request = WorstRequest {
            block,
            warp,
            occurrence,
            cost: cost(sums),
        };
        let kept = self.of(site);
        if kept.is_none_or(|kept| request.cost > kept.cost) {
            self.put(site, request);
        }
    }

    /// Takes what another kept, where it costs more.
    pub(crate) fn take(&mut self, other: &mut Self) {
        for (site, request) in (0..).map(SiteId).zip(other.0.drain(..)) {
            if let Some(worst) = WorstRequest::or(self.of(site), request) {
                self.put(site, worst);
            }
        }
    }

    /// That of an access.
    pub(crate) fn of(&self, site: SiteId) -> Option<WorstRequest> {
        self.0.get(site.0 as usize).copied().flatten()
    }

    fn put(&mut self, site: SiteId, request: WorstRequest) {
        let at = site.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, None);
        }
        if let Some(kept) = self.0.get_mut(at) {
            *kept = Some(request);
        }
    }
}

/// Coordinates of a request's block, its warp, and how often the warp had come to the access before.
pub(crate) type Place = ([u32; 3], u32, u64);

/// Conflicts, then units above the ideal, then the cost itself.
type Cost = [u64; 3];

fn cost(sums: &Sums) -> Cost {
    [
        sums.conflicts,
        sums.sectors.saturating_sub(sums.ideal_sectors),
        sums.wavefronts.saturating_add(sums.sectors),
    ]
}

/// Keeps the costliest of requests; of equals, the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costliest(Option<(Cost, CostlyRequest)>);

impl Costliest {
    /// Keeps the request that `request` makes where one of the cost `sums` is the costliest so far.
    pub(crate) fn offer(&mut self, sums: &Sums, request: impl FnOnce() -> CostlyRequest) {
        let cost = cost(sums);
        if self.0.as_ref().is_none_or(|(best, _)| cost > *best) {
            self.0 = Some((cost, request()));
        }
    }

    /// Takes what another kept, where it costs more.
    pub(crate) fn take(&mut self, other: &mut Self) {
        let best = self.0.as_ref().map(|(cost, _)| *cost);
        if let Some(kept) = other.0.take().filter(|(cost, _)| Some(*cost) > best) {
            self.0 = Some(kept);
        }
    }

    /// The request that was kept.
    pub(crate) fn request(&self) -> Option<&CostlyRequest> {
        self.0.as_ref().map(|(_, request)| request)
    }
}
