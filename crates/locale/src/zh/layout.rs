//! Layouts in Chinese.

use super::grouped;
use crate::number::span;

pub(crate) fn about([rows, columns, bytes]: [u64; 3], is_cut: bool) -> String {
    let (rows, columns) = (grouped(rows), grouped(columns));
    let size = format!("{rows} × {columns}，每个元素 {bytes} 字节");
    if is_cut {
        format!("{size}；只画出开头部分")
    } else {
        size
    }
}

pub(crate) fn cell(
    row: u64,
    columns: [u64; 2],
    [address, bank]: [u64; 2],
    lane: Option<usize>,
) -> String {
    let columns = span(columns);
    let lane = lane.map_or_else(String::new, |lane| format!(" → lane {lane}"));
    format!("第 {row} 行，第 {columns} 列 → 字节 {address}（{address:#x}）→ bank {bank}{lane}")
}

pub(crate) fn bits(swizzle: &str, read: &str, changed: &str, on_bytes: bool) -> String {
    let what = if on_bytes { "字节" } else { "元素编号" };
    format!("{swizzle}，作用于{what}：第 {read} 位异或到第 {changed} 位")
}

pub(crate) fn xor(size: u64, on_bytes: bool, is_permutation: bool) -> String {
    let (size, unit) = (grouped(size), if on_bytes { "字节" } else { "个元素" });
    let how = format!("每行中每组 {size} {unit}的去向：列与行异或，纵向为行。");
    if is_permutation {
        format!("{how}每行、每列中各数恰好出现一次。")
    } else {
        how
    }
}
