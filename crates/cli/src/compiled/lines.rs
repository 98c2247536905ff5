//! What each line of the source costs, from the rows of a listing that come from it.

use super::sources::Sources;
use crate::table::{Align, Table};
use lanescope_compiled::{Row, SourceLine};
use serde::Serialize;
use std::collections::BTreeMap;

/// `kernel.cu:12`.
pub(super) fn short(place: &SourceLine) -> String {
    let file = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
    format!("{file}:{}", place.line)
}

/// A line of the source, with the sums of its rows.
#[derive(Debug, Serialize)]
pub(super) struct LineReport {
    #[serde(flatten)]
    place: SourceLine,
    /// Its text, where the file is at hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Instructions that access memory.
    instructions: u64,
    requests: u64,
    wavefronts: u64,
    ideal_wavefronts: u64,
    sectors: u64,
    ideal_sectors: u64,
}

/// Lines in the order of files and numbers.
pub(super) fn lines(rows: &[Row], sources: &Sources) -> Vec<LineReport> {
    let mut lines: BTreeMap<(&str, u32), LineReport> = BTreeMap::new();
    for row in rows {
        let Some(place) = &row.source else {
            continue;
        };
        let key = (place.file.as_str(), place.line);
        let line = lines.entry(key).or_insert_with(|| LineReport {
            place: SourceLine {
                file: sources.name(&place.file).to_owned(),
                line: place.line,
            },
            text: sources.line(&place.file, place.line).map(str::to_owned),
            instructions: 0,
            requests: 0,
            wavefronts: 0,
            ideal_wavefronts: 0,
            sectors: 0,
            ideal_sectors: 0,
        });
        line.instructions += 1;
        line.requests += row.requests;
        line.wavefronts += row.wavefronts.unwrap_or(0);
        line.ideal_wavefronts += row.ideal_wavefronts.unwrap_or(0);
        line.sectors += row.sectors.unwrap_or(0);
        line.ideal_sectors += row.ideal_sectors.unwrap_or(0);
    }
    lines.into_values().collect()
}

/// Lines as a table, the source's text beside them.
pub(super) fn table(lines: &[LineReport]) -> Table {
    let mut table = Table::new(&[
        ("source", Align::Left),
        ("instructions", Align::Right),
        ("requests", Align::Right),
        ("wavefronts", Align::Right),
        ("ideal", Align::Right),
        ("sectors", Align::Right),
        ("ideal", Align::Right),
        ("text", Align::Left),
    ]);
    for line in lines {
        table.row([
            short(&line.place),
            line.instructions.to_string(),
            line.requests.to_string(),
            line.wavefronts.to_string(),
            line.ideal_wavefronts.to_string(),
            line.sectors.to_string(),
            line.ideal_sectors.to_string(),
            line.text.clone().unwrap_or_default(),
        ]);
    }
    table
}
