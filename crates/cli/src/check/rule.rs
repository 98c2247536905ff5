//! The rules that findings break.

use strum::VariantArray;

/// A rule; its key stays the same for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub(super) enum Rule {
    /// A line of shared memory has conflicts of more ways than it may.
    BankConflict,
    /// A line of global memory takes more sectors for a request than it may.
    SectorsPerRequest,
    /// More of a line's sectors are wasted than may be.
    WastedSectors,
    /// Something that the kernel reaches is not counted.
    NotCounted,
    /// Nobody gives the kernel's launch.
    GuessedLaunch,
    /// A comment for this program, or a launch, cannot be meant.
    InvalidLaunch,
    /// A file or its kernel cannot be read.
    Unreadable,
}

impl Rule {
    /// All of them.
    pub(super) const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in every format.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::BankConflict => "bank-conflict",
            Self::SectorsPerRequest => "sectors-per-request",
            Self::WastedSectors => "wasted-sectors",
            Self::NotCounted => "not-counted",
            Self::GuessedLaunch => "guessed-launch",
            Self::InvalidLaunch => "invalid-launch",
            Self::Unreadable => "unreadable",
        }
    }

    /// What it holds, in a sentence.
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::BankConflict => {
                "A shared-memory access has bank conflicts of at most max-ways ways."
            }
            Self::SectorsPerRequest => {
                "A request to global memory takes at most max-sectors-per-request sectors."
            }
            Self::WastedSectors => {
                "At most max-waste of an access's sectors are beyond the fewest possible."
            }
            Self::NotCounted => "Everything that the kernel reaches is counted.",
            Self::GuessedLaunch => {
                "The kernel's launch is given by a comment, lanescope.toml or host code."
            }
            Self::InvalidLaunch => "A launch that is given can be meant.",
            Self::Unreadable => "The file and its kernels can be read.",
        }
    }

    /// Whether it is about a limit that may be exceeded.
    pub(super) const fn has_limit(self) -> bool {
        match self {
            Self::BankConflict | Self::SectorsPerRequest | Self::WastedSectors => true,
            Self::NotCounted | Self::GuessedLaunch | Self::InvalidLaunch | Self::Unreadable => {
                false
            }
        }
    }
}
