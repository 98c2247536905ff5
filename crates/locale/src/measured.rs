//! What is said of a profiler's export beside the prediction.

use crate::Language;

sentences! { measured:
    /// Launch, where the code is from, how sure the prediction is, by their keys.
    fn about(shape: [&str; 2], whence: &str, status: &str) -> String;
    /// Why a launch cannot be compared, or not wholly.
    fn fault(fault: &str) -> String;
    /// The export names no kernel.
    fn unnamed() -> &'static str;
    /// Only the first of so many launches are compared.
    fn first_launches(most: usize, all: usize) -> String;
    /// The export holds no code, and no kernel is open.
    fn no_code() -> &'static str;
    /// The kernel that is open is WGSL.
    fn no_wgsl() -> &'static str;
    /// The code cannot be read, and nothing more is known.
    fn unreadable() -> &'static str;
    /// The launch or the device of the page cannot be used.
    fn bad_question() -> &'static str;
    /// What the profiler measured of an access.
    fn cost(measured: u64) -> String;
    /// The same beside what is predicted of it.
    fn cost_beside(measured: u64, predicted: u64) -> String;
    /// What it measured of all accesses that do the same, by the key of that sum, beside what is predicted.
    fn cost_of_all(total: &str, measured: u64, predicted: u64) -> String;
    /// Over the launches of other kernels.
    fn others(count: usize) -> String;
    /// How many rows are equal.
    fn equal(equal: u64, all: u64) -> String;
    /// The columns of the tables.
    fn columns() -> [&'static str; 5];
    /// So many rows that are not shown.
    fn more(left: u64) -> String;
    /// A sum by its key.
    fn total(key: &str) -> String;
    /// What an instruction's number counts, by its key.
    fn unit(unit: &str) -> &'static str;
    /// Why prediction and measurement differ, by its key.
    fn difference(key: &str) -> &'static str;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct MeasuredWords {
    pub title: &'static str,
    pub reading: &'static str,
    pub slow: &'static str,
    pub missing: &'static str,
    pub arguments: &'static str,
    /// Takes grid and block of a launch that was measured.
    pub take_launch: &'static str,
}

impl MeasuredWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, measured::WORDS)
    }
}
