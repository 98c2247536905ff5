//! Texts that are not the compiled code that was expected, in Chinese.

use crate::other_text::OtherText;

pub(crate) const fn text(kind: OtherText) -> &'static str {
    match kind {
        OtherText::Empty => "反汇编文本为空",
        OtherText::Ptx => "这是 PTX，不是 SASS",
        OtherText::Sass => "这是 SASS，不是 PTX",
        OtherText::AmdAssembly => "这是 AMD 的汇编，暂不支持",
        OtherText::Llvm => "这是 LLVM 的中间表示，不支持；可用 `llc` 由它生成 PTX",
        OtherText::Mlir => "这是 MLIR，不支持；可改用 Triton 的 `asm['ptx']` 或 `asm['sass']`",
        OtherText::Cuda => "这是 CUDA C++，不是 PTX",
        OtherText::Wgsl => "这是 WGSL，不是 PTX",
        OtherText::Encodings => "这里只有指令编码；`cuobjdump -sass` 和 `nvdisasm` 会输出指令",
        OtherText::NoPtx => "这不是 PTX：其中没有 PTX 的伪指令或指令",
        OtherText::NoSass => {
            "文本中没有 SASS 指令；请提供 `cuobjdump -sass` 或 `nvdisasm` 输出的格式"
        }
    }
}
