//! Banks across, words down, a section for each phase.

use lanescope_model::{BankUse, LaneMask, PhaseReport, SharedReport};

use crate::drawing::{
    About, Anchor, Drawing, Group, GroupKind, Mark, Rect, Shape, Style, Tone, coordinate,
};
use crate::lane_list::{lane_lines, lane_list};
use crate::phrase::{Phrase, Say};
use crate::rows::{Row, rows_in_use};

/// Left of the banks: the axes' numbers.
const LABELS: i32 = 58;
const BETWEEN: i32 = 2;
const LINE: i32 = 11;
const GAP: i32 = 10;
const STRIP: i32 = 20;
const CAPTION: i32 = 20;
const AFTER_PHASE: i32 = 14;
/// No device has more banks than a picture can show side by side.
const MOST_BANKS: u32 = 1024;

/// The picture of `report`: for each phase a strip of its lanes, the wavefronts each bank needs
/// where that is more than one, and the rows of words in use, in the words of `say`.
#[must_use]
pub fn bank_grid(report: &SharedReport, say: Say<'_>) -> Drawing {
    let mut pen = Pen::new(report, say);
    let groups = (0..report.phases.len())
        .flat_map(|index| pen.phase(index))
        .collect();
    let counts = &report.counts;
    Drawing {
        width: pen.width(),
        height: (pen.y - AFTER_PHASE).max(CAPTION),
        title: say(&Phrase::BankTitle {
            ways: counts.ways,
            wavefronts: counts.wavefronts,
            ideal: counts.ideal_wavefronts,
        }),
        description: say(&Phrase::BankDescription {
            banks: report.banks,
            bank_bytes: report.bank_bytes,
            phases: report.phases.len(),
        }),
        groups,
    }
}

/// Draws from the top down.
struct Pen<'a> {
    report: &'a SharedReport,
    say: Say<'a>,
    banks: i32,
    cell: i32,
    lanes: i32,
    y: i32,
}

impl<'a> Pen<'a> {
    fn new(report: &'a SharedReport, say: Say<'a>) -> Self {
        let banks = report.banks.clamp(1, MOST_BANKS);
        let all = report
            .phases
            .iter()
            .fold(0, |all, phase| all | phase.lanes.0 | phase.active.0);
        let lanes = if all >> 32 != 0 { 64 } else { 32 };
        Self {
            report,
            say,
            banks: coordinate(banks),
            cell: cell_width(banks),
            lanes,
            y: 0,
        }
    }

    const fn width(&self) -> i32 {
        LABELS + self.banks * self.pitch()
    }

    const fn pitch(&self) -> i32 {
        self.cell + BETWEEN
    }

    fn bank_rect(&self, bank: u32, height: i32) -> Rect {
        let x = LABELS + coordinate(bank).min(self.banks - 1) * self.pitch();
        Rect {
            x,
            y: self.y,
            width: self.cell,
            height,
        }
    }

    fn axis(&self, text: String, baseline: i32) -> Mark {
        Mark::text(
            LABELS - 8,
            self.y + baseline,
            Anchor::End,
            text,
            Style::Axis,
        )
    }

    fn phase(&mut self, index: usize) -> [Group; 2] {
        let phase = &self.report.phases[index];
        let label = (self.say)(&Phrase::Phase {
            number: index + 1,
            of: self.report.phases.len(),
            lanes: &lane_list(phase.lanes),
            active: phase.active.count(),
            wavefronts: phase.wavefronts,
        });
        let caption = Mark::text(0, self.y + 12, Anchor::Start, label.clone(), Style::Caption);
        self.y += CAPTION;
        let mut lanes = vec![caption];
        self.lane_strip(index, phase, &mut lanes);
        let mut words = Vec::new();
        self.bank_numbers(&mut words);
        self.needs(index, phase, &mut words);
        self.words(index, phase, &mut words);
        self.y += AFTER_PHASE;
        let lanes = Group {
            kind: GroupKind::Lanes(index),
            label: label.clone(),
            marks: lanes,
        };
        [
            lanes,
            Group {
                kind: GroupKind::Phase(index),
                label,
                marks: words,
            },
        ]
    }

    fn lane_strip(&mut self, index: usize, phase: &PhaseReport, marks: &mut Vec<Mark>) {
        marks.push(self.axis((self.say)(&Phrase::LaneAxis), 14));
        let pitch = (self.banks * self.pitch() / self.lanes).max(18);
        let first = Rect {
            x: LABELS,
            y: self.y,
            width: pitch - BETWEEN,
            height: STRIP,
        };
        let tiles = Shape::Tiles {
            first,
            count: self.lanes,
            pitch,
        };
        marks.push(Mark::plain(tiles, Style::Empty));
        for lane in LaneMask(phase.lanes.0 | phase.active.0).iter() {
            let rect = Rect {
                x: LABELS + coordinate(lane) * pitch,
                ..first
            };
            marks.push(self.lane(index, phase, lane, rect));
        }
        self.y += STRIP + 6;
    }

    fn lane(&self, index: usize, phase: &PhaseReport, lane: usize, rect: Rect) -> Mark {
        let touched = || phase.banks.iter().filter(|bank| bank_has(bank, lane));
        let banks: Vec<String> = touched().map(|bank| bank.bank.to_string()).collect();
        let needs = touched().map(|bank| bank.wavefronts).max().unwrap_or(1);
        let on = phase.active.contains(lane);
        let style = if on {
            Style::Lane(Tone::of_ways(needs))
        } else {
            Style::LaneOff
        };
        let about = About {
            phase: Some(index),
            lanes: LaneMask(1 << lane),
            ..About::default()
        };
        let label = (self.say)(&Phrase::Lane {
            lane,
            banks: &banks.join(", "),
        });
        Mark::cell(rect, vec![lane.to_string()], style).about(about, label)
    }

    fn bank_numbers(&mut self, marks: &mut Vec<Mark>) {
        marks.push(self.axis((self.say)(&Phrase::BankAxis), 11));
        for bank in 0..self.banks {
            let x = LABELS + bank * self.pitch() + self.cell / 2;
            let text = bank.to_string();
            marks.push(Mark::text(
                x,
                self.y + 11,
                Anchor::Middle,
                text,
                Style::Axis,
            ));
        }
        self.y += 16;
    }

    /// The wavefronts each bank needs, where any needs more than one.
    fn needs(&mut self, index: usize, phase: &PhaseReport, marks: &mut Vec<Mark>) {
        if phase.banks.iter().all(|bank| bank.wavefronts <= 1) {
            return;
        }
        marks.push(self.axis((self.say)(&Phrase::WavefrontAxis), 12));
        for bank in &phase.banks {
            let rect = self.bank_rect(bank.bank, 16);
            marks.push(self.need(index, bank, rect));
        }
        self.y += 20;
    }

    fn need(&self, index: usize, bank: &BankUse, rect: Rect) -> Mark {
        let about = About {
            phase: Some(index),
            lanes: bank
                .words
                .iter()
                .fold(LaneMask::NONE, |all, word| LaneMask(all.0 | word.lanes.0)),
            bank: Some(bank.bank),
            ..About::default()
        };
        let label = (self.say)(&Phrase::Bank {
            bank: bank.bank,
            words: bank.words.len(),
            wavefronts: bank.wavefronts,
        });
        let style = Style::Bank(Tone::of_ways(bank.wavefronts));
        Mark::cell(rect, vec![bank.wavefronts.to_string()], style).about(about, label)
    }

    fn words(&mut self, index: usize, phase: &PhaseReport, marks: &mut Vec<Mark>) {
        let columns = usize::try_from((self.cell - 2) / 6).unwrap_or(1);
        let cells = self.cells(phase, columns);
        let rows = rows_in_use(cells.iter().map(|cell| cell.row));
        if rows.is_empty() {
            marks.push(self.axis((self.say)(&Phrase::WordAxis), 14));
            let text = (self.say)(&Phrase::Nobody);
            marks.push(Mark::text(
                LABELS,
                self.y + 14,
                Anchor::Start,
                text,
                Style::Caption,
            ));
            self.y += STRIP;
        }
        let mut rest = cells.as_slice();
        for row in rows {
            let end = rest.partition_point(|cell| cell.row <= row.index);
            let (mine, others) = rest.split_at(end);
            self.row(index, row, mine, marks);
            rest = others;
        }
    }

    /// The cells row by row, in each from bank to bank.
    fn cells(&self, phase: &PhaseReport, columns: usize) -> Vec<Cell> {
        let row_bytes =
            u64::from(self.report.banks.max(1)) * u64::from(self.report.bank_bytes.max(1));
        let mut cells: Vec<Cell> = Vec::new();
        for bank in &phase.banks {
            for word in &bank.words {
                let cell = Cell {
                    row: word.address / row_bytes,
                    bank: bank.bank,
                    wavefronts: bank.wavefronts,
                    address: word.address,
                    lanes: word.lanes,
                    lines: lane_lines(word.lanes, columns),
                };
                let at = cells.partition_point(|other| other.row <= cell.row);
                cells.insert(at, cell);
            }
        }
        cells
    }

    fn row(&mut self, index: usize, row: Row, cells: &[Cell], marks: &mut Vec<Mark>) {
        self.gap(row, marks);
        let lines = cells
            .iter()
            .map(|cell| coordinate(cell.lines.len()))
            .max()
            .unwrap_or(1);
        let height = 9 + LINE * lines.max(1);
        let first = self.bank_rect(0, height);
        marks.push(self.axis(self.row_name(row.index), height / 2 + 4));
        let tiles = Shape::Tiles {
            first,
            count: self.banks,
            pitch: self.pitch(),
        };
        marks.push(Mark::plain(tiles, Style::Empty));
        marks.extend(cells.iter().map(|cell| self.word(index, cell, height)));
        self.y += height + BETWEEN;
    }

    /// The number of the row's first word.
    fn row_name(&self, row: u64) -> String {
        let word = row.saturating_mul(u64::from(self.report.banks.max(1)));
        if word < 1_000_000 {
            word.to_string()
        } else {
            format!("{word:#x}")
        }
    }

    fn gap(&mut self, row: Row, marks: &mut Vec<Mark>) {
        if row.skipped == 0 {
            return;
        }
        let mark = self.axis("⋮".into(), 9);
        marks.push(Mark {
            style: Style::Gap,
            label: (self.say)(&Phrase::RowsSkipped(row.skipped)),
            ..mark
        });
        self.y += GAP;
    }

    fn word(&self, index: usize, cell: &Cell, height: i32) -> Mark {
        let about = About {
            phase: Some(index),
            lanes: cell.lanes,
            bank: Some(cell.bank),
            word: Some(cell.address),
            sector: None,
        };
        let label = (self.say)(&Phrase::Word {
            lanes: &lane_list(cell.lanes),
            count: cell.lanes.count(),
            bank: cell.bank,
            address: cell.address,
            wavefronts: cell.wavefronts,
        });
        let style = Style::Word(Tone::of_ways(cell.wavefronts));
        Mark::cell(self.bank_rect(cell.bank, height), cell.lines.clone(), style).about(about, label)
    }
}

/// One word of one bank, in its row.
struct Cell {
    row: u64,
    bank: u32,
    wavefronts: u32,
    address: u64,
    lanes: LaneMask,
    lines: Vec<String>,
}

fn bank_has(bank: &BankUse, lane: usize) -> bool {
    bank.words.iter().any(|word| word.lanes.contains(lane))
}

/// Wide enough for a lane's number; wider where there are few banks.
const fn cell_width(banks: u32) -> i32 {
    match banks {
        0..=8 => 76,
        9..=16 => 52,
        17..=32 => 26,
        _ => 20,
    }
}
