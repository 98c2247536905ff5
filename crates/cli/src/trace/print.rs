//! A trace's answers as a table, CSV or JSON.

use super::Traced;
use crate::args::TraceFormat;
use crate::output;
use crate::table::{Align, Table};
use lanescope_model::Unit;
use lanescope_trace::{Answer, Fault, Measured, Row};
use serde::Serialize;
use std::fmt::Write as _;

/// The answers in the format asked for.
pub(crate) fn print(traced: &Traced, format: TraceFormat) -> anyhow::Result<String> {
    match format {
        TraceFormat::Table => Ok(table(traced)),
        TraceFormat::Csv => csv(traced),
        TraceFormat::Json => output::json(&Report::of(traced)),
    }
}

fn cell<T: ToString>(number: Option<T>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A cell that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

fn csv(traced: &Traced) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["row", "instruction", "wavefronts", "conflicts", "sectors"])?;
    for (row, answer) in &traced.rows {
        let shared = answer.shared();
        writer.write_record([
            row.number.to_string(),
            harmless(&row.name),
            cell(shared.map(|counts| counts.wavefronts)),
            cell(shared.map(|counts| counts.conflicts)),
            cell(answer.sectors()),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
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

fn table(traced: &Traced) -> String {
    let measured: &[_] = if traced.has_measured { &MEASURED } else { &[] };
    let columns: Vec<_> = PREDICTED
        .iter()
        .chain(measured)
        .chain([&PATTERN])
        .copied()
        .collect();
    let mut table = Table::new(&columns);
    for (row, answer) in &traced.rows {
        let mut cells = predicted_cells(row, answer);
        if traced.has_measured {
            cells.extend(measured_cells(&row.measured, answer));
        }
        cells.push(row.pattern.clone());
        table.row(cells);
    }
    let mut text = table.to_string();
    if let Some(agreement) = Agreement::of(traced) {
        let Agreement { rows, agree } = agreement;
        let _ = writeln!(
            text,
            "\n{agree} of {rows} rows agree with the measured columns ({})",
            traced.device
        );
    }
    text
}

fn predicted_cells(row: &Row, answer: &Answer) -> Vec<String> {
    let (shared, global) = (answer.shared(), answer.global());
    let blank = match answer {
        Answer::Unknown(_) => "unknown",
        Answer::Malformed => "malformed",
        _ => "",
    };
    let units = global.map(|counts| format!("{}{}", counts.units, unit_mark(counts.unit)));
    vec![
        row.number.to_string(),
        row.name.clone(),
        shared.map_or(blank.to_owned(), |counts| counts.wavefronts.to_string()),
        cell(shared.map(|counts| counts.ideal_wavefronts)),
        cell(shared.map(|counts| counts.conflicts)),
        cell(shared.map(|counts| format!("{}-way", counts.ways))),
        cell(units),
        cell(global.map(|counts| counts.ideal_units)),
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
    } = measured;
    let counts: Vec<String> = [wavefronts, conflicts, sectors]
        .into_iter()
        .flatten()
        .map(u64::to_string)
        .collect();
    let agrees = answer
        .agrees(measured)
        .map(|agrees| if agrees { "yes" } else { "no" });
    [counts.join("/"), cell(agrees)]
}

/// How many rows with measured columns agree.
#[derive(Serialize)]
struct Agreement {
    rows: usize,
    agree: usize,
}

impl Agreement {
    fn of(traced: &Traced) -> Option<Self> {
        let compared: Vec<bool> = traced
            .rows
            .iter()
            .filter_map(|(row, answer)| answer.agrees(&row.measured))
            .collect();
        let agree = compared.iter().filter(|agrees| **agrees).count();
        traced.has_measured.then_some(Self {
            rows: compared.len(),
            agree,
        })
    }
}

#[derive(Serialize)]
pub(super) struct Report<'a> {
    device: &'static str,
    rows: Vec<RowReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
    errors: Vec<FaultReport<'a>>,
}

#[derive(Serialize)]
struct FaultReport<'a> {
    row: usize,
    line: usize,
    column: usize,
    title: &'a str,
    message: String,
    answered: bool,
}

#[derive(Serialize)]
struct MeasuredReport {
    wavefronts: Option<u64>,
    conflicts: Option<u64>,
    sectors: Option<u64>,
}

#[derive(Serialize)]
struct RowReport<'a> {
    row: usize,
    instruction: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pattern: &'a str,
    wavefronts: Option<u32>,
    ideal_wavefronts: Option<u32>,
    conflicts: Option<u32>,
    ways: Option<u32>,
    sectors: Option<u32>,
    ideal_sectors: Option<u32>,
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
    pub(super) fn of(traced: &'a Traced) -> Self {
        let rows = traced
            .rows
            .iter()
            .map(|(row, answer)| RowReport::of(row, answer))
            .collect();
        Self {
            device: traced.device,
            rows,
            agreement: Agreement::of(traced),
            errors: traced.faults().map(FaultReport::of).collect(),
        }
    }
}

impl<'a> RowReport<'a> {
    fn of(row: &'a Row, answer: &Answer) -> Self {
        let (shared, global) = (answer.shared(), answer.global());
        let sectors = global.filter(|counts| counts.unit == Unit::Sector);
        let unknown = match answer {
            Answer::Unknown(why) => Some(why.to_string()),
            _ => None,
        };
        Self {
            row: row.number,
            instruction: &row.name,
            pattern: &row.pattern,
            wavefronts: shared.map(|counts| counts.wavefronts),
            ideal_wavefronts: shared.map(|counts| counts.ideal_wavefronts),
            conflicts: shared.map(|counts| counts.conflicts),
            ways: shared.map(|counts| counts.ways),
            sectors: sectors.map(|counts| counts.units),
            ideal_sectors: sectors.map(|counts| counts.ideal_units),
            bytes_used: global.map(|counts| counts.bytes_used),
            bytes_moved: global.map(|counts| counts.bytes_moved),
            measured: MeasuredReport::of(row.measured),
            agrees: answer.agrees(&row.measured),
            unknown,
        }
    }
}

impl<'a> FaultReport<'a> {
    fn of(fault: &'a Fault) -> Self {
        Self {
            row: fault.row,
            line: fault.line,
            column: fault.column,
            title: &fault.title,
            message: fault.kind.to_string(),
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
        })
    }
}
