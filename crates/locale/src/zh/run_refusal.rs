//! Why a kernel is not run, or its run is worth nothing, in Chinese.

use super::grouped;

pub(crate) const fn no_kernel() -> &'static str {
    "此文本中没有无误的内核"
}

pub(crate) fn offset(name: &str) -> String {
    format!("启动中 `{name}` 从其内存的中间开始；运行时从开头开始，因此地址对齐可能与计数时不同")
}

pub(crate) fn no_size(name: &str) -> String {
    format!("`{name}` 有多少个元素？请给出大小，如 {name}=1048576")
}

pub(crate) fn large_buffer(name: &str, bytes: u64, fits_bytes: u64) -> String {
    format!(
        "`{name}` 有 {} 字节；此 GPU 一个缓冲区最多绑定 {} 字节",
        grouped(bytes),
        grouped(fits_bytes)
    )
}

pub(crate) fn memory(bytes: u64, fits_bytes: u64) -> String {
    format!(
        "此次启动的缓冲区共 {} 字节；这里一次运行最多 {} 字节",
        grouped(bytes),
        grouped(fits_bytes)
    )
}

pub(crate) const fn out_of_bounds() -> &'static str {
    "下标越界；GPU 的检查会把它移到界内"
}

pub(crate) const fn deadlock() -> &'static str {
    "线程永远互相等待"
}

pub(crate) fn endless(steps: u64) -> String {
    format!(
        "模拟器走了 {} 步，连一个块也没有结束：内核可能永不结束，而 GPU 无法中途停下",
        grouped(steps)
    )
}

pub(crate) fn wrong(name: &str, index: u64) -> String {
    format!("`{name}` 的第 {index} 个字与模拟器所得不同")
}

pub(crate) fn outside(name: &str) -> String {
    format!("运行访问了 `{name}` 之外的内存，GPU 的检查把它移到了界内；结果不是内核本来的结果")
}

pub(crate) fn not_in_hip(name: &str) -> String {
    format!("HIP 没有 {name}")
}

pub(crate) const fn only_shading() -> &'static str {
    "WGSL 不会译成 CUDA 或 HIP"
}

pub(crate) fn at_line(line: u32, said: &str) -> String {
    format!("第 {line} 行：{said}")
}
