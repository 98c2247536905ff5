//! `--against`: what is predicted of a source beside what its compiled code costs, line by line.

use super::Counted;
use crate::args::kernel::{KernelArgs, KernelFormat};
use crate::table::{Align, Table};
use crate::{input, output};
use anyhow::bail;
use lanescope_launches::LaunchRecord;
use lanescope_query::{Analysis, Line};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

/// What one side says of a line and an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
struct Cost {
    requests: u64,
    /// Wavefronts of shared memory, sectors of global memory.
    units: u64,
}

impl Cost {
    fn add(&mut self, requests: u64, units: u64) {
        self.requests += requests;
        self.units += units;
    }
}

/// A line and an operation, predicted and compiled.
#[derive(Debug, Default, Serialize)]
struct Pair {
    file: String,
    line: u32,
    op: String,
    source: Cost,
    compiled: Cost,
    /// Instructions of the line that do this.
    instructions: Vec<String>,
    /// What the difference is; empty where there is none.
    difference: &'static str,
}

/// Both sides.
#[derive(Debug, Serialize)]
pub(super) struct Comparison {
    /// How far each side is counted.
    source_status: &'static str,
    compiled_status: &'static str,
    /// Sums by operation.
    totals: Vec<Pair>,
    /// Lines, of listings that name them.
    lines: Vec<Pair>,
}

type Key = (String, u32, String);

/// Compares and prints.
///
/// # Errors
/// When either side cannot be counted.
pub(super) fn run(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    file: &Path,
    bytes: &[u8],
) -> anyhow::Result<ExitCode> {
    let text = input::decoded(bytes.to_vec());
    let known = crate::kernel::known(args, &text);
    let counted = match file.as_os_str() == "compile" {
        true => super::compile(args, record, bytes)?,
        false => super::read(args, record, (file, &input::bytes(file)?), (&known, false))?,
    };
    let (compiled, _) = match counted {
        Counted::Analysis(counted) => *counted,
        Counted::Source => bail!("{} is no compiled code", input::name(file)),
        Counted::Nothing => return Ok(ExitCode::FAILURE),
    };
    let analysis = crate::kernel::predicted(args, record, text)?;
    let own = args.file.file_name().unwrap_or(args.file.as_os_str());
    let comparison = Comparison::of(&analysis, &compiled, &own.to_string_lossy());
    output::print(&match args.format {
        KernelFormat::Table => comparison.table(),
        KernelFormat::Json => output::json(&comparison)?,
        KernelFormat::Csv => bail!("--against prints a table or JSON"),
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Comparison {
    pub(super) fn of(analysis: &Analysis, compiled: &Analysis, own: &str) -> Self {
        let mut lines: BTreeMap<Key, Pair> = BTreeMap::new();
        let mut totals: BTreeMap<Key, Pair> = BTreeMap::new();
        for line in &analysis.lines {
            let file = match line.file.as_str() {
                "" => own,
                file => short(file),
            };
            let op = line.kind.words();
            for pair in places(&mut lines, &mut totals, (file, line.line), op) {
                pair.source.add(line.sums.requests, units(line));
            }
        }
        let reached = compiled.lines.iter().filter(|line| line.sums.requests > 0);
        for one in reached {
            let place = one.origin.as_ref();
            let place = place.map_or(("", 0), |place| (short(&place.file), place.line));
            for pair in places(&mut lines, &mut totals, place, one.kind.words()) {
                pair.compiled.add(one.sums.requests, units(one));
                let opcode = one.opcode.iter();
                let new = opcode.filter(|opcode| !pair.instructions.contains(opcode));
                let new: Vec<String> = new.cloned().collect();
                pair.instructions.extend(new);
            }
        }
        let has_lines = compiled.lines.iter().any(|line| line.origin.is_some());
        let mut lines: Vec<Pair> = lines.into_values().filter(|_| has_lines).collect();
        let mut totals: Vec<Pair> = totals.into_values().collect();
        for total in &mut totals {
            total.difference = difference(total, false);
            for line in lines.iter_mut().filter(|line| line.op == total.op) {
                line.difference = difference(line, total.source == total.compiled);
            }
        }
        Self {
            source_status: analysis.standing.status.key(),
            compiled_status: compiled.standing.status.key(),
            totals,
            lines,
        }
    }

    fn table(&self) -> String {
        let titles = |first| {
            Table::new(&[
                (first, Align::Left),
                ("op", Align::Left),
                ("requests", Align::Right),
                ("compiled", Align::Right),
                ("units", Align::Right),
                ("compiled", Align::Right),
                ("instructions", Align::Left),
                ("difference", Align::Left),
            ])
        };
        let (mut lines, mut totals) = (titles("line"), titles("total"));
        for line in &self.lines {
            lines.row(line.cells(format!("{}:{}", line.file, line.line)));
        }
        for total in &self.totals {
            totals.row(total.cells(String::new()));
        }
        let lines = match self.lines.as_slice() {
            [] => {
                "The listing names no source lines; nvcc writes them with -lineinfo.\n".to_owned()
            }
            _ => lines.to_string(),
        };
        let differ = self.lines.iter().filter(|line| !line.difference.is_empty());
        format!(
            "Source: {}; compiled: {}. {} of {} lines differ. Units are wavefronts of shared memory, sectors of global \
             memory.\n\n{lines}\n{totals}",
            self.source_status,
            self.compiled_status,
            differ.count(),
            self.lines.len()
        )
    }
}

impl Pair {
    fn cells(&self, place: String) -> Vec<String> {
        vec![
            place,
            self.op.clone(),
            self.source.requests.to_string(),
            self.compiled.requests.to_string(),
            self.source.units.to_string(),
            self.compiled.units.to_string(),
            self.instructions.join(" "),
            self.difference.to_owned(),
        ]
    }
}

/// Wavefronts of shared memory, sectors of global memory.
const fn units(line: &Line) -> u64 {
    match line.kind.is_shared() {
        true => line.sums.wavefronts,
        false => line.sums.sectors,
    }
}

/// The pairs of a line and of the whole.
fn places<'p>(
    lines: &'p mut BTreeMap<Key, Pair>,
    totals: &'p mut BTreeMap<Key, Pair>,
    (file, line): (&str, u32),
    op: &str,
) -> [&'p mut Pair; 2] {
    let of = |file: &str, line: u32| (file.to_owned(), line, op.to_owned());
    let pair = |(file, line, op): Key| Pair {
        file,
        line,
        op,
        ..Pair::default()
    };
    let here = of(file, line);
    let whole = of("", 0);
    [
        lines.entry(here.clone()).or_insert_with(|| pair(here)),
        totals.entry(whole.clone()).or_insert_with(|| pair(whole)),
    ]
}

fn short(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// What a difference is, as far as the counts show it.
fn difference(pair: &Pair, is_moved: bool) -> &'static str {
    let (source, compiled) = (&pair.source, &pair.compiled);
    let is_wide = pair
        .instructions
        .iter()
        .any(|name| name.contains(".64") || name.contains(".128"));
    if source == compiled {
        ""
    } else if is_moved {
        "moved: the compiler's line table names another line"
    } else if compiled.requests == 0 {
        "left out: the compiler has no such access here"
    } else if source.requests == 0 {
        "not predicted on this line"
    } else if compiled.requests < source.requests && is_wide {
        "joined: one wide access for several"
    } else if compiled.requests < source.requests {
        "fewer: kept in registers or joined"
    } else if compiled.requests > source.requests {
        "more: read again, or apart where joining was predicted"
    } else {
        "the same requests at other addresses or widths"
    }
}
