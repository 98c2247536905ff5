//! A GPU as the model sees it.

use crate::fact::Sourced;
use crate::global_rules::GlobalRules;
use crate::limits::Limits;
use crate::profiles;
use crate::shared_rules::SharedRules;
use crate::{
    Confidence, GlobalCounts, GlobalReport, Request, SharedCounts, SharedReport, Space, Unknown,
    global_walk, shared_walk,
};

/// Who makes a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Vendor {
    /// NVIDIA.
    Nvidia,
    /// AMD.
    Amd,
    /// Intel.
    Intel,
    /// Apple.
    Apple,
    /// Arm.
    Arm,
    /// Described by the user.
    User,
}

/// A generation of GPUs: the rules by which it serves a warp's memory requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    pub(crate) id: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) name: &'static str,
    pub(crate) vendor: Vendor,
    pub(crate) warp_lanes: Sourced<u32>,
    pub(crate) shared: SharedRules,
    pub(crate) global: GlobalRules,
    pub(crate) limits: Limits,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The document, measurement or table of the rule.
    pub source: &'static str,
    /// How far it can be trusted.
    pub confidence: Confidence,
}

impl Device {
    /// The same, with how its lanes are counted at once.
    pub(crate) const fn planned(self) -> Self {
        Self {
            shared: self.shared.planned(self.warp_lanes.value),
            ..self
        }
    }

    /// Every profile, oldest first within a vendor.
    #[must_use]
    pub fn all() -> &'static [Self] {
        &profiles::ALL
    }

    /// The profile named `id` (`cc9.0`, `cdna3`), or that a member of a family (`cc8.9`) is in.
    #[must_use]
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all()
            .iter()
            .find(|device| device.id == id || device.aliases.contains(&id))
    }

    /// The stable short name: `cc9.0`.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.id
    }

    /// The other ids that [`Device::by_id`] takes for this profile.
    #[must_use]
    pub const fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    /// The name in full, with products that people know.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Who makes it.
    #[must_use]
    pub const fn vendor(&self) -> Vendor {
        self.vendor
    }

    /// Lanes of a warp (AMD: wave; Intel: sub-group).
    #[must_use]
    pub const fn warp_lanes(&self) -> u32 {
        self.warp_lanes.value
    }

    /// Banks of shared memory, if they are known and there are any.
    #[must_use]
    pub fn banks(&self) -> Option<u32> {
        self.shared.layout.value.ok().map(|layout| layout.banks)
    }

    /// Bytes of one word of one bank, if known.
    #[must_use]
    pub fn bank_bytes(&self) -> Option<u32> {
        self.shared
            .layout
            .value
            .ok()
            .map(|layout| layout.word_bytes)
    }

    /// Bytes of a sector of global memory, if known; a line's where lines have no sectors.
    #[must_use]
    pub fn sector_bytes(&self) -> Option<u32> {
        self.global.sector_bytes.value.ok()
    }

    /// Bytes of a cache line of global memory (the largest segment on CC 1.x), if known.
    #[must_use]
    pub fn line_bytes(&self) -> Option<u32> {
        self.global.line_bytes.value.ok()
    }

    /// Translation period of shared memory: bytes by which all addresses of a request may move
    /// without a count changing, once around the banks. `None` where none is known.
    #[must_use]
    pub fn shared_period_bytes(&self) -> Option<u64> {
        period(
            u64::from(self.banks()?) * u64::from(self.bank_bytes()?),
            256,
        )
    }

    /// Translation period of global memory: bytes by which all addresses of a request may move
    /// without a count changing, a cache line. `None` where none is known. Atomic operations
    /// whose addresses neither rise nor fall from lane to lane have none: which lines their
    /// passes keep apart depends on every bit of an address.
    #[must_use]
    pub fn global_period_bytes(&self) -> Option<u64> {
        period(self.line_bytes()?.into(), 128)
    }

    /// Bytes of one SM that its L1 cache and shared memory divide; `None` where they are not one
    /// memory, or it is not known how large it is.
    #[must_use]
    pub fn l1_bytes(&self) -> Option<u32> {
        self.limits.l1.map(|known| known.value)
    }

    /// Bytes that come into an SM from L2 in a cycle: what a sector occupies beside a wavefront, which takes one cycle of
    /// shared memory's pipe.
    #[must_use]
    pub const fn fill_bytes_per_cycle(&self) -> u32 {
        self.limits.fill_bytes_per_cycle.value
    }

    /// The most threads that a block may have; `None` where that is not known.
    #[must_use]
    pub const fn threads_per_block(&self) -> Option<u32> {
        match self.limits.threads_per_block {
            Some(most) => Some(most.value),
            None => None,
        }
    }

    /// What `request` to shared memory costs. Does not allocate.
    ///
    /// # Errors
    /// [`Unknown`] where the device's rule for such a request is not known or does not apply.
    pub fn shared_counts(&self, request: &Request<'_>) -> Result<SharedCounts, Unknown> {
        shared_walk::counts(self, request)
    }

    /// What `request` to shared memory costs, and which lanes want which word of which bank.
    ///
    /// # Errors
    /// As [`Device::shared_counts`].
    pub fn shared_report(&self, request: &Request<'_>) -> Result<SharedReport, Unknown> {
        shared_walk::report(self, request)
    }

    /// What `request` to global memory moves. Does not allocate.
    ///
    /// # Errors
    /// [`Unknown`] where the device's rule for such a request is not known or does not apply.
    pub fn global_counts(&self, request: &Request<'_>) -> Result<GlobalCounts, Unknown> {
        global_walk::counts(self, request)
    }

    /// What `request` to global memory moves, and which bytes of it which lanes asked for.
    ///
    /// # Errors
    /// As [`Device::global_counts`].
    pub fn global_report(&self, request: &Request<'_>) -> Result<GlobalReport, Unknown> {
        global_walk::report(self, request)
    }

    /// Which rule answers `request`, and how far it can be trusted: the weakest of the rules
    /// used. Merged phases count only where this request's addresses bring them about.
    #[must_use]
    pub fn basis(&self, request: &Request<'_>) -> Basis {
        match request.space {
            Space::Shared => shared_walk::basis(self, request),
            Space::Global => global_walk::basis(self, request),
        }
    }

    /// How far the answer to `request` can be trusted; [`Confidence::Unknown`] where there is
    /// none.
    #[must_use]
    pub fn confidence(&self, request: &Request<'_>) -> Confidence {
        self.basis(request).confidence
    }
}

impl Default for &'static Device {
    /// CC 9.0, the device that was measured.
    fn default() -> Self {
        &profiles::MEASURED
    }
}

impl Default for Device {
    /// CC 9.0, the device that was measured.
    fn default() -> Self {
        profiles::MEASURED.clone()
    }
}

/// A multiple of `bytes` that is at least `least`; `None` unless `bytes` is a power of two.
const fn period(bytes: u64, least: u64) -> Option<u64> {
    if !bytes.is_power_of_two() {
        return None;
    }
    Some(if bytes < least { least } else { bytes })
}
