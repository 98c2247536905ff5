//! The answer in one sentence.

use lanescope_lang::SiteId;
use lanescope_model::{Operation, Space, Unit, Unknown};

use super::run::Answer;
use super::tally::{GlobalTotals, SharedTotals, SiteTally};

/// The sentence and what it is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) headline: Headline,
    /// The place it is about, when it is about one.
    pub(crate) site: Option<SiteId>,
    /// Sums over all accesses to shared memory.
    pub(crate) shared: Option<SharedTotals>,
    /// Sums over all accesses to global memory.
    pub(crate) global: Option<GlobalTotals>,
    /// n of n-way; 0 without shared memory.
    pub(crate) ways: u32,
}

/// What there is to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Headline {
    /// Nothing typed, or nothing that could be read.
    Nothing,
    /// No lane takes part.
    Nobody,
    /// The worst access is n-way; `least` where the hardware may choose.
    Conflict { ways: u32, least: bool },
    /// Shared memory, without conflict.
    Free,
    /// Global memory, more pieces than needed: how many times as many, in hundredths.
    Scattered { unit: Unit, times_hundredths: u64 },
    /// Global memory, as few pieces as can be.
    Coalesced,
    /// The model does not know.
    Unknown(Unknown),
    /// There is no such device.
    NoDevice,
}

/// The verdict on the whole answer.
pub(crate) fn verdict(answer: &Answer) -> Verdict {
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

fn headline(answer: &Answer, ways: u32) -> (Headline, Option<SiteId>) {
    if answer.device.is_none() {
        return (Headline::NoDevice, None);
    }
    if answer.program.sites().is_empty() {
        return (Headline::Nothing, None);
    }
    let reached: Vec<&SiteTally> = answer
        .sites
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
    let worst = wasteful.max_by_key(|tally| times_hundredths(&tally.global))?;
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

fn calm(answer: &Answer) -> Headline {
    let is_shared = answer.sites.iter().any(|tally| tally.shared.requests > 0);
    if is_shared {
        Headline::Free
    } else {
        Headline::Coalesced
    }
}

/// The sums over all accesses to shared memory whose operation `is_wanted`; `None` without any.
pub(crate) fn shared_totals(
    answer: &Answer,
    is_wanted: impl Fn(Operation) -> bool,
) -> Option<SharedTotals> {
    let mut totals = SharedTotals::default();
    for tally in of_space(answer, Space::Shared, &is_wanted) {
        totals.add(&tally.shared);
    }
    (totals.requests > 0).then_some(totals)
}

/// The same for global memory.
pub(crate) fn global_totals(
    answer: &Answer,
    is_wanted: impl Fn(Operation) -> bool,
) -> Option<GlobalTotals> {
    let mut totals = GlobalTotals::default();
    for tally in of_space(answer, Space::Global, &is_wanted) {
        totals.add(&tally.global);
    }
    (totals.requests > 0).then_some(totals)
}

fn of_space<'a>(
    answer: &'a Answer,
    space: Space,
    is_wanted: &'a impl Fn(Operation) -> bool,
) -> impl Iterator<Item = &'a SiteTally> {
    answer.sites.iter().filter(move |tally| {
        let site = answer.program.site(tally.site);
        site.is_some_and(|site| site.space == space && is_wanted(site.operation))
    })
}
