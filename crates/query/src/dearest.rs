//! The request that costs most above its ideal.

use lanescope_cuda::source::{Access, Observer, SiteId};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

/// A request that was kept to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) block: [u32; 3],
    pub(crate) warp: u32,
    pub(crate) occurrence: u32,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    addresses: Vec<u64>,
}

impl Kept {
    fn of(access: &Access<'_>) -> Self {
        let Request {
            space,
            operation,
            width,
            active,
            addresses,
        } = access.request;
        let Access {
            block,
            warp,
            occurrence,
            ..
        } = *access;
        Self {
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
    pub(crate) fn request(&self) -> Request<'_> {
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
type Cost = (u32, u32, u32);

/// Keeps the dearest request of the sites it watches; of equals, the first.
pub(crate) struct Dearest<'a> {
    pub(crate) device: &'a Device,
    pub(crate) watches: &'a dyn Fn(SiteId) -> bool,
    pub(crate) kept: Option<(Cost, Kept)>,
}

impl Dearest<'_> {
    fn cost(&self, request: &Request<'_>) -> Cost {
        match request.space {
            Space::Shared => self
                .device
                .shared_counts(request)
                .map_or((0, 0, 0), |counts| (counts.conflicts, 0, counts.wavefronts)),
            Space::Global => self
                .device
                .global_counts(request)
                .map_or((0, 0, 0), |counts| {
                    (
                        0,
                        counts.units.saturating_sub(counts.ideal_units),
                        counts.units,
                    )
                }),
        }
    }
}

impl Observer for Dearest<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        if (self.watches)(access.site) {
            let cost = self.cost(&access.request);
            if self.kept.as_ref().is_none_or(|(best, _)| cost > *best) {
                self.kept = Some((cost, Kept::of(access)));
            }
        }
        true
    }
}
