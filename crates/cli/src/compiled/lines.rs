//! What each line of the source costs, from the lines of a listing that come from it.

use super::sources::Sources;
use crate::table::{Align, Table};
use lanescope_query::{Line, Origin};
use serde::Serialize;
use std::collections::BTreeMap;

/// `kernel.cu:12`.
pub(super) fn short(place: &Origin) -> String {
    let file = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
    format!("{file}:{}", place.line)
}

/// A line of the source, with the sums of the listing's lines.
#[derive(Debug, Serialize)]
pub(super) struct OriginReport {
    #[serde(flatten)]
    place: Origin,
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
pub(super) fn lines(all: &[Line], sources: &Sources) -> Vec<OriginReport> {
    let mut lines: BTreeMap<(&str, u32), OriginReport> = BTreeMap::new();
    for one in all {
        let Some(place) = &one.origin else {
            continue;
        };
        let key = (place.file.as_str(), place.line);
        let line = lines.entry(key).or_insert_with(|| OriginReport {
            place: Origin {
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
        line.requests += one.sums.requests;
        line.wavefronts += one.sums.wavefronts;
        line.ideal_wavefronts += one.sums.ideal_wavefronts;
        line.sectors += one.sums.sectors;
        line.ideal_sectors += one.sums.ideal_sectors;
    }
    lines.into_values().collect()
}

/// Lines as a table, the source's text beside them.
pub(super) fn table(lines: &[OriginReport]) -> Table {
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
