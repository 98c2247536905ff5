//! The words of a picture.

use lanescope_locale::Language;
use lanescope_model::Unit;

/// A text that a picture needs; [`Say`] turns it into words of some language.
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

/// Turns a phrase into words.
pub type Say<'a> = &'a dyn Fn(&Phrase<'_>) -> String;

/// The phrase in English.
#[must_use]
pub fn english(phrase: &Phrase<'_>) -> String {
    match *phrase {
        Phrase::BankTitle { ways: 0, .. } | Phrase::Nobody => "no lane takes part".into(),
        Phrase::BankTitle {
            ways: 1,
            wavefronts,
            ideal,
        } => {
            format!(
                "no bank conflict: {}, ideal {ideal}",
                count(wavefronts, "wavefront")
            )
        }
        Phrase::BankTitle {
            ways,
            wavefronts,
            ideal,
        } => {
            format!(
                "{ways}-way bank conflict: {}, ideal {ideal}",
                count(wavefronts, "wavefront")
            )
        }
        Phrase::BankDescription {
            banks,
            bank_bytes,
            phases,
        } => format!(
            "Banks 0 to {} of {bank_bytes} bytes across, words down; a cell lists the lanes that \
             want the word. {} one under another. Colour and digit say how many wavefronts the \
             bank needs.",
            banks.saturating_sub(1),
            phases_shown(phases),
        ),
        Phrase::Phase {
            number,
            of,
            lanes,
            active,
            wavefronts,
        } => format!(
            "phase {number} of {of} · lanes {lanes} · {} · {}",
            count(active, "active lane"),
            count(wavefronts, "wavefront")
        ),
        Phrase::BankAxis => "bank".into(),
        Phrase::WordAxis => "word".into(),
        Phrase::WavefrontAxis => "n-way".into(),
        Phrase::LaneAxis => "lane".into(),
        Phrase::Word {
            lanes,
            count: many,
            bank,
            address,
            wavefronts,
        } => format!(
            "{} {lanes}: bank {bank}, byte {address}; the bank needs {}",
            if many == 1 { "lane" } else { "lanes" },
            count(wavefronts, "wavefront")
        ),
        Phrase::Bank {
            bank,
            words,
            wavefronts,
        } => format!(
            "bank {bank}: {words} distinct {}, {}",
            if words == 1 { "word" } else { "words" },
            count(wavefronts, "wavefront")
        ),
        Phrase::Lane { lane, banks: "" } => format!("lane {lane}: off"),
        Phrase::Lane { lane, banks } => format!("lane {lane}: bank {banks}"),
        Phrase::RowsSkipped(rows) => format!("{rows} rows not touched"),
        Phrase::LinesSkipped(lines) => format!("{lines} lines not touched"),
        Phrase::SectorTitle {
            unit,
            units,
            ideal,
            used,
            moved,
        } => format!(
            "{}, ideal {ideal}: {used} of {moved} bytes moved are used",
            count(units, unit_name(unit))
        ),
        Phrase::SectorDescription { lines, line_bytes } => format!(
            "{lines} lines of {line_bytes} bytes down, sectors across; the bytes asked for are \
             shaded, sectors that are not moved are outlined."
        ),
        Phrase::Request { number, of } => format!("hardware request {number} of {of}"),
        Phrase::Sector {
            address,
            bytes,
            moved: false,
            ..
        } => {
            format!("{bytes} bytes at {address:#x}: not moved")
        }
        Phrase::Sector {
            address,
            used,
            bytes,
            lanes,
            ..
        } => {
            format!("{bytes} bytes at {address:#x}: {used} used, by lanes {lanes}")
        }
        Phrase::Ways(ways) => format!("{ways}-way"),
        Phrase::BytesUsed => "used".into(),
        Phrase::BytesWasted => "moved, not used".into(),
        Phrase::NotMoved => "not moved".into(),
    }
}

fn count(number: u32, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}

fn phases_shown(phases: usize) -> String {
    if phases == 1 {
        "1 phase,".into()
    } else {
        format!("{phases} phases,")
    }
}

fn unit_name(unit: Unit) -> &'static str {
    match unit {
        Unit::Sector => "sector",
        Unit::Line => "line",
        Unit::Transaction => "transaction",
    }
}

/// The words of pictures in `language`.
#[must_use]
pub const fn in_language(language: Language) -> fn(&Phrase<'_>) -> String {
    match language {
        Language::English => english,
        Language::Chinese => crate::chinese,
    }
}
