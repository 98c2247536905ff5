//! What the colours mean, under a picture.

use crate::drawing::{Anchor, Drawing, Group, GroupKind, Mark, Rect, Style, Tone, coordinate};
use crate::lane_list::length;
use crate::phrase::{Phrase, Say};

const SWATCH: i32 = 26;
const HEIGHT: i32 = 16;

/// `drawing` with the heat scale under it.
#[must_use]
pub fn bank_legend(drawing: Drawing, say: Say<'_>) -> Drawing {
    let entry = |tone: &Tone| (Style::Swatch(*tone), say(&Phrase::Ways(tone.ways())));
    let entries: Vec<(Style, String)> = Tone::ALL.iter().map(entry).collect();
    with_legend(drawing, &entries)
}

/// `drawing` with the meaning of a sector map's shades under it.
#[must_use]
pub fn sector_legend(drawing: Drawing, say: Say<'_>) -> Drawing {
    let entries = [
        (Style::Used, say(&Phrase::BytesUsed)),
        (Style::Sector, say(&Phrase::BytesWasted)),
        (Style::SectorUnmoved, say(&Phrase::NotMoved)),
    ];
    with_legend(drawing, &entries)
}

fn with_legend(mut drawing: Drawing, entries: &[(Style, String)]) -> Drawing {
    let y = drawing.height + 12;
    let mut x = 0;
    let mut marks = Vec::new();
    for (style, text) in entries {
        let rect = Rect {
            x,
            y,
            width: SWATCH,
            height: HEIGHT,
        };
        marks.push(Mark::cell(rect, Vec::new(), *style));
        x += SWATCH + 6;
        marks.push(Mark::text(
            x,
            y + 12,
            Anchor::Start,
            text.clone(),
            Style::Axis,
        ));
        x += coordinate(length(text)) * 7 + 16;
    }
    drawing.width = drawing.width.max(x);
    drawing.height = y + HEIGHT;
    drawing.groups.push(Group {
        kind: GroupKind::Legend,
        label: String::new(),
        marks,
    });
    drawing
}
