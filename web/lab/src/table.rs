//! The table: what was measured of each variant, and what the model says of it.

use lanescope_kernels::{Family, Kernel, KernelId, Values};
use lanescope_lab::report::{Outcome, Row, Table};
use lanescope_lab::{Agreement, Prediction, Variant, agreement, prediction};
use lanescope_share::{Launch, Source, State};

use crate::element::{El, el};
use crate::forecast::{self, Forecast, Question};
use crate::words::{Word, Words, grouped, rate};

/// One variant on one problem.
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) kernel: Option<&'static Kernel>,
    /// `None` where a link's values are none of the kernel's.
    values: Option<Values>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) prediction: Option<Prediction>,
}

impl Line {
    /// A variant that has not run.
    pub(crate) fn waiting(variant: &Variant, prediction: Option<Prediction>) -> Self {
        Self {
            name: variant.name().to_owned(),
            kernel: variant.kernel,
            values: Some(variant.values.clone()),
            outcome: None,
            prediction,
        }
    }

    pub(crate) fn measured(row: &Row, table: &Table, forecast: &Forecast, device: &str) -> Self {
        let kernel = KernelId::by_name(&row.kernel).map(Kernel::of);
        Self {
            name: row.kernel.clone(),
            kernel,
            values: kernel.and_then(|kernel| forecast::legal(kernel, &row.parameters)),
            outcome: Some(row.outcome.clone()),
            prediction: forecast.get(&Question::of_row(row, table, device)),
        }
    }

    pub(crate) fn is_ceiling(&self) -> bool {
        self.kernel
            .is_none_or(|kernel| kernel.family == Family::Ceiling)
    }

    pub(crate) fn gigabytes_per_second(&self) -> Option<f64> {
        match &self.outcome {
            Some(Outcome::Measured {
                gigabytes_per_second,
                ..
            }) => Some(*gigabytes_per_second).filter(|rate| rate.is_finite() && *rate > 0.0),
            _ => None,
        }
    }

    pub(crate) fn seconds(&self) -> Option<f64> {
        match &self.outcome {
            Some(Outcome::Measured { timing, .. }) => {
                Some(timing.seconds).filter(|seconds| *seconds > 0.0)
            }
            _ => None,
        }
    }

    /// The block of threads, as `32 x 8`.
    pub(crate) fn block(&self) -> Option<String> {
        let [x, y] = self.kernel?.workgroup(self.values.as_ref()?);
        Some(if y == 1 {
            x.to_string()
        } else {
            format!("{x} × {y}")
        })
    }

    /// The parameters besides the block's, as `UNROLL=4`.
    pub(crate) fn parameters(&self) -> String {
        let shown = |name: &str| !["BLOCK", "BLOCK_X", "BLOCK_Y"].contains(&name);
        let values = self.values.iter().flat_map(Values::iter);
        let pairs = values.filter(|(name, _)| shown(name));
        pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The page with the kernel's twin as its source, launched on this problem.
    fn source_link(&self, size: &Size) -> Option<String> {
        let (kernel, values) = (self.kernel?, self.values.as_ref()?);
        let problem = forecast::problem(kernel, size.rows, size.columns)?;
        let launch = prediction::launch(kernel, values, problem)?;
        let arguments = launch
            .arguments
            .iter()
            .filter_map(|argument| match argument.value {
                prediction::ArgumentValue::Integer(n) => {
                    Some((argument.name.clone(), n.to_string()))
                }
                _ => None,
            });
        let state = State {
            source: Source::Kernel(kernel.twin(values)),
            launch: Launch {
                grid: launch.grid,
                block: launch.block,
                arguments: arguments.collect(),
                ..Launch::default()
            },
            ..State::default()
        };
        Some(format!("./#{}", lanescope_share::encode(&state)))
    }
}

/// Rows and columns of a problem; an array has one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) rows: u32,
    pub(crate) columns: u64,
}

/// The table of one problem.
pub(crate) fn build(lines: &[Line], size: Size, device: &str, language: Words) -> El {
    // Before a run there is nothing to show of one.
    let ran = lines.iter().any(|line| line.outcome.is_some());
    let rows = lines.iter().map(|line| row(line, size, ran, language));
    let body = el("tbody").with_each(rows);
    let table = el("table")
        .testid("lab-results")
        .with(&head(device, ran, language))
        .with(&body);
    // The region scrolls, so the keyboard must reach it.
    let region = el("div")
        .class("wide")
        .set("role", "region")
        .set("tabindex", "0");
    region
        .set("aria-label", language.word(Word::Results))
        .with(&table)
}

const MEASURED: [Word; 5] = [
    Word::Time,
    Word::Bandwidth,
    Word::Ceiling,
    Word::Spread,
    Word::Result,
];
const PREDICTED: [Word; 4] = [
    Word::Wavefronts,
    Word::Conflicts,
    Word::Sectors,
    Word::SectorsARequest,
];

fn head(device: &str, ran: bool, language: Words) -> El {
    let span = |text: &str, columns: usize| {
        let cell = el("th")
            .set("scope", "colgroup")
            .set("colspan", &columns.to_string());
        cell.class("part edge").text(text)
    };
    let name = |word: Word, first: Word| {
        let words = matches!(word, Word::Kernel | Word::Result);
        let class = match (words, word == first) {
            (true, _) => "",
            (false, true) => "number edge",
            (false, false) => "number",
        };
        let cell = el("th").set("scope", "col").class(class);
        cell.text(language.word(word))
    };
    let groups = el("tr").with(&span("", 2).class(""));
    let names =
        el("tr").with_each([Word::Kernel, Word::Block].map(|word| name(word, Word::Kernel)));
    let (groups, names) = if ran {
        (
            groups.with(&span(language.word(Word::MeasuredHere), MEASURED.len())),
            names.with_each(MEASURED.map(|word| name(word, MEASURED[0]))),
        )
    } else {
        (groups, names)
    };
    let predicted = span(&language.predicted_for(device), PREDICTED.len());
    let names = names.with_each(PREDICTED.map(|word| name(word, PREDICTED[0])));
    el("thead").with(&groups.with(&predicted)).with(&names)
}

fn row(line: &Line, size: Size, ran: bool, language: Words) -> El {
    let block = number(&line.block().unwrap_or_default());
    block.put("title", &line.parameters());
    let measured = measured(line.outcome.as_ref(), language);
    let predicted = predicted(line.prediction.as_ref(), line.kernel.is_some());
    // The first of each group stands at an edge.
    for first in [&measured[0], &predicted[0]] {
        first.put("class", "number edge");
    }
    let measured = measured.into_iter().filter(|_| ran);
    el("tr")
        .set("data-kernel", &line.name)
        .set("data-state", state(line.outcome.as_ref()))
        .with(&name(line, size, language))
        .with(&block)
        .with_each(measured)
        .with_each(predicted)
}

fn state(outcome: Option<&Outcome>) -> &'static str {
    match outcome {
        None => "waiting",
        Some(Outcome::Measured { .. }) => "measured",
        Some(Outcome::TooNoisy { .. }) => "noisy",
        Some(Outcome::Failed { .. }) => "failed",
        Some(Outcome::NotRun { .. }) => "not-run",
    }
}

/// The kernel's name, what it shows, and its source as the playground opens it.
fn name(line: &Line, size: Size, language: Words) -> El {
    let code = el("code").text(&line.name);
    let cell = el("th").set("scope", "row");
    let cell = match line.source_link(&size) {
        Some(link) => {
            let opens = el("a")
                .set("href", &link)
                .set("title", language.word(Word::Open));
            cell.with(&opens.testid("lab-open").with(&code))
        }
        None => cell.with(&code),
    };
    let shows = line
        .kernel
        .map_or(language.word(Word::DeviceCopy), |kernel| {
            language.shows(kernel.id)
        });
    cell.with(&el("span").class("lab-shows").text(shows))
}

fn number(text: &str) -> El {
    el("td").class("number").text(text)
}

fn measured(outcome: Option<&Outcome>, language: Words) -> [El; 5] {
    let none = || number("");
    let word = |text: &str| el("td").class("lab-result").text(text);
    match outcome {
        None => [none(), none(), none(), none(), none()],
        Some(Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            timing,
            ..
        }) => [
            number(&milliseconds(timing.seconds)),
            number(&rate(*gigabytes_per_second)),
            number(&ceiling_share.map(percent).unwrap_or_default()),
            number(&percent(timing.spread)),
            word(language.word(Word::Verified)),
        ],
        Some(Outcome::TooNoisy { spread }) => {
            let result = word(language.word(Word::TooNoisy));
            [none(), none(), none(), number(&percent(*spread)), result]
        }
        Some(Outcome::Failed { index }) => {
            let wrong = format!("{} ({index})", language.word(Word::Wrong));
            [none(), none(), none(), none(), word(&wrong)]
        }
        Some(Outcome::NotRun { reason }) => [
            none(),
            none(),
            none(),
            none(),
            word(&language.fault(reason)),
        ],
    }
}

fn predicted(prediction: Option<&Prediction>, has_model: bool) -> [El; 4] {
    let Some(counts) = prediction else {
        let dash = if has_model { "…" } else { "–" };
        return ["", "", "", ""].map(|_| number(dash));
    };
    let conflicts = number(&grouped(counts.shared_conflicts));
    if counts.shared_conflicts > 0 {
        conflicts.put("data-ways", &counts.ways.to_string());
        let _ = conflicts.clone().with(&chip(counts.ways));
    }
    [
        number(&grouped(counts.shared_wavefronts)),
        conflicts,
        number(&grouped(counts.sectors)),
        number(&format!("{:.1}", counts.sectors_per_request())),
    ]
}

/// `32-way` on the colour of the heat scale.
fn chip(ways: u32) -> El {
    let step = ways.clamp(1, 32).ilog2();
    let class = format!("chip w{}", 1_u32 << step);
    el("span").class(&class).text(&format!("{ways}-way"))
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.4}", seconds * 1e3)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Whether the measured ranking is the predicted one.
pub(crate) fn ranking(lines: &[Line]) -> (Agreement, Option<[&str; 2]>) {
    let ranks = |kernel: &Kernel| kernel.family != Family::Ceiling && !kernel.copies;
    let kernels: Vec<_> = lines
        .iter()
        .filter(|line| line.kernel.is_some_and(ranks))
        .collect();
    let both: Vec<_> = kernels
        .iter()
        .filter_map(|line| Some((line, line.prediction?, line.seconds()?)))
        .collect();
    let pairs: Vec<_> = both
        .iter()
        .map(|(_, counts, seconds)| (*counts, *seconds))
        .collect();
    let found = agreement(&pairs);
    let name = |i: usize| both.get(i).map(|(line, ..)| line.name.as_str());
    let named = found
        .furthest
        .and_then(|[first, faster]| Some([name(first)?, name(faster)?]));
    (found, named)
}
