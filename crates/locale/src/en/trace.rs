//! Recorded traces in English.

use lanescope_model::Unit;

use super::{grouped, plural};
use crate::trace::TraceWords;

pub(crate) const WORDS: &TraceWords = &TraceWords {
    tab: "Trace",
    drop: "Drop a CSV or JSON file of lane addresses here, paste one above, or",
    choose: "Choose a file",
    text: "Recorded lane addresses",
    hint: "First line: instruction, lane0 … lane31 (byte offsets; blank for an inactive lane) and, where measured, shared_wavefronts, shared_bank_conflicts, global_sectors; for cp.async also source0 … source31. Or one lane per line: warp, lane, addr; or one warp per line: 0,4,8 …; or JSON: [{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 4]}].",
    too_large: "More than 64 MiB: split the file",
    unreadable_file: "The file cannot be read: it has been moved, changed or locked. Choose it again",
    title: "The trace",
    worst: "Rows furthest above the ideal",
    differing: "Measured differently from the prediction",
    row: "row",
    instruction: "instruction",
    cost: "wavefronts or sectors",
    ideal: "ideal",
    predicted: "predicted",
    measured: "measured",
};

pub(crate) fn kept_here(bytes: u64) -> String {
    let bytes = grouped(bytes);
    format!("{bytes} bytes, too long for a link: this trace stays on this page and is not shared")
}

pub(crate) fn reading(percent: usize) -> String {
    format!("reading, {percent}%")
}

pub(crate) fn rows(rows: u64) -> String {
    format!("{} rows", grouped(rows))
}

pub(crate) fn shared([requests, wavefronts, ideal, conflicts]: [u64; 4]) -> String {
    format!(
        "Shared memory: {}, {}, ideal {}, {}.",
        plural(requests, "request"),
        plural(wavefronts, "wavefront"),
        grouped(ideal),
        plural(conflicts, "bank conflict")
    )
}

pub(crate) fn global([requests, units, ideal]: [u64; 3], unit: Unit) -> String {
    let unit = super::verdict::unit_name(unit, units != 1);
    let requests = plural(requests, "request");
    let [units, ideal] = [units, ideal].map(grouped);
    format!("Global memory: {requests}, {units} {unit}, ideal {ideal}.")
}

pub(crate) fn agreement(agreeing: u64, compared: u64) -> String {
    let [agreeing, compared] = [agreeing, compared].map(grouped);
    format!("{agreeing} of {compared} measured rows agree with the prediction.")
}

pub(crate) fn faults(count: u64) -> String {
    format!("What is wrong ({})", grouped(count))
}

pub(crate) fn fault(line: usize, column: usize, title: &str, fault: &str) -> String {
    if title.is_empty() {
        format!("line {line}, column {column}: {fault}")
    } else {
        format!("line {line}, column {column} ({title}): {fault}")
    }
}

pub(crate) fn more_faults(count: u64) -> String {
    format!("and {} more", grouped(count))
}

pub(crate) fn not_a_trace(why: &str) -> String {
    format!("Not a trace: {why}")
}

pub(crate) fn picture(row: u64, name: &str) -> String {
    format!("Row {}: {name}", grouped(row))
}

pub(crate) fn unread(row: u64) -> String {
    format!("Row {} cannot be read.", grouped(row))
}
