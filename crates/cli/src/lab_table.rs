//! The lab's results as a table and as CSV.

use crate::table::{Align, Table};
use lanescope_lab::plan::Checks;
use lanescope_lab::report::{Noise, Outcome, Report, Row, Table as Results};
use lanescope_lab::{ActiveLanes, Banks, Clock, StrideTable};
use lanescope_tally::decimal;
use std::fmt::Write as _;

/// What stands under the tables.
const LANES_NOTE: &str = "\nActive lanes: predicted, not measured, of the kernel's CUDA twin: at the line that leaves most lane slots idle\n\
    (in brackets: of all instructions).\n";

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
    if has_lanes(report) {
        text += LANES_NOTE;
    }
    if let Some(strides) = &report.strides {
        let _ = write!(text, "\n{}", staircase(strides));
    }
    text
}

fn has_lanes(report: &Report) -> bool {
    let mut rows = report.experiments.iter().flat_map(|table| &table.results);
    rows.any(|row| row.predicted_lanes.is_some())
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
        ("active lanes", Align::Right),
        ("result", Align::Left),
    ]);
    for row in &results.results {
        table.row(cells(row));
    }
    table
}

fn cells(row: &Row) -> [String; 9] {
    let [ms, rate, share, spread, result] = figures(&row.outcome);
    [
        row.kernel.clone(),
        parameters(row, " "),
        checks(row).to_owned(),
        ms,
        rate,
        share,
        spread,
        lanes(row),
        result,
    ]
}

/// Active lanes of the line that leaves most lane slots idle, of how many; behind them those of all instructions.
fn lanes(row: &Row) -> String {
    let Some(lanes) = row.predicted_lanes else {
        return String::new();
    };
    let fewest = decimal(lanes.fewest_hundredths());
    let all = decimal(lanes.all.lanes_hundredths());
    let of = lanes.warp_lanes;
    match lanes.worst_line {
        Some(_) => format!("{fewest} of {of} ({all})"),
        None => format!("{all} of {of}"),
    }
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
            "predicted_active_lanes",
            "predicted_active_lanes_of_line",
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

fn record(results: &Results, row: &Row) -> [String; 13] {
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
    let of_lanes = |hundredths: fn(&ActiveLanes) -> u64| {
        let lanes = row.predicted_lanes.as_ref();
        lanes.map_or_else(none, |lanes| decimal(hundredths(lanes)))
    };
    let all_lanes = of_lanes(|lanes| lanes.all.lanes_hundredths());
    let fewest_lanes = of_lanes(ActiveLanes::fewest_hundredths);
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
        all_lanes,
        fewest_lanes,
        result,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_kernels::{Kernel, KernelId, Problem};
    use lanescope_lab::{DeviceLimits, Experiment, Fault, Variant};
    use lanescope_model::Device;

    /// A table of the two reductions of which nothing has run, with what the model predicts.
    fn results() -> Results {
        let kernels = [KernelId::ReduceDivergent, KernelId::ReduceSequential];
        let variants = kernels.map(|kernel| Variant::of(Kernel::of(kernel)));
        let problem = Problem::Length(1 << 16);
        let mut experiment = Experiment::with(variants, problem, &DeviceLimits::PROMISED);
        experiment.variants.retain(|variant| {
            variant
                .kernel
                .is_some_and(|kernel| kernels.contains(&kernel.id))
        });
        let row = |variant: &Variant| Row {
            kernel: variant.name().to_owned(),
            element: "f32".to_owned(),
            parameters: variant
                .values
                .iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            checks: Checks::On,
            predicted_lanes: None,
            outcome: Outcome::NotRun {
                reason: Fault::Unreadable,
            },
        };
        let mut table = Results {
            rows: 1,
            columns: 1 << 16,
            buffer_sets: 1,
            ended: None,
            results: experiment.variants.iter().map(row).collect(),
        };
        experiment.predict_lanes(&mut table, Device::by_id("cc9.0").unwrap_or_default());
        table
    }

    #[test]
    fn active_lanes_stand_beside_what_was_measured() {
        let results = results();
        let text = rows(&results).to_string();
        for (kernel, lanes) in [
            ("reduce_divergent", "5.43 of 32 ("),
            ("reduce_sequential", "21.25 of 32 ("),
        ] {
            let line = text.lines().find(|line| line.starts_with(kernel));
            assert!(line.is_some_and(|line| line.contains(lanes)), "{text}");
        }
        let lanes = record(&results, &results.results[0])[11].clone();
        assert_eq!(lanes, "5.43");
    }
}
