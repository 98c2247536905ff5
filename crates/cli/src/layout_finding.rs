//! What was found for a layout, as text.

use crate::table::{Align, Table};
use lanescope_layouts::find::{Change, Cost, Finding, Readings, Remedy};
use lanescope_locale::Language;
use lanescope_report::Layout;
use std::fmt::Write as _;

/// The verdict, a row for each layout, and how the first one is read elsewhere.
pub(crate) fn text(answer: &Layout, finding: &Finding) -> String {
    let mut text = format!("\n{}\n\n", finding.verdict(Language::English));
    let right = |name| (name, Align::Right);
    let mut table = Table::new(&[
        ("change", Align::Left),
        right("bytes more"),
        right("operations"),
        right("wavefronts"),
        right("ideal"),
        right("n-way"),
        ("layout", Align::Left),
    ]);
    let mut row = |name: String, remedy: &Remedy| {
        let total = remedy.total();
        table.row([
            name,
            remedy.added_bytes.to_string(),
            remedy.change.operations().to_string(),
            total.wavefronts.to_string(),
            total.ideal_wavefronts.to_string(),
            format!("{}-way", total.ways),
            answer.notation.spell(&remedy.placement),
        ]);
    };
    row("as written".to_owned(), &finding.as_written);
    for remedy in &finding.remedies {
        row(name(remedy), remedy);
    }
    let _ = write!(text, "{table}");
    if let Some(first) = finding.remedies.first() {
        let _ = write!(text, "\n{}: {}\n", name(first), widths(first));
    }
    text += &read_elsewhere(finding);
    text
}

fn name(remedy: &Remedy) -> String {
    match remedy.change {
        Change::Plain => "plain rows".to_owned(),
        Change::Linear(_) => "XOR of bits".to_owned(),
        Change::Swizzle(_) | Change::Pitch(_) => remedy.change.name(),
    }
}

/// `free along rows at 16, 32 bits; down columns at 128 bits`.
fn widths(remedy: &Remedy) -> String {
    let free = |of: fn(&lanescope_layouts::find::WidthCost) -> Option<Cost>| {
        let free = remedy
            .widths
            .iter()
            .filter(|width| of(width).is_some_and(|cost| cost.conflicts == 0))
            .map(|width| width.bits.to_string());
        match free.collect::<Vec<_>>() {
            bits if bits.is_empty() => "at no width".to_owned(),
            bits => format!("at {} bits a lane", bits.join(", ")),
        }
    };
    let (rows, columns) = (free(|width| width.row), free(|width| width.column));
    format!("loads are free along rows {rows}, down columns {columns}")
}

/// A line for each way to write the swizzle that is found, beside that of the layout as it is written where that is another.
fn read_elsewhere(finding: &Finding) -> String {
    let lines = |readings: &Readings| readings.lines(Language::English);
    let [found, written] = finding.readings();
    match (found.as_ref().map(lines), written.as_ref().map(lines)) {
        (None, None) => String::new(),
        (Some(only), None) => only.iter().map(|(who, how)| line(who, &[how])).collect(),
        (None, Some(only)) => {
            let rows = only.iter().map(|(who, how)| line(who, &[how]));
            line("", &["as written"]) + &rows.collect::<String>()
        }
        (Some(found), Some(written)) => {
            let name = finding.remedies.first().map(name).unwrap_or_default();
            let both = found.iter().zip(&written);
            let rows = both.map(|((who, how), (_, was))| line(who, &[was, how]));
            line("", &["as written", &name]) + &rows.collect::<String>()
        }
    }
}

/// A name and what stands in each column.
fn line(name: &str, cells: &[&str]) -> String {
    let row = cells.iter().fold(format!("  {name:<29}"), |row, cell| {
        format!("{row} {cell:<36}")
    });
    format!("{}\n", row.trim_end())
}
