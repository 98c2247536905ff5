//! How far a number or a rule can be trusted.

/// How far a number or a rule can be trusted, from the firmest to the weakest.
///
/// The order is that of trust: of several rules that make up one answer, the greatest is the
/// answer's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Entered by the user: true by definition, for the device the user means.
    Given,
    /// Read off hardware counters, or a published measurement that the source names.
    Measured,
    /// The vendor's own text.
    Documented,
    /// Somebody else's table.
    ThirdParty,
    /// Carried over from a neighbouring generation, or from the stated bandwidth.
    Inferred,
    /// Sources disagree; the source says which reading is followed.
    Disputed,
    /// Nothing verifiable is known.
    Unknown,
}

impl Confidence {
    /// A stable lower-case word for files and command lines: `measured`, `third-party`, …
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Measured => "measured",
            Self::Documented => "documented",
            Self::ThirdParty => "third-party",
            Self::Inferred => "inferred",
            Self::Disputed => "disputed",
            Self::Unknown => "unknown",
        }
    }
}
