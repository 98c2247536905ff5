//! Banks across, words down, a section for each phase.

use lanescope_model::{LaneMask, PhaseReport, SharedReport};

use crate::bank_pen::{BETWEEN, Pen, picture};
use crate::drawing::{About, Drawing, Mark, Shape, Style, Tone, coordinate};
use crate::lane_list::{lane_lines, lane_list};
use crate::phrase::{Phrase, Say};
use crate::rows::{Row, rows_in_use};

const LINE: i32 = 11;
const GAP: i32 = 10;

/// The picture of `report`: for each phase a strip of its lanes, the wavefronts each bank needs
/// where that is more than one, and the rows of words in use, in the words of `say`.
#[must_use]
pub fn bank_grid(report: &SharedReport, say: Say<'_>) -> Drawing {
    picture(report, say, |pen, index, phase, marks| {
        pen.bank_numbers(marks);
        pen.needs(index, phase, marks);
        pen.words(index, phase, marks);
    })
}

impl Pen<'_> {
    fn words(&mut self, index: usize, phase: &PhaseReport, marks: &mut Vec<Mark>) {
        let columns = usize::try_from((self.cell - 2) / 6).unwrap_or(1);
        let cells = self.cells(phase, columns);
        let rows = rows_in_use(cells.iter().map(|cell| cell.row));
        if rows.is_empty() {
            marks.push(self.axis((self.say)(&Phrase::WordAxis), 14));
            self.nobody(marks);
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
