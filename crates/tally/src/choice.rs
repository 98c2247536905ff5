//! Which place of a source is looked into, and how much of a launch is counted at once.

use std::cmp::Reverse;

use lanescope_frontend::NamedLaunch;
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
pub fn blocks_at_once(sites: usize, launch: &NamedLaunch) -> u64 {
    let warps = launch.block_threads().div_ceil(32).max(1);
    let sites = u64::try_from(sites).unwrap_or(u64::MAX).max(1);
    (REQUESTS_AT_ONCE / warps.saturating_mul(sites)).max(1)
}
