//! Why a profiler's export cannot be read or compared, in Chinese.

use crate::names::listed;

const MOST_NAMES: usize = 12;

pub(crate) fn not_an_export(command: &str) -> String {
    format!("其中没有 Nsight Compute 的 CSV 表格；可用 `{command}` 导出")
}

pub(crate) fn not_csv(command: &str) -> String {
    format!("这是供人阅读的报告；请加上 `--csv` 重新输出，例如 `{command}`")
}

pub(crate) fn binary(command: &str) -> String {
    format!("这是二进制报告；可用 `{command}` 导出，整个内核的计数器则用 `--page raw`")
}

pub(crate) fn failed(message: &str) -> String {
    format!("性能分析器报错：`{message}`")
}

pub(crate) const fn session() -> &'static str {
    "`session` 页不含内核；请导出 `--page source`、`raw` 或 `details`"
}

pub(crate) fn too_large(mebibytes: usize) -> String {
    format!("导出文件超过 {mebibytes} MiB")
}

pub(crate) const fn no_kernel() -> &'static str {
    "导出文件只有表头，没有内核"
}

pub(crate) fn unknown_kernel(name: &str, kernels: &[String]) -> String {
    let kernels = listed(kernels, MOST_NAMES, "、");
    format!("导出文件中没有内核 `{name}`；现有：{kernels}")
}

pub(crate) fn several_kernels(kernels: &[String]) -> String {
    let kernels = listed(kernels, MOST_NAMES, "、");
    format!("导出文件中有多个内核，请选择其一：{kernels}")
}

pub(crate) fn several_launches(name: &str, launches: usize) -> String {
    format!("`{name}` 启动了 {launches} 次；请选择 1 到 {launches} 中的一次")
}

pub(crate) fn no_such_launch(number: usize, name: &str, launches: usize) -> String {
    format!("`{name}` 没有第 {number} 次启动；它共启动了 {launches} 次")
}

pub(crate) fn no_counters(command: &str) -> String {
    format!("导出文件中没有可与预测对照的计数器；可用 `{command}` 导出")
}
