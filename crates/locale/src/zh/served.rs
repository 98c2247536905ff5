//! A served page in Chinese.

use crate::served::ServedWords;

pub(crate) const WORDS: &ServedWords = &ServedWords {
    no_compiler: "本机没有 nvcc，数字仍为预测值。可用 pip install 'lanescope[nvcc]' 安装。",
    compiler: "nvcc：{path}",
    other_compiler: "已找到 {name}（{path}），不运行",
    flags: "nvcc 选项",
    save_to: "保存到 {file}",
    saved: "已保存。",
    changed: "磁盘上的文件已更改，请重新打开。",
    nothing: "输入 CUDA 内核，即可统计 nvcc 的实际编译结果。",
    compiling: "nvcc 正在编译……",
    counted: "已按 nvcc 生成的 SASS 统计。",
    refused: "nvcc 无法编译此源码。",
    lost: "服务器已停止。",
    line: "第 {line} 行",
};
