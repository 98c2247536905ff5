//! Banks across, wavefronts up: the distinct words of each bank, stacked.

use lanescope_model::{BankUse, PhaseReport, SharedReport, WordUse};

use crate::bank_pen::{Pen, picture};
use crate::drawing::{About, Drawing, GroupKind, Mark, Rect, Shape, Style, Tone, coordinate};
use crate::lane_list::{lane_lines, lane_list};
use crate::phrase::{Phrase, Say};

/// Height that all phases' stacks share, where there are many wavefronts.
const ROOM: i32 = 200;
/// Height of a wavefront, where there are few: a line of text and its margins.
const MOST_UNIT: i32 = 22;
/// The least height of a cell with room for its lanes.
const TEXT: i32 = 13;

/// The picture of `report`: for each phase a strip of its lanes, and for each bank a stack as high as the
/// wavefronts that it needs, with a cell for each distinct word, in the words of `say`.
#[must_use]
pub fn bank_stacks(report: &SharedReport, say: Say<'_>) -> Drawing {
    picture(report, say, |pen, index, phase, marks| {
        pen.stacks(index, phase, marks);
        pen.needs(index, phase, marks);
        pen.bank_numbers(marks);
    })
}

/// Stacks as high as `after`, `[bank]` in wavefronts, to be drawn over the phase of `drawing` whose banks take
/// `before`; none where no phase does. `drawing` is [`bank_stacks`]' of `report`.
#[must_use]
pub fn stack_outlines(
    report: &SharedReport,
    drawing: &Drawing,
    before: &[u32],
    after: &[u32],
) -> Vec<Rect> {
    let Some(phase) = report.phases.iter().position(|phase| takes(phase, before)) else {
        return Vec::new();
    };
    let mut groups = drawing.groups.iter();
    let marks = groups
        .find(|group| group.kind == GroupKind::Phase(phase))
        .map_or(&[][..], |group| &group.marks);
    let floor = marks.iter().find_map(|mark| match mark.shape {
        Shape::Tiles { first, pitch, .. } => Some((first, pitch)),
        _ => None,
    });
    let Some((first, pitch)) = floor else {
        return Vec::new();
    };
    let outline = |(bank, load): (i32, &u32)| {
        let height = coordinate(*load) * first.height;
        (height > 0).then_some(Rect {
            x: first.x + bank * pitch,
            y: first.y + first.height - height,
            width: first.width,
            height,
        })
    };
    (0..).zip(after).filter_map(outline).collect()
}

/// Whether the banks of `phase` take `loads`, `[bank]` in wavefronts.
fn takes(phase: &PhaseReport, loads: &[u32]) -> bool {
    let asked = |bank: usize| {
        let mut banks = phase.banks.iter();
        banks
            .find(|one| usize::try_from(one.bank) == Ok(bank))
            .map_or(0, |one| one.wavefronts)
    };
    let is_same = |(bank, load): (usize, &u32)| asked(bank) == *load;
    loads.iter().enumerate().all(is_same)
}

/// Height of a wavefront in the picture of `report`.
fn unit(report: &SharedReport) -> i32 {
    let highest = |phase: &PhaseReport| phase.banks.iter().map(|bank| bank.wavefronts).max();
    let all: u64 = report
        .phases
        .iter()
        .filter_map(highest)
        .map(u64::from)
        .sum();
    (ROOM / coordinate(all).max(1)).clamp(2, MOST_UNIT)
}

impl Pen<'_> {
    fn stacks(&mut self, index: usize, phase: &PhaseReport, marks: &mut Vec<Mark>) {
        if phase.banks.is_empty() {
            return self.nobody(marks);
        }
        let unit = unit(self.report);
        let highest = phase.banks.iter().map(|bank| bank.wavefronts).max();
        self.y += unit * (coordinate(highest.unwrap_or(1)) - 1);
        let tiles = Shape::Tiles {
            first: self.bank_rect(0, unit),
            count: self.banks,
            pitch: self.pitch(),
        };
        marks.push(Mark::plain(tiles, Style::Empty));
        for bank in &phase.banks {
            self.stack(index, bank, unit, marks);
        }
        self.y += unit + 4;
    }

    /// The words of one bank, from the floor up; together they are as high as the bank's wavefronts.
    fn stack(&self, index: usize, bank: &BankUse, unit: i32, marks: &mut Vec<Mark>) {
        let words = i64::from(coordinate(bank.words.len()).max(1));
        let height = i64::from(coordinate(bank.wavefronts) * unit);
        let floor = self.y + unit;
        for (number, word) in (0..).zip(&bank.words) {
            let [bottom, top] = [number, number + 1].map(|edge| coordinate(height * edge / words));
            let gap = i32::from(top - bottom > 2);
            let rect = Rect {
                y: floor - top + gap,
                ..self.bank_rect(bank.bank, (top - bottom - gap).max(1))
            };
            marks.push(self.stacked(index, bank, word, rect));
        }
    }

    fn stacked(&self, index: usize, bank: &BankUse, word: &WordUse, rect: Rect) -> Mark {
        let about = About {
            phase: Some(index),
            lanes: word.lanes,
            bank: Some(bank.bank),
            word: Some(word.address),
            sector: None,
        };
        let label = (self.say)(&Phrase::Word {
            lanes: &lane_list(word.lanes),
            count: word.lanes.count(),
            bank: bank.bank,
            address: word.address,
            wavefronts: bank.wavefronts,
        });
        Mark::cell(
            rect,
            self.lanes_in(word, rect),
            Style::Word(Tone::of_ways(bank.wavefronts)),
        )
        .about(about, label)
    }

    /// The lanes of a word, as far as there is room for them in its cell.
    fn lanes_in(&self, word: &WordUse, rect: Rect) -> Vec<String> {
        if rect.height < TEXT {
            return Vec::new();
        }
        let columns = usize::try_from((self.cell - 2) / 6).unwrap_or(1);
        let lines = lane_lines(word.lanes, columns);
        match lines.as_slice() {
            [_] => lines,
            _ => vec![format!("×{}", word.lanes.count())],
        }
    }
}
