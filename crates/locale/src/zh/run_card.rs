//! What the card says that runs the kernel on the visitor's GPU, in Chinese.

use super::grouped;
use crate::run_card::RunWords;

pub(crate) const WORDS: &RunWords = &RunWords {
    title: "在你的 GPU 上运行",
    run: "运行",
    again: "再次运行",
    cancel: "取消",
    lead: "内核（若非 WGSL 则先译成 WGSL）在此浏览器中运行，并与一次普通复制对比。任何内容都不会离开本页。",
    loading: "加载中…",
    failed: "页面的这一部分未能加载；请再按一次。",
    as_written: "原样",
    copy: "复制",
    version: "版本",
    time: "时间",
    of_copy: "占复制",
    sectors_32: "扇区 × 32",
    ratio: "倍数",
    result: "结果",
    equal: "✓ 与模拟器逐位相同",
    unverified: "未验证：对模拟器来说太大",
    undecided: "未验证：结果取决于模拟器无法得知的因素，如线程的先后",
    results_equal: "结果相同",
    results_differ: "结果不同",
    contents: "缓冲区内容",
    as_given: "如启动参数所述",
    zeros: "零",
    iota: "0、1、2……",
    random: "随机数",
    file: "文件",
    choose_file: "原始字节，小端",
    opening: "正在打开 GPU…",
    simulating: "正在模拟器中运行，以得知结果…",
    compiling: "正在 GPU 上运行…",
    searching: "正在查找修正…",
    proving: "正在查找并证明此修正…",
    no_fixes: "未找到修正。",
    run_fix: "运行",
    software: "此适配器就是处理器：其时间不能说明 GPU 的情况。",
    other_text: "这些结果属于上次更改之前的文本或启动。",
    gone: "此文本的修正已变；请再次运行。",
    notes: "所运行的与文本的差别",
    wgsl: "所运行的 WGSL",
    unnamed: "浏览器未透露名称的 GPU",
    broken: "运行内核的部分出了故障；请再次运行。",
    cancelled: "已取消。之前的测量保留。",
    not_run: "未运行",
    in_passes: "取自多次运行的批次",
    one_by_one: "取自逐次运行",
    restored: "每次运行前恢复缓冲区",
    measured_on: "测量设备",
    elsewhere: "在别处测得",
    copy_link: "复制含结果的链接",
    copy_markdown: "复制为 Markdown",
    save_json: "保存为 JSON",
    copied: "已复制",
};

pub(crate) fn near(ulps: u32) -> String {
    format!("✓ 与模拟器相差不超过 {ulps} 个末位单位")
}

pub(crate) fn inexact(millionths: u32) -> String {
    format!("未验证：与最大值相比误差在 {millionths} ppm 以内，exp 等函数由设备自行实现")
}

pub(crate) fn taken(name: &str, elements: u64, contents: &str) -> String {
    format!("{name}：{} 个元素，{contents}", grouped(elements))
}

pub(crate) fn taken_zero(name: &str) -> String {
    format!("未给出 {name}：取 0")
}

pub(crate) fn samples(samples: usize) -> String {
    format!("{samples} 个样本的中位数。")
}

pub(crate) fn median(samples: usize, how: &str) -> String {
    format!("{samples} 个样本的中位数，{how}。")
}

pub(crate) fn compared(words: u64) -> String {
    format!("比较了 {} 个字。", grouped(words))
}

pub(crate) fn times(ratio: &str) -> String {
    format!("{ratio}×")
}
