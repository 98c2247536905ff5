//! Fixes in Chinese.

use super::grouped;
use crate::fix::FixWords;

pub(crate) const WORDS: &FixWords = &FixWords {
    as_is: "保持不变",
    row_xor: "列与行异或",
    linear: "下标各位移位后异或",
    transposed: "转置布局",
    narrowed: "去掉填充并异或",
    split_shared: "每个字段一个数组",
    split_global: "每个字段一个缓冲区",
    sequential: "顺序寻址",
    first_add: "加载时先相加，线程减半",
    warp_shuffle: "最后几步改用 warp shuffle",
    loop_order: "交换两层循环",
    swap_axes: "交换 threadIdx.x 与 .y",
    swap_invocations: "交换 local_invocation_id.x 与 .y",
    stage: "经共享内存中转",
    align_base: "对齐缓冲区",
    no_extra_memory: "不增加内存",
    does_not_fit: "超出该设备每个线程块的上限",
    same_accesses: "已验证：每个线程以相同顺序访问相同元素",
    same_elements: "已验证：每个线程访问相同的元素，只是一次取多个",
    threads_exchanged: "已验证：工作相同，仅线程编号互换",
    same_sums: "已验证：随机数据上求和结果相同，仅相加次序不同",
    same_results: "已验证：随机数据上结果逐位相同",
};

pub(crate) fn pad(elements: u64) -> String {
    format!("每行填充 {elements} 个元素")
}

pub(crate) fn pad_every(group: u64, elements: u64) -> String {
    format!("每 {group} 个元素后空出 {elements} 个")
}

pub(crate) fn swizzle(swizzle: &str) -> String {
    format!("对下标做异或，{swizzle}")
}

pub(crate) fn pitch(arrays: &[String], from: u64, to: u64) -> String {
    format!("{} 的行距由 {from} 改为 {to} 个元素", arrays.join("、"))
}

pub(crate) fn align_structure(bytes: u64) -> String {
    format!("让结构体按 {bytes} 字节对齐")
}

pub(crate) fn block_shape(width: u32) -> String {
    format!("线程块宽 {width} 个线程")
}

pub(crate) fn widen(bytes: u64) -> String {
    format!("一次访问 {bytes} 字节")
}

pub(crate) fn wavefronts(from: u64, to: u64) -> String {
    format!("共享内存 wavefront：{} → {}", grouped(from), grouped(to))
}

pub(crate) fn sectors(from: u64, to: u64) -> String {
    format!("全局内存扇区：{} → {}", grouped(from), grouped(to))
}

pub(crate) fn conflicts_remain(conflicts: u64) -> String {
    format!("仍有 {} 次冲突", grouped(conflicts))
}

pub(crate) fn more_bytes(bytes: u64, share: &str) -> String {
    format!(
        "+{} 字节（占 WebGPU 16,384 字节的 {share}%）",
        grouped(bytes)
    )
}

pub(crate) fn bytes(bytes: u64) -> String {
    format!("+{} 字节", grouped(bytes))
}

pub(crate) fn more_instructions(count: u64) -> String {
    format!("估计每个下标多 {count} 条指令")
}

pub(crate) fn instructions(count: u64) -> String {
    more_instructions(count)
}

pub(crate) fn blocks(from: u64, to: u64) -> String {
    if from == to {
        format!("每个 SM 仍为 {to} 个线程块")
    } else {
        format!("每个 SM 的线程块：{from} → {to}")
    }
}

pub(crate) fn raises(line: u32, from: u64, to: u64) -> String {
    format!(
        "部分冲突移到第 {line} 行：{} → {}",
        grouped(from),
        grouped(to)
    )
}

pub(crate) fn proved(_: &str) -> String {
    "已验证".into()
}

pub(crate) fn note(note: &str) -> String {
    format!("{note}。")
}
