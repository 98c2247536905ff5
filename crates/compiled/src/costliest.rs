//! The request that costs most above its ideal.

use lanescope_ir::SiteId;
use lanescope_model::{LaneMask, Operation, Request, Space, Width};

/// A request and where it was made.
pub(crate) struct Asked<'a> {
    pub(crate) site: SiteId,
    pub(crate) block: [u32; 3],
    pub(crate) warp: u32,
    pub(crate) occurrence: u64,
    pub(crate) request: Request<'a>,
}

/// Conflicts first, then sectors above the ideal, then the cost itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    pub(crate) conflicts: u64,
    pub(crate) excess_sectors: u64,
    pub(crate) units: u64,
}

/// A request that was kept, to be drawn or looked at.
#[derive(Clone, Debug)]
pub struct Costliest {
    pub(crate) cost: Cost,
    pub(crate) site: SiteId,
    /// Coordinates of its block.
    pub block: [u32; 3],
    /// Its warp in the block.
    pub warp: u32,
    /// How often the warp had come to the instruction before.
    pub occurrence: u64,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    addresses: Vec<u64>,
}

impl Costliest {
    pub(crate) fn of(asked: &Asked<'_>, cost: Cost) -> Self {
        let Request {
            space,
            operation,
            width,
            active,
            addresses,
        } = asked.request;
        Self {
            cost,
            site: asked.site,
            block: asked.block,
            warp: asked.warp,
            occurrence: asked.occurrence,
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
        Request {
            space: self.space,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: &self.addresses,
        }
    }
}
