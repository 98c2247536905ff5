//! The figures that lessons name, computed.

use lanescope_gallery::{Preset, preset};
use lanescope_query::{Analysis, Question, Report, analyse};
use lanescope_share::{Device, State, encode};
use serde_json::Value;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::active_lanes::{LaneSlots, by_line};

/// More than any preset makes.
const MAX_REQUESTS: u64 = 10_000_000;

/// An analysis and its report.
pub(super) struct Analysed {
    pub(super) analysis: Analysis,
    pub(super) report: Value,
    lanes: OnceCell<Option<Vec<LaneSlots>>>,
}

impl Analysed {
    /// Active lanes by line of the report; `None` where they cannot be told.
    pub(super) fn lanes(&self) -> Option<&[LaneSlots]> {
        let lanes = self.lanes.get_or_init(|| by_line(&self.analysis));
        lanes.as_deref()
    }

    /// Those of line `row`, counted from 1.
    fn lanes_of(&self, row: &str) -> Option<LaneSlots> {
        let row: usize = row.parse().ok()?;
        self.lanes()?.get(row.checked_sub(1)?).copied()
    }
}

/// What was analysed so far, by link: lessons of all languages name the same figures.
#[derive(Default)]
pub(super) struct Figures {
    known: BTreeMap<String, Option<Rc<Analysed>>>,
}

impl Figures {
    /// The analysis of a state of the gallery; `None` where it cannot be asked.
    pub(super) fn of(&mut self, state: &State) -> Option<Rc<Analysed>> {
        let known = self.known.entry(encode(state));
        known
            .or_insert_with(|| analysed(state).map(Rc::new))
            .clone()
    }

    /// The figure that a lesson on `own` names by `text` (see [`lanescope_gallery::lesson`]); `None` where there is
    /// none.
    pub(super) fn figure(&mut self, own: &Preset, text: &str) -> Option<String> {
        let (text, other) = split(text, '>');
        let (text, device) = split(text, '|');
        let mut state = match other {
            Some(id) => preset(id)?.state(),
            None => own.state(),
        };
        if let Some(id) = device {
            state.device = Device::Known(id.to_owned());
        }
        if let Some(rest) = text.strip_prefix("active@") {
            return self.active(&state, rest);
        }
        if let Some((what, rest)) = text.split_once(" sum ") {
            return self.sum(&state, what, rest);
        }
        if let Some((what, chosen)) = text.split_once(" at ") {
            let (name, value) = chosen.split_once('=')?;
            let state = at(&state, name, value.parse().ok()?);
            return Some(grouped(self.field(&state, what)?));
        }
        Some(grouped(self.field(&state, text)?))
    }

    /// Active lanes of `ROW`, or with ` over NAME` of the row at all values of a variable together.
    fn active(&mut self, state: &State, text: &str) -> Option<String> {
        let Some((row, name)) = text.split_once(" over ") else {
            return Some(self.of(state)?.lanes_of(text)?.per_request());
        };
        let values = self.values(state, name)?.into_iter();
        let all = values
            .map(|value| self.of(&at(state, name, value))?.lanes_of(row))
            .collect::<Option<Vec<LaneSlots>>>()?;
        let none = LaneSlots::default();
        Some(all.into_iter().fold(none, LaneSlots::plus).per_request())
    }

    /// The terms over all values of a variable, and their sum; or so many times the sum.
    fn sum(&mut self, state: &State, what: &str, rest: &str) -> Option<String> {
        let (name, times) = rest
            .split_once(" times ")
            .map_or((rest, None), |(name, times)| (name, Some(times)));
        let values = self.values(state, name)?.into_iter();
        let terms = values
            .map(|value| self.field(&at(state, name, value), what))
            .collect::<Option<Vec<u64>>>()?;
        let whole: u64 = terms.iter().sum();
        if let Some(times) = times {
            let times: u64 = times.parse().ok()?;
            let product = grouped(whole.checked_mul(times)?);
            return Some(format!(
                "{} × {} = {product}",
                grouped(whole),
                grouped(times)
            ));
        }
        let terms: Vec<String> = terms.into_iter().map(grouped).collect();
        Some(format!("{} = {}", terms.join(" + "), grouped(whole)))
    }

    fn values(&mut self, state: &State, name: &str) -> Option<Vec<i64>> {
        let analysed = self.of(state)?;
        let mut variables = analysed.analysis.program().variables().iter();
        let variable = variables.find(|variable| variable.name == name)?;
        Some(variable.values.clone())
    }

    /// One number of the analysis of `state`.
    fn field(&mut self, state: &State, text: &str) -> Option<u64> {
        let analysed = self.of(state)?;
        let analysis = &analysed.analysis;
        match text {
            "lanes" => return Some(analysis.question.device.warp_lanes().into()),
            "banks" => return analysis.question.device.banks().map(u64::from),
            "blocks" => return Some(analysis.outcome.blocks_total),
            _ => {}
        }
        number(&analysed.report, text)
    }
}

fn analysed(state: &State) -> Option<Analysed> {
    let analysis = analyse(Question::of(state, MAX_REQUESTS).ok()?);
    let report = serde_json::to_value(Report::of(&analysis)).ok()?;
    Some(Analysed {
        analysis,
        report,
        lanes: OnceCell::new(),
    })
}

fn split(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark)
        .map_or((text, None), |(text, rest)| (text, Some(rest)))
}

fn at(state: &State, name: &str, value: i64) -> State {
    let mut state = state.clone();
    state.selection.values = vec![(name.to_owned(), value)];
    state
}

/// `FIELD@ROW`, with ` each` for each of its requests, `FIELD@FIRST-LAST` of several rows together, or `FIELD` of the
/// totals.
fn number(report: &Value, text: &str) -> Option<u64> {
    let (text, is_each) = text
        .strip_suffix(" each")
        .map_or((text, false), |text| (text, true));
    let Some((name, row)) = text.split_once('@') else {
        return report["totals"][text].as_u64();
    };
    if let Some((first, last)) = row.split_once('-') {
        let rows = first.parse::<usize>().ok()?..=last.parse().ok()?;
        return rows
            .map(|row| number(report, &format!("{name}@{row}")))
            .sum();
    }
    let row: usize = row.parse().ok()?;
    let line = &report["lines"][row.checked_sub(1)?];
    let number = line[name].as_u64()?;
    if is_each {
        each(number, line)
    } else {
        Some(number)
    }
}

/// For each request, where that is a whole number.
fn each(number: u64, line: &Value) -> Option<u64> {
    let requests = line["requests"].as_u64()?;
    (number.checked_rem(requests)? == 0).then_some(number / requests)
}

/// With a comma between each three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<String> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_gallery::{Language, PRESETS, fill, lesson};

    fn figure(id: &str, text: &str) -> String {
        let mut figures = Figures::default();
        figures.figure(preset(id).unwrap(), text).unwrap()
    }

    #[test]
    fn every_lesson_has_its_figures_and_no_number_of_its_own() {
        let mut figures = Figures::default();
        for preset in &PRESETS {
            for &language in Language::ALL {
                let text = lesson(preset.id, language);
                assert!(!text.is_empty(), "{} {language:?}", preset.id);
                let bare = fill(text, &mut |_| Some(String::new())).unwrap();
                let prose: String = bare.split('`').step_by(2).collect();
                let has_number = prose
                    .replace("L1", "")
                    .contains(|c: char| c.is_ascii_digit());
                assert!(!has_number, "{} {language:?}: {bare}", preset.id);
                fill(text, &mut |name| figures.figure(preset, name))
                    .unwrap_or_else(|error| panic!("{} {language:?}: {error}", preset.id));
            }
        }
    }

    #[test]
    fn presets_are_analysed_without_an_error() {
        for preset in &PRESETS {
            let analysed = Figures::default().of(&preset.state()).unwrap();
            let diagnostics = analysed.report["diagnostics"].as_array().unwrap();
            let is_error = |found: &Value| found["severity"] == "error";
            assert!(
                !diagnostics.iter().any(is_error),
                "{}: {diagnostics:?}",
                preset.id
            );
            assert!(analysed.analysis.outcome.exact(), "{}", preset.id);
            assert!(!analysed.analysis.lines.is_empty(), "{}", preset.id);
        }
    }

    /// What the write-ups that the lessons follow measured or worked out.
    #[test]
    fn figures_agree_with_what_was_published() {
        let cases = [
            (
                "reduction-interleaved",
                "conflicts@2 sum s",
                "4 + 6 + 7 + 7 + 7 + 3 + 1 + 0 = 35",
            ),
            (
                "reduction-interleaved",
                "conflicts@2 sum s times 131072",
                "35 × 131,072 = 4,587,520",
            ),
            ("reduction-divergent", "active@2 over s", "5.43"),
            ("reduction-interleaved", "active@2 over s", "21.25"),
            ("reduction-sequential", "active@2 over s", "21.25"),
            ("reduction-divergent", "active@2", "1"),
            ("padded-tile", "active@1", "32"),
            ("cc1-broadcast", "active@1", "32"),
            ("column-of-tile", "ways@1", "32"),
            ("padded-tile", "ways@1", "1"),
            ("small-tile-unpadded", "ways@2", "8"),
            ("small-tile-unpadded", "ways@2|cc1.0", "16"),
            ("small-tile", "ways@1", "2"),
            ("small-tile", "ways@2", "2"),
            ("small-tile", "ways@2|cc1.0", "1"),
            ("small-tile-swizzled", "ways@2", "1"),
            ("cc1-stride", "ways@1 at stride=4", "4"),
            ("cc1-stride", "ways@1 at stride=16", "16"),
            ("cc1-structures", "sectors@1-3", "768"),
            ("cc1-structures", "sectors@4", "32"),
            ("cc1-structures", "sectors@5-7", "48"),
            ("cc1-structures", "sectors@8-10", "48"),
            ("cc1-padding", "ways@2", "1"),
            ("cc1-broadcast", "ways@1", "1"),
            ("four-banks-stride", "ways@1", "2"),
            ("four-banks-broadcast", "ways@1", "1"),
        ];
        for (id, text, published) in cases {
            assert_eq!(figure(id, text), published, "{id} {text}");
        }
    }

    #[test]
    fn digits_are_grouped() {
        let cases = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (4_587_520, "4,587,520"),
        ];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }
}
