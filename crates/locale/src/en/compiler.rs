//! Compilers in English.

use lanescope_model::Unit;

use super::grouped;
use crate::compiler::{CompilerWords, Other};

pub(crate) const WORDS: &CompilerWords = &CompilerWords {
    counted: "Counted",
    picture_predicted: "Predicted",
    picture_same: "nvcc makes the same request.",
    as_written: "as written",
    as_nvcc_13: "as nvcc 13",
    is_compiled: "Already compiled.",
    is_wgsl: "No WGSL compiler was measured.",
    is_amp: "No compiler of C++ AMP was measured.",
    device_unmeasured: "No compiler for this device was measured.",
    remarks_head: "What the compiler model changes",
    unchanged: "left out: its place holds the value already",
    known: "left out: the array is constant, and its value there is known",
    overwritten: "left out: overwritten before anything reads it",
    unused: "left out: nothing uses the value",
    hoisted: "done once, before the loop",
    sunk: "moved into the branch that needs it",
    aggregated: "one lane does it for the warp",
    omitted_held: "not read again: the thread still holds the value",
    omitted_overwritten: "left out: overwritten before anything reads it",
    omitted_unused: "left out: nothing uses the value",
    omitted_elsewhere: "in constant memory or the thread's own: not counted",
    omitted_cluster: "in shared memory of another block of the cluster: not counted",
    omitted_bulk: "moved by TMA or read by the tensor cores, past the load/store unit: no wavefront, no sector",
    omitted_texture: "a texture or surface: not counted",
    omitted_unreached: "no thread of the blocks that ran gets here",
    omitted_cut: "not known: the run was cut before a thread got here",
    side_by_side: "Source and compiled code",
    side_by_side_about: "point at a line to light up what it became; click an access to look into it",
    source_side: "Source",
    code_side: "Compiled",
    side_cut: "A side of more than 1,000 lines shows its accesses alone.",
    compile_it: "What nvcc really makes of it, counted the same way:",
    or_paste_sass: "or paste here what this prints:",
    copy_command: "Copy",
    command_copied: "Copied",
};

pub(crate) fn remarks_title(count: usize) -> String {
    match count {
        0 => "The compiler model leaves every access as written".into(),
        _ => format!("What the compiler model changes ({count})"),
    }
}

fn with(word: &str, other: Option<Other<'_>>) -> String {
    other.map_or_else(String::new, |other| {
        format!(" {word} {} of line {}", other.text, other.place)
    })
}

pub(crate) fn vectorized(bytes: u32, other: Option<Other<'_>>) -> String {
    format!(
        "one access of {bytes} bytes{}",
        with("together with", other)
    )
}

pub(crate) fn merged(other: Option<Other<'_>>) -> String {
    format!("one instruction{} in the other branch", with("with", other))
}

pub(crate) fn eliminated(other: Option<Other<'_>>) -> String {
    format!(
        "left out: the thread holds the value{}",
        with("from", other)
    )
}

pub(crate) fn partly_eliminated(other: Option<Other<'_>>) -> String {
    let from = with("from", other);
    format!("done only by lanes that do not hold the value{from} yet")
}

pub(crate) fn unrolled(times: u64) -> String {
    format!("its loop is unrolled {times} times")
}

pub(crate) fn omitted_joined(text: &str, line: u32) -> String {
    format!("joined with {text} of line {line} into one wider access")
}

pub(crate) fn omitted_merged(text: &str, line: u32) -> String {
    format!("one instruction with {text} of line {line}, in the other branch")
}

pub(crate) fn source_wanted(file: &str) -> String {
    format!("Paste or drop {file} here to see it beside the compiled code:")
}

pub(crate) fn cost_columns(unit: Option<Unit>) -> [&'static str; 4] {
    let unit = super::verdict::unit_name(unit.unwrap_or(Unit::Sector), true);
    ["req.", "wavefronts", unit, "ideal"]
}

pub(crate) fn as_predicted(count: u64) -> String {
    format!("nvcc: {}, as predicted", grouped(count))
}

pub(crate) fn not_as_predicted(count: u64, predicted: u64) -> String {
    format!("nvcc: {}, predicted {}", grouped(count), grouped(predicted))
}

pub(crate) fn picture_counted(instruction: &str) -> String {
    format!("Counted: {instruction}, as nvcc made it")
}

pub(crate) fn counted_beside(predicted: &str) -> String {
    format!("Counted in the SASS that nvcc made. Predicted: {predicted}.")
}
