//! What the card says that runs the kernel on the visitor's GPU, in English.

use super::grouped;
use crate::run_card::RunWords;

pub(crate) const WORDS: &RunWords = &RunWords {
    title: "Run it on your GPU",
    run: "Run",
    again: "Run again",
    cancel: "Cancel",
    lead: "The kernel runs in this browser, translated to WGSL unless it is WGSL, beside a plain copy. Nothing leaves this page.",
    loading: "Loading…",
    failed: "This part of the page could not be loaded; press again.",
    as_written: "as written",
    copy: "copy",
    version: "version",
    time: "time",
    of_copy: "of copy",
    sectors_32: "sectors × 32",
    ratio: "ratio",
    result: "results",
    equal: "✓ equal to the simulator’s, bit for bit",
    unverified: "not verified: too large for the simulator",
    undecided: "not verified: what it leaves depends on what the simulator does not know, as the order of its threads",
    results_equal: "results equal",
    results_differ: "results differ",
    contents: "Buffers hold",
    as_given: "as the launch says",
    zeros: "zeros",
    iota: "0, 1, 2, …",
    random: "random numbers",
    file: "a file",
    choose_file: "raw bytes, little endian",
    opening: "Opening the GPU…",
    simulating: "Running it in the simulator, to know its results…",
    compiling: "Running it on the GPU…",
    searching: "Searching fixes…",
    proving: "Searching this fix, and proving it…",
    no_fixes: "No fix was found.",
    run_fix: "Run",
    software: "This adapter is the processor: its times say nothing about a GPU.",
    other_text: "These results are of the text or launch before the last change.",
    gone: "The fixes of this text are other ones now; run it again.",
    notes: "What runs differs from the text",
    wgsl: "The WGSL that runs",
    unnamed: "a GPU that the browser does not name",
    broken: "The part that runs kernels broke down; run it again.",
    cancelled: "Cancelled. What was measured before stays.",
    not_run: "Not run",
    in_passes: "from passes of many runs",
    one_by_one: "from runs one by one",
    restored: "its buffers restored before each run",
    measured_on: "Measured on",
    elsewhere: "Measured elsewhere",
    copy_link: "Copy link with results",
    copy_markdown: "Copy as Markdown",
    save_json: "Save as JSON",
    copied: "Copied",
};

pub(crate) fn near(ulps: u32) -> String {
    format!("✓ the simulator’s within {ulps} units in the last place")
}

pub(crate) fn inexact(millionths: u32) -> String {
    format!(
        "not verified: within {millionths} ppm of the largest value, as exp and the like are the device’s own"
    )
}

pub(crate) fn taken(name: &str, elements: u64, contents: &str) -> String {
    format!("{name}: {} elements, {contents}", grouped(elements))
}

pub(crate) fn taken_zero(name: &str) -> String {
    format!("{name} was not given: 0")
}

pub(crate) fn samples(samples: usize) -> String {
    format!("Median of {samples}.")
}

pub(crate) fn median(samples: usize, how: &str) -> String {
    format!("Median of {samples}, {how}.")
}

pub(crate) fn compared(words: u64) -> String {
    format!("{} words compared.", grouped(words))
}

pub(crate) fn times(ratio: &str) -> String {
    format!("{ratio}×")
}
