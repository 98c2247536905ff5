//! What a verdict is made of.

use crate::SiteTally;
use lanescope_cuda::source::Site;
use lanescope_ir::SiteId;
use lanescope_model::Device;

/// The places of a source, what each costs, and the device it was counted for.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    /// `None`: there is no such device.
    pub device: Option<&'a Device>,
    /// Every place that touches memory, by its id.
    pub sites: &'a [Site],
    /// What they cost.
    pub tallies: &'a [SiteTally],
}

impl<'a> Counted<'a> {
    /// The place with this id.
    #[must_use]
    pub fn site(self, id: SiteId) -> Option<&'a Site> {
        self.sites.get(id.0 as usize)
    }
}
