//! The verdict: the one finding of an answer that matters most.
//!
//! The costliest access leads, by the unit of the findings: cycles of the pipe that each occupies. The sentence is about
//! its line, all accesses of the same kind there together. What the device's model does not know comes before sectors
//! moved for nothing, and after any bank conflict. Of equal places the first is named.

use lanescope_ir::SiteId;
use lanescope_model::{Operation, Space, Unit, Unknown};

use crate::finding::{Cost, Waste};
use crate::{Counted, GlobalTotals, Kind, SharedTotals, SiteTally, Status};

/// The sentence and what it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The sentence.
    pub headline: Headline,
    /// The place it is about, when it is about one.
    pub site: Option<SiteId>,
    /// Sums over all accesses to shared memory.
    pub shared: Option<SharedTotals>,
    /// Sums over all accesses to global memory.
    pub global: Option<GlobalTotals>,
    /// n of n-way; 0 without shared memory.
    pub ways: u32,
}

/// What there is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Headline {
    /// Nothing typed, or nothing that could be read.
    Nothing,
    /// No lane takes part.
    Nobody,
    /// The costliest line has conflicts; `least` where the hardware may choose.
    Conflict {
        /// n of n-way of its worst request.
        ways: u32,
        /// Whether it may be less.
        least: bool,
    },
    /// Shared memory, without conflict.
    Free,
    /// Global memory, more pieces than needed: how many times as many, in hundredths.
    Scattered {
        /// What is counted.
        unit: Unit,
        /// How many times as many, in hundredths.
        times_hundredths: u64,
    },
    /// Global memory, as few pieces as can be.
    Coalesced,
    /// The model does not know.
    Unknown(Unknown),
    /// There is no such device.
    NoDevice,
}

/// The verdict on the whole answer.
#[must_use]
pub fn verdict(answer: Counted<'_>) -> Verdict {
    let shared = shared_totals(answer, |_| true);
    let global = global_totals(answer, |_| true);
    let ways = shared.map_or(0, |totals| totals.ways);
    let (headline, site) = headline(answer);
    Verdict {
        headline,
        site,
        shared,
        global,
        ways,
    }
}

fn headline(answer: Counted<'_>) -> (Headline, Option<SiteId>) {
    if answer.device.is_none() {
        return (Headline::NoDevice, None);
    }
    if answer.sites.is_empty() {
        return (Headline::Nothing, None);
    }
    let reached: Vec<&SiteTally> = answer
        .tallies
        .iter()
        .filter(|tally| tally.requests > 0)
        .collect();
    if reached.is_empty() {
        return (Headline::Nobody, None);
    }
    let has_conflicts = reached.iter().any(|tally| tally.shared.conflicts > 0);
    let mut unread = reached.iter().filter(|_| !has_conflicts);
    if let Some((tally, unknown)) = unread.find_map(|tally| Some((tally, tally.unknown?))) {
        return (Headline::Unknown(unknown), Some(tally.site));
    }
    wasteful(answer).unwrap_or_else(|| (calm(answer), None))
}

/// What is said of the costliest access, and which that is; `None` where nothing is wasted.
fn wasteful(answer: Counted<'_>) -> Option<(Headline, Option<SiteId>)> {
    let cost = Cost::of(answer.device?);
    let leader = leader(answer, cost)?;
    let key = |tally: &SiteTally| {
        let site = answer.site(tally.site)?;
        Some((site.line, Kind::of(site.space, site.operation)))
    };
    let row = answer
        .tallies
        .iter()
        .filter(|tally| key(tally) == key(leader));
    let headline = if cost.is_of_conflicts(leader) {
        let mut shared = SharedTotals::default();
        row.for_each(|tally| shared.add(&tally.shared));
        Headline::Conflict {
            ways: shared.ways,
            least: shared.wavefronts_least < shared.wavefronts,
        }
    } else {
        let mut global = GlobalTotals::default();
        row.filter(|one| one.global.requests > 0)
            .for_each(|tally| global.add(&tally.global));
        Headline::Scattered {
            unit: global.unit,
            times_hundredths: times_hundredths(&global),
        }
    };
    Some((headline, Some(leader.site)))
}

/// The access that wastes most; of equals, the first. `None` where none wastes anything.
fn leader(answer: Counted<'_>, cost: Cost) -> Option<&SiteTally> {
    let first = |best: &'_ SiteTally, other: &SiteTally| cost.waste(other) <= cost.waste(best);
    let wasting = answer
        .tallies
        .iter()
        .filter(|tally| cost.waste(tally) > Waste::default());
    wasting.reduce(|best, other| if first(best, other) { best } else { other })
}

/// Wavefronts above the fewest.
pub(crate) const fn conflicts(tally: &SiteTally) -> u64 {
    tally.shared.conflicts
}

/// Units above the fewest.
pub(crate) const fn wasted_units(tally: &SiteTally) -> u64 {
    tally.global.units.saturating_sub(tally.global.ideal)
}

/// The place that costs most beyond its ideal, by the same rule.
pub(crate) fn costliest(answer: Counted<'_>) -> Option<SiteId> {
    leader(answer, Cost::of(answer.device?)).map(|tally| tally.site)
}

fn times_hundredths(totals: &GlobalTotals) -> u64 {
    (totals.units * 100)
        .checked_div(totals.ideal)
        .unwrap_or(100)
}

fn calm(answer: Counted<'_>) -> Headline {
    let is_shared = answer.tallies.iter().any(|tally| tally.shared.requests > 0);
    if is_shared {
        Headline::Free
    } else {
        Headline::Coalesced
    }
}

/// The sums over all accesses to shared memory whose operation `is_wanted`; `None` without any.
pub fn shared_totals(
    answer: Counted<'_>,
    is_wanted: impl Fn(Operation) -> bool,
) -> Option<SharedTotals> {
    let mut totals = SharedTotals::default();
    for tally in of_space(answer, Space::Shared, &is_wanted) {
        totals.add(&tally.shared);
    }
    (totals.requests > 0).then_some(totals)
}

/// The same for global memory.
pub fn global_totals(
    answer: Counted<'_>,
    is_wanted: impl Fn(Operation) -> bool,
) -> Option<GlobalTotals> {
    let mut totals = GlobalTotals::default();
    for tally in of_space(answer, Space::Global, &is_wanted) {
        totals.add(&tally.global);
    }
    (totals.requests > 0).then_some(totals)
}

fn of_space<'a>(
    answer: Counted<'a>,
    space: Space,
    is_wanted: &'a impl Fn(Operation) -> bool,
) -> impl Iterator<Item = &'a SiteTally> {
    answer.tallies.iter().filter(move |tally| {
        let site = answer.site(tally.site);
        site.is_some_and(|site| site.space == space && is_wanted(site.operation))
    })
}

impl Headline {
    /// How it is coloured: `bad`, `good`, `calm`, or `maybe` for what is good under assumptions.
    #[must_use]
    pub const fn tone(&self, status: Status) -> &'static str {
        match self {
            Self::Conflict { .. } | Self::Scattered { .. } | Self::NoDevice => "bad",
            Self::Free | Self::Coalesced => match status {
                Status::Counted => "good",
                Status::Predicted | Status::Assumed => "maybe",
                Status::Partial => "calm",
            },
            Self::Nothing | Self::Nobody | Self::Unknown(_) => "calm",
        }
    }

    /// Whether it says that all is well.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        matches!(self, Self::Free | Self::Coalesced)
    }
}
