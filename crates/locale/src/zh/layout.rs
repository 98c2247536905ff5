//! Layouts in Chinese.

use super::grouped;
use crate::layout::Reading;
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

pub(crate) fn found_plain(accesses: usize) -> String {
    format!("{accesses} 个访问在普通行布局下就没有冲突：不需要 swizzle，也不需要填充")
}

pub(crate) fn found_free(accesses: usize, tried: usize) -> String {
    format!(
        "第一种布局使全部 {accesses} 个访问没有冲突；试过的 {tried} 种 swizzle 与行距中没有更便宜的"
    )
}

pub(crate) fn found_linear(accesses: usize, tried: usize) -> String {
    format!(
        "{tried} 种 swizzle 与行距都有冲突，但另一种地址位的 XOR 使全部 {accesses} 个访问没有冲突，\
         CuTe 的 Swizzle<B,M,S> 无法表示它"
    )
}

pub(crate) fn found_none(accesses: usize, tried: usize, group_bytes: u64) -> String {
    format!(
        "没有布局能使这 {accesses} 个访问都没有冲突：凡保持对齐的 {group_bytes} 字节组完整的地址位 XOR \
         已全部排除，{tried} 种 swizzle 与行距也都有冲突；下面是最接近的一种"
    )
}

pub(crate) fn found_none_in_long_tile(tried: usize, most_bytes: u64) -> String {
    format!(
        "{tried} 种 swizzle 与行距都有冲突；其他地址位 XOR 只对不超过 {most_bytes} 字节的块作判定"
    )
}

pub(crate) fn found_none_on_device(tried: usize) -> String {
    format!("{tried} 种 swizzle 与行距都有冲突；此设备的 bank 因访问而异，其他地址位 XOR 未作判定")
}

pub(crate) fn found_none_in_limit(tried: usize) -> String {
    format!("{tried} 种 swizzle 与行距都有冲突；其他地址位 XOR 太多，未作判定")
}

pub(crate) const fn find_no_layout() -> &'static str {
    "没有可供搜索的布局；请写一个，如 `(16,64):(64,1)`"
}

pub(crate) const fn find_no_access() -> &'static str {
    "没有可供搜索的访问；请写一个适合该布局的，如 `ldmatrix.x4`"
}

pub(crate) const fn find_alignment() -> &'static str {
    "对齐须为不超过 1024 字节的 2 的幂"
}

pub(crate) const fn find_unknown_rule() -> &'static str {
    "此设备对其中某个访问的规则未知；请换一个设备"
}

pub(crate) fn found_price(
    name: &str,
    bytes: u64,
    operations: u32,
    [wavefronts, ideal]: [u64; 2],
) -> String {
    format!(
        "{name}：{wavefronts} 个 wavefront，理想 {ideal} 个；多用 {bytes} 字节、{operations} 次下标运算"
    )
}

pub(crate) const fn find() -> &'static str {
    "寻找使全部访问无冲突的 swizzle"
}

pub(crate) const fn copy() -> &'static str {
    "复制布局"
}

pub(crate) fn element_assumed(name: &str, bytes: u64) -> String {
    format!("{}（假定）", element(name, bytes))
}

pub(crate) fn element(name: &str, bytes: u64) -> String {
    format!("{name}，{bytes} 字节")
}

pub(crate) const fn as_written() -> &'static str {
    "原样"
}

pub(crate) const fn plain_rows() -> &'static str {
    "普通行"
}

pub(crate) const fn other_xor() -> &'static str {
    "位 XOR"
}

pub(crate) const fn readings() -> &'static str {
    "每个 swizzle 的各种写法"
}

pub(crate) const fn reading(of: Reading) -> &'static str {
    match of {
        Reading::Elements => "CuTe，按元素",
        Reading::AbsoluteShift => "S 写成绝对位置",
        Reading::Bytes => "按字节（指针之后）",
        Reading::Tma => "TMA、wgmma 和 tcgen05",
        Reading::Triton => "Triton",
        Reading::Address => "PTX，字节地址 a",
    }
}

pub(crate) const fn no_reading() -> &'static str {
    "没有对应的模式"
}
