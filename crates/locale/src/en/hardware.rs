//! Devices in English.

use lanescope_model::{
    CustomDeviceError, LaneMask, Quantity, Rule, Sharing, Unknown, Value, Vendor,
};

use super::grouped;
use crate::number::sets;

pub(crate) fn vendor(vendor: Vendor) -> &'static str {
    match vendor {
        Vendor::Nvidia => "NVIDIA",
        Vendor::Amd => "AMD",
        Vendor::Intel => "Intel",
        Vendor::Apple => "Apple",
        Vendor::Arm => "Arm",
        _ => "other",
    }
}

pub(crate) fn custom_error(error: CustomDeviceError) -> String {
    error.to_string()
}

pub(crate) fn unknown(unknown: Unknown) -> String {
    unknown.to_string()
}

pub(crate) fn quantity(quantity: Quantity) -> String {
    match quantity {
        Quantity::WarpLanes => "lanes per warp (wave, sub-group)".into(),
        Quantity::Banks => "banks".into(),
        Quantity::BankBytes => "bytes per bank word".into(),
        Quantity::ReadPhases { bytes } => format!("phases, reads up to {bytes} bytes per lane"),
        Quantity::WritePhases { bytes } => format!("phases, writes up to {bytes} bytes per lane"),
        Quantity::ReadMerge => "merge of phases, wide loads".into(),
        Quantity::SharedAtomics => "atomics on shared memory".into(),
        Quantity::SharedIncrements => "increments by one on shared memory".into(),
        Quantity::SharedSwaps => "compare and swap on shared memory".into(),
        Quantity::MatrixLoads => "ldmatrix".into(),
        Quantity::MatrixStores => "stmatrix".into(),
        Quantity::GlobalLoads => "global loads".into(),
        Quantity::GlobalStores => "global stores".into(),
        Quantity::GlobalAtomics => "global atomics, reductions".into(),
        Quantity::SectorBytes => "bytes per sector".into(),
        Quantity::LineBytes => "bytes per cache line".into(),
        Quantity::FillBytesPerCycle => "From L2 into an SM, per cycle".into(),
        Quantity::L1Bytes => "L1 and shared memory per SM".into(),
        Quantity::SharedBytesPerSm => "shared memory per SM (CU, core)".into(),
        Quantity::SharedBytesPerBlock => "shared memory per block, at most".into(),
        Quantity::SharedBytesReserved => "shared memory reserved per block".into(),
        Quantity::SharedGranularity => "shared memory allocated in units of".into(),
        Quantity::WarpsPerSm => "warps per SM, at most".into(),
        Quantity::BlocksPerSm => "blocks per SM, at most".into(),
        Quantity::ThreadsPerBlock => "threads per block, at most".into(),
        _ => String::new(),
    }
}

pub(crate) fn value(value: &Value, lane_list: &dyn Fn(LaneMask) -> String) -> String {
    match value {
        Value::Count(count) => grouped((*count).into()),
        Value::Bytes(bytes) => format!("{} B", grouped((*bytes).into())),
        Value::Rule(rule) => rule_text(rule, lane_list),
        Value::Unknown(unknown) => unknown.to_string(),
        _ => String::new(),
    }
}

fn rule_text(rule: &Rule, lane_list: &dyn Fn(LaneMask) -> String) -> String {
    match rule {
        Rule::Phases { lanes, sharing } => format!("{}; {}", sets(lanes, lane_list), sharing_text(*sharing)),
        Rule::TwicePhases => "each phase of an atomic twice".into(),
        Rule::MergePairs => "two phases become one where neighbours (i, i^1 or i, i^2) agree, for the whole warp".into(),
        Rule::Sectors => "distinct sectors, one request".into(),
        Rule::Lines => "distinct lines, one request".into(),
        Rule::SplitLines => "distinct lines; 8 bytes per lane make two requests, 16 bytes four".into(),
        Rule::SplitSectors => "distinct sectors; 8 bytes per lane make two requests, 16 bytes four".into(),
        Rule::OrderedSegments => {
            "a half-warp is one transaction if lane k wants word k of an aligned segment, else sixteen".into()
        }
        Rule::ShrinkingSegments => "segments one after another, each shrunk to what is used of it".into(),
        Rule::AtomicPasses => "sectors, each time a pass serves one".into(),
        _ => String::new(),
    }
}

fn sharing_text(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::AnyWord => "lanes on one word share it",
        Sharing::AnyWordPlusOne => "lanes on one word share it, plus one extra pass",
        Sharing::OneWordAStep => "one word per step is broadcast",
        Sharing::None => "no lane shares",
    }
}
