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
        (block, warp, occurrence): ([u32; 3], u32, u64),
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

/// Conflicts, then units above the ideal, then the cost itself.
type Cost = (u64, u64, u64);

/// Keeps the costliest of requests; of equals, the first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Costliest(Option<(Cost, CostlyRequest)>);

impl Costliest {
    /// Keeps the request that `request` makes where one of the cost `sums` is the costliest so far.
    pub(crate) fn offer(&mut self, sums: &Sums, request: impl FnOnce() -> CostlyRequest) {
        let cost = (
            sums.conflicts,
            sums.sectors.saturating_sub(sums.ideal_sectors),
            sums.wavefronts.saturating_add(sums.sectors),
        );
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
