//! What a reader has to say about a listing.

use lanescope_locale::sass_fault::SassFault;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something to know; counts are complete.
    Note,
    /// Counts may be incomplete.
    Warning,
    /// Nothing could be read.
    Error,
}

/// A diagnostic: what is wrong and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it matters.
    pub severity: Severity,
    /// What is the matter.
    pub fault: SassFault,
    /// Line of the listing, from 1; 0 where it is about the whole.
    pub line: u32,
}

impl Diagnostic {
    /// A diagnostic about the whole listing.
    pub(crate) fn whole(severity: Severity, fault: SassFault) -> Self {
        Self::at(severity, 0, fault)
    }

    /// A diagnostic about a line.
    pub(crate) fn at(severity: Severity, line: u32, fault: SassFault) -> Self {
        Self {
            severity,
            fault,
            line,
        }
    }
}
