//! A comparison as tables.

use crate::table::{Align, Table, grouped};
use lanescope_profiler::{Certainty, Comparison, Difference, InstructionRow, KernelProfile, Value};

/// The comparison in one sentence and two tables.
pub(super) fn table(comparison: &Comparison, has_source: bool) -> String {
    let mut text = format!("{}\n\n{}", summary(comparison), totals(comparison));
    if comparison.instructions.is_empty() {
        if !has_source {
            text.push_str(
                "\nNo instructions: the export has no source page (ncu --import report.ncu-rep --csv --page source \
                 --print-source sass).\n",
            );
        }
        return text;
    }
    text.push('\n');
    text.push_str(&instructions(&comparison.instructions).to_string());
    text
}

fn summary(comparison: &Comparison) -> String {
    let measured: Vec<Difference> = comparison
        .differences()
        .filter(|one| *one != Difference::NotMeasured)
        .collect();
    let equal = measured
        .iter()
        .filter(|one| **one == Difference::Equal)
        .count();
    let status = match comparison.status {
        Certainty::Counted => "counted",
        Certainty::Assumed => "counted under assumptions",
        Certainty::Partial => "not fully counted",
    };
    format!(
        "{}, grid {}, block {}: {equal} of {} measured numbers equal; prediction {status}",
        comparison.kernel,
        extent(comparison.grid),
        extent(comparison.block),
        measured.len()
    )
}

/// The metrics of a launch alone.
pub(super) fn measured(profile: &KernelProfile) -> String {
    let mut table = Table::new(&[("metric", Align::Left), ("measured", Align::Right)]);
    for (name, value) in &profile.metrics {
        let value = match value {
            Value::Count(count) => grouped(*count),
            Value::Real(real) => real.to_string(),
        };
        table.row([name.clone(), value]);
    }
    format!(
        "{}, grid {}, block {}: measured; give the kernel's source, PTX or SASS as a further file to count it beside\n\n{table}",
        profile.name,
        extent(profile.grid),
        extent(profile.block)
    )
}

/// `4,1,1`; of what the export does not say, `?`.
fn extent(extent: Option<[u32; 3]>) -> String {
    extent.map_or_else(|| "?".to_owned(), |[x, y, z]| format!("{x},{y},{z}"))
}

fn totals(comparison: &Comparison) -> Table {
    let mut table = Table::new(&[
        ("total", Align::Left),
        ("predicted", Align::Right),
        ("measured", Align::Right),
        ("difference", Align::Right),
        ("why", Align::Left),
        ("counter", Align::Left),
    ]);
    for row in &comparison.totals {
        table.row([
            row.total.key().to_owned(),
            row.predicted.to_string(),
            count(row.measured),
            less(row.measured, row.predicted),
            words(row.difference).to_owned(),
            row.counter.to_owned(),
        ]);
    }
    table
}

fn instructions(rows: &[InstructionRow]) -> Table {
    let mut table = Table::new(&[
        ("offset", Align::Right),
        ("instruction", Align::Left),
        ("unit", Align::Left),
        ("predicted", Align::Right),
        ("measured", Align::Right),
        ("difference", Align::Right),
        ("why", Align::Left),
        ("line", Align::Left),
    ]);
    for row in rows {
        let source = row.source.as_ref();
        let source = source.map(|(file, line)| {
            format!("{}:{line}", file.rsplit(['/', '\\']).next().unwrap_or(file))
        });
        table.row([
            format!("{:04x}", row.offset),
            row.instruction.clone(),
            row.unit.to_owned(),
            row.predicted.to_string(),
            count(row.measured),
            less(row.measured, row.predicted),
            words(row.difference).to_owned(),
            source.unwrap_or_default(),
        ]);
    }
    table
}

fn count(count: Option<u64>) -> String {
    count.map_or_else(|| "-".to_owned(), |count| count.to_string())
}

/// What was measured less what is predicted, with its sign.
fn less(measured: Option<u64>, predicted: u64) -> String {
    match measured {
        None => String::new(),
        Some(measured) if measured == predicted => "0".to_owned(),
        Some(measured) => format!("{:+}", i128::from(measured) - i128::from(predicted)),
    }
}

/// A difference in words.
fn words(difference: Difference) -> &'static str {
    match difference {
        Difference::Equal => "",
        Difference::NotMeasured => "not measured",
        Difference::Arbitration => "arbitration",
        Difference::Data => "depends on data or arguments that were assumed",
        Difference::NotCounted => "not fully counted",
        Difference::NotKnown => "not known",
    }
}
