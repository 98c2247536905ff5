//! What an L1 would fetch, as a table.

use crate::table::{Align, Table, grouped};
use lanescope_query::L1;
use lanescope_tally::L1Counts;

const TITLES: [(&str, Align); 4] = [
    ("line", Align::Right),
    ("asked for", Align::Right),
    ("distinct", Align::Right),
    ("fetched", Align::Right),
];

/// The table, under what it is.
pub(crate) fn text(l1: &L1) -> String {
    let mut table = Table::new(&TITLES);
    for (line, counts) in &l1.lines {
        table.row(cells(line.to_string(), *counts, l1));
    }
    table.row(cells("all".to_owned(), l1.counts, l1));
    format!(
        "Sectors of global loads through L1, each block alone{}{}:\n{table}",
        size(l1),
        if l1.is_whole {
            ""
        } else {
            "; only as far as the run came until it was stopped"
        }
    )
}

fn size(l1: &L1) -> String {
    match l1.bytes {
        Some(bytes) => {
            format!(" with {bytes} bytes of it (a model: LRU, lines of 128 bytes, sectors of 32)")
        }
        None => " (the size of this device's is not known)".to_owned(),
    }
}

fn cells(line: String, counts: L1Counts, l1: &L1) -> [String; 4] {
    [
        line,
        grouped(counts.requested),
        grouped(counts.distinct),
        l1.bytes
            .map_or_else(String::new, |_| grouped(counts.fetched)),
    ]
}

/// Sectors that the cache fetches, for programs; blank where its size is not known.
pub(crate) fn fetched(counts: L1Counts, l1: &L1) -> String {
    l1.bytes
        .map_or_else(String::new, |_| counts.fetched.to_string())
}
