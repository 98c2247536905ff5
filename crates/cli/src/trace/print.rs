//! A trace's answers as a table, CSV or JSON.

use super::{MOST_FAULTS, Sum, Traced};
use crate::args::trace::TraceFormat;
use crate::table::{Align, Frame, cell};
use lanescope_model::Unit;
use lanescope_trace::{Answer, Fault, Measured, Row};
use serde::{Serialize, Serializer};
use std::io::{self, Write};

/// Writes the answers in the format asked for, a row at a time.
pub(super) fn print(
    traced: &Traced<'_>,
    sum: &Sum,
    frame: &Frame,
    format: TraceFormat,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        TraceFormat::Table => table(traced, sum, frame, out),
        TraceFormat::Csv => csv(traced, out),
        TraceFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &Report::of(traced, sum))?;
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

fn csv(traced: &Traced<'_>, out: &mut dyn Write) -> io::Result<()> {
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
pub(super) fn frame(traced: &Traced<'_>) -> Frame {
    let measured: &[_] = if traced.has_measured { &MEASURED } else { &[] };
    let columns: Vec<_> = PREDICTED
        .iter()
        .chain(measured)
        .chain([&PATTERN])
        .copied()
        .collect();
    Frame::new(&columns)
}

/// A row of the table.
pub(super) fn cells(traced: &Traced<'_>, row: &Row, answer: &Answer) -> Vec<String> {
    let mut cells = predicted_cells(row, answer);
    if traced.has_measured {
        cells.extend(measured_cells(&row.measured, answer));
    }
    cells.push(row.pattern.clone());
    cells
}

fn table(traced: &Traced<'_>, sum: &Sum, frame: &Frame, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", frame.header())?;
    for (row, answer) in traced.rows() {
        writeln!(out, "{}", frame.line(&cells(traced, &row, &answer)))?;
    }
    if let Some(Agreement { rows, agree }) = Agreement::of(traced, sum) {
        let device = traced.device.id();
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

/// What the sectors of a copy rest on whose lanes write one place from different sources.
const RIVALS: &str = "of lanes that copy to one place from different sources, the lowest counts";

/// How many rows with measured columns agree.
#[derive(Serialize)]
struct Agreement {
    rows: usize,
    agree: usize,
}

impl Agreement {
    fn of(traced: &Traced<'_>, sum: &Sum) -> Option<Self> {
        traced.has_measured.then_some(Self {
            rows: sum.compared,
            agree: sum.agreeing,
        })
    }
}

#[derive(Serialize)]
pub(super) struct Report<'a> {
    device: &'a str,
    #[serde(serialize_with = "all_rows")]
    rows: &'a Traced<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
    #[serde(serialize_with = "first_faults")]
    errors: &'a Traced<'a>,
    /// How many more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors_left_out: Option<usize>,
}

fn all_rows<S: Serializer>(traced: &Traced<'_>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        traced
            .rows()
            .map(|(row, answer)| RowReport::of(row, &answer)),
    )
}

fn first_faults<S: Serializer>(traced: &Traced<'_>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(traced.faults().take(MOST_FAULTS).map(FaultReport::of))
}

#[derive(Serialize)]
struct FaultReport {
    row: usize,
    line: usize,
    column: usize,
    title: String,
    message: String,
    answered: bool,
}

#[derive(Serialize)]
struct MeasuredReport {
    wavefronts: Option<u64>,
    conflicts: Option<u64>,
    sectors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    launch_sectors: Option<u64>,
}

#[derive(Serialize)]
struct RowReport {
    row: usize,
    instruction: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pattern: String,
    wavefronts: Option<u32>,
    ideal_wavefronts: Option<u32>,
    conflicts: Option<u32>,
    ways: Option<u32>,
    sectors: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_sectors: Option<u32>,
    ideal_sectors: Option<u32>,
    /// Whether the wavefronts are a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
    /// What the sectors rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumed: Option<&'static str>,
    bytes_used: Option<u32>,
    bytes_moved: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<MeasuredReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl<'a> Report<'a> {
    pub(super) fn of(traced: &'a Traced<'a>, sum: &Sum) -> Self {
        let left_out = sum.faults.saturating_sub(MOST_FAULTS);
        Self {
            device: traced.device.id(),
            rows: traced,
            agreement: Agreement::of(traced, sum),
            errors: traced,
            errors_left_out: (left_out > 0).then_some(left_out),
        }
    }
}

impl RowReport {
    fn of(row: Row, answer: &Answer) -> Self {
        let global = answer.global();
        let in_sectors = global.filter(|counts| counts.unit == Unit::Sector);
        let ideal = in_sectors.map(|counts| counts.ideal_units);
        let unknown = match answer {
            Answer::Unknown(why) => Some(why.to_string()),
            _ => None,
        };
        Self {
            row: row.number,
            instruction: row.name,
            pattern: row.pattern,
            wavefronts: answer.wavefronts(),
            ideal_wavefronts: answer.ideal_wavefronts(),
            conflicts: answer.conflicts(),
            ways: answer.ways(),
            sectors: answer.sectors(),
            page_sectors: answer.page_sectors(),
            ideal_sectors: ideal.or(answer.copy().map(|counts| counts.ideal_sectors)),
            at_least: answer.is_bound(),
            assumed: answer.has_rivals().then_some(RIVALS),
            bytes_used: global.map(|counts| counts.bytes_used),
            bytes_moved: global.map(|counts| counts.bytes_moved),
            measured: MeasuredReport::of(row.measured),
            agrees: answer.agrees(&row.measured),
            unknown,
        }
    }
}

impl FaultReport {
    fn of(fault: Fault) -> Self {
        Self {
            row: fault.row,
            line: fault.line,
            column: fault.column,
            message: fault.kind.to_string(),
            title: fault.title,
            answered: fault.answered,
        }
    }
}

impl MeasuredReport {
    /// `None` where nothing was measured.
    fn of(measured: Measured) -> Option<Self> {
        (measured != Measured::default()).then_some(Self {
            wavefronts: measured.wavefronts,
            conflicts: measured.conflicts,
            sectors: measured.sectors,
            launch_sectors: measured.launch_sectors,
        })
    }
}
