//! How often answers were exact on kernels that no rule of the optimizer was fitted to.
//!
//! The table is made by `cargo xtask record --write` from two kinds of kernels: random ones, written from idioms of the
//! language in odd mixtures, whose counts are compared with those of the SASS that the compiler made of them; and launches of
//! public programs, compared with a profiler's counters. It is the evidence that a prediction is shown with: "such answers
//! were exact for 58 of 60 launches of public programs and for 70 of 100 random kernels".

mod measured;

use lanescope_locale::Language;

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
    /// The seed of its random choices; none of public programs.
    pub seed: Option<u64>,
    /// Its launches.
    pub launches: u32,
}

/// Results of the answers that have a status and a basis in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// The status of the answers, as JSON has it.
    pub status: &'static str,
    /// What the answers rest on, as JSON has it.
    pub basis: &'static str,
    /// The set: `public`, or the name of random ones; with `-ptx` where what was answered is their PTX.
    pub set: &'static str,
    /// Launches that were answered so.
    pub launches: u32,
    /// Those of which every total was right.
    pub exact: u32,
}

/// The sets of public programs: their source, and their PTX.
const PUBLIC: [&str; 2] = ["public", "public-ptx"];

/// The rows of one kind of answer, as a sentence's part: "such answers were exact for 58 of 60 launches of public programs and
/// for 70 of 100 random kernels".
#[must_use]
pub fn record_text(rows: &[&RecordRow], language: Language) -> String {
    let of = |is_public: bool| {
        let rows = rows
            .iter()
            .filter(|row| PUBLIC.contains(&row.set) == is_public);
        rows.fold([0, 0], |[exact, launches], row| {
            [exact + row.exact, launches + row.launches]
        })
    };
    lanescope_locale::verdict::prediction_record(language, of(true), of(false))
}

impl PredictionRecord {
    /// The rows of a status and a basis, one a set.
    #[must_use]
    pub fn rows(&self, status: &str, basis: &str) -> Vec<&'static RecordRow> {
        let is_wanted = |row: &&RecordRow| row.status == status && row.basis == basis;
        self.rows.iter().filter(is_wanted).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{PREDICTION_RECORD, PredictionRecord, RecordRow, record_text};
    use lanescope_locale::Language;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_is_a_share_of_launches() {
        assert!(!PREDICTION_RECORD.rows.is_empty());
        for row in PREDICTION_RECORD.rows {
            assert!(row.launches > 0 && row.exact <= row.launches, "{row:?}");
            assert!(!row.status.is_empty() && !row.basis.is_empty(), "{row:?}");
        }
    }

    #[test]
    fn rows_are_sorted_and_of_the_sets() {
        let keys: Vec<_> = PREDICTION_RECORD
            .rows
            .iter()
            .map(|row| (row.status, row.basis, row.set))
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
    fn rows_are_found_and_said() {
        const ROWS: &[RecordRow] = &[
            RecordRow {
                status: "predicted",
                basis: "loops-cut",
                set: "idioms",
                launches: 3,
                exact: 2,
            },
            RecordRow {
                status: "predicted",
                basis: "loops-cut",
                set: "public",
                launches: 5,
                exact: 4,
            },
            RecordRow {
                status: "predicted",
                basis: "open-choice",
                set: "idioms",
                launches: 7,
                exact: 6,
            },
        ];
        let record = PredictionRecord {
            date: "2026-01-01",
            sets: &[],
            rows: ROWS,
        };
        let said = |basis| record_text(&record.rows("predicted", basis), Language::English);
        assert_eq!(
            said("loops-cut"),
            "such answers were exact for 4 of 5 launches of public programs and for 2 of 3 random kernels"
        );
        assert_eq!(
            said("open-choice"),
            "such answers were exact for 6 of 7 random kernels"
        );
        assert!(record.rows("counted", "loops-cut").is_empty());
    }
}
