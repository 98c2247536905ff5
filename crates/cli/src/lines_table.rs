//! The lines of an analysis as a table or as CSV.

use crate::analysis::{Line, Tally};
use crate::table::{Align, Table};
use lanescope_model::Unit;

const TITLES: [(&str, Align); 10] = [
    ("line", Align::Right),
    ("op", Align::Left),
    ("requests", Align::Right),
    ("wavefronts", Align::Right),
    ("ideal", Align::Right),
    ("conflicts", Align::Right),
    ("n-way", Align::Right),
    ("sectors", Align::Right),
    ("ideal", Align::Right),
    ("access", Align::Left),
];

/// The lines as a table.
pub(crate) fn table(lines: &[Line]) -> Table {
    let mut table = Table::new(&TITLES);
    for line in lines {
        table.row(cells(line));
    }
    table
}

fn cells(line: &Line) -> [String; 10] {
    let Line {
        line: number,
        op,
        text,
        tally,
    } = line;
    let [wavefronts, ideal, conflicts, ways] = match (op.is_shared(), tally.unknown) {
        (_, Some(_)) => [
            "unknown".to_owned(),
            String::new(),
            String::new(),
            String::new(),
        ],
        (true, None) => shared(tally),
        (false, None) => Default::default(),
    };
    let [sectors, ideal_sectors] = if op.is_shared() {
        Default::default()
    } else {
        global(tally)
    };
    [
        number.to_string(),
        op.words().to_owned(),
        tally.requests.to_string(),
        wavefronts,
        ideal,
        conflicts,
        ways,
        sectors,
        ideal_sectors,
        text.clone(),
    ]
}

fn shared(tally: &Tally) -> [String; 4] {
    let Tally {
        wavefronts,
        ideal_wavefronts,
        conflicts,
        ways,
        ..
    } = tally;
    [
        wavefronts.to_string(),
        ideal_wavefronts.to_string(),
        conflicts.to_string(),
        format!("{ways}-way"),
    ]
}

fn global(tally: &Tally) -> [String; 2] {
    let unit = match tally.unit {
        None | Some(Unit::Sector) => "",
        Some(Unit::Line) => " lines",
        Some(Unit::Transaction) => " transactions",
    };
    [
        format!("{}{unit}", tally.units),
        tally.ideal_units.to_string(),
    ]
}

/// The lines as CSV; what does not apply is blank.
///
/// # Errors
/// Never, in memory.
pub(crate) fn csv(lines: &[Line]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let titles = [
        "line",
        "op",
        "requests",
        "wavefronts",
        "ideal_wavefronts",
        "conflicts",
        "ways",
        "sectors",
        "ideal_sectors",
    ];
    writer.write_record(titles)?;
    for Line {
        line, op, tally, ..
    } in lines
    {
        let shared = |number: u64| {
            if op.is_shared() {
                number.to_string()
            } else {
                String::new()
            }
        };
        let global = |number: u64| {
            if op.is_shared() {
                String::new()
            } else {
                number.to_string()
            }
        };
        writer.write_record([
            line.to_string(),
            op.words().replace(' ', "_"),
            tally.requests.to_string(),
            shared(tally.wavefronts),
            shared(tally.ideal_wavefronts),
            shared(tally.conflicts),
            shared(tally.ways.into()),
            global(tally.units),
            global(tally.ideal_units),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
