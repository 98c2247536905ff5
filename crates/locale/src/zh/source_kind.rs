//! Kinds of source in Chinese.

use crate::source_kind::{NextStepWords, SourceKindWords};

pub(crate) const WORDS: &SourceKindWords = &SourceKindWords {
    read_as: "将文本读作",
    export: "性能分析器导出",
    unknown: "文本",
    no_code: "这段文本中没有 Lanescope 能读取的代码",
    no_kernel: "这段文本中没有内核",
    replace_instead: "改为替换",
    take_away: "移除",
    steps: NextStepWords {
        triton: "下一步：让 Triton 保存编译结果，再粘贴下面命令打印的 PTX。",
        opencl: "下一步：NVIDIA 驱动会把它编译成 PTX；粘贴下面命令的输出。",
        numba: "下一步：在启动内核之后加上这一行，再粘贴它打印的 PTX。",
        fortran: "下一步：编译它，再粘贴下面命令打印的 PTX。",
        julia: "下一步：这样启动它，再粘贴打印出的 PTX。",
        shader: "下一步：把它转换成 WGSL，再粘贴下面命令的输出。",
        expression_of_text: "下一步：把其中一次访问作为索引表达式粘贴。这是第一次访问。",
        expression: "下一步：连同数组声明，把其中一次访问作为索引表达式粘贴，如下所示。",
        kernel: "下一步：粘贴以 __global__ 开头的部分，如下所示。",
    },
};

pub(crate) fn other_language(name: &str) -> String {
    format!("这是 {name}，Lanescope 不读取这种语言")
}

pub(crate) fn set_beside(kernel: &str, kind: &str) -> String {
    format!("{kernel} 的 {kind}：已放在源代码旁边。")
}
