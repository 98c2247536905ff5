//! Today's date.

use anyhow::{Context as _, Result};
use std::time::{SystemTime, UNIX_EPOCH};

/// Today in UTC, as `YYYY-MM-DD`.
///
/// # Errors
/// When the clock stands before 1970.
pub(super) fn today() -> Result<String> {
    let passed = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = passed.context("the clock stands before 1970")?.as_secs();
    let [year, month, day] = civil(seconds / 86_400);
    Ok(format!("{year:04}-{month:02}-{day:02}"))
}

/// Year, month and day of the Gregorian calendar, so many days after 1970-01-01.
///
/// # Source
/// Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
const fn civil(days: u64) -> [u64; 3] {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + (month <= 2) as u64;
    [year, month, day]
}

#[cfg(test)]
mod tests {
    use super::civil;

    #[test]
    fn days_are_dates() {
        for (days, date) in [
            (0, [1970, 1, 1]),
            (58, [1970, 2, 28]),
            (59, [1970, 3, 1]),
            (11_016, [2000, 2, 29]),
            (20_088, [2024, 12, 31]),
            (20_089, [2025, 1, 1]),
        ] {
            assert_eq!(civil(days), date, "{days}");
        }
    }
}
