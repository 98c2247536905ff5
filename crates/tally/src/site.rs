//! Sums over requests.

use crate::{Kind, Sums, WorstRequest};
use lanescope_ir::SiteId;
use lanescope_model::{Device, GlobalCounts, Request, SharedCounts, Space, Unit, Unknown};
use lanescope_simt::Certainty;

/// Sums over requests to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedTotals {
    /// Warp instructions.
    pub requests: u64,
    /// The most that the hardware can take.
    pub wavefronts: u64,
    /// The fewest.
    pub wavefronts_least: u64,
    /// The fewest that could do.
    pub ideal: u64,
    /// Wavefronts beyond those.
    pub conflicts: u64,
    /// The worst of all requests.
    pub ways: u32,
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
    pub fn add(&mut self, other: &Self) {
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
pub struct GlobalTotals {
    /// What is counted.
    pub unit: Unit,
    /// Warp instructions.
    pub requests: u64,
    /// Sectors, lines or transactions.
    pub units: u64,
    /// The fewest that could do.
    pub ideal: u64,
    /// Bytes that lanes asked for.
    pub bytes_used: u64,
    /// Bytes moved for them.
    pub bytes_moved: u64,
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
    pub fn add(&mut self, other: &Self) {
        self.unit = other.unit;
        self.requests += other.requests;
        self.units += other.units;
        self.ideal += other.ideal;
        self.bytes_used += other.bytes_used;
        self.bytes_moved += other.bytes_moved;
    }

    /// Units a request, in hundredths.
    #[must_use]
    pub fn per_request_hundredths(&self) -> u64 {
        hundredths(self.units, self.requests)
    }

    /// Ideal units a request, in hundredths.
    #[must_use]
    pub fn ideal_per_request_hundredths(&self) -> u64 {
        hundredths(self.ideal, self.requests)
    }

    /// Bytes used of bytes moved, in hundredths of a percent.
    #[must_use]
    pub fn used_basis_points(&self) -> u64 {
        hundredths(self.bytes_used * 100, self.bytes_moved)
    }
}

fn hundredths(number: u64, of: u64) -> u64 {
    (number * 100 + of / 2).checked_div(of).unwrap_or(0)
}

/// What one place of the source costs on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteTally {
    /// The place.
    pub site: SiteId,
    /// Warp instructions.
    pub requests: u64,
    /// What its requests to shared memory cost.
    pub shared: SharedTotals,
    /// What its requests to global memory cost.
    pub global: GlobalTotals,
    /// Why there is no number, where there is none.
    pub unknown: Option<Unknown>,
    /// The least certain of its requests.
    pub certainty: Certainty,
    /// Requests of asynchronous copies whose wavefronts are a lower bound.
    pub bounds: u64,
    /// Requests of asynchronous copies whose lanes write one place from different sources.
    pub rivals: u64,
    /// Its costliest request, where one was seen by itself: what asynchronous copies write is not.
    pub worst: Option<WorstRequest>,
}

impl SiteTally {
    /// Of no request yet.
    #[must_use]
    pub fn new(site: SiteId) -> Self {
        Self {
            site,
            requests: 0,
            shared: SharedTotals::default(),
            global: GlobalTotals::default(),
            unknown: None,
            certainty: Certainty::Certain,
            bounds: 0,
            rivals: 0,
            worst: None,
        }
    }

    /// Counts one request that follows from the launch.
    pub fn count(&mut self, device: &Device, request: &Request<'_>) {
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

    /// Adds the sums of requests of one kind.
    pub(crate) fn add_kind(&mut self, kind: Kind, sums: &Sums) {
        self.requests += sums.requests;
        self.unknown = self.unknown.or(sums.unknown);
        self.certainty = self.certainty.max(sums.certainty);
        self.bounds += sums.bounds;
        self.rivals += sums.rivals;
        // A request that the model does not know is counted nowhere but above.
        let counted = if sums.unknown.is_none() {
            sums.requests
        } else {
            0
        };
        if kind.is_shared() {
            self.shared.add(&SharedTotals {
                requests: counted,
                wavefronts: sums.wavefronts,
                wavefronts_least: sums.wavefronts_least,
                ideal: sums.ideal_wavefronts,
                conflicts: sums.conflicts,
                ways: sums.ways,
            });
        } else if let Some(unit) = sums.unit {
            self.global.add(&GlobalTotals {
                unit,
                requests: sums.global_requests,
                units: sums.sectors,
                ideal: sums.ideal_sectors,
                bytes_used: sums.bytes_used,
                bytes_moved: sums.bytes_moved,
            });
        }
    }

    /// Adds the sums of other requests of the same place on the same device.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.shared.add(&other.shared);
        if other.global.requests != 0 {
            self.global.add(&other.global);
        }
        self.unknown = self.unknown.or(other.unknown);
        self.certainty = self.certainty.max(other.certainty);
        self.bounds += other.bounds;
        self.rivals += other.rivals;
        self.worst = WorstRequest::or(self.worst, other.worst);
    }

    /// The sums of `total` blocks that each cost what one of these `done` costs; sums that `done` does not divide
    /// stay as they are.
    #[must_use]
    pub fn extrapolated(mut self, done: u64, total: u64) -> Self {
        let sums = [
            &mut self.requests,
            &mut self.shared.requests,
            &mut self.shared.wavefronts,
            &mut self.shared.wavefronts_least,
            &mut self.shared.ideal,
            &mut self.shared.conflicts,
            &mut self.global.requests,
            &mut self.global.units,
            &mut self.global.ideal,
            &mut self.global.bytes_used,
            &mut self.global.bytes_moved,
        ];
        if done > 0 && sums.iter().all(|sum| **sum % done == 0) {
            for sum in sums {
                *sum = (*sum / done).saturating_mul(total);
            }
        }
        self
    }

    /// n of n-way; 0 where nothing went to shared memory.
    #[must_use]
    pub const fn ways(&self) -> u32 {
        self.shared.ways
    }
}
