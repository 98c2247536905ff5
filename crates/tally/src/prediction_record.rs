//! How often answers were exact on kernels that no rule of the optimizer was fitted to.
//!
//! The table is made by `cargo xtask record --write` from blind sets of kernels: random ones, written from idioms of the
//! language, whose counts are compared with those of the SASS that the compiler made of them. It is the evidence that a
//! prediction is shown with: "such answers were exact for 94 of 100 kernels of others".

mod measured;

pub use measured::PREDICTION_RECORD;

/// The table, and what it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PredictionRecord {
    /// The day it was made, as `YYYY-MM-DD`.
    pub date: &'static str,
    /// The kernels.
    pub sets: &'static [BlindSet],
    /// Results by what the answers rest on, sorted by status and basis.
    pub rows: &'static [RecordRow],
}

/// A set of kernels that anyone can make again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlindSet {
    /// Its name, as `cargo xtask compilers` has it.
    pub name: &'static str,
    /// The seed of its random choices.
    pub seed: u64,
    /// Its launches, one of each kernel.
    pub launches: u32,
}

/// Results of the answers that have a status and a basis in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// The status of the answers, as JSON has it.
    pub status: &'static str,
    /// What the answers rest on, as JSON has it.
    pub basis: &'static str,
    /// Launches that were answered so.
    pub launches: u32,
    /// Those of which every total was right.
    pub exact: u32,
}

impl RecordRow {
    /// The share of exact answers in percent, rounded down: from 0 to 100.
    #[must_use]
    pub fn exact_percent(&self) -> u32 {
        let percent = u64::from(self.exact) * 100 / u64::from(self.launches.max(1));
        u32::try_from(percent).unwrap_or(100)
    }
}

impl PredictionRecord {
    /// The row of a status and a basis, if the sets had such answers.
    #[must_use]
    pub fn row(&self, status: &str, basis: &str) -> Option<&'static RecordRow> {
        let is_wanted = |row: &&RecordRow| row.status == status && row.basis == basis;
        self.rows.iter().find(is_wanted)
    }

    /// Launches whose answers had this status, and how many of those answers were exact.
    #[must_use]
    pub fn of_status(&self, status: &str) -> [u32; 2] {
        let rows = self.rows.iter().filter(|row| row.status == status);
        rows.fold([0, 0], |[launches, exact], row| {
            [launches + row.launches, exact + row.exact]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{PREDICTION_RECORD, PredictionRecord, RecordRow};
    use std::collections::BTreeSet;

    #[test]
    fn every_row_is_a_share_of_launches() {
        assert!(!PREDICTION_RECORD.rows.is_empty());
        for row in PREDICTION_RECORD.rows {
            assert!(row.launches > 0 && row.exact <= row.launches, "{row:?}");
            assert!(row.exact_percent() <= 100, "{row:?}");
            assert!(!row.status.is_empty() && !row.basis.is_empty(), "{row:?}");
        }
    }

    #[test]
    fn rows_are_sorted_and_of_the_sets() {
        let keys: Vec<_> = PREDICTION_RECORD
            .rows
            .iter()
            .map(|row| (row.status, row.basis))
            .collect();
        let sorted: Vec<_> = BTreeSet::from_iter(keys.clone()).into_iter().collect();
        assert_eq!(keys, sorted);
        let counted: u32 = PREDICTION_RECORD.rows.iter().map(|row| row.launches).sum();
        let all: u32 = PREDICTION_RECORD.sets.iter().map(|set| set.launches).sum();
        assert!(counted <= all, "{counted} answers to {all} launches");
        // Answers that never came have no row; they are few.
        assert!(
            counted * 100 >= all * 95,
            "{counted} answers to {all} launches"
        );
    }

    #[test]
    fn its_date_is_one() {
        let parts = PREDICTION_RECORD.date.split('-');
        let parts: Vec<u32> = parts.map(|part| part.parse().expect("a number")).collect();
        let [year, month, day] = parts[..] else {
            panic!("{parts:?} is no date");
        };
        assert!(year >= 2026, "{year}");
        assert!((1..=12).contains(&month) && (1..=31).contains(&day));
    }

    #[test]
    fn rows_are_found_and_added_up() {
        const ROWS: &[RecordRow] = &[
            RecordRow {
                status: "counted",
                basis: "as-written",
                launches: 10,
                exact: 10,
            },
            RecordRow {
                status: "predicted",
                basis: "loops-cut",
                launches: 3,
                exact: 2,
            },
            RecordRow {
                status: "predicted",
                basis: "open-choice",
                launches: 5,
                exact: 1,
            },
        ];
        let record = PredictionRecord {
            date: "2026-01-01",
            sets: &[],
            rows: ROWS,
        };
        assert_eq!(record.of_status("predicted"), [8, 3]);
        assert_eq!(record.of_status("assumed"), [0, 0]);
        let row = record.row("predicted", "loops-cut").expect("a row");
        assert_eq!(row.exact_percent(), 66);
        assert_eq!(record.row("counted", "loops-cut"), None);
    }
}
