//! Recorded traces in Chinese.

use lanescope_model::Unit;

use super::grouped;
use crate::trace::TraceWords;

pub(crate) const WORDS: &TraceWords = &TraceWords {
    tab: "轨迹",
    drop: "将记录各 lane 地址的 CSV 或 JSON 文件拖到此处，或粘贴在上方，或",
    choose: "选择文件",
    text: "记录的 lane 地址",
    hint: "首行：instruction、lane0 … lane31（字节偏移，空白表示 lane 未激活），若有实测值则加 shared_wavefronts、shared_bank_conflicts、global_sectors；cp.async 还需 source0 … source31。也可每行一个 lane：warp、lane、addr；每行一个 warp：0,4,8 …；或 JSON：[{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 4]}]。",
    too_large: "超过 64 MiB：请拆分文件",
    unreadable_file: "无法读取该文件：它已被移动、更改或锁定。请重新选择",
    title: "轨迹",
    worst: "超出理想最多的行",
    differing: "实测与预测不同的行",
    row: "行号",
    instruction: "指令",
    cost: "wavefront 或扇区",
    ideal: "理想",
    predicted: "预测",
    measured: "实测",
};

pub(crate) fn kept_here(bytes: u64) -> String {
    let bytes = grouped(bytes);
    format!("共 {bytes} 字节，超出链接容量：此轨迹只留在本页，不会分享")
}

pub(crate) fn reading(percent: usize) -> String {
    format!("正在读取，{percent}%")
}

pub(crate) fn rows(rows: u64) -> String {
    format!("{} 行", grouped(rows))
}

pub(crate) fn shared(counts: [u64; 4]) -> String {
    let [requests, wavefronts, ideal, conflicts] = counts.map(grouped);
    format!(
        "共享内存：{requests} 个请求，{wavefronts} 个 wavefront，理想 {ideal}，{conflicts} 次 bank 冲突。"
    )
}

pub(crate) fn global(counts: [u64; 3], unit: Unit) -> String {
    let [requests, units, ideal] = counts.map(grouped);
    let unit = super::verdict::unit_name(unit, true);
    format!("全局内存：{requests} 个请求，{units} 个{unit}，理想 {ideal}。")
}

pub(crate) fn agreement(agreeing: u64, compared: u64) -> String {
    let [agreeing, compared] = [agreeing, compared].map(grouped);
    format!("{compared} 行有实测值，其中 {agreeing} 行与预测一致。")
}

pub(crate) fn faults(count: u64) -> String {
    format!("有问题之处（{}）", grouped(count))
}

pub(crate) fn fault(line: usize, column: usize, title: &str, fault: &str) -> String {
    if title.is_empty() {
        format!("第 {line} 行第 {column} 列：{fault}")
    } else {
        format!("第 {line} 行第 {column} 列（{title}）：{fault}")
    }
}

pub(crate) fn more_faults(count: u64) -> String {
    format!("另有 {} 处", grouped(count))
}

pub(crate) fn not_a_trace(why: &str) -> String {
    format!("这不是轨迹：{why}")
}

pub(crate) fn picture(row: u64, name: &str) -> String {
    format!("第 {} 行：{name}", grouped(row))
}

pub(crate) fn unread(row: u64) -> String {
    format!("第 {} 行无法读取。", grouped(row))
}
