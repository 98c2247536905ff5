//! What compiled code costs as tables.

use super::lines::{self, LineReport, short};
use super::sources::Sources;
use crate::output;
use crate::table::{Align, Table, cell};
use lanescope_compiled::{Report, demangled};
use serde::Serialize;

/// Says on standard error why the counts may differ.
pub(super) fn complain(report: &Report, file: &str) {
    let status = report.status.key();
    for reason in report.reasons.iter().take(8) {
        output::complain(&format!("{status}: {file}: {}", reason.message));
    }
}

/// A report with what the command line adds to it.
#[derive(Serialize)]
struct WithLines<'r> {
    #[serde(flatten)]
    report: &'r Report,
    /// The kernel's name as the source has it.
    demangled: String,
    /// What each line of the source costs, where the listing says from which it comes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<LineReport>,
}

/// The report as JSON.
///
/// # Errors
/// Never, in memory.
pub(super) fn json(report: &Report, sources: &Sources) -> anyhow::Result<String> {
    output::json(&WithLines {
        report,
        demangled: demangled(&report.kernel),
        lines: lines::lines(&report.rows, sources),
    })
}

/// Lines, rows and totals as tables.
pub(super) fn table(report: &Report, sources: &Sources) -> String {
    let has_sources = report.rows.iter().any(|row| row.source.is_some());
    let mut titles = vec![
        ("line", Align::Right),
        ("op", Align::Left),
        ("requests", Align::Right),
        ("wavefronts", Align::Right),
        ("ideal", Align::Right),
        ("sectors", Align::Right),
        ("ideal", Align::Right),
        ("instruction", Align::Left),
    ];
    if has_sources {
        titles.push(("source", Align::Left));
    }
    let mut rows = Table::new(&titles);
    for row in &report.rows {
        let mut cells = vec![
            row.line.to_string(),
            row.op.clone(),
            row.requests.to_string(),
            cell(row.wavefronts),
            cell(row.ideal_wavefronts),
            cell(row.sectors),
            cell(row.ideal_sectors),
            row.instruction.clone(),
        ];
        if has_sources {
            cells.push(row.source.as_ref().map_or_else(String::new, short));
        }
        rows.row(cells);
    }
    let mut totals = Table::new(&[("total", Align::Left), ("count", Align::Right)]);
    for (name, count) in &report.totals {
        totals.row([(*name).to_owned(), count.to_string()]);
    }
    let scope = match report.exact {
        true => "Whole launch",
        false => "Not the whole launch",
    };
    let lines = match lines::lines(&report.rows, sources).as_slice() {
        [] => String::new(),
        lines => format!("{}\n", lines::table(lines)),
    };
    format!(
        "{} on {}: {}\n\n{lines}{rows}\n{scope}:\n{totals}",
        demangled(&report.kernel),
        report.device,
        report.status.key()
    )
}

/// Rows as CSV.
///
/// # Errors
/// Never, in memory.
pub(super) fn csv(report: &Report) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "line",
        "op",
        "instruction",
        "requests",
        "wavefronts",
        "ideal_wavefronts",
        "sectors",
        "ideal_sectors",
    ])?;
    for row in &report.rows {
        writer.write_record([
            row.line.to_string(),
            row.op.replace(' ', "_"),
            row.instruction.clone(),
            row.requests.to_string(),
            cell(row.wavefronts),
            cell(row.ideal_wavefronts),
            cell(row.sectors),
            cell(row.ideal_sectors),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
