//! What compiled code costs as tables.

use crate::output;
use crate::table::{Align, Table};
use lanescope_compiled::Report;

/// Says on standard error why the counts may differ.
pub(super) fn complain(report: &Report, file: &str) {
    let status = report.status.key();
    for reason in report.reasons.iter().take(8) {
        output::complain(&format!("{status}: {file}: {}", reason.message));
    }
}

/// Rows and totals as tables.
pub(super) fn table(report: &Report) -> String {
    let mut rows = Table::new(&[
        ("line", Align::Right),
        ("op", Align::Left),
        ("requests", Align::Right),
        ("wavefronts", Align::Right),
        ("ideal", Align::Right),
        ("sectors", Align::Right),
        ("ideal", Align::Right),
        ("instruction", Align::Left),
        ("source", Align::Left),
    ]);
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    for row in &report.rows {
        rows.row([
            row.line.to_string(),
            row.op.clone(),
            row.requests.to_string(),
            number(row.wavefronts),
            number(row.ideal_wavefronts),
            number(row.sectors),
            number(row.ideal_sectors),
            row.instruction.clone(),
            row.source.as_ref().map_or_else(String::new, |source| {
                format!("{}:{}", source.file, source.line)
            }),
        ]);
    }
    let mut totals = Table::new(&[("total", Align::Left), ("count", Align::Right)]);
    for (name, count) in &report.totals {
        totals.row([(*name).to_owned(), count.to_string()]);
    }
    let scope = match report.exact {
        true => "Whole launch",
        false => "Not the whole launch",
    };
    format!(
        "{} on {}: {}\n\n{rows}\n{scope}:\n{totals}",
        report.kernel,
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
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    for row in &report.rows {
        writer.write_record([
            row.line.to_string(),
            row.op.replace(' ', "_"),
            row.instruction.clone(),
            row.requests.to_string(),
            number(row.wavefronts),
            number(row.ideal_wavefronts),
            number(row.sectors),
            number(row.ideal_sectors),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
