//! A report as tables, and as CSV.

use lanescope_kernels::{Kernel, KernelId};
use lanescope_lab::report::{Outcome, Report, Row, Table};
use lanescope_lab::{Clock, StrideTable};
use lanescope_share::{Launch, Source, State};

use crate::element::{El, el};
use crate::words::{Language, Word};

/// Everything a report says.
pub(crate) fn build(report: &Report, language: Language) -> El {
    let clock = match report.clock {
        Clock::Device => Word::DeviceClock,
        Clock::Wall => Word::WallClock,
    };
    let note = el("p").class("lab-note").text(language.word(clock));
    let tables = report
        .experiments
        .iter()
        .map(|table| experiment(table, language));
    let strides = report
        .strides
        .iter()
        .map(|strides| staircase(strides, language));
    el("div").with(&note).with_all(tables).with_all(strides)
}

fn table(headings: &[&str]) -> (El, El) {
    let cells = headings
        .iter()
        .map(|text| el("th").set("scope", "col").text(text));
    let body = el("tbody");
    let head = el("thead").with(&el("tr").with_all(cells));
    (el("table").with(&head).with(&body), body)
}

fn experiment(results: &Table, language: Language) -> El {
    let words = [
        Word::Kernel,
        Word::Time,
        Word::Bandwidth,
        Word::Ceiling,
        Word::Spread,
        Word::Result,
    ];
    let (table, body) = table(&words.map(|word| language.word(word)));
    body.with_all(results.results.iter().map(|row| line(row, language)));
    let size = match results.rows {
        1 => results.columns.to_string(),
        rows => format!("{rows} × {}", results.columns),
    };
    let sets = match results.buffer_sets {
        1 => String::new(),
        sets => format!("; {sets} {}", language.word(Word::Sets)),
    };
    let caption = el("caption").text(&(size + &sets));
    let table = table.testid("lab-results");
    // A caption comes first in its table.
    let whole = el("div").class("scroll").with(&table);
    if let (Some(table), Some(caption)) = (table.element(), caption.element()) {
        let _ = table.prepend_with_node_1(caption);
    }
    whole
}

fn line(row: &Row, language: Language) -> El {
    let [time, rate, spread, result] = figures(&row.outcome, language);
    let cells = [
        number(&time),
        number(&rate),
        bar(&row.outcome),
        number(&spread),
    ];
    let state = match row.outcome {
        Outcome::Measured { .. } => "measured",
        Outcome::TooNoisy { .. } => "noisy",
        Outcome::Failed { .. } => "failed",
        Outcome::NotRun { .. } => "not-run",
    };
    el("tr")
        .set("data-kernel", &row.kernel)
        .set("data-state", state)
        .with(&name(row, language))
        .with_all(cells)
        .with(&el("td").text(&result))
}

/// The kernel's name, what it shows, and its source as the playground opens it.
fn name(row: &Row, language: Language) -> El {
    let cell = el("th")
        .set("scope", "row")
        .with(&el("code").text(&row.kernel));
    let Some(kernel) = KernelId::by_name(&row.kernel).map(Kernel::of) else {
        return cell;
    };
    let shows = el("span")
        .class("lab-shows")
        .text(language.shows(kernel.id));
    let link = el("a")
        .set("href", &source_link(kernel))
        .text(language.word(Word::Open));
    cell.with(&shows).with(&link)
}

/// The page with the kernel's twin as its source.
fn source_link(kernel: &Kernel) -> String {
    let [x, y] = kernel.workgroup(&kernel.defaults());
    let state = State {
        source: Source::Kernel(kernel.twin.to_owned()),
        launch: Launch {
            block: [x, y, 1],
            ..Launch::default()
        },
        ..State::default()
    };
    format!("./#{}", lanescope_share::encode(&state))
}

fn number(text: &str) -> El {
    el("td").class("num").text(text)
}

/// The share of the ceiling, as a bar and in digits.
fn bar(outcome: &Outcome) -> El {
    let cell = el("td").class("num");
    let Outcome::Measured {
        ceiling_share: Some(share),
        ..
    } = outcome
    else {
        return cell;
    };
    let meter = el("meter")
        .set("max", "1")
        .set("value", &share.min(1.0).to_string());
    cell.with(&meter.set("aria-hidden", "true"))
        .with(&el("span").text(&format!("{:.1} %", share * 100.0)))
}

fn figures(outcome: &Outcome, language: Language) -> [String; 4] {
    let none = String::new;
    match outcome {
        Outcome::Measured {
            gigabytes_per_second,
            timing,
            ..
        } => [
            format!("{:.4}", timing.seconds * 1e3),
            format!("{gigabytes_per_second:.1}"),
            format!("{:.1} %", timing.spread * 100.0),
            language.word(Word::Verified).to_owned(),
        ],
        Outcome::TooNoisy { spread } => [
            none(),
            none(),
            format!("{:.0} %", spread * 100.0),
            language.word(Word::TooNoisy).to_owned(),
        ],
        Outcome::Failed { index } => {
            let wrong = format!("{} ({index})", language.word(Word::Wrong));
            [none(), none(), none(), wrong]
        }
        Outcome::NotRun { reason } => [none(), none(), none(), language.fault(reason)],
    }
}

fn staircase(strides: &StrideTable, language: Language) -> El {
    let (table, body) =
        table(&[Word::Stride, Word::Cost, Word::Spread].map(|word| language.word(word)));
    let most = strides
        .steps
        .iter()
        .map(|step| step.relative)
        .fold(1.0, f64::max);
    body.with_all(strides.steps.iter().map(|step| {
        let meter = el("meter")
            .set("max", &most.to_string())
            .set("value", &step.relative.to_string())
            .set("aria-hidden", "true");
        let cost = el("td").class("num").with(&meter);
        el("tr")
            .with(&number(&step.stride_words.to_string()))
            .with(&cost.with(&el("span").text(&format!("{:.2}", step.relative))))
            .with(&number(&format!("{:.1} %", step.spread * 100.0)))
    }));
    let verdict = strides.banks.map_or_else(
        || language.word(Word::CannotTell).to_owned(),
        |banks| language.banks(banks),
    );
    el("div")
        .with(
            &el("p")
                .class("lab-verdict")
                .testid("lab-banks")
                .text(&verdict),
        )
        .with(&el("div").class("scroll").with(&table.testid("lab-strides")))
}

/// The report as CSV: a line for each kernel or stride. Names are the catalogue's own; texts of
/// drivers are left out.
pub(crate) fn csv(report: &Report) -> String {
    let mut text = String::new();
    if let Some(strides) = &report.strides {
        text += "stride_words,seconds,relative,spread\r\n";
        for step in &strides.steps {
            let (seconds, relative, spread) = (step.seconds, step.relative, step.spread);
            text += &format!("{},{seconds},{relative},{spread}\r\n", step.stride_words);
        }
        return text;
    }
    text += "rows,columns,kernel,seconds,gb_per_s,ceiling_share,spread,result\r\n";
    for table in &report.experiments {
        for row in &table.results {
            let figures = match &row.outcome {
                Outcome::Measured {
                    gigabytes_per_second,
                    ceiling_share,
                    timing,
                    ..
                } => format!(
                    "{},{gigabytes_per_second},{},{},verified",
                    timing.seconds,
                    ceiling_share
                        .map(|share| share.to_string())
                        .unwrap_or_default(),
                    timing.spread
                ),
                Outcome::TooNoisy { spread } => format!(",,,{spread},too noisy"),
                Outcome::Failed { .. } => ",,,,wrong".to_owned(),
                Outcome::NotRun { .. } => ",,,,not run".to_owned(),
            };
            text += &format!(
                "{},{},{},{figures}\r\n",
                table.rows, table.columns, row.kernel
            );
        }
    }
    text
}
