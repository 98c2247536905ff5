//! What the page says of a profiler's export beside the prediction.

use lanescope_locale::Language;
use lanescope_locale::measured::{self, MeasuredWords};

use super::Words;
use crate::measured_column::MeasuredCost;

impl Words {
    /// What is said of it without numbers.
    pub(crate) const fn of_measured(self) -> &'static MeasuredWords {
        MeasuredWords::of(self.0)
    }

    /// Launch, where the code is from, how sure the prediction is.
    pub(crate) fn measured_about(self, shape: [&str; 2], whence: &str, status: &str) -> String {
        measured::about(self.0, shape, whence, status)
    }

    /// What was measured of an access, beside what is predicted of it.
    pub(crate) fn measured_cost(self, cost: &MeasuredCost) -> String {
        match *cost {
            MeasuredCost::Line {
                measured,
                predicted: None,
            } => measured::cost(self.0, measured),
            MeasuredCost::Line {
                measured,
                predicted: Some(predicted),
            } => measured::cost_beside(self.0, measured, predicted),
            MeasuredCost::All {
                total,
                measured,
                predicted,
            } => measured::cost_of_all(self.0, total, measured, predicted),
            MeasuredCost::Nothing => "–".to_owned(),
        }
    }

    /// Over the launches of other kernels in an export.
    pub(crate) fn measured_others(self, count: usize) -> String {
        measured::others(self.0, count)
    }

    /// Why a launch cannot be compared, or not wholly.
    pub(crate) fn measured_fault(self, sentences: &[String]) -> String {
        let languages = Language::ALL.iter().copied().zip(sentences);
        let own = languages.filter(|(language, _)| *language == self.0);
        own.map(|(_, sentence)| measured::fault(self.0, sentence))
            .collect()
    }

    /// How many rows are equal.
    pub(crate) fn measured_equal(self, equal: usize, all: usize) -> String {
        measured::equal(self.0, equal as u64, all as u64)
    }

    /// The columns of the tables.
    pub(crate) fn measured_columns(self) -> [&'static str; 5] {
        measured::columns(self.0)
    }

    /// So many rows that are not shown.
    pub(crate) fn measured_more(self, left: usize) -> String {
        measured::more(self.0, left as u64)
    }

    /// A sum by its key.
    pub(crate) fn measured_total(self, key: &str) -> String {
        measured::total(self.0, key)
    }

    /// What an instruction's number counts.
    pub(crate) fn measured_unit(self, unit: &str) -> &'static str {
        measured::unit(self.0, unit)
    }

    /// Why prediction and measurement differ.
    pub(crate) fn measured_difference(self, key: &str) -> &'static str {
        measured::difference(self.0, key)
    }
}
