//! A trace's answers as a table, CSV or JSON.

use super::Recorded;
use crate::args::trace::TraceFormat;
use crate::table::{Align, Frame, cell};
use lanescope_model::Unit;
use lanescope_report::{Agreement, Sum, TraceReport, Traced as _};
use lanescope_trace::{Answer, Measured, Row};
use std::io::{self, Write};

/// Writes the answers in the format asked for, a row at a time.
pub(super) fn print(
    traced: &Recorded<'_>,
    sum: &Sum,
    frame: &Frame,
    format: TraceFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        TraceFormat::Table => table(traced, sum, frame, out),
        TraceFormat::Csv => csv(traced, out),
        TraceFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &TraceReport::of(traced, sum))?;
            writeln!(out)
        }
    }
}

/// A cell that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

fn csv(traced: &Recorded<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let more: &[_] = match traced.has_sources {
        true => &["page_sectors", "at_least"],
        false => &[],
    };
    let titles = ["row", "instruction", "wavefronts", "conflicts", "sectors"];
    writer.write_record(titles.iter().chain(more))?;
    for (row, answer) in traced.rows() {
        let mut cells = vec![
            row.number.to_string(),
            harmless(&row.name),
            cell(answer.wavefronts()),
            cell(answer.conflicts()),
            cell(answer.sectors()),
        ];
        if traced.has_sources {
            cells.push(cell(answer.page_sectors()));
            cells.push(cell(answer.is_bound().then_some("wavefronts")));
        }
        writer.write_record(cells)?;
    }
    writer.flush()
}

const PREDICTED: [(&str, Align); 8] = [
    ("row", Align::Right),
    ("instruction", Align::Left),
    ("wavefronts", Align::Right),
    ("ideal", Align::Right),
    ("conflicts", Align::Right),
    ("n-way", Align::Right),
    ("sectors", Align::Right),
    ("ideal", Align::Right),
];
const MEASURED: [(&str, Align); 2] = [("measured", Align::Right), ("agrees", Align::Left)];
const PATTERN: (&str, Align) = ("pattern", Align::Left);

/// The table's columns, as wide as their titles.
pub(super) fn frame(traced: &Recorded<'_>) -> Frame {
    let measured: &[_] = if traced.has_measured() {
        &MEASURED
    } else {
        &[]
    };
    let columns: Vec<_> = PREDICTED
        .iter()
        .chain(measured)
        .chain([&PATTERN])
        .copied()
        .collect();
    Frame::new(&columns)
}

/// A row of the table.
pub(super) fn cells(traced: &Recorded<'_>, row: &Row, answer: &Answer) -> Vec<String> {
    let mut cells = predicted_cells(row, answer);
    if traced.has_measured() {
        cells.extend(measured_cells(&row.measured, answer));
    }
    cells.push(row.pattern.clone());
    cells
}

fn table(traced: &Recorded<'_>, sum: &Sum, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", frame.header())?;
    for (row, answer) in traced.rows() {
        writeln!(out, "{}", frame.line(&cells(traced, &row, &answer)))?;
    }
    if let Some(Agreement { rows, agree }) = Agreement::of(traced, sum) {
        let device = traced.device().id();
        writeln!(
            out,
            "\n{agree} of {rows} rows agree with the measured columns ({device})"
        )?;
    }
    Ok(())
}

fn predicted_cells(row: &Row, answer: &Answer) -> Vec<String> {
    let global = answer.global();
    let blank = match answer {
        Answer::Unknown(_) => "unknown",
        Answer::Malformed => "malformed",
        Answer::Shared(_) | Answer::Global(_) | Answer::Copy(_) => "",
    };
    let copied = |sectors: u32| match answer.has_rivals() {
        true => format!("{sectors} (lowest lane)"),
        false => sectors.to_string(),
    };
    let least = if answer.is_bound() { "at least " } else { "" };
    let wavefronts = answer.wavefronts().map(|count| format!("{least}{count}"));
    let units = global.map(|counts| format!("{}{}", counts.units, unit_mark(counts.unit)));
    let ideal = global.map(|counts| counts.ideal_units);
    vec![
        row.number.to_string(),
        row.name.clone(),
        wavefronts.unwrap_or_else(|| blank.to_owned()),
        cell(answer.ideal_wavefronts()),
        cell(answer.conflicts()),
        cell(answer.ways().map(|ways| format!("{ways}-way"))),
        cell(units.or_else(|| answer.sectors().map(copied))),
        cell(ideal.or(answer.copy().map(|counts| counts.ideal_sectors))),
    ]
}

/// What follows a number that does not count sectors.
const fn unit_mark(unit: Unit) -> &'static str {
    match unit {
        Unit::Sector => "",
        Unit::Line => " lines",
        Unit::Transaction => " transactions",
    }
}

fn measured_cells(measured: &Measured, answer: &Answer) -> [String; 2] {
    let Measured {
        wavefronts,
        conflicts,
        sectors,
        launch_sectors,
    } = measured;
    let counts: Vec<String> = [wavefronts, conflicts, sectors, launch_sectors]
        .into_iter()
        .flatten()
        .map(u64::to_string)
        .collect();
    let agrees = answer
        .agrees(measured)
        .map(|agrees| if agrees { "yes" } else { "no" });
    [counts.join("/"), cell(agrees)]
}
