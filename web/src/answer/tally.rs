//! Sums over requests.

use lanescope_lang::SiteId;
use lanescope_model::{Device, GlobalCounts, Request, SharedCounts, Space, Unit, Unknown};

/// Sums over requests to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SharedTotals {
    pub(crate) requests: u64,
    /// The most that the hardware can take.
    pub(crate) wavefronts: u64,
    /// The fewest.
    pub(crate) wavefronts_least: u64,
    pub(crate) ideal: u64,
    pub(crate) conflicts: u64,
    /// The worst of all requests.
    pub(crate) ways: u32,
}

impl SharedTotals {
    fn count(&mut self, counts: SharedCounts) {
        self.add(&Self {
            requests: 1,
            wavefronts: counts.wavefronts.into(),
            wavefronts_least: counts.wavefronts_least.into(),
            ideal: counts.ideal_wavefronts.into(),
            conflicts: counts.conflicts.into(),
            ways: counts.ways,
        });
    }

    /// Adds the sums of other requests.
    pub(crate) fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.wavefronts += other.wavefronts;
        self.wavefronts_least += other.wavefronts_least;
        self.ideal += other.ideal;
        self.conflicts += other.conflicts;
        self.ways = self.ways.max(other.ways);
    }
}

/// Sums over requests to global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobalTotals {
    pub(crate) unit: Unit,
    pub(crate) requests: u64,
    pub(crate) units: u64,
    pub(crate) ideal: u64,
    pub(crate) bytes_used: u64,
    pub(crate) bytes_moved: u64,
}

impl Default for GlobalTotals {
    fn default() -> Self {
        Self {
            unit: Unit::Sector,
            requests: 0,
            units: 0,
            ideal: 0,
            bytes_used: 0,
            bytes_moved: 0,
        }
    }
}

impl GlobalTotals {
    fn count(&mut self, counts: GlobalCounts) {
        self.add(&Self {
            unit: counts.unit,
            requests: counts.requests.into(),
            units: counts.units.into(),
            ideal: counts.ideal_units.into(),
            bytes_used: counts.bytes_used.into(),
            bytes_moved: counts.bytes_moved.into(),
        });
    }

    /// Adds the sums of other requests, counted in the same unit.
    pub(crate) fn add(&mut self, other: &Self) {
        self.unit = other.unit;
        self.requests += other.requests;
        self.units += other.units;
        self.ideal += other.ideal;
        self.bytes_used += other.bytes_used;
        self.bytes_moved += other.bytes_moved;
    }

    /// Units a request, in hundredths.
    pub(crate) fn per_request_hundredths(&self) -> u64 {
        hundredths(self.units, self.requests)
    }

    /// Ideal units a request, in hundredths.
    pub(crate) fn ideal_per_request_hundredths(&self) -> u64 {
        hundredths(self.ideal, self.requests)
    }

    /// Bytes used of bytes moved, in hundredths of a percent.
    pub(crate) fn used_basis_points(&self) -> u64 {
        hundredths(self.bytes_used * 100, self.bytes_moved)
    }
}

fn hundredths(number: u64, of: u64) -> u64 {
    (number * 100 + of / 2).checked_div(of).unwrap_or(0)
}

/// What one place of the source costs on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SiteTally {
    pub(crate) site: SiteId,
    /// Warp instructions.
    pub(crate) requests: u64,
    pub(crate) shared: SharedTotals,
    pub(crate) global: GlobalTotals,
    /// Why there is no number, where there is none.
    pub(crate) unknown: Option<Unknown>,
}

impl SiteTally {
    /// Of no request yet.
    pub(crate) fn new(site: SiteId) -> Self {
        Self {
            site,
            requests: 0,
            shared: SharedTotals::default(),
            global: GlobalTotals::default(),
            unknown: None,
        }
    }

    /// Counts one request.
    pub(crate) fn count(&mut self, device: &Device, request: &Request<'_>) {
        self.requests += 1;
        let counted = match request.space {
            Space::Shared => device
                .shared_counts(request)
                .map(|counts| self.shared.count(counts)),
            Space::Global => device
                .global_counts(request)
                .map(|counts| self.global.count(counts)),
        };
        self.unknown = self.unknown.or(counted.err());
    }

    /// n of n-way; 0 where nothing went to shared memory.
    pub(crate) const fn ways(&self) -> u32 {
        self.shared.ways
    }
}
