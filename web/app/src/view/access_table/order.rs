//! The order of the rows, and each row's share of the whole.

use leptos::prelude::*;

use super::Memories;
use crate::answer::{Answer, SiteTally, decimal};
use crate::words::grouped;

/// The column that the rows are sorted by; column 0 is the source's own order.
#[derive(Clone, Copy, Default)]
pub(super) struct Order {
    pub(super) column: usize,
    pub(super) is_ascending: bool,
}

impl Order {
    /// The order after a click on `column`: the largest first, then the smallest.
    pub(super) const fn then_by(self, column: usize) -> Self {
        Self {
            column,
            is_ascending: self.column == column && !self.is_ascending,
        }
    }

    /// How column `index` is sorted, as `aria-sort` says it; `None` where the rows are not sorted by it.
    pub(super) fn sorted(self, index: usize) -> Option<&'static str> {
        let sorted = if self.is_ascending {
            "ascending"
        } else {
            "descending"
        };
        (index == self.column && index > 0).then_some(sorted)
    }

    fn key(self, tally: &SiteTally, whole: Whole) -> u64 {
        match self.column {
            1 => whole.basis_points(tally),
            2 => tally.requests,
            3 => tally.shared.ways.into(),
            4 => tally.shared.wavefronts,
            5 => tally.shared.ideal,
            6 => tally.global.per_request_hundredths(),
            7 => tally.global.ideal_per_request_hundredths(),
            8 => tally.global.used_basis_points(),
            _ => 0,
        }
    }

    pub(super) fn sort(self, tallies: &mut [&SiteTally], whole: Whole) {
        if self.is_ascending {
            tallies.sort_by_key(|tally| self.key(tally, whole));
        } else {
            tallies.sort_by_key(|tally| std::cmp::Reverse(self.key(tally, whole)));
        }
    }
}

/// What all accesses cost together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Whole {
    pub(super) requests: u64,
    pub(super) wavefronts: u64,
    pub(super) ideal: u64,
    pub(super) units: u64,
    pub(super) global_requests: u64,
}

impl Whole {
    pub(super) fn of(answer: &Answer) -> Self {
        let none = Self {
            requests: 0,
            wavefronts: 0,
            ideal: 0,
            units: 0,
            global_requests: 0,
        };
        answer.sites.iter().fold(none, |all, tally| Self {
            requests: all.requests.saturating_add(tally.requests),
            wavefronts: all.wavefronts.saturating_add(tally.shared.wavefronts),
            ideal: all.ideal.saturating_add(tally.shared.ideal),
            units: all.units.saturating_add(tally.global.units),
            global_requests: all.global_requests.saturating_add(tally.global.requests),
        })
    }

    /// An access's part of all wavefronts, or of all sectors, in hundredths of a per cent.
    fn basis_points(self, tally: &SiteTally) -> u64 {
        let (part, whole) = if tally.shared.wavefronts > 0 {
            (tally.shared.wavefronts, self.wavefronts)
        } else {
            (tally.global.units, self.units)
        };
        let points = u128::from(part) * 10_000 / u128::from(whole.max(1));
        u64::try_from(points).unwrap_or(u64::MAX)
    }

    /// The same as text, rounded to a per cent; empty of an access that costs nothing.
    pub(super) fn share(self, tally: &SiteTally) -> String {
        match self.basis_points(tally) {
            0 => String::new(),
            points @ 1..50 => format!("{} %", decimal(points)),
            points => format!("{} %", (points + 50) / 100),
        }
    }

    /// The cells of sums; columns whose sum means nothing are empty.
    pub(super) fn cells(self, memories: Memories) -> impl IntoView + use<> {
        let units = self.units.saturating_mul(100) / self.global_requests.max(1);
        let texts = [
            String::new(),
            grouped(self.wavefronts),
            grouped(self.ideal),
            decimal(units),
            String::new(),
            String::new(),
        ];
        let shown = texts.into_iter().enumerate();
        let shown = shown.filter(move |(column, _)| memories.has(*column));
        shown
            .map(|(_, text)| view! { <td class="number">{text}</td> })
            .collect_view()
    }
}
