//! How far an answer can be relied on, and what a prediction rests on.

use lanescope_simt::Certainty;
use strum::VariantArray;

/// How far an answer can be relied on; the order is from the best to the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The whole launch, and nothing that an address, a branch or a count depends on was guessed, unread or left out.
    #[default]
    Counted,
    /// The whole launch, on what the optimizer's model makes of the source: a compiler may treat some access otherwise.
    Predicted,
    /// The whole launch, if the named assumptions hold.
    Assumed,
    /// Something that the kernel reaches could not be read or was not reached.
    Partial,
}

impl Status {
    /// Its name in JSON, which stays the same for ever.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Counted => "counted",
            Self::Predicted => "predicted",
            Self::Assumed => "assumed",
            Self::Partial => "partial",
        }
    }
}

/// What requests of a certainty make of an answer.
#[must_use]
pub const fn status_of(certainty: Certainty) -> Status {
    match certainty {
        Certainty::Certain => Status::Counted,
        Certainty::Assumed => Status::Assumed,
        Certainty::Partial => Status::Partial,
    }
}

/// What a prediction rests on, the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Basis {
    /// Every access is made as written, and no loop that has one is cut; a compiler might treat some otherwise.
    OpenChoice,
    /// Loops are written out or cut into pieces, and accesses made as written.
    LoopsCut,
    /// Accesses are joined, left out, moved or made once for several.
    AccessesChanged,
    /// The text is PTX, and its assembler may join, repeat or leave out accesses.
    AssemblerChoice,
}

impl Basis {
    /// All of them.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Its name in JSON, which stays the same for ever.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::OpenChoice => "open-choice",
            Self::LoopsCut => "loops-cut",
            Self::AccessesChanged => "accesses-changed",
            Self::AssemblerChoice => "assembler-choice",
        }
    }
}
