//! What is said of devices, in both languages.

use lanescope_draw::lane_list;
use lanescope_model::{LaneMask, Quantity, Rule, Sharing, Unknown, Value};

use super::grouped;

pub(super) fn chinese_unknown(unknown: Unknown) -> String {
    match unknown {
        Unknown::OtherSpace => "该请求访问的是另一种内存".into(),
        Unknown::NoSharedMemory => "不适用：该设备没有专用的共享内存".into(),
        Unknown::Banks => "未知：该设备的 bank 结构没有公开".into(),
        Unknown::Instruction => "不适用：该设备没有这种指令".into(),
        Unknown::ReadPhases { bytes } => {
            format!("未知：每 lane 读取 {bytes} 字节时，哪些 lane 一起处理")
        }
        Unknown::WritePhases { bytes } => {
            format!("未知：每 lane 写入 {bytes} 字节时，哪些 lane 一起处理")
        }
        Unknown::Atomics => "未知：该设备上原子操作的代价".into(),
        Unknown::GlobalPieces => "未知：该设备以多大的块传输全局内存".into(),
        _ => "未知".into(),
    }
}

pub(super) fn english_quantity(quantity: Quantity) -> String {
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

pub(super) fn chinese_quantity(quantity: Quantity) -> String {
    match quantity {
        Quantity::WarpLanes => "warp（wave、sub-group）的 lane 数".into(),
        Quantity::Banks => "bank 数".into(),
        Quantity::BankBytes => "bank 字的字节数".into(),
        Quantity::ReadPhases { bytes } => format!("读阶段，每 lane 至多 {bytes} 字节"),
        Quantity::WritePhases { bytes } => format!("写阶段，每 lane 至多 {bytes} 字节"),
        Quantity::ReadMerge => "宽加载的阶段合并".into(),
        Quantity::SharedAtomics => "共享内存原子操作".into(),
        Quantity::SharedIncrements => "共享内存原子加一".into(),
        Quantity::SharedSwaps => "共享内存比较并交换".into(),
        Quantity::MatrixLoads => "ldmatrix".into(),
        Quantity::MatrixStores => "stmatrix".into(),
        Quantity::GlobalLoads => "全局加载".into(),
        Quantity::GlobalStores => "全局存储".into(),
        Quantity::GlobalAtomics => "全局原子操作与归约".into(),
        Quantity::SectorBytes => "扇区字节数".into(),
        Quantity::LineBytes => "缓存行字节数".into(),
        Quantity::L1Bytes => "每个 SM 的 L1 与共享内存合计".into(),
        Quantity::SharedBytesPerSm => "每个 SM（CU、核心）的共享内存".into(),
        Quantity::SharedBytesPerBlock => "每个线程块的共享内存上限".into(),
        Quantity::SharedBytesReserved => "系统为每个线程块保留的共享内存".into(),
        Quantity::SharedGranularity => "共享内存的分配粒度".into(),
        Quantity::WarpsPerSm => "每个 SM 的 warp 上限".into(),
        Quantity::BlocksPerSm => "每个 SM 的线程块上限".into(),
        Quantity::ThreadsPerBlock => "每个线程块的线程上限".into(),
        _ => String::new(),
    }
}

pub(super) fn english_value(value: &Value) -> String {
    match value {
        Value::Count(count) => grouped((*count).into()),
        Value::Bytes(bytes) => format!("{} B", grouped((*bytes).into())),
        Value::Rule(rule) => english_rule(rule),
        Value::Unknown(unknown) => unknown.to_string(),
        _ => String::new(),
    }
}

pub(super) fn chinese_value(value: &Value) -> String {
    match value {
        Value::Count(count) => grouped((*count).into()),
        Value::Bytes(bytes) => format!("{} B", grouped((*bytes).into())),
        Value::Rule(rule) => chinese_rule(rule),
        Value::Unknown(unknown) => chinese_unknown(*unknown),
        _ => String::new(),
    }
}

fn english_rule(rule: &Rule) -> String {
    match rule {
        Rule::Phases { lanes, sharing } => format!("{}; {}", sets(lanes), english_sharing(*sharing)),
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
        Rule::LanesOnOneWord => "for each sector, the most lanes on one 4-byte word".into(),
        _ => String::new(),
    }
}

fn chinese_rule(rule: &Rule) -> String {
    match rule {
        Rule::Phases { lanes, sharing } => {
            format!("{}；{}", sets(lanes), chinese_sharing(*sharing))
        }
        Rule::TwicePhases => "原子操作的每个阶段各执行两次".into(),
        Rule::MergePairs => {
            "整个 warp 中相邻 lane（i 与 i^1，或 i 与 i^2）地址一致时，两个阶段合为一个".into()
        }
        Rule::Sectors => "不同扇区的个数，一个请求".into(),
        Rule::Lines => "不同缓存行的个数，一个请求".into(),
        Rule::SplitLines => "不同缓存行的个数；每 lane 8 字节为两个请求，16 字节为四个".into(),
        Rule::SplitSectors => "不同扇区的个数；每 lane 8 字节为两个请求，16 字节为四个".into(),
        Rule::OrderedSegments => {
            "半个 warp 中若 lane k 访问对齐段的第 k 个字，则为一个事务，否则十六个".into()
        }
        Rule::ShrinkingSegments => "逐段处理，每段缩小到实际使用的部分".into(),
        Rule::LanesOnOneWord => "每个扇区内，落在同一 4 字节字上的最多 lane 数".into(),
        _ => String::new(),
    }
}

fn english_sharing(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::AnyWord => "lanes on one word share it",
        Sharing::AnyWordPlusOne => "lanes on one word share it, plus one extra pass",
        Sharing::OneWordAStep => "one word per step is broadcast",
        Sharing::None => "no lane shares",
    }
}

fn chinese_sharing(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::AnyWord => "同一个字上的 lane 共享",
        Sharing::AnyWordPlusOne => "同一个字上的 lane 共享，另加一次",
        Sharing::OneWordAStep => "每步广播一个字",
        Sharing::None => "lane 之间不共享",
    }
}

/// The lane sets of a rule's phases.
fn sets(lanes: &[LaneMask]) -> String {
    let sets: Vec<String> = lanes
        .iter()
        .map(|set| format!("{{{}}}", lane_list(*set)))
        .collect();
    sets.join(" ")
}
