//! A profiler's export beside the prediction in English.

use super::grouped;
use crate::measured::MeasuredWords;

pub(crate) const WORDS: &MeasuredWords = &MeasuredWords {
    title: "Predicted and measured",
    reading: "Reading the export and counting its launches…",
    slow: "Counting takes longer than 20 s: `lanescope compare` on the command line has no such limit.",
    missing: "The reader of exports could not be loaded: check the network and load the page again.",
    arguments: "No export says the arguments of the launch. Those that branches, bounds or addresses depend on can be given here:",
    take_launch: "Count this launch",
};

pub(crate) fn about([grid, block]: [&str; 2], whence: &str, status: &str) -> String {
    let code = match whence {
        "sass" => "SASS of the export itself",
        "ptx" => "PTX of the export itself",
        "source" => "source text of the export itself",
        _ => "the kernel that is open",
    };
    let sure = match status {
        "counted" => "fully counted",
        "assumed" => "counted with assumptions",
        _ => "not fully counted",
    };
    let asked = if grid.ends_with('?') || block.ends_with('?') {
        " The export does not say what is marked with ?: the launch of the kernel that is open is taken; add the raw page for its own."
    } else {
        ""
    };
    format!("Grid {grid}, block {block}; predicted from {code}, {sure}.{asked}")
}

pub(crate) fn fault(fault: &str) -> String {
    format!("Not compared: {fault}")
}

pub(crate) const fn unnamed() -> &'static str {
    "it names no kernel; export --page source --print-source sass, or --page raw"
}

pub(crate) fn first_launches(most: usize, all: usize) -> String {
    format!("the first {most} of {all} launches are shown")
}

pub(crate) const fn no_code() -> &'static str {
    "the export holds no code: open the kernel first, or export its SASS with `ncu --import \
     report.ncu-rep --csv --page source --print-source sass`"
}

pub(crate) const fn no_wgsl() -> &'static str {
    "the profiler measures no WGSL"
}

pub(crate) const fn unreadable() -> &'static str {
    "the code cannot be read"
}

pub(crate) const fn bad_question() -> &'static str {
    "the launch or the device that is set on the page cannot be used; correct it there first"
}

pub(crate) fn cost(measured: u64) -> String {
    format!("ncu: {}", grouped(measured))
}

pub(crate) fn cost_beside(measured: u64, predicted: u64) -> String {
    let beside = match measured == predicted {
        true => "as predicted".to_owned(),
        false => format!("predicted {}", grouped(predicted)),
    };
    format!("{}, {beside}", cost(measured))
}

pub(crate) fn cost_of_all(key: &str, measured: u64, predicted: u64) -> String {
    format!("all {}: {}", total(key), cost_beside(measured, predicted))
}

pub(crate) fn others(count: usize) -> String {
    match count {
        1 => "1 launch of another kernel".to_owned(),
        _ => format!("{} launches of other kernels", grouped(count as u64)),
    }
}

pub(crate) fn equal(equal: u64, all: u64) -> String {
    format!("{} of {} numbers are equal.", grouped(equal), grouped(all))
}

pub(crate) const fn columns() -> [&'static str; 5] {
    ["of", "predicted", "measured", "difference", "why"]
}

pub(crate) fn more(left: u64) -> String {
    let left = grouped(left);
    format!("and {left} more rows; `lanescope compare` prints all")
}

pub(crate) fn total(key: &str) -> String {
    key.replace('_', " ")
}

pub(crate) fn unit(unit: &str) -> &'static str {
    match unit {
        "wavefronts" => "wavefronts",
        _ => "sectors",
    }
}

pub(crate) fn difference(key: &str) -> &'static str {
    match key {
        "equal" => "equal",
        "not-measured" => "not measured",
        "arbitration" => "arbitration in hardware",
        "data" => "depends on data or arguments assumed",
        "not-counted" => "not fully counted",
        _ => "not known",
    }
}
