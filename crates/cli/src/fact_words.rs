//! A device's facts in words.

use lanescope_model::{LaneMask, Quantity, Rule, Sharing, Value};

/// What a fact is about, as a stable key and in words.
pub(crate) fn quantity(quantity: Quantity) -> (String, String) {
    let (key, words) = match quantity {
        Quantity::WarpLanes => ("warp_lanes", "lanes of a warp"),
        Quantity::Banks => ("banks", "banks"),
        Quantity::BankBytes => ("bank_bytes", "bytes of a bank's word"),
        Quantity::ReadPhases { bytes } => return phases("read", "reads", bytes),
        Quantity::WritePhases { bytes } => return phases("write", "writes", bytes),
        Quantity::ReadMerge => ("read_merge", "wide loads that merge"),
        Quantity::SharedAtomics => ("shared_atomics", "shared atomics"),
        Quantity::SharedIncrements => ("shared_increments", "shared increments by one"),
        Quantity::SharedSwaps => ("shared_swaps", "shared compare and swap"),
        Quantity::MatrixLoads => ("matrix_loads", "ldmatrix"),
        Quantity::MatrixStores => ("matrix_stores", "stmatrix"),
        Quantity::GlobalLoads => ("global_loads", "global loads"),
        Quantity::GlobalStores => ("global_stores", "global stores"),
        Quantity::GlobalAtomics => ("global_atomics", "global atomics"),
        Quantity::SectorBytes => ("sector_bytes", "bytes of a sector"),
        Quantity::LineBytes => ("line_bytes", "bytes of a line"),
        Quantity::FillBytesPerCycle => ("fill_bytes_per_cycle", "from L2 into an SM, a cycle"),
        Quantity::L1Bytes => ("l1_bytes", "L1 with shared memory of an SM"),
        Quantity::SharedBytesPerSm => ("shared_bytes_per_sm", "shared bytes of an SM"),
        Quantity::SharedBytesPerBlock => {
            ("shared_bytes_per_block", "shared bytes of a block, most")
        }
        Quantity::SharedBytesReserved => (
            "shared_bytes_reserved",
            "shared bytes the system takes a block",
        ),
        Quantity::SharedGranularity => ("shared_granularity", "shared bytes are rounded up to"),
        Quantity::WarpsPerSm => ("warps_per_sm", "warps of an SM, most"),
        Quantity::BlocksPerSm => ("blocks_per_sm", "blocks of an SM, most"),
        Quantity::ThreadsPerBlock => ("threads_per_block", "threads of a block, most"),
        other => return (format!("{other:?}"), format!("{other:?}")),
    };
    (key.to_owned(), words.to_owned())
}

fn phases(key: &str, words: &str, bytes: u32) -> (String, String) {
    (
        format!("{key}_phases_{bytes}_bytes"),
        format!("{words} of {bytes} bytes a lane"),
    )
}

/// A fact's value in words.
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Count(number) | Value::Bytes(number) => number.to_string(),
        Value::Rule(rule) => rule_words(rule),
        Value::Unknown(why) => why.to_string(),
        other => format!("{other:?}"),
    }
}

/// A rule in words.
fn rule_words(rule: &Rule) -> String {
    let words = match rule {
        Rule::Phases { lanes, sharing } => {
            return format!("{}; {}", phase_words(lanes), sharing_words(*sharing));
        }
        Rule::TwicePhases => "each phase of an atomic twice",
        Rule::MergePairs => {
            "8 and 16 bytes a lane: if all lanes i and i^1 (or all i and i^2) want the same address, two phases become one"
        }
        Rule::Sectors => "one request a warp, counted in sectors",
        Rule::Lines => "one request a warp, counted in lines",
        Rule::SplitLines => "counted in lines; 8 bytes a lane are two requests, 16 bytes four",
        Rule::SplitSectors => "counted in sectors; 8 bytes a lane are two requests, 16 bytes four",
        Rule::OrderedSegments => {
            "a half-warp is one transaction if lane k wants word k of an aligned segment, else sixteen"
        }
        Rule::ShrinkingSegments => {
            "a half-warp's segments one after another, each shrunk to what is used of it"
        }
        Rule::AtomicPasses => "sectors, in each pass over the lanes that wait those that it serves",
        other => return format!("{other:?}"),
    };
    words.to_owned()
}

fn phase_words(phases: &[LaneMask]) -> String {
    let sets: Vec<String> = phases
        .iter()
        .map(|phase| format!("{{{}}}", lanescope_draw::lane_list(*phase)))
        .collect();
    let plural = if sets.len() == 1 { "phase" } else { "phases" };
    format!("{} {plural} {}", sets.len(), sets.join(" "))
}

const fn sharing_words(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::AnyWord => "lanes on one word share it",
        Sharing::AnyWordPlusOne => "lanes on one word share it, and one pass more",
        Sharing::OneWordAStep => "one word a step goes to all its lanes",
        Sharing::None => "lanes on one word do not share",
    }
}
