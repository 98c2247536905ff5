//! Devices in Chinese.

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
        _ => "其他",
    }
}

pub(crate) fn custom_error(error: CustomDeviceError) -> String {
    let text = match error {
        CustomDeviceError::Banks => "bank 数应为 1 至 1024",
        CustomDeviceError::BankBits => "每个 bank 的位数应为 8、16、32、64 或 128",
        CustomDeviceError::Lanes => "lane 数应为 1 至 64",
        CustomDeviceError::SectorBytes => "扇区字节数应为 8 至 128 之间的 2 的幂",
        CustomDeviceError::LineBytes => "缓存行字节数应为 2 的幂，不小于扇区，不大于 4096",
        _ => "这些数字无法构成设备",
    };
    text.into()
}

pub(crate) fn unknown(unknown: Unknown) -> String {
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
        Unknown::Address => "未知：该请求访问何处".into(),
        _ => "未知".into(),
    }
}

pub(crate) fn quantity(quantity: Quantity) -> String {
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
        Quantity::FillBytesPerCycle => "每周期从 L2 进入一个 SM".into(),
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

pub(crate) fn value(value: &Value, lane_list: &dyn Fn(LaneMask) -> String) -> String {
    match value {
        Value::Count(count) => grouped((*count).into()),
        Value::Bytes(bytes) => format!("{} B", grouped((*bytes).into())),
        Value::Rule(rule) => rule_text(rule, lane_list),
        Value::Unknown(why) => unknown(*why),
        _ => String::new(),
    }
}

fn rule_text(rule: &Rule, lane_list: &dyn Fn(LaneMask) -> String) -> String {
    match rule {
        Rule::Phases { lanes, sharing } => {
            format!("{}；{}", sets(lanes, lane_list), sharing_text(*sharing))
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
        Rule::AtomicPasses => "扇区，每轮服务到一次计一次".into(),
        _ => String::new(),
    }
}

fn sharing_text(sharing: Sharing) -> &'static str {
    match sharing {
        Sharing::AnyWord => "同一个字上的 lane 共享",
        Sharing::AnyWordPlusOne => "同一个字上的 lane 共享，另加一次",
        Sharing::OneWordAStep => "每步广播一个字",
        Sharing::None => "lane 之间不共享",
    }
}
