//! What is wrong with a recorded trace, in Chinese.

pub(crate) const fn empty() -> &'static str {
    "文本为空；首行须给出各列名称"
}

pub(crate) const fn no_instruction() -> &'static str {
    "没有 `instruction` 列；首行须给出各列名称"
}

pub(crate) const fn no_lanes() -> &'static str {
    "没有 `lane0` 列；偏移写在 `lane0` … `lane31`"
}

pub(crate) fn twice(title: &str) -> String {
    format!("列 `{title}` 出现两次")
}

pub(crate) const fn profiler() -> &'static str {
    "这是 Nsight Compute 导出的计数，没有 lane 地址；`lanescope compare` 可将其与预测对照"
}

pub(crate) const fn open_quote() -> &'static str {
    "引号未闭合"
}

pub(crate) fn columns(found: usize, expected: usize) -> String {
    format!("该行有 {found} 列，首行有 {expected} 列")
}

pub(crate) fn unknown_instruction(name: &str) -> String {
    format!(
        "未知指令 `{name}`；可用 `ld.shared.b32`、`st.global.b128`、`ldmatrix.x4`、`atom.shared.add.u32`、`red.global.add.u32` 等"
    )
}

pub(crate) fn no_such_lane(device: &str, lanes: usize) -> String {
    format!("{device} 的 warp 有 {lanes} 个 lane")
}

pub(crate) fn negative(text: &str) -> String {
    format!("`{text}` 为负；偏移从 0 字节起")
}

pub(crate) fn no_offset(text: &str) -> String {
    format!("`{text}` 不是字节偏移；请写整数，lane 未激活则留空")
}

pub(crate) fn too_large(text: &str) -> String {
    format!("`{text}` 太大；偏移须小于 2^48")
}

pub(crate) fn no_count(text: &str) -> String {
    format!("`{text}` 不是计数")
}

pub(crate) fn no_sources(lane: usize) -> String {
    format!("异步拷贝需要每个 lane 所读的全局内存偏移；lane {lane} 在 `source{lane}` 列没有偏移")
}

pub(crate) fn misaligned(bytes: u64) -> String {
    format!("偏移不是 {bytes} 的倍数；硬件会拒绝这样的访问")
}

pub(crate) const fn expected_row() -> &'static str {
    "此处应为对象或偏移列表"
}

pub(crate) const fn expected_value() -> &'static str {
    "此处应为数字、文本或 `null`"
}

pub(crate) const fn expected_closing() -> &'static str {
    "括号或引号未闭合"
}

pub(crate) const fn expected_other_name() -> &'static str {
    "同一对象中该名称出现了两次"
}

pub(crate) const fn expected_end() -> &'static str {
    "行列表未闭合：文本可能被截断"
}
