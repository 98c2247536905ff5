//! Why compiled code cannot be counted, in Chinese.

use crate::names::listed;

const MOST_NAMES: usize = 8;

pub(crate) const fn no_block() -> &'static str {
    "请给出线程块的线程数，例如 `--block 32,8`"
}

pub(crate) fn offset(name: &str) -> String {
    format!("`{name}` 不是偏移；请写成 `@0x18=64` 的形式")
}

pub(crate) fn gap(at: usize, count: usize) -> String {
    format!("请先给出第 {count} 个参数，再给第 {at} 个：位置要由前面各参数的大小确定")
}

pub(crate) fn parameter(name: &str, names: &[String]) -> String {
    format!(
        "编译后的代码没有参数 `{name}`{}；也可按位置或偏移指定，例如 `0=1024` 或 `@0x18=64`",
        there_are(names)
    )
}

pub(crate) fn pointer(name: &str) -> String {
    format!("`{name}` 是指针；请写明它指向什么，例如 `{name}=f32[1024]`")
}

pub(crate) fn no_kernel(wanted: &str, names: &[String]) -> String {
    format!("没有内核 `{wanted}`{}", there_are(names))
}

pub(crate) fn several_kernels(names: &[String]) -> String {
    format!(
        "有多个内核，请选择其一：{}",
        listed(names, names.len(), "、")
    )
}

fn there_are(names: &[String]) -> String {
    if names.is_empty() {
        return String::new();
    }
    format!("；现有：{}", listed(names, MOST_NAMES, "、"))
}
