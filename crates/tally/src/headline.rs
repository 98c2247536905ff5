//! The verdict: the one finding of an answer that matters most.
//!
//! A bank conflict comes before what the device's model does not know, and that before sectors moved for nothing; of
//! equal places the first is named.

use lanescope_cuda::source::SiteId;
use lanescope_model::{Operation, Space, Unit, Unknown};

use crate::Counted;
use crate::{GlobalTotals, SharedTotals, SiteTally, Status};

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
    /// The worst access is n-way; `least` where the hardware may choose.
    Conflict {
        /// n.
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
    let (headline, site) = headline(answer, ways);
    Verdict {
        headline,
        site,
        shared,
        global,
        ways,
    }
}

fn headline(answer: Counted<'_>, ways: u32) -> (Headline, Option<SiteId>) {
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
    if ways > 1 {
        return conflict(&reached, ways);
    }
    if let Some(tally) = reached.iter().find(|tally| tally.unknown.is_some()) {
        let unknown = tally.unknown.unwrap_or(Unknown::Banks);
        return (Headline::Unknown(unknown), Some(tally.site));
    }
    scattered(&reached).unwrap_or_else(|| (calm(answer), None))
}

fn conflict(reached: &[&SiteTally], ways: u32) -> (Headline, Option<SiteId>) {
    let mine = reached.iter().filter(|tally| tally.ways() == ways);
    let worst = mine.max_by_key(|tally| (tally.shared.conflicts, std::cmp::Reverse(tally.site)));
    let least = worst.is_some_and(|tally| tally.shared.wavefronts_least < tally.shared.wavefronts);
    (
        Headline::Conflict { ways, least },
        worst.map(|tally| tally.site),
    )
}

fn scattered(reached: &[&SiteTally]) -> Option<(Headline, Option<SiteId>)> {
    let wasteful = reached
        .iter()
        .filter(|tally| tally.global.units > tally.global.ideal);
    let worst = wasteful.max_by_key(|tally| {
        (
            times_hundredths(&tally.global),
            std::cmp::Reverse(tally.site),
        )
    })?;
    let times_hundredths = times_hundredths(&worst.global);
    Some((
        Headline::Scattered {
            unit: worst.global.unit,
            times_hundredths,
        },
        Some(worst.site),
    ))
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
