//! What the pictures of banks have in common: a section for each phase, its lanes, the banks' numbers and needs.

use lanescope_model::{BankUse, LaneMask, PhaseReport, SharedReport};

use crate::drawing::{
    About, Anchor, Drawing, Group, GroupKind, Mark, Rect, Shape, Style, Tone, coordinate,
};
use crate::lane_list::lane_list;
use crate::phrase::{Phrase, Say};

/// Left of the banks: the axes' numbers.
pub(crate) const LABELS: i32 = 58;
pub(crate) const BETWEEN: i32 = 2;
pub(crate) const STRIP: i32 = 20;
const CAPTION: i32 = 20;
const AFTER_PHASE: i32 = 14;
/// Two digits of a lane's number in the smaller type.
const LEAST_LANE_PITCH: i32 = 14;
/// No device has more banks than a picture can show side by side.
const MOST_BANKS: u32 = 1024;

/// Draws what is special to a picture, below the lanes of the phase with this index.
pub(crate) type Body = fn(&mut Pen<'_>, usize, &PhaseReport, &mut Vec<Mark>);

/// The picture of `report` whose phases are drawn by `body`.
pub(crate) fn picture(report: &SharedReport, say: Say<'_>, body: Body) -> Drawing {
    let mut pen = Pen::new(report, say);
    let groups = (0..report.phases.len())
        .flat_map(|index| pen.phase(index, body))
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
pub(crate) struct Pen<'a> {
    pub(crate) report: &'a SharedReport,
    pub(crate) say: Say<'a>,
    pub(crate) banks: i32,
    pub(crate) cell: i32,
    lanes: i32,
    pub(crate) y: i32,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(report: &'a SharedReport, say: Say<'a>) -> Self {
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
        let (banks, lanes) = (self.banks * self.pitch(), self.lanes * self.lane_pitch());
        LABELS + if banks < lanes { lanes } else { banks }
    }

    pub(crate) const fn pitch(&self) -> i32 {
        self.cell + BETWEEN
    }

    const fn lane_pitch(&self) -> i32 {
        let even = self.banks * self.pitch() / self.lanes;
        if even < LEAST_LANE_PITCH {
            LEAST_LANE_PITCH
        } else {
            even
        }
    }

    pub(crate) fn bank_rect(&self, bank: u32, height: i32) -> Rect {
        let x = LABELS + coordinate(bank).min(self.banks - 1) * self.pitch();
        Rect {
            x,
            y: self.y,
            width: self.cell,
            height,
        }
    }

    pub(crate) fn axis(&self, text: String, baseline: i32) -> Mark {
        Mark::text(
            LABELS - 8,
            self.y + baseline,
            Anchor::End,
            text,
            Style::Axis,
        )
    }

    fn phase(&mut self, index: usize, body: Body) -> [Group; 2] {
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
        body(self, index, phase, &mut words);
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
        let pitch = self.lane_pitch();
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

    pub(crate) fn bank_numbers(&mut self, marks: &mut Vec<Mark>) {
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
    pub(crate) fn needs(&mut self, index: usize, phase: &PhaseReport, marks: &mut Vec<Mark>) {
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

    /// Says that no lane wants a word.
    pub(crate) fn nobody(&mut self, marks: &mut Vec<Mark>) {
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
