//! Presentation attributes: the colours of a mark written out beside it, for programs that read no style sheet.

use crate::drawing::{Style, Tone};
use crate::palette::{PALETTE, Theme};

/// Type of a whole picture, in whose boxes text is centred; captions have their own.
pub(crate) const TYPE: &str = "font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,monospace\" \
                               font-size=\"11\" text-anchor=\"middle\"";

const CAPTION_TYPE: &str = "font-family=\"system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,\
                            Noto Sans CJK SC,sans-serif\" font-size=\"12\"";

/// The colour of a token of [`PALETTE`]; grey for a name that it does not have.
pub(crate) fn colour(theme: Theme, token: &str) -> &'static str {
    let mut swatches = PALETTE.iter();
    let found = swatches.find(|swatch| swatch.token == token);
    found.map_or("#808080", |swatch| swatch.of(theme))
}

/// Fill and stroke of a box.
pub(crate) fn of_box(theme: Theme, style: Style) -> String {
    let fill = |token: &str| format!("fill=\"{}\"", colour(theme, token));
    let edge = || format!("fill=\"none\" stroke=\"{}\"", colour(theme, "edge"));
    match style {
        Style::Word(tone) | Style::Bank(tone) | Style::Lane(tone) | Style::Swatch(tone) => {
            fill(tone.class())
        }
        Style::LaneOff => edge() + " stroke-dasharray=\"2 2\"",
        Style::SectorUnmoved => edge(),
        Style::Empty => format!("fill=\"none\" {}", of_tiles(theme)),
        Style::Sector => fill("moved"),
        Style::Used => fill("used"),
        Style::Share => fill("ink"),
        Style::Gap | Style::Axis | Style::Caption => fill("faint"),
    }
}

/// Stroke of a row of tiles.
pub(crate) fn of_tiles(theme: Theme) -> String {
    format!("stroke=\"{}\"", colour(theme, "empty"))
}

/// Colour and type of a text that stands for itself.
pub(crate) fn of_text(theme: Theme, style: Style) -> String {
    match style {
        Style::Caption => format!("fill=\"{}\" {CAPTION_TYPE}", colour(theme, "muted")),
        Style::Share => format!("fill=\"{}\"", colour(theme, "ink")),
        _ => of_line(theme, style),
    }
}

/// Colour of a line of text in a box.
pub(crate) fn of_line(theme: Theme, style: Style) -> String {
    let token = match style {
        Style::Word(tone) | Style::Bank(tone) | Style::Lane(tone) | Style::Swatch(tone) => {
            ink(tone)
        }
        Style::LaneOff
        | Style::Empty
        | Style::Gap
        | Style::Sector
        | Style::SectorUnmoved
        | Style::Used
        | Style::Share
        | Style::Axis
        | Style::Caption => "faint",
    };
    format!("fill=\"{}\"", colour(theme, token))
}

/// The token of the ink on a step of the heat scale.
const fn ink(tone: Tone) -> &'static str {
    match tone {
        Tone::Way1 => "i1",
        Tone::Way2 => "i2",
        Tone::Way4 => "i4",
        Tone::Way8 => "i8",
        Tone::Way16 => "i16",
        Tone::Way32 => "i32",
    }
}
