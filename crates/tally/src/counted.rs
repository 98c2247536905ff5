//! What a verdict is made of.

use crate::finding::findings;
use crate::{Finding, SiteTally, UncertainCopy};
use lanescope_frontend::SourceSite;
use lanescope_ir::SiteId;
use lanescope_model::Device;

/// The places of a source, what each costs, and the device it was counted for.
#[derive(Clone, Copy, Debug)]
pub struct Counted<'a> {
    /// `None`: there is no such device.
    pub device: Option<&'a Device>,
    /// Every place that touches memory, by its id.
    pub sites: &'a [SourceSite],
    /// What they cost.
    pub tallies: &'a [SiteTally],
}

impl<'a> Counted<'a> {
    /// Asynchronous copies whose counts the hardware's rule does not settle.
    #[must_use]
    pub fn uncertain_copies(self) -> Vec<UncertainCopy> {
        let uncertain = self
            .tallies
            .iter()
            .filter(|tally| tally.bounds + tally.rivals > 0);
        uncertain
            .map(|one| UncertainCopy {
                line: self.site(one.site).map_or(0, |site| site.line),
                least: (one.bounds > 0).then_some(one.shared.wavefronts),
                has_rivals: one.rivals > 0,
            })
            .collect()
    }

    /// The accesses that waste something, the costliest first; none without a device.
    #[must_use]
    pub fn findings(self) -> Vec<Finding<'a>> {
        self.device
            .map(|device| findings(self.tallies, device))
            .unwrap_or_default()
    }

    /// The place with this id.
    #[must_use]
    pub fn site(self, id: SiteId) -> Option<&'a SourceSite> {
        self.sites.get(id.0 as usize)
    }
}
