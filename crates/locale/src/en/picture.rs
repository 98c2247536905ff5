//! What pictures say, in English.

use lanescope_model::Unit;

use crate::picture::{Phrase, Units};

pub(crate) const UNITS: &Units = &Units {
    lane: "lane",
    byte: "byte",
    word: "word",
    bank: "bank",
    sector: "sector",
    line: "line",
    colon: ": ",
};

pub(crate) fn text(phrase: &Phrase<'_>) -> String {
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
