//! What a listing costs, row by row.

use super::counts::{Class, Counts, SiteCounts};
use crate::output;
use crate::table::{Align, Table};
use lanescope_ir::{Kernel, PlaceId};
use lanescope_query::words;
use lanescope_simt::{Certainty, DoubtKind, End, Outcome, Source};
use lanescope_tally::Kind;
use serde::Serialize;
use std::collections::BTreeMap;

/// The answer. The names are public: scripts read them.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    kernel: String,
    device: String,
    /// `counted`: every request follows from the launch; `assumed`: some hang on contents that nobody gave; `partial`:
    /// some hang on what is not modelled, or the run was cut short.
    status: &'static str,
    /// Whether the totals are those of the whole launch.
    exact: bool,
    totals: BTreeMap<&'static str, u64>,
    rows: Vec<RowReport>,
    /// Why the status is not `counted`.
    reasons: Vec<String>,
}

/// A row of the listing.
#[derive(Debug, Serialize)]
struct RowReport {
    /// Line of the listing.
    line: u32,
    /// Line of the source, where the listing says.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceLine>,
    op: String,
    instruction: String,
    requests: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wavefronts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal_wavefronts: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sectors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ideal_sectors: Option<u64>,
    /// Whether some of its requests have no number on the device.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unknown: bool,
}

#[derive(Debug, Serialize)]
struct SourceLine {
    file: String,
    line: u32,
}

impl Report {
    /// The report on a run.
    pub(super) fn of(
        kernel: &Kernel,
        device: &str,
        counts: &Counts<'_>,
        outcome: &Outcome,
    ) -> Self {
        let mut reasons: Vec<String> = outcome
            .doubts
            .iter()
            .map(|doubt| {
                let what = match doubt.kind {
                    DoubtKind::Branch => "a branch",
                    DoubtKind::Address => "an address",
                    DoubtKind::Barrier => "a barrier",
                    DoubtKind::Memory => "what was read",
                    DoubtKind::Instruction => "what was done",
                };
                let line = line_of(kernel, doubt.place);
                format!(
                    "line {line}: {what} hangs on {}",
                    source_words(kernel, doubt.source)
                )
            })
            .collect();
        reasons.dedup();
        if outcome.end != End::Complete {
            reasons.push(format!("the run ended early: {}", end_words(outcome.end)));
        }
        let least = outcome
            .doubts
            .iter()
            .map(|doubt| doubt.source.certainty())
            .max();
        let of_requests = counts.sites.values().map(|counts| counts.certainty).max();
        let status = match (outcome.end, least.max(of_requests)) {
            (End::Complete, None | Some(Certainty::Certain)) => "counted",
            (End::Complete, Some(Certainty::Assumed)) => "assumed",
            _ => "partial",
        };
        Self {
            kernel: kernel.name.clone(),
            device: device.to_owned(),
            status,
            exact: outcome.end == End::Complete && outcome.blocks_done == outcome.blocks_total,
            totals: totals(counts),
            rows: rows(kernel, counts),
            reasons,
        }
    }

    /// Says on standard error why the counts may differ.
    pub(super) fn complain(&self, file: &str) {
        for reason in self.reasons.iter().take(8) {
            output::complain(&format!("{}: {file}: {reason}", self.status));
        }
    }

    /// Rows and totals as tables.
    pub(super) fn table(&self) -> String {
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
        let number =
            |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        for row in &self.rows {
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
        for (name, count) in &self.totals {
            totals.row([(*name).to_owned(), count.to_string()]);
        }
        let scope = match self.exact {
            true => "Whole launch",
            false => "Not the whole launch",
        };
        format!(
            "{} on {}: {}\n\n{rows}\n{scope}:\n{totals}",
            self.kernel, self.device, self.status
        )
    }

    /// Rows as CSV.
    ///
    /// # Errors
    /// Never, in memory.
    pub(super) fn csv(&self) -> anyhow::Result<String> {
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
        let number =
            |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        for row in &self.rows {
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
}

fn line_of(kernel: &Kernel, place: PlaceId) -> u32 {
    kernel
        .places
        .get(place.index())
        .map_or(0, |place| place.line)
}

fn source_words(kernel: &Kernel, source: Source) -> String {
    match source {
        Source::Contents(array) => match kernel.arrays.get(array.index()) {
            Some(array) => format!("the contents of {}", array.name),
            None => "contents of memory".to_owned(),
        },
        Source::Memory => "contents of memory".to_owned(),
        Source::Uninitialized => "memory that nothing was written to".to_owned(),
        Source::Parameter(position) => format!("argument {position}, which is not given"),
        Source::Unmodelled(place) => {
            format!("line {}, which is not modelled", line_of(kernel, place))
        }
        Source::Unpredictable => "a clock or the like".to_owned(),
        Source::InactiveLane => "a lane that did not take part".to_owned(),
        Source::Forgotten => "more stores than are remembered".to_owned(),
    }
}

fn class_words(class: Class) -> &'static str {
    match class {
        Class::Plain(kind) => words(kind),
        Class::Matrix(Kind::SharedStore) => "matrix store",
        Class::Matrix(_) => "matrix load",
        Class::Copy => "async copy",
    }
}

const fn end_words(end: End) -> &'static str {
    match end {
        End::Complete => "complete",
        End::Requests => "the most requests were reached",
        End::Steps => "the most instructions were reached",
        End::Bytes => "the memory for it was used up",
        End::Observer => "it was stopped",
        End::Deadlock => "every warp waits for what never comes",
        End::Invalid => "the kernel is not well formed",
    }
}

fn totals(counts: &Counts<'_>) -> BTreeMap<&'static str, u64> {
    let plain = |kind| counts.class(Class::Plain(kind));
    let [loads, stores, atomics] =
        [Kind::SharedLoad, Kind::SharedStore, Kind::SharedAtomic].map(plain);
    let [global_loads, global_stores] = [Kind::GlobalLoad, Kind::GlobalStore].map(plain);
    let matrix = |kind| counts.class(Class::Matrix(kind)).wavefronts;
    let copies = counts.class(Class::Copy);
    BTreeMap::from([
        ("shared_load_wavefronts", loads.wavefronts),
        (
            "shared_load_bank_conflicts",
            loads.wavefronts - loads.ideal_wavefronts,
        ),
        ("shared_store_wavefronts", stores.wavefronts),
        (
            "shared_store_bank_conflicts",
            stores.wavefronts - stores.ideal_wavefronts,
        ),
        ("shared_atomic_wavefronts", atomics.wavefronts),
        ("matrix_load_wavefronts", matrix(Kind::SharedLoad)),
        ("matrix_store_wavefronts", matrix(Kind::SharedStore)),
        ("async_copy_wavefronts", copies.wavefronts),
        ("global_load_requests", global_loads.requests),
        ("global_load_sectors", global_loads.sectors),
        ("global_store_requests", global_stores.requests),
        ("global_store_sectors", global_stores.sectors),
    ])
}

/// Every access of the listing, those that were never reached with zeros.
fn rows(kernel: &Kernel, counts: &Counts<'_>) -> Vec<RowReport> {
    let mut rows = Vec::new();
    for ((site, class), counts) in &counts.sites {
        let Some(site) = kernel.sites.get(site.index()) else {
            continue;
        };
        let place = kernel
            .places
            .get(site.place.index())
            .copied()
            .unwrap_or_default();
        let is_shared = class.is_shared();
        let SiteCounts {
            wavefronts,
            ideal_wavefronts,
            sectors,
            ideal_sectors,
            ..
        } = *counts;
        let source = place.origin.and_then(|(file, line)| {
            let file = kernel.files.get(usize::from(file))?.clone();
            Some(SourceLine { file, line })
        });
        rows.push(RowReport {
            line: place.line,
            source,
            op: class_words(*class).to_owned(),
            instruction: site.text.clone(),
            requests: counts.requests,
            wavefronts: is_shared.then_some(wavefronts),
            ideal_wavefronts: is_shared.then_some(ideal_wavefronts),
            sectors: (!is_shared).then_some(sectors),
            ideal_sectors: (!is_shared).then_some(ideal_sectors),
            unknown: counts.unknown > 0,
        });
    }
    rows.sort_by_key(|row| row.line);
    rows
}
