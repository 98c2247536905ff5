//! The lines of an analysis as a table or as CSV.

use crate::l1_table;
use crate::table::{Align, Table, grouped};
use lanescope_model::Unit;
use lanescope_query::{L1, Line};
use lanescope_tally::{Kind, Sums};

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

/// The lines as a table; below it, why those without requests have none.
pub(crate) fn table(lines: &[Line]) -> String {
    let mut table = Table::new(&TITLES);
    for line in lines {
        table.row(cells(line));
    }
    let omitted = lines.iter().filter_map(|line| {
        let why = line.omitted.as_ref()?;
        Some(format!("line {}, {}: {why}\n", place(line), line.text))
    });
    format!("{table}{}", omitted.collect::<String>())
}

fn place(line: &Line) -> String {
    place_in(&line.file, line.line)
}

/// A line's number, behind the name of the included file that it stands in; `path` is empty for the source itself.
pub(crate) fn place_in(path: &str, line: u32) -> String {
    match path.rsplit('/').next() {
        Some(file) if !file.is_empty() => format!("{file}:{line}"),
        _ => line.to_string(),
    }
}

fn cells(line: &Line) -> [String; 10] {
    let Line {
        kind, text, sums, ..
    } = line;
    let [wavefronts, ideal, conflicts, ways] = match (kind.is_shared(), sums.unknown) {
        (_, None) if sums.requests == 0 => Default::default(),
        (_, Some(_)) => [
            "unknown".to_owned(),
            String::new(),
            String::new(),
            String::new(),
        ],
        (true, None) => shared(sums),
        (false, None) => Default::default(),
    };
    let [sectors, ideal_sectors] = if kind.is_shared() || sums.requests == 0 {
        Default::default()
    } else {
        global(sums)
    };
    [
        place(line),
        kind.words().to_owned(),
        grouped(sums.requests),
        wavefronts,
        ideal,
        conflicts,
        ways,
        sectors,
        ideal_sectors,
        text.clone(),
    ]
}

fn shared(sums: &Sums) -> [String; 4] {
    let Sums {
        wavefronts,
        ideal_wavefronts,
        conflicts,
        ways,
        ..
    } = sums;
    [
        grouped(*wavefronts),
        grouped(*ideal_wavefronts),
        grouped(*conflicts),
        if *ways > 0 {
            format!("{ways}-way")
        } else {
            String::new()
        },
    ]
}

fn global(sums: &Sums) -> [String; 2] {
    let unit = match sums.unit {
        None | Some(Unit::Sector) => "",
        Some(Unit::Line) => " lines",
        Some(Unit::Transaction) => " transactions",
    };
    [
        format!("{}{unit}", grouped(sums.sectors)),
        grouped(sums.ideal_sectors),
    ]
}

/// The lines as CSV, with what an L1 would fetch where that was asked for; what does not apply is blank.
///
/// # Errors
/// Never, in memory.
pub(crate) fn csv(lines: &[Line], l1: Option<&L1>) -> anyhow::Result<String> {
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
    let l1_titles = ["l1_requested", "l1_distinct", "l1_fetched"];
    let also = l1_titles.iter().filter(|_| l1.is_some());
    writer.write_record(titles.iter().chain(also))?;
    for line in lines {
        let Line { kind, sums, .. } = line;
        let shared = |number: u64| {
            if kind.is_shared() {
                number.to_string()
            } else {
                String::new()
            }
        };
        let global = |number: u64| {
            if kind.is_shared() {
                String::new()
            } else {
                number.to_string()
            }
        };
        let cells = [
            place(line),
            kind.words().replace(' ', "_"),
            sums.requests.to_string(),
            shared(sums.wavefronts),
            shared(sums.ideal_wavefronts),
            shared(sums.conflicts),
            shared(sums.ways.into()),
            global(sums.sectors),
            global(sums.ideal_sectors),
        ];
        let also = l1.map(|l1| l1_cells(l1, line.place, *kind));
        writer.write_record(cells.into_iter().chain(also.into_iter().flatten()))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

fn l1_cells(l1: &L1, line: u32, kind: Kind) -> [String; 3] {
    let counts = l1.lines.get(&line).filter(|_| kind == Kind::GlobalLoad);
    counts.map_or_else(Default::default, |counts| {
        [
            counts.requested.to_string(),
            counts.distinct.to_string(),
            l1_table::fetched(*counts, l1),
        ]
    })
}
