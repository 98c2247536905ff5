//! What a line may cost at most.

use serde::Deserialize;

/// Limits of a line; `None` where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Limits {
    /// The most n of n-way.
    pub(crate) ways: Option<u32>,
    /// Sectors for each request to global memory.
    pub(crate) sectors_per_request: Option<f64>,
    /// Sectors beyond the fewest possible, as a part of all.
    pub(crate) waste: Option<f64>,
}

/// What holds where nobody gives a limit: no bank conflict.
const DEFAULT: Limits = Limits {
    ways: Some(1),
    sectors_per_request: None,
    waste: None,
};

impl Limits {
    /// These, and where they leave one open, those of `others`.
    pub(crate) fn or(self, others: Self) -> Self {
        Self {
            ways: self.ways.or(others.ways),
            sectors_per_request: self.sectors_per_request.or(others.sectors_per_request),
            waste: self.waste.or(others.waste),
        }
    }

    /// These, or the ones that hold where nobody gives any.
    pub(crate) fn or_default(self) -> Self {
        match self == Self::default() {
            true => DEFAULT,
            false => self,
        }
    }
}

/// A limit as a settings file writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    /// `8`, `0.25`.
    Plain(f64),
    /// `"25%"`.
    Text(String),
}

impl Number {
    /// It as the command line would have it.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Plain(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// Reads a number of sectors.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn sectors(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("`{text}` is no number of sectors; write as in 4 or 4.5"))
}

/// Reads a part from 0 to 1: `0.25` or `25%`.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn waste(text: &str) -> Result<f64, String> {
    let part = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    let part = part.ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| format!("`{text}` is no part from 0 to 1; write as in 0.25 or 25%"))
}

#[cfg(test)]
mod tests {
    use super::{Limits, sectors, waste};

    #[test]
    fn a_part_is_a_number_or_a_percentage() {
        assert_eq!(waste("25%"), Ok(0.25));
        assert_eq!(waste("0.5"), Ok(0.5));
        for text in ["", "-1", "2", "101%", "NaN", "a quarter"] {
            assert!(waste(text).is_err(), "{text}");
        }
        assert_eq!(sectors("4.5"), Ok(4.5));
        for text in ["0", "-1", "inf", "NaN", "x"] {
            assert!(sectors(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_nearer_limit_wins_and_none_at_all_is_no_conflict() {
        let near = Limits {
            ways: Some(2),
            ..Limits::default()
        };
        let far = Limits {
            ways: Some(1),
            waste: Some(0.5),
            ..Limits::default()
        };
        assert_eq!(near.or(far).ways, Some(2));
        assert_eq!(near.or(far).waste, Some(0.5));
        assert_eq!(Limits::default().or_default().ways, Some(1));
        let sectors_alone = Limits {
            waste: Some(0.5),
            ..Limits::default()
        };
        assert_eq!(sectors_alone.or_default().ways, None);
    }
}
