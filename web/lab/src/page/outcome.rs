//! What was measured or is predicted, sheet by sheet.

use lanescope_lab::report::{Report, Table};
use lanescope_lab::{DeviceLimits, Fault};

use super::{Origin, Page};
use crate::element::{El, el};
use crate::forecast::Question;
use crate::table::{self, Line, Size};
use crate::words::{Word, size_name};
use crate::{chart, staircase, standing, sweep};

impl Page {
    pub(super) fn outcome(&self) -> El {
        let card = el("section").class("card").testid("lab-report");
        let card = match &self.report {
            Some(report) => card.with(&self.source_of(report)),
            None => card.with(&el("h2").text(self.word(Word::Prediction))),
        };
        let strides = self
            .report
            .as_ref()
            .and_then(|report| report.strides.as_ref());
        let card = match strides {
            Some(strides) => card.with(&staircase::build(strides, self.language)),
            None => card,
        };
        let sheets = self.sheets();
        if sheets.is_empty() && strides.is_none() {
            return card.with(&el("p").class("lab-note").text(self.word(Word::StrideLead)));
        }
        let sheets = sheets.iter().map(|sheet| self.sheet(sheet));
        let card = card.with_each(sheets);
        match &self.report {
            Some(report) => card
                .with(&self.exports())
                .with(&standing::limits(report, self.language)),
            None => card,
        }
    }

    /// Where the report is from, and how it was timed.
    fn source_of(&self, report: &Report) -> El {
        let clock = match report.clock {
            lanescope_lab::Clock::Device => Word::DeviceClock,
            lanescope_lab::Clock::Wall => Word::WallClock,
        };
        let word = match self.origin {
            Origin::Here => Word::ResultsHere,
            Origin::Link => Word::ResultsLink,
            Origin::History => Word::ResultsHistory,
        };
        let text = format!("{} · {}", report.adapter.name, self.word(clock));
        let title = el("h2").testid("lab-origin").text(self.word(word));
        let about = el("span").class("about").text(&text);
        el("div").class("head").with(&title).with(&about)
    }

    /// What is shown: each problem with its lines.
    fn sheets(&self) -> Vec<(Size, u32, Option<Fault>, Vec<Line>)> {
        let Some(report) = &self.report else {
            return self.waiting();
        };
        let sheet = |table: &Table| {
            let lines = table.results.iter();
            let lines = lines.map(|row| Line::measured(row, table, &self.forecast, &self.device));
            let size = Size {
                rows: table.rows,
                columns: table.columns,
            };
            (
                size,
                table.buffer_sets,
                table.ended.clone(),
                lines.collect(),
            )
        };
        report.experiments.iter().map(sheet).collect()
    }

    /// The variants that would run.
    fn waiting(&self) -> Vec<(Size, u32, Option<Fault>, Vec<Line>)> {
        let variants = self.settings.variants(&DeviceLimits::PROMISED);
        let sheet = |problem: lanescope_kernels::Problem| {
            let size = match problem {
                lanescope_kernels::Problem::Matrix { rows, columns } => Size {
                    rows,
                    columns: columns.into(),
                },
                other => Size {
                    rows: 1,
                    columns: other.elements(),
                },
            };
            let line = |variant| {
                let question = Question::of_variant(variant, problem, &self.device);
                Line::waiting(variant, self.forecast.get(&question))
            };
            (size, 1, None, variants.iter().map(line).collect())
        };
        self.settings.problems().into_iter().map(sheet).collect()
    }

    fn sheet(&self, (size, sets, ended, lines): &(Size, u32, Option<Fault>, Vec<Line>)) -> El {
        let place = el("div").class("lab-sheet");
        let name = match size.rows {
            1 => size.columns.to_string(),
            rows => format!("{rows}x{}", size.columns),
        };
        let title = el("h3").text(&size_name(self.settings.experiment, &name));
        let place = place.with(&title);
        let note = |word: String| el("p").class("lab-note").text(&word);
        let place = match ended {
            Some(fault) => {
                let text = format!(
                    "{}{}",
                    self.word(Word::Interrupted),
                    self.language.fault(fault)
                );
                let said = el("p")
                    .class("lab-warning")
                    .testid("lab-interrupted")
                    .text(&text);
                place.with(&said)
            }
            None => place,
        };
        let place = match chart::build(lines, self.language) {
            Some(picture) => place.with(&picture),
            None => place,
        };
        let place = if self.report.is_some() {
            place.with(&self.ranking(lines))
        } else {
            place
        };
        let place = place.with(&table::build(lines, *size, &self.device, self.language));
        let place = match sweep::build(lines, self.language) {
            Some(grid) => place.with(&grid),
            None => place,
        };
        let sets = if *sets > 1 {
            self.language.sets(*sets)
        } else {
            String::new()
        };
        place.with(&note(format!("{} {sets}", self.word(Word::RoofNote))))
    }

    /// Whether what was measured ranks the kernels as the counts do.
    fn ranking(&self, lines: &[Line]) -> El {
        let (found, furthest) = table::ranking(lines);
        if found.ordered == 0 {
            return el("div");
        }
        let software = self
            .report
            .as_ref()
            .is_some_and(|report| report.adapter.is_software());
        let text = self.language.ranking(&found, furthest, software);
        el("p")
            .class("lab-ranking")
            .testid("lab-ranking")
            .set("data-ordered", &found.ordered.to_string())
            .set("data-agreeing", &found.agreeing.to_string())
            .text(&text)
    }
}
