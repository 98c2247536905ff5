//! What compiled code costs, instruction by instruction.

use crate::counts::{Class, Counts, SiteCounts};
use crate::numba;
use crate::prediction::prediction;
use lanescope_ir::{AddressSpace, AtomicOp, Kernel, Op, Place, PlaceId, SiteId};
use lanescope_locale::Language;
use lanescope_model::Operation;
use lanescope_profiler::Prediction;
use lanescope_simt::{Certainty, Doubt, DoubtKind, End, Outcome, Source};
use lanescope_tally::{Kind, Status};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The answer. The names are public: scripts read them.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The kernel's name.
    pub kernel: String,
    /// The device's id.
    pub device: String,
    /// `counted`: every request follows from the launch; `assumed`: some hang on contents that nobody gave; `partial`:
    /// some hang on what is not modelled, or the run was cut short.
    #[serde(serialize_with = "key")]
    pub status: Status,
    /// Whether the totals are those of the whole launch.
    pub exact: bool,
    /// The sums of the whole run, by the profiler's names.
    pub totals: BTreeMap<&'static str, u64>,
    /// The same as a profiler's counters divide it.
    #[serde(skip)]
    pub prediction: Prediction,
    /// Every instruction that was reached and touches memory.
    pub rows: Vec<Row>,
    /// Why the status is not `counted`.
    pub reasons: Vec<Reason>,
}

/// Why the status is not `counted`. In JSON it is its message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Its name, which stays the same for ever.
    pub code: &'static str,
    /// What it makes of the answer.
    pub status: Status,
    /// Line of the text, from 1; 0 for the whole.
    pub line: u32,
    /// What is assumed or missing.
    pub message: String,
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.message)
    }
}

/// A status as its name.
fn key<S: serde::Serializer>(status: &Status, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(status.key())
}

/// What one instruction costs.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Line of the text, from 1.
    pub line: u32,
    /// Line of the source, where the text says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceLine>,
    /// What it does, in words: `shared load`, `async copy`.
    pub op: String,
    /// The instruction.
    pub instruction: String,
    /// Requests of warps.
    pub requests: u64,
    /// Passes over the banks, of shared memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wavefronts: Option<u64>,
    /// The same without conflicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal_wavefronts: Option<u64>,
    /// n of "n-way" of its worst request to shared memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    /// Sectors, of global memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sectors: Option<u64>,
    /// The fewest that hold the bytes asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ideal_sectors: Option<u64>,
    /// Whether the wavefronts are a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    /// Whether some of its requests have no number on the device.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unknown: bool,
}

/// A line of the source that was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceLine {
    /// The file, as the compiler names it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

impl Report {
    /// The report on a run.
    pub(crate) fn of(
        kernel: &Kernel,
        device: &str,
        counts: &Counts<'_>,
        outcome: &Outcome,
    ) -> Self {
        let mut reasons: Vec<Reason> = outcome
            .doubts
            .iter()
            .map(|doubt| doubted(kernel, doubt))
            .collect();
        reasons.dedup();
        let loops = contended(kernel, counts);
        let is_contended = !loops.is_empty();
        reasons.extend(loops);
        let copies = copies(kernel, counts);
        let is_assumed = is_contended || !copies.is_empty();
        reasons.extend(copies);
        if outcome.end != End::Complete {
            reasons.push(Reason {
                code: "stopped",
                status: Status::Partial,
                line: 0,
                message: format!("the run ended early: {}", end_words(outcome.end)),
            });
        }
        let least = outcome
            .doubts
            .iter()
            .map(|doubt| doubt.source.certainty())
            .max();
        let of_requests = counts.sites.values().map(|counts| counts.certainty).max();
        let status = match (outcome.end, least.max(of_requests)) {
            (End::Complete, certainty) if is_assumed => {
                status_of(certainty.max(Some(Certainty::Assumed)).unwrap_or_default())
            }
            (End::Complete, certainty) => status_of(certainty.unwrap_or(Certainty::Certain)),
            _ => Status::Partial,
        };
        Self {
            kernel: kernel.name.clone(),
            device: device.to_owned(),
            status,
            exact: outcome.end == End::Complete && outcome.blocks_done == outcome.blocks_total,
            totals: totals(counts),
            prediction: prediction(kernel, counts, status),
            rows: rows(kernel, counts),
            reasons,
        }
    }

    /// Line of the text and of the source of an access.
    pub(crate) fn place_of(kernel: &Kernel, site: SiteId) -> Option<(u32, Option<SourceLine>)> {
        let site = kernel.sites.get(site.index())?;
        let place = kernel.places.get(site.place.index())?;
        Some((place.line, source_line(kernel, place)))
    }
}

/// Loops of compare and swap that one instruction of PTX stands for: how often one repeats is the warps' timing.
fn contended(kernel: &Kernel, counts: &Counts<'_>) -> Vec<Reason> {
    let ran: BTreeSet<SiteId> = counts.sites.keys().map(|(site, _)| *site).collect();
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let sites = instructions.filter_map(|instruction| match instruction.op {
        Op::Atomic { op, site, .. } if op != AtomicOp::CompareAndSwap => Some(site),
        _ => None,
    });
    sites
        .filter(|site| ran.contains(site))
        .filter_map(|site| Some((site, kernel.sites.get(site.index())?)))
        .filter(|(_, of)| {
            of.space == AddressSpace::Shared && of.operation == Operation::CompareAndSwap
        })
        .map(|(_, of)| {
            let line = line_of(kernel, of.place);
            Reason {
                code: "contention",
                status: Status::Assumed,
                line,
                message: format!(
                    "line {line}: the atomic is a loop of compare and swap, which is counted once; it repeats where threads meet"
                ),
            }
        })
        .collect()
}

/// Copies past L1 that the hardware's rule does not settle: how many wavefronts they take, and of lanes that write one
/// place, which lane's source counts.
fn copies(kernel: &Kernel, counts: &Counts<'_>) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for ((site, _), counts) in &counts.sites {
        let line = kernel
            .sites
            .get(site.index())
            .map_or(0, |site| line_of(kernel, site.place));
        let mut assume = |code, what: String| {
            reasons.push(Reason {
                code,
                status: Status::Assumed,
                line,
                message: format!("line {line}: {what}"),
            });
        };
        if counts.bounds > 0 {
            let least = counts.wavefronts;
            assume(
                "async-copy-bound",
                format!(
                    "the copy past L1 takes no more wavefronts than the {least} that it takes at least"
                ),
            );
        }
        if counts.rivals > 0 {
            assume(
                "async-copy-race",
                "of lanes that copy to one place from different sources, the lowest counts"
                    .to_owned(),
            );
        }
    }
    reasons
}

fn doubted(kernel: &Kernel, doubt: &Doubt) -> Reason {
    let what = match doubt.kind {
        DoubtKind::Branch => "a branch",
        DoubtKind::Address => "an address",
        DoubtKind::Barrier => "a barrier",
        DoubtKind::Memory => "what was read",
        DoubtKind::Instruction => "what was done",
    };
    let line = line_of(kernel, doubt.place);
    let source = source_words(kernel, doubt.source);
    Reason {
        code: code(doubt.source),
        status: status_of(doubt.source.certainty()),
        line,
        message: format!("line {line}: {what} hangs on {source}"),
    }
}

const fn status_of(certainty: Certainty) -> Status {
    match certainty {
        Certainty::Certain => Status::Counted,
        Certainty::Assumed => Status::Assumed,
        Certainty::Partial => Status::Partial,
    }
}

const fn code(source: Source) -> &'static str {
    match source {
        Source::Contents(_) | Source::Memory => "contents",
        Source::Uninitialized => "uninitialized",
        Source::Parameter(_) => "argument",
        Source::Unmodelled(_) => "unread",
        Source::Unpredictable => "unpredictable",
        Source::InactiveLane => "inactive-lane",
        Source::Forgotten => "stores",
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
        Source::Parameter(position) => {
            let numba = numba::parameters_of(kernel).unwrap_or_default();
            match numba.get(position as usize) {
                Some(one) => {
                    let role = one.role.text(Language::English);
                    format!("parameter {position} ({role}), which is not given")
                }
                None => format!("argument {position}, which is not given"),
            }
        }
        Source::Unmodelled(place) => {
            format!("line {}, which is not modelled", line_of(kernel, place))
        }
        Source::Unpredictable => "a clock or the like".to_owned(),
        Source::InactiveLane => "a lane that did not take part".to_owned(),
        Source::Forgotten => "more stores than are remembered".to_owned(),
    }
}

const fn kind_words(kind: Kind) -> &'static str {
    match kind {
        Kind::SharedLoad => "shared load",
        Kind::SharedStore => "shared store",
        Kind::SharedAtomic => "shared atomic",
        Kind::GlobalLoad => "global load",
        Kind::GlobalStore => "global store",
        Kind::GlobalAtomic => "global atomic",
        Kind::GlobalReduction => "global reduction",
    }
}

fn class_words(class: Class) -> &'static str {
    match class {
        Class::Plain(kind) => kind_words(kind),
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
    let [reductions, global_atomics] = [Kind::GlobalReduction, Kind::GlobalAtomic].map(plain);
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
        ("global_reduction_requests", reductions.requests),
        ("global_reduction_sectors", reductions.sectors),
        ("global_atomic_requests", global_atomics.requests),
        ("global_atomic_sectors", global_atomics.sectors),
    ])
}

fn source_line(kernel: &Kernel, place: &Place) -> Option<SourceLine> {
    let (file, line) = place.origin?;
    let file = kernel.files.get(usize::from(file))?.clone();
    Some(SourceLine { file, line })
}

/// Every access of the listing, those that were never reached with zeros.
fn rows(kernel: &Kernel, counts: &Counts<'_>) -> Vec<Row> {
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
            ways,
            ..
        } = *counts;
        let source = source_line(kernel, &place);
        rows.push(Row {
            line: place.line,
            source,
            op: class_words(*class).to_owned(),
            instruction: site.text.clone(),
            requests: counts.requests,
            wavefronts: is_shared.then_some(wavefronts),
            ideal_wavefronts: is_shared.then_some(ideal_wavefronts),
            ways: is_shared.then_some(ways),
            sectors: (!is_shared).then_some(sectors),
            ideal_sectors: (!is_shared).then_some(ideal_sectors),
            at_least: counts.bounds > 0,
            unknown: counts.unknown > 0,
        });
    }
    rows.sort_by_key(|row| row.line);
    rows
}
