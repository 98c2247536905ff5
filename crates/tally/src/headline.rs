//! The verdict: the one finding of an answer that matters most.
//!
//! A bank conflict comes before what the device's model does not know, and that before sectors moved for nothing. Of
//! several lines the costliest is named: the one with the most wavefronts, or units, above its ideal in all of its
//! requests together, however bad one request is. Of equal places the first is named.

use std::cmp::Reverse;

use lanescope_ir::SiteId;
use lanescope_model::{Operation, Space, Unit, Unknown};

use crate::Counted;
use crate::{GlobalTotals, Kind, SharedTotals, SiteTally, Status};

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
        /// n of n-way of its worst request; 0 of an asynchronous copy, which is n-way for no n.
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
    if let Some(found) = conflict(answer) {
        return found;
    }
    if let Some(tally) = reached.iter().find(|tally| tally.unknown.is_some()) {
        let unknown = tally.unknown.unwrap_or(Unknown::Banks);
        return (Headline::Unknown(unknown), Some(tally.site));
    }
    scattered(answer).unwrap_or_else(|| (calm(answer), None))
}

/// A line, and what is done there: a row of a table by line.
type Key = (u32, Kind);

/// The places of one line that do the same.
struct Row<'a> {
    tallies: Vec<&'a SiteTally>,
}

impl<'a> Row<'a> {
    /// The row that costs most, all its requests together; of equals, that of the first place. `None` where none costs
    /// anything.
    fn costliest(answer: Counted<'a>, cost: impl Fn(&SiteTally) -> u64) -> Option<Self> {
        let key = |tally: &SiteTally| {
            let site = answer.site(tally.site)?;
            Some((site.line, Kind::of(site.space, site.operation)))
        };
        let mut costs: Vec<(Key, u64)> = Vec::new();
        for tally in answer.tallies.iter().filter(|tally| cost(tally) > 0) {
            let Some(key) = key(tally) else { continue };
            match costs.iter_mut().rev().find(|(known, _)| *known == key) {
                Some((_, sum)) => *sum = sum.saturating_add(cost(tally)),
                None => costs.push((key, cost(tally))),
            }
        }
        let first = |best: (Key, u64), row: (Key, u64)| if row.1 > best.1 { row } else { best };
        let (worst, _) = costs.into_iter().reduce(first)?;
        let mine = answer
            .tallies
            .iter()
            .filter(|tally| key(tally) == Some(worst));
        Some(Self {
            tallies: mine.collect(),
        })
    }

    /// Its costliest place; of equals, the first.
    fn site(&self, cost: impl Fn(&SiteTally) -> u64) -> Option<SiteId> {
        let places = self.tallies.iter();
        let worst = places.max_by_key(|tally| (cost(tally), Reverse(tally.site)));
        worst.map(|tally| tally.site)
    }
}

/// Wavefronts above the fewest.
pub(crate) const fn conflicts(tally: &SiteTally) -> u64 {
    tally.shared.conflicts
}

/// Units above the fewest.
pub(crate) const fn wasted_units(tally: &SiteTally) -> u64 {
    tally.global.units.saturating_sub(tally.global.ideal)
}

/// The place whose line has the most wavefronts above the fewest.
fn conflict(answer: Counted<'_>) -> Option<(Headline, Option<SiteId>)> {
    let row = Row::costliest(answer, conflicts)?;
    let mut shared = SharedTotals::default();
    for tally in &row.tallies {
        shared.add(&tally.shared);
    }
    let headline = Headline::Conflict {
        ways: shared.ways,
        least: shared.wavefronts_least < shared.wavefronts,
    };
    Some((headline, row.site(conflicts)))
}

/// The place whose line moves the most units for nothing.
fn scattered(answer: Counted<'_>) -> Option<(Headline, Option<SiteId>)> {
    let row = Row::costliest(answer, wasted_units)?;
    let mut global = GlobalTotals::default();
    for tally in row.tallies.iter().filter(|one| one.global.requests > 0) {
        global.add(&tally.global);
    }
    let headline = Headline::Scattered {
        unit: global.unit,
        times_hundredths: times_hundredths(&global),
    };
    Some((headline, row.site(wasted_units)))
}

/// The place that costs most beyond its ideal, by the same rule.
pub(crate) fn costliest(answer: Counted<'_>) -> Option<SiteId> {
    conflict(answer).or_else(|| scattered(answer))?.1
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
