//! The lab's results as a table and as CSV.

use crate::table::{Align, Table};
use lanescope_lab::plan::Checks;
use lanescope_lab::report::{Noise, Outcome, Report, Row, Table as Results};
use lanescope_lab::{Banks, Clock, StrideTable};
use std::fmt::Write as _;

/// The report as text.
pub(crate) fn table(report: &Report) -> String {
    let clock = match report.clock {
        Clock::Device => "the device's timestamps",
        Clock::Wall => "wall clock (no timestamps on this device)",
    };
    let mut text = format!(
        "{} ({}), {clock}\n",
        report.adapter.name, report.adapter.backend
    );
    for results in &report.experiments {
        let _ = write!(text, "\n{}\n{}", heading(results), rows(results));
    }
    if let Some(strides) = &report.strides {
        let _ = write!(text, "\n{}", staircase(strides));
    }
    text
}

fn heading(results: &Results) -> String {
    let size = match results.rows {
        1 => format!("{} elements", results.columns),
        rows => format!("{rows} x {} elements", results.columns),
    };
    match results.buffer_sets {
        1 => size,
        sets => format!("{size}, {sets} sets of buffers in turn"),
    }
}

fn rows(results: &Results) -> Table {
    let mut table = Table::new(&[
        ("kernel", Align::Left),
        ("parameters", Align::Left),
        ("checks", Align::Left),
        ("ms", Align::Right),
        ("GB/s", Align::Right),
        ("of ceiling", Align::Right),
        ("spread", Align::Right),
        ("result", Align::Left),
    ]);
    for row in &results.results {
        table.row(cells(row));
    }
    table
}

fn cells(row: &Row) -> [String; 8] {
    let [ms, rate, share, spread, result] = figures(&row.outcome);
    [
        row.kernel.clone(),
        parameters(row, " "),
        checks(row).to_owned(),
        ms,
        rate,
        share,
        spread,
        result,
    ]
}

fn parameters(row: &Row, between: &str) -> String {
    let pairs: Vec<_> = row
        .parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    pairs.join(between)
}

const fn checks(row: &Row) -> &'static str {
    match row.checks {
        Checks::On => "on",
        Checks::Off => "off",
    }
}

fn figures(outcome: &Outcome) -> [String; 5] {
    let none = String::new;
    match outcome {
        Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            timing,
            ..
        } => [
            format!("{:.4}", timing.seconds * 1e3),
            format!("{gigabytes_per_second:.1}"),
            ceiling_share.map_or_else(none, |share| format!("{:.1} %", share * 100.0)),
            format!("{:.1} %", timing.spread * 100.0),
            "verified".to_owned(),
        ],
        Outcome::TooNoisy { spread, noise } => {
            let spread = format!("{:.1} %", spread * 100.0);
            let said = "verified; too noisy to tell a time".to_owned();
            let said = noise.map_or(said.clone(), |Noise { seconds, range, .. }| {
                let [median, fastest, slowest] =
                    [seconds, range[0], range[1]].map(|one| format!("{:.4}", one * 1e3));
                format!("{said}: median {median} ms of {fastest} to {slowest}")
            });
            [none(), none(), none(), spread, said]
        }
        Outcome::Failed { index } => [
            none(),
            none(),
            none(),
            none(),
            format!("WRONG at element {index}"),
        ],
        Outcome::NotRun { reason } => [none(), none(), none(), none(), reason.to_string()],
    }
}

fn staircase(strides: &StrideTable) -> String {
    let mut table = Table::new(&[
        ("stride (words)", Align::Right),
        ("relative cost", Align::Right),
        ("spread", Align::Right),
    ]);
    for step in &strides.steps {
        table.row([
            step.stride_words.to_string(),
            format!("{:.2}", step.relative),
            format!("{:.1} %", step.spread * 100.0),
        ]);
    }
    let verdict = match strides.banks {
        Some(Banks { count, word_bytes }) => {
            format!("Looks like {count} banks of {word_bytes} bytes.")
        }
        None => "The banks cannot be told from these costs.".to_owned(),
    };
    format!("{table}{verdict}\n")
}

/// The report as CSV, a line for each kernel or stride.
pub(crate) fn csv(report: &Report) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    if let Some(strides) = &report.strides {
        writer.write_record(["stride_words", "seconds", "relative", "spread"])?;
        for step in &strides.steps {
            writer.write_record([
                step.stride_words.to_string(),
                step.seconds.to_string(),
                step.relative.to_string(),
                step.spread.to_string(),
            ])?;
        }
    } else {
        writer.write_record([
            "rows",
            "columns",
            "kernel",
            "parameters",
            "element",
            "checks",
            "seconds",
            "gb_per_s",
            "ceiling_share",
            "spread",
            "result",
        ])?;
        for results in &report.experiments {
            for row in &results.results {
                writer.write_record(record(results, row))?;
            }
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn record(results: &Results, row: &Row) -> [String; 11] {
    let none = String::new;
    let [seconds, rate, share, spread, result] = match &row.outcome {
        Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            timing,
            ..
        } => [
            timing.seconds.to_string(),
            gigabytes_per_second.to_string(),
            ceiling_share.map_or_else(none, |share| share.to_string()),
            timing.spread.to_string(),
            "verified".to_owned(),
        ],
        Outcome::TooNoisy { spread, .. } => [
            none(),
            none(),
            none(),
            spread.to_string(),
            "too noisy".to_owned(),
        ],
        Outcome::Failed { .. } => [none(), none(), none(), none(), "wrong".to_owned()],
        Outcome::NotRun { reason } => [none(), none(), none(), none(), reason.to_string()],
    };
    [
        results.rows.to_string(),
        results.columns.to_string(),
        row.kernel.clone(),
        parameters(row, ";"),
        row.element.clone(),
        checks(row).to_owned(),
        seconds,
        rate,
        share,
        spread,
        result,
    ]
}
