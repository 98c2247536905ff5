//! A compiled file in Chinese.

use crate::opened::OpenedWords;

pub(crate) const WORDS: &OpenedWords = &OpenedWords {
    foreign: "此文件既不是文本，也不是 NVIDIA 编译器的产物，未打开任何内容。",
    no_gpu_code: "此程序或库中没有 NVIDIA GPU 的代码。",
    truncated: "此目标文件已损坏或不完整，请重新复制。",
    of_32_bits: "这是 CUDA 9 之前的 32 位目标文件，请重新编译。",
    packed: "无法解压此文件中的任何 GPU 代码：文件已损坏、过大，或采用了这里不支持的压缩方式。请改为拖入 `cuobjdump -sass FILE` 的输出，或用 --compress-mode=none 编译。",
    too_large: "这里不读取超过 64 MiB 的文件：命令行的 `lanescope kernel FILE` 没有这一限制。",
    slow: "读取此文件耗时过长，已中止。",
    missing: "无法加载编译产物的读取程序：请检查网络并重新加载页面。",
};

pub(crate) fn large(kernels: &str, architectures: &str) -> String {
    format!(
        "此文件含 {architectures} 的 {kernels}：没有反汇编文本时数量过多，无法保留。请先打开 `cuobjdump -sass FILE` 的输出，再把此文件拖到旁边。"
    )
}

pub(crate) fn other_code(kernels: &str, architectures: &str) -> String {
    format!(
        "此文件中没有与反汇编文本架构相同的函数，因此未采用其中内容；它含有 {architectures} 的 {kernels}。"
    )
}
