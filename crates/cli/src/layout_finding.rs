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
        if let Some(readings) = first.placement.readings() {
            let _ = write!(text, "{}", read_elsewhere(&readings));
        }
    }
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

/// A line for each way to write one swizzle.
fn read_elsewhere(readings: &Readings) -> String {
    let none = || "no such mode".to_owned();
    let elements = readings
        .elements
        .map_or_else(none, |swizzle| swizzle.to_string());
    let absolute = readings.elements.zip(readings.absolute_shift);
    let absolute = absolute.map_or_else(none, |(swizzle, shift)| {
        format!("Swizzle<{},{},{shift}>", swizzle.bits(), swizzle.base())
    });
    let tma = readings.tma.map_or_else(none, |mode| {
        format!("CU_TENSOR_MAP_SWIZZLE_{}", mode.name())
    });
    let triton = readings
        .triton
        .map_or_else(none, |[vec, per_phase, max_phase]| {
            format!("vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}")
        });
    let (reads, shift) = (readings.masks.0, readings.bytes.shift());
    let sign = if shift >= 0 { ">>" } else { "<<" };
    [
        ("CuTe, on elements", elements),
        ("with the absolute shift", absolute),
        ("on bytes, as after a pointer", readings.bytes.to_string()),
        ("TMA, wgmma and tcgen05", tma),
        ("Triton", triton),
        (
            "PTX, on a byte address a",
            format!("a ^ (a & {reads:#x}) {sign} {}", shift.unsigned_abs()),
        ),
    ]
    .iter()
    .fold(String::new(), |mut text, (name, reading)| {
        let _ = writeln!(text, "  {name:<29} {reading}");
        text
    })
}
