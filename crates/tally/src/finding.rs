//! Findings: the accesses that cost more than they need, the costliest first, with each one's share of the waste.
//!
//! Bank conflicts and wasted sectors are made comparable as cycles of the pipe that they occupy: a wavefront takes one
//! cycle of shared memory's pipe, a sector its bytes of what comes into an SM in a cycle
//! ([`Device::fill_bytes_per_cycle`]). Costs are whole numbers of [`Cost::per_cycle`]ths of a cycle, so that shares are
//! exact.

use lanescope_model::{Device, Unit};

use crate::SiteTally;

/// What an access wastes, in parts of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waste(u128);

/// The parts of a cycle that costs are counted in, and what each thing takes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Parts of a cycle: a wavefront takes so many.
    pub per_cycle: u32,
    /// Bytes of a sector, which takes so many parts.
    pub sector_bytes: u32,
}

impl Cost {
    /// Those of a device.
    #[must_use]
    pub fn of(device: &Device) -> Self {
        Self {
            per_cycle: device.fill_bytes_per_cycle(),
            sector_bytes: device.sector_bytes().unwrap_or(32),
        }
    }

    /// What an access takes beyond the least that its lanes' bytes need.
    #[must_use]
    pub fn waste(self, tally: &SiteTally) -> Waste {
        Waste(self.of_conflicts(tally) + self.of_units(tally))
    }

    /// Whether an access wastes no less in conflicts than in sectors.
    pub(crate) fn is_of_conflicts(self, tally: &SiteTally) -> bool {
        self.of_conflicts(tally) >= self.of_units(tally)
    }

    fn of_conflicts(self, tally: &SiteTally) -> u128 {
        u128::from(tally.shared.conflicts) * u128::from(self.per_cycle)
    }

    fn of_units(self, tally: &SiteTally) -> u128 {
        let global = &tally.global;
        let bytes = match global.unit {
            Unit::Sector => u64::from(self.sector_bytes),
            // Lines and transactions have sizes of their own.
            Unit::Line | Unit::Transaction => {
                global.bytes_moved.checked_div(global.units).unwrap_or(0)
            }
        };
        u128::from(global.units.saturating_sub(global.ideal)) * u128::from(bytes)
    }

    /// A waste in cycles, rounded to the nearest.
    #[must_use]
    pub fn cycles(self, waste: Waste) -> u64 {
        let per_cycle = u128::from(self.per_cycle.max(1));
        u64::try_from((waste.0 + per_cycle / 2) / per_cycle).unwrap_or(u64::MAX)
    }
}

/// An access that costs more than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding<'t> {
    /// What it costs.
    pub tally: &'t SiteTally,
    /// What it wastes.
    pub waste: Waste,
    /// Its part of all waste, in hundredths of a percent; the parts of all findings sum to 10,000.
    pub share_basis_points: u32,
}

/// All of a whole in basis points.
const WHOLE: u128 = 10_000;

/// The accesses that waste something on a device, the costliest first, of equal ones the first in the source.
#[must_use]
pub(crate) fn findings<'t>(tallies: &'t [SiteTally], device: &Device) -> Vec<Finding<'t>> {
    let cost = Cost::of(device);
    let mut wasting: Vec<(&SiteTally, Waste)> = tallies
        .iter()
        .map(|tally| (tally, cost.waste(tally)))
        .filter(|(_, waste)| *waste > Waste::default())
        .collect();
    wasting.sort_by_key(|(tally, waste)| (std::cmp::Reverse(*waste), tally.site));
    let shares = shares(&wasting.iter().map(|(_, waste)| waste.0).collect::<Vec<_>>());
    wasting
        .into_iter()
        .zip(shares)
        .map(|((tally, waste), share_basis_points)| Finding {
            tally,
            waste,
            share_basis_points,
        })
        .collect()
}

/// Each part in basis points of their sum, by the method of largest remainders, so that they sum to the whole.
fn shares(parts: &[u128]) -> Vec<u32> {
    let sum: u128 = parts.iter().sum();
    if sum == 0 {
        return vec![0; parts.len()];
    }
    let mut shares: Vec<u128> = parts.iter().map(|part| part * WHOLE / sum).collect();
    let mut by_remainder: Vec<usize> = (0..parts.len()).collect();
    by_remainder
        .sort_by_key(|at| std::cmp::Reverse(parts.get(*at).map_or(0, |part| part * WHOLE % sum)));
    let left = WHOLE - shares.iter().sum::<u128>();
    for at in by_remainder
        .into_iter()
        .take(usize::try_from(left).unwrap_or(0))
    {
        if let Some(share) = shares.get_mut(at) {
            *share += 1;
        }
    }
    shares
        .into_iter()
        .map(|share| u32::try_from(share).unwrap_or(0))
        .collect()
}

/// What a launch takes of both pipes, and what of it is needed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// The fewest that could do.
    pub ideal_wavefronts: u64,
    /// Sectors, lines or transactions of global memory.
    pub units: u64,
    /// The fewest that could do.
    pub ideal_units: u64,
    /// What these are; `None` where nothing asks global memory.
    pub unit: Option<Unit>,
}

impl Need {
    /// That of all accesses.
    #[must_use]
    pub fn of(tallies: &[SiteTally]) -> Self {
        tallies.iter().fold(Self::default(), |sum, tally| Self {
            wavefronts: sum.wavefronts.saturating_add(tally.shared.wavefronts),
            ideal_wavefronts: sum.ideal_wavefronts.saturating_add(tally.shared.ideal),
            units: sum.units.saturating_add(tally.global.units),
            ideal_units: sum.ideal_units.saturating_add(tally.global.ideal),
            unit: (tally.global.units > 0)
                .then_some(tally.global.unit)
                .or(sum.unit),
        })
    }

    /// Wavefronts beyond the fewest.
    #[must_use]
    pub const fn wasted_wavefronts(&self) -> u64 {
        self.wavefronts.saturating_sub(self.ideal_wavefronts)
    }

    /// Sectors, lines or transactions beyond the fewest.
    #[must_use]
    pub const fn wasted_units(&self) -> u64 {
        self.units.saturating_sub(self.ideal_units)
    }

    /// Whether less than a tenth of either is wasted.
    #[must_use]
    pub fn is_nearly_met(&self) -> bool {
        let is_met = |all: u64, ideal: u64| all.saturating_sub(ideal) < all / 10 || all == ideal;
        is_met(self.wavefronts, self.ideal_wavefronts) && is_met(self.units, self.ideal_units)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_frontend::SiteId;

    fn shared(site: u32, wavefronts: u64, ideal: u64) -> SiteTally {
        let mut tally = SiteTally::new(SiteId(site));
        tally.requests = ideal;
        tally.shared.wavefronts = wavefronts;
        tally.shared.ideal = ideal;
        tally.shared.conflicts = wavefronts - ideal;
        tally
    }

    fn global(site: u32, sectors: u64, ideal: u64) -> SiteTally {
        let mut tally = SiteTally::new(SiteId(site));
        tally.requests = ideal;
        tally.global.units = sectors;
        tally.global.ideal = ideal;
        tally
    }

    #[test]
    fn many_small_conflicts_come_before_one_large_one() {
        let device = Device::by_id("cc9.0").expect("the device");
        // One request of 32 ways; a hundred of four; two wasted sectors take a cycle.
        let tallies = [
            shared(0, 32, 1),
            shared(1, 400, 100),
            global(2, 104, 4),
            shared(3, 7, 7),
        ];
        let found = findings(&tallies, device);
        let order: Vec<u32> = found.iter().map(|one| one.tally.site.0).collect();
        assert_eq!(order, [1, 2, 0]);
        let shares: Vec<u32> = found.iter().map(|one| one.share_basis_points).collect();
        // 300, 50 and 31 of 381 cycles.
        assert_eq!(shares, [7_874, 1_312, 814]);
    }

    #[test]
    fn shares_sum_to_the_whole() {
        for parts in [vec![1, 1, 1], vec![5; 7], vec![u128::from(u64::MAX), 1, 2]] {
            assert_eq!(shares(&parts).iter().sum::<u32>(), 10_000, "{parts:?}");
        }
        assert_eq!(shares(&[0, 0]), [0, 0]);
    }

    #[test]
    fn a_tenth_of_waste_is_no_longer_calm() {
        let near = |all, ideal| Need::of(&[shared(0, all, ideal)]).is_nearly_met();
        assert!(near(100, 91) && near(0, 0) && near(5, 5));
        assert!(!near(100, 90) && !near(5, 4));
    }
}
