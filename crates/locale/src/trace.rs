//! What is said of recorded traces.

use lanescope_model::Unit;

use crate::Language;

sentences! { trace:
    /// A trace of so many bytes is shown that no link carries.
    fn kept_here(bytes: u64) -> String;
    /// How much was read.
    fn reading(percent: usize) -> String;
    /// How many rows there are.
    fn rows(rows: u64) -> String;
    /// Requests, wavefronts, their ideal and conflicts.
    fn shared(counts: [u64; 4]) -> String;
    /// Requests, units and their ideal.
    fn global(counts: [u64; 3], unit: Unit) -> String;
    /// How many of the measured rows agree with the prediction.
    fn agreement(agreeing: u64, compared: u64) -> String;
    /// Over the list of faults.
    fn faults(count: u64) -> String;
    /// Where a fault is, and what.
    fn fault(line: usize, column: usize, title: &str, fault: &str) -> String;
    /// Faults that are not listed.
    fn more_faults(count: u64) -> String;
    /// Why a text is no trace.
    fn not_a_trace(why: &str) -> String;
    /// Over the picture of a row.
    fn picture(row: u64, name: &str) -> String;
    /// That a row cannot be read.
    fn unread(row: u64) -> String;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct TraceWords {
    pub tab: &'static str,
    pub drop: &'static str,
    pub choose: &'static str,
    pub text: &'static str,
    pub hint: &'static str,
    pub too_large: &'static str,
    pub unreadable_file: &'static str,
    pub title: &'static str,
    pub worst: &'static str,
    pub differing: &'static str,
    pub row: &'static str,
    pub instruction: &'static str,
    pub cost: &'static str,
    pub ideal: &'static str,
    pub predicted: &'static str,
    pub measured: &'static str,
}

impl TraceWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, trace::WORDS)
    }
}
