//! Numbers as the profiler's metrics are written, which no language changes.

use lanescope_locale::Language;

/// `count` with commas between thousands.
#[must_use]
pub fn grouped(count: u64) -> String {
    Language::English.grouped(count)
}
