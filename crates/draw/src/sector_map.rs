//! Lines down, sectors across, the bytes asked for shaded.

use lanescope_model::{GlobalReport, LineUse, SectorUse};

use crate::drawing::{
    About, Anchor, Drawing, Group, GroupKind, Mark, Rect, Shape, Style, coordinate,
};
use crate::lane_list::{lane_list, length};
use crate::phrase::{Phrase, Say};

/// Left of the sectors: a line's address.
const LABELS: i32 = 96;
/// The widest line.
const LINE_WIDTH: i32 = 768;
const BETWEEN: i32 = 4;
const HEIGHT: i32 = 24;
/// The strip of bytes at the foot of a sector.
const BYTES: i32 = 6;
const GAP: i32 = 12;
const CAPTION: i32 = 20;

/// The picture of `report`, in the words of `say`: for each hardware request its lines (or
/// transactions), with the gaps between them marked.
#[must_use]
pub fn sector_map(report: &GlobalReport, say: Say<'_>) -> Drawing {
    let counts = &report.counts;
    let mut pen = Pen { report, say, y: 0 };
    let groups = report
        .lines
        .chunk_by(|line, next| line.request == next.request)
        .map(|lines| pen.request(lines))
        .collect();
    Drawing {
        width: LABELS + LINE_WIDTH,
        height: pen.y.max(CAPTION),
        title: say(&Phrase::SectorTitle {
            unit: counts.unit,
            units: counts.units,
            ideal: counts.ideal_units,
            used: counts.bytes_used,
            moved: counts.bytes_moved,
        }),
        description: say(&Phrase::SectorDescription {
            lines: report.lines.len(),
            line_bytes: report.line_bytes,
        }),
        groups,
    }
}

/// Draws from the top down.
struct Pen<'a> {
    report: &'a GlobalReport,
    say: Say<'a>,
    y: i32,
}

impl Pen<'_> {
    fn request(&mut self, lines: &[LineUse]) -> Group {
        let number = lines.first().map_or(0, |line| line.request);
        let of = self.report.counts.requests;
        let label = (self.say)(&Phrase::Request {
            number: number.saturating_add(1),
            of,
        });
        let mut marks = Vec::new();
        if of > 1 {
            marks.push(Mark::text(
                0,
                self.y + 12,
                Anchor::Start,
                label.clone(),
                Style::Caption,
            ));
            self.y += CAPTION;
        }
        let mut before = None;
        for line in lines {
            self.gap(before, line, &mut marks);
            self.line(line, &mut marks);
            before = Some(line);
        }
        self.y += 6;
        Group {
            kind: GroupKind::Request(number),
            label,
            marks,
        }
    }

    fn gap(&mut self, before: Option<&LineUse>, line: &LineUse, marks: &mut Vec<Mark>) {
        let end = before.map_or(line.address, |last| {
            last.address.saturating_add(last.bytes.into())
        });
        let skipped = line.address.saturating_sub(end) / u64::from(self.report.line_bytes.max(1));
        if skipped == 0 {
            return;
        }
        let mark = Mark::text(
            LABELS - 10,
            self.y + 10,
            Anchor::End,
            "⋮".into(),
            Style::Gap,
        );
        marks.push(Mark {
            label: (self.say)(&Phrase::LinesSkipped(skipped)),
            ..mark
        });
        self.y += GAP;
    }

    fn line(&mut self, line: &LineUse, marks: &mut Vec<Mark>) {
        let name = format!("{:#06x}", line.address);
        marks.push(Mark::text(
            LABELS - 10,
            self.y + 14,
            Anchor::End,
            name,
            Style::Axis,
        ));
        for sector in &line.sectors {
            self.sector(line, sector, marks);
        }
        self.y += HEIGHT + BETWEEN;
    }

    fn sector(&self, line: &LineUse, sector: &SectorUse, marks: &mut Vec<Mark>) {
        let rect = self.place(
            sector.address.saturating_sub(line.address),
            u64::from(sector.bytes),
        );
        let rect = Rect {
            width: (rect.width - BETWEEN).max(1),
            ..rect
        };
        let style = if sector.moved {
            Style::Sector
        } else {
            Style::SectorUnmoved
        };
        let about = About {
            lanes: sector.lanes,
            sector: Some(sector.address),
            ..About::default()
        };
        let label = (self.say)(&Phrase::Sector {
            address: sector.address,
            used: sector.used.count_ones(),
            bytes: sector.bytes,
            moved: sector.moved,
            lanes: &lane_list(sector.lanes),
        });
        marks.push(Mark::cell(rect, Vec::new(), style).about(about, label));
        if sector.moved {
            marks.push(share(rect, sector));
            marks.extend(runs(sector.used).map(|run| used_bytes(rect, sector, run)));
        }
    }

    /// Where `bytes` bytes stand, `offset` bytes into a line.
    fn place(&self, offset: u64, bytes: u64) -> Rect {
        let line = i64::from(self.report.line_bytes.max(1));
        let at = |byte: u64| {
            let byte = i64::try_from(byte).unwrap_or(line).min(line);
            coordinate(byte * i64::from(LINE_WIDTH) / line)
        };
        let (left, right) = (at(offset), at(offset.saturating_add(bytes)));
        Rect {
            x: LABELS + left,
            y: self.y,
            width: right - left,
            height: HEIGHT,
        }
    }
}

/// How many bytes of a sector are used, and by which lanes where there is room to say so.
fn share(rect: Rect, sector: &SectorUse) -> Mark {
    let bytes = format!("{}/{} B", sector.used.count_ones(), sector.bytes);
    let with_lanes = format!("{bytes} · {}", lane_list(sector.lanes));
    let fits = coordinate(length(&with_lanes)) * 7 < rect.width;
    let text = if fits { with_lanes } else { bytes };
    Mark::text(rect.x + 5, rect.y + 13, Anchor::Start, text, Style::Share)
}

/// A run of bytes asked for, at the foot of the sector's box.
fn used_bytes(sector_rect: Rect, sector: &SectorUse, (first, length): (u32, u32)) -> Mark {
    let bytes = coordinate(sector.bytes.max(1));
    let at = |byte: u32| coordinate(byte).min(bytes) * sector_rect.width / bytes;
    let (left, right) = (at(first), at(first + length));
    let rect = Rect {
        x: sector_rect.x + left,
        y: sector_rect.y + HEIGHT - BYTES,
        width: (right - left).max(1),
        height: BYTES,
    };
    Mark::plain(
        Shape::Box {
            rect,
            lines: Vec::new(),
        },
        Style::Used,
    )
}

/// The runs of ones in `used`, as first bit and length.
fn runs(used: u128) -> impl Iterator<Item = (u32, u32)> {
    let mut rest = used;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let first = rest.trailing_zeros();
        let length = (rest >> first).trailing_ones();
        rest = rest
            .checked_shr(first + length)
            .map_or(0, |high| high << (first + length));
        Some((first, length))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_runs_of_bytes() {
        assert_eq!(runs(0b1100_0111).collect::<Vec<_>>(), [(0, 3), (6, 2)]);
        assert_eq!(runs(u128::MAX).collect::<Vec<_>>(), [(0, 128)]);
        assert_eq!(runs(0).count(), 0);
    }
}
