//! What else there is to say of fixes, in Chinese.

use super::grouped;

pub(crate) const fn nothing_to_fix() -> &'static str {
    "没有冲突，也没有浪费的扇区"
}

pub(crate) fn data_dependent(array: &str) -> String {
    format!("`{array}` 的地址取决于数据，没有对所有数据都最优的布局")
}

pub(crate) fn not_rewritable(array: &str) -> String {
    format!("`{array}` 通过指针或宏使用，或未写全下标，无法改写其布局")
}

pub(crate) fn pointer_kept(array: &str, pointer: &str) -> String {
    format!(
        "`{array}` 中的分块无法加长行：`{pointer}` 需要随之移动，而文本没有以其前面各段长度之和给出它的起点"
    )
}

pub(crate) fn size_kept(array: &str, pointer: &str) -> String {
    format!(
        "`{array}` 中的分块 `{pointer}` 无法加长行：`{array}` 声明的大小需要随之增大，而文本没有以数字给出行长"
    )
}

pub(crate) fn bound(array: &str, wavefronts: u64) -> String {
    let wavefronts = grouped(wavefronts);
    format!("`{array}` 的任何布局都不少于 {wavefronts} 个 wavefront")
}

pub(crate) fn nothing_found(array: &str, tried: usize) -> String {
    match tried {
        0 => format!("`{array}` 没有可以尝试的布局"),
        _ => format!(
            "已尝试 `{array}` 的 {} 种布局，没有更优的；还有未尝试的布局",
            grouped(tried as u64)
        ),
    }
}

pub(crate) fn none_better(array: &str, wavefronts: u64, pitches: bool) -> String {
    let or_pitch = if pitches { "与行距" } else { "" };
    let wavefronts = grouped(wavefronts);
    format!("已排除 `{array}` 的所有线性 swizzle{or_pitch}：没有一种少于 {wavefronts} 个 wavefront")
}

pub(crate) fn unused_padding(array: &str, declared: &str, used: &str) -> String {
    format!("`{array}` 声明的填充没有用上：声明的行长是 `{declared}`，下标却按 `{used}` 计算")
}

pub(crate) fn sectors_wasted(units: u64, ideal: u64) -> String {
    let (units, ideal) = (grouped(units), grouped(ideal));
    format!("移动了 {units} 个扇区，而 {ideal} 个就能容纳所需字节；没有找到相应的修复")
}

pub(crate) fn unknown(why: &str) -> String {
    format!("该设备的规则未知：{why}")
}

pub(crate) const fn errors() -> &'static str {
    "源代码有错误，请先修正"
}

pub(crate) const fn only_in_c() -> &'static str {
    "WGSL 中未尝试：没有 `enable subgroups` 时的 warp shuffle、对另有其他用法的绑定的更宽访问、成员不全是 32 位数时的“数组的结构体”、对齐的结构与行、交换循环"
}

pub(crate) const fn several_entry_points() -> &'static str {
    "由于文本有多个入口点，以下修复未尝试：顺序寻址、加载时的首次相加、warp shuffle、更宽的工作组、经工作组内存暂存、数组的结构体"
}

pub(crate) const fn no_layout() -> &'static str {
    "CuTe：无，此 XOR 不是 Swizzle<B,M,S>"
}

pub(crate) const fn parameters_kept() -> &'static str {
    "未尝试把全局内存中的结构体数组改为数组的结构体：这会改变内核的参数，而文本中启动了该内核"
}

pub(crate) const fn several_instances() -> &'static str {
    "该模板还以其他实参启动：除填充外，仅保留在每种启动下都通过验证的修复"
}

pub(crate) const fn stopped() -> &'static str {
    "运行在预算处停止，未作任何验证"
}
