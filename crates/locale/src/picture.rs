//! What pictures say.

use lanescope_model::Unit;

use crate::Language;

/// A text that a picture needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phrase<'a> {
    /// What a bank grid shows, in a line.
    BankTitle {
        /// n of n-way; 0 when no lane is on.
        ways: u32,
        /// Wavefronts of the request.
        wavefronts: u32,
        /// Its ideal wavefronts.
        ideal: u32,
    },
    /// How to read a bank grid.
    BankDescription {
        /// Banks of the device.
        banks: u32,
        /// Bytes of a bank's word.
        bank_bytes: u32,
        /// Phases of the request.
        phases: usize,
    },
    /// One phase.
    Phase {
        /// Counted from 1.
        number: usize,
        /// Of how many.
        of: usize,
        /// The lanes of the phase.
        lanes: &'a str,
        /// How many of them are on.
        active: u32,
        /// The wavefronts it takes.
        wavefronts: u32,
    },
    /// The name of the axis of banks.
    BankAxis,
    /// The name of the axis of words.
    WordAxis,
    /// The name of the row of wavefronts a bank.
    WavefrontAxis,
    /// The name of the strip of lanes.
    LaneAxis,
    /// One word that lanes want.
    Word {
        /// The lanes.
        lanes: &'a str,
        /// How many they are.
        count: u32,
        /// The bank.
        bank: u32,
        /// The word's byte address.
        address: u64,
        /// Wavefronts that the bank needs.
        wavefronts: u32,
    },
    /// One bank's need.
    Bank {
        /// The bank.
        bank: u32,
        /// Its distinct words.
        words: usize,
        /// Wavefronts that it needs.
        wavefronts: u32,
    },
    /// One lane of the strip.
    Lane {
        /// The lane.
        lane: usize,
        /// The banks it touches, in words; empty when it is off.
        banks: &'a str,
    },
    /// Rows nobody touches, between two that are shown.
    RowsSkipped(u64),
    /// Lines nobody touches, between two that are shown.
    LinesSkipped(u64),
    /// No lane is on.
    Nobody,
    /// What a sector map shows, in a line.
    SectorTitle {
        /// What `units` counts.
        unit: Unit,
        /// Sectors, lines or transactions.
        units: u32,
        /// The fewest that would do.
        ideal: u32,
        /// Distinct bytes asked for.
        used: u32,
        /// Bytes moved.
        moved: u32,
    },
    /// How to read a sector map.
    SectorDescription {
        /// Lines drawn.
        lines: usize,
        /// Bytes of a line.
        line_bytes: u32,
    },
    /// One hardware request of several.
    Request {
        /// Counted from 1.
        number: u32,
        /// Of how many.
        of: u32,
    },
    /// One sector (or line, or transaction).
    Sector {
        /// Its byte address.
        address: u64,
        /// Its bytes asked for.
        used: u32,
        /// Its size.
        bytes: u32,
        /// Whether it is moved.
        moved: bool,
        /// The lanes that touch it.
        lanes: &'a str,
    },
    /// The legend's name of an n-way step.
    Ways(u32),
    /// The legend's word for bytes asked for.
    BytesUsed,
    /// The legend's word for bytes moved, but not asked for.
    BytesWasted,
    /// The legend's word for a sector that is not moved.
    NotMoved,
}

impl Phrase<'_> {
    /// In `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        in_folder!(language, picture::text(self))
    }
}

/// The words of an equation in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// Lane.
    pub lane: &'static str,
    /// Byte.
    pub byte: &'static str,
    /// Word of a bank.
    pub word: &'static str,
    /// Bank.
    pub bank: &'static str,
    /// Sector.
    pub sector: &'static str,
    /// Cache line.
    pub line: &'static str,
    /// Between a lane and what is said of it.
    pub colon: &'static str,
}

impl Units {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, picture::UNITS)
    }
}
