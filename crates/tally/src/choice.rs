//! Which place of a source is looked into, and how much of a launch is counted at once.

use std::cmp::Reverse;

use lanescope_cuda::source::Launch;
use lanescope_ir::SiteId;

use crate::headline::{conflicts, costliest, wasted_units};
use crate::{Counted, SiteTally};

/// The place that costs most beyond its ideal: that of the headline.
#[must_use]
pub fn worst(counted: Counted<'_>) -> Option<SiteId> {
    let reached = counted.tallies.iter().filter(|tally| tally.requests > 0);
    costliest(counted).or_else(|| {
        reached
            .max_by_key(|tally| excess(tally))
            .map(|tally| tally.site)
    })
}

/// How bad a place is: by conflicts, then by units moved for nothing; where there is neither, shared memory comes first.
fn excess(tally: &SiteTally) -> impl Ord + use<> {
    let is_shared = tally.shared.requests > 0;
    (
        conflicts(tally),
        wasted_units(tally),
        is_shared,
        Reverse(tally.site),
    )
}

/// The place in the other memory to look at beside `site`: of the same line, or the one that costs most beyond its ideal.
#[must_use]
pub fn companion(counted: Counted<'_>, site: SiteId) -> Option<SiteId> {
    let here = counted.site(site)?;
    let others = || {
        let reached = counted.tallies.iter().filter(|tally| tally.requests > 0);
        let placed = reached.filter_map(|tally| Some((tally, counted.site(tally.site)?)));
        placed.filter(|(_, other)| other.space != here.space)
    };
    let same_line = others().find(|(_, other)| other.line == here.line);
    let worst = || others().max_by_key(|(tally, _)| excess(tally));
    same_line.or_else(worst).map(|(tally, _)| tally.site)
}

/// The most requests that are counted at once; more blocks are left for when they are asked for.
pub const REQUESTS_AT_ONCE: u64 = 4096;

/// How many blocks of a launch are counted at once: at least one, and no more requests than are answered within a frame.
#[must_use]
pub fn blocks_at_once(sites: usize, launch: &Launch) -> u64 {
    let warps = launch.block_threads().div_ceil(32).max(1);
    let sites = u64::try_from(sites).unwrap_or(u64::MAX).max(1);
    (REQUESTS_AT_ONCE / warps.saturating_mul(sites)).max(1)
}

#[cfg(test)]
mod tests {
    use lanescope_cuda::parse_expression;
    use lanescope_cuda::source::{Budget, Launch, execute};
    use lanescope_ir::SiteId;
    use lanescope_model::{Device, Operation};
    use lanescope_simt::Access;

    use super::{Counted, companion, worst};
    use crate::SiteTally;

    /// Which of `accesses` costs most, and which is looked at beside it.
    fn chosen(accesses: &str) -> [Option<u32>; 2] {
        let declarations = "__shared__ float s[32][33]; float *g;";
        let program = parse_expression(declarations, accesses, Operation::Load).program;
        let device = Device::by_id("cc9.0").expect("a profile");
        let sites = program.sites();
        let mut tallies: Vec<SiteTally> = (0..)
            .take(sites.len())
            .map(|site| SiteTally::new(SiteId(site)))
            .collect();
        let mut count = |access: &Access<'_>| {
            tallies[access.site.0 as usize].count(device, &access.request);
            true
        };
        let launch = Launch::new([1, 1, 1], [32, 1, 1]);
        execute(&program, &launch, 32, Budget::default(), &mut count);
        let counted = Counted {
            device: Some(device),
            sites,
            tallies: &tallies,
        };
        let site = worst(counted);
        let beside = site.and_then(|site| companion(counted, site));
        [site, beside].map(|site| site.map(|site| site.0))
    }

    #[test]
    fn a_conflict_comes_before_sectors_moved_for_nothing() {
        assert_eq!(
            chosen("g[tx * 8]\ns[0][tx]\ns[0][tx * 2]"),
            [Some(2), Some(0)]
        );
    }

    #[test]
    fn sectors_moved_for_nothing_come_before_a_place_that_is_free() {
        assert_eq!(chosen("s[0][tx]\ng[tx]\ng[tx * 8]"), [Some(2), Some(0)]);
    }

    #[test]
    fn the_worst_of_the_other_memory_is_looked_at_beside() {
        assert_eq!(chosen("g[tx]\ng[tx * 8]\ns[0][tx * 4]"), [Some(2), Some(1)]);
    }

    #[test]
    fn of_places_without_fault_the_first_in_shared_memory_is_looked_at() {
        assert_eq!(chosen("g[tx]\ns[1][tx]\ns[0][tx]"), [Some(1), Some(0)]);
    }
}
