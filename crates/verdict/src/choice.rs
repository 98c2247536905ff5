//! Which place of a source is looked into, and how much of a launch is counted at once.

use std::cmp::Reverse;

use lanescope_lang::{Launch, SiteId};

use crate::{Counted, SiteTally};

/// The place that costs most beyond its ideal.
#[must_use]
pub fn worst(counted: Counted<'_>) -> Option<SiteId> {
    let reached = counted.tallies.iter().filter(|tally| tally.requests > 0);
    let excess = |tally: &&SiteTally| {
        let wasted = tally.global.units.saturating_sub(tally.global.ideal);
        (tally.shared.ways, wasted, Reverse(tally.site))
    };
    reached.max_by_key(excess).map(|tally| tally.site)
}

/// The nearest place in the other memory: of the same line, or the first of all.
#[must_use]
pub fn companion(counted: Counted<'_>, site: SiteId) -> Option<SiteId> {
    let here = counted.site(site)?;
    let others = || {
        let reached = counted.tallies.iter().filter(|tally| tally.requests > 0);
        let placed = reached.filter_map(|tally| Some((tally.site, counted.site(tally.site)?)));
        placed.filter(|(_, other)| other.space != here.space)
    };
    let same_line = others().find(|(_, other)| other.line == here.line);
    same_line.or_else(|| others().next()).map(|(id, _)| id)
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
