//! The page in Chinese.

use lanescope_model::Unit;

use super::grouped;
use super::verdict;
use crate::number::decimal;
use crate::page::PageWords;

pub(crate) const WORDS: &PageWords = &PageWords {
    compiler: super::compiler::WORDS,
    finding: super::finding::WORDS,
    label: super::label::WORDS,
    measured: super::measured::WORDS,
    run: super::run_card::WORDS,
    share: super::share::WORDS,
    source_kind: super::source_kind::WORDS,
    trace: super::trace::WORDS,
    kernel: "内核",
    layout: "布局",
    examples: "示例",
    launch: "启动参数",
    not_a_shape: "一到三个不小于 1 的数，例如 32, 8",
    close: "关闭",
    docs: "文档",
    how_far_to_trust: "数字有多可信",
    evidence: "证据",
    licence: "MIT 或 Apache-2.0 许可证",
    source_of_page: "源代码",
    issues: "问题反馈",
    tagline: "看清 warp 如何访问内存，数字与性能分析器一致",
    to_source: "编辑源代码",
    paste_anything: "可直接粘贴覆盖：内核、PTX、SASS、布局、CSV、轨迹",
    kernel_source: "CUDA、HIP、C++ AMP、WGSL、PTX 或 SASS",
    layout_source: "CuTe、swizzle、TMA、Triton",
    layout_hint: "swizzle 默认作用于元素编号，S 遵循 CuTe 约定；可用 `swizzle bytes`、`shift absolute`、`type f32`、`base 512`（各占一行）改变。布局可用 CuTe 的 C++ 与 Python 的写法或打印结果、Triton IR，或 (8,64):(64,1)、tma<128B>(64,64)。lane：load row、load column、load lanes 8x4、load tv ((4,8),(2,4)):((32,1),(16,8)) bits 64、ldmatrix.x4.trans、cp.async 16。",
    layout_access: "访问方式",
    layout_as_written: "按文本所写",
    layout_tile: "分块",
    layout_logical: "逻辑：行与列，按 bank 着色",
    layout_physical: "物理：横向为 bank，纵向每行为一整排 bank",
    layout_sideways: " · 左右滚动查看其余部分",
    layout_point: "指向一个元素，即可从它在分块中的位置追踪到 bank 与 lane。",
    l1_model: "这是模型而非计数器：LRU，128 字节的行，32 字节的扇区，线程块独占缓存。",
    l1_about: "假设缓存起初为空，线程块独占共享内存之外的全部容量；写入与原子操作不经过它。139 个已测内核中有 137 个与 H200 的计数器完全一致，另外两个因线程块读取相同扇区而少取 3 %。缓存满时淘汰哪一行是假设。",
    kernel_name: "内核",
    defines: "宏定义",
    defines_hint: "名称=值，以分号分隔，例如 T=float; TILE=32",
    dynamic_shared: "动态共享字节",
    argument_hint: "一个数；缓冲区则为元素数与内容，例如 1048576,iota 或 1024,random:7,offset:4",
    requests: "请求数",
    count_all: "统计所有线程块",
    cancel: "取消",
    work_broken: "计算失败。请重新加载页面；若仍无效，请缩小启动规模。",
    work_silent: "已停止：20 秒没有回应。请缩小启动规模。",
    recent: "最近使用（仅存于此浏览器）",
    forget_recent: "清除这些记录",
    historical: "历史型号",
    custom_device: "自定义设备",
    custom_banks: "bank 数",
    custom_bits: "每个 bank 的位数",
    custom_lanes: "每个调度单元的 lane 数",
    custom_broadcast: "广播",
    broadcast_none: "无",
    broadcast_one: "每步一个字",
    broadcast_any: "任意字",
    custom_sector: "扇区字节数",
    custom_line: "缓存行字节数",
    shape_of_source: "由 @workgroup_size 决定",
    other_compiler: "编译器如何合并与移动访问，仅对 nvcc 13（CC 8.0、9.0、10.x 与 12.x）有依据。",
    as_written: "按源代码原样统计：WGSL 编译器如何合并访问未经测量。",
    as_ptx: "按 ptxas 13 为 sm_90 编译的预期结果统计，以 SASS 为准。",
    with_errors: "源代码有错误；只统计能够解析的部分。",
    by_line: "逐行统计",
    by_access_about: "选择一个，查看其内部",
    share_of_all: "占比",
    total: "合计",
    access: "访问",
    wavefronts: "wavefront 数",
    ideal: "理想值",
    per_request: "每请求",
    bytes_used: "字节利用率",
    iteration: "迭代",
    heat_strip: "每个请求：横向为迭代，纵向为 warp",
    heat_strip_of_warps: "线程块中的每个 warp",
    play: "▷ 逐个 wavefront 播放",
    stop: "□ 停止",
    keep_as_a: "保留为 A",
    swap_ab: "交换 A 与 B",
    drop_a: "移除 A",
    views: "图示",
    view_stacks: "按 bank",
    view_addresses: "按地址",
    fix: "修复",
    searching_fixes: "正在查找修复…",
    no_fixes: "此处无需修复。",
    try_this: "试一试：把第二个 32 改成 33",
    undo: "撤销",
    devices: "设备对比",
    devices_about: "同一源代码在各设备上的结果，一个线程块",
    shared_memory: "共享内存",
    global_memory: "全局内存，每请求",
    facts: "该设备的已知信息",
    facts_about: "每个数字都附有出处",
    link: "当前状态的链接",
    save_source: "存为文件",
    copy_link: "复制链接",
    preview: "复制的内容",
    gallery_page: "示例库中的这一页（支持 oEmbed）",
    save_svg: "保存 SVG",
    save_png: "保存 PNG",
    save_film: "保存动画（SVG）",
    copy_picture: "复制图片",
    files: "文件",
    copied: "已复制",
};

pub(crate) fn counting(done: u64, total: u64) -> String {
    format!("已统计 {} / {} 个线程块", grouped(done), grouped(total))
}

pub(crate) fn apply(replacement: &str) -> String {
    format!("改为 {replacement}")
}

pub(crate) fn more_in_table(count: u64) -> String {
    format!("另有 {} 行：可排序查看，或保存表格", grouped(count))
}

pub(crate) fn more_in_link(count: u64) -> String {
    format!("另有 {} 项，按链接取值", grouped(count))
}

pub(crate) fn picture_rows(names: &[&str]) -> String {
    format!("自上而下：{}", names.join("、"))
}

pub(crate) fn more_reasons(count: u64) -> String {
    format!("另有 {} 项", grouped(count))
}

pub(crate) fn stopped(requests: u64) -> String {
    format!("统计 {} 个请求后停止。", grouped(requests))
}

pub(crate) fn ways(ways: u32, least: bool) -> String {
    if least {
        format!("最多 {ways} 路")
    } else {
        format!("{ways} 路")
    }
}

pub(crate) fn units_a_request(unit: Unit, hundredths: u64) -> String {
    format!(
        "{} 个{}",
        decimal(hundredths),
        verdict::unit_name(unit, true)
    )
}

pub(crate) fn warp_is(warp: u32, cost: &str) -> String {
    format!("warp {warp}：{cost}")
}

pub(crate) fn iteration_at(iteration: u64) -> String {
    format!("第 {iteration} 次迭代")
}

pub(crate) fn moment_is(warp: u32, iteration: &str, cost: &str) -> String {
    format!("warp {warp}，{iteration}：{cost}")
}

pub(crate) fn side_a(headline: &str) -> String {
    format!("A：{headline}")
}

pub(crate) fn side_b(headline: &str) -> String {
    format!("B：{headline}")
}

pub(crate) fn wavefront_of(at: usize, of: usize) -> String {
    format!("第 {at} / {of} 个 wavefront")
}

pub(crate) fn phase_of(phase: usize, of: usize) -> String {
    format!("第 {phase} 阶段，共 {of} 个阶段。")
}

pub(crate) fn phases_alike(others: &str, count: usize) -> String {
    format!(" · × {count}：第 {others} 阶段与此相同")
}

pub(crate) fn each_phase(of: usize) -> String {
    format!("全部 {of} 个阶段")
}

pub(crate) fn competing(lanes: u32, bank: u64) -> String {
    format!("另有 {lanes} 个 lane 访问 bank {bank} 的其他字。")
}

pub(crate) fn sharing_word(lanes: u32) -> String {
    format!("另有 {lanes} 个 lane 访问同一个字，一次即可满足。")
}

pub(crate) fn sharing_sector(lanes: u32) -> String {
    match lanes {
        0 => "没有其他 lane 访问该扇区。".into(),
        _ => format!("另有 {lanes} 个 lane 访问该扇区。"),
    }
}

pub(crate) fn alone_in_bank(bank: u64) -> String {
    format!("没有其他 lane 访问 bank {bank} 的其他字。")
}

pub(crate) fn lane_at(lane: usize, [x, y, z]: [u32; 3], address: u64) -> String {
    format!("lane {lane} 是线程 ({x}, {y}, {z})，位于字节 {address}（{address:#x}）")
}

pub(crate) fn card_gain(change: &str, before: u32, after: u32) -> String {
    format!("{before} 路 → {after} 路：改为 {change}")
}

pub(crate) fn link_short(bytes: usize) -> String {
    format!("{bytes} 个字符：在哪里都能用")
}

pub(crate) fn link_long(bytes: usize) -> String {
    format!("{bytes} 个字符：对部分聊天软件来说过长")
}

pub(crate) fn link_very_long(bytes: usize) -> String {
    format!("{bytes} 个字符：上限 2,000 的聊天软件会截断")
}

pub(crate) fn link_too_long(bytes: usize) -> String {
    format!("{bytes} 个字符：过长，无法再次打开，请缩短源代码")
}

pub(crate) fn l1([requested, distinct, fetched]: [u64; 3], kib: Option<u64>) -> String {
    let [requested, distinct, fetched] = [requested, distinct, fetched].map(grouped);
    match kib.map(grouped) {
        Some(kib) => format!(
            "L1（此行、此线程块）：请求 {requested} 个扇区，其中不同的 {distinct} 个；{kib} KiB 的缓存会取 {fetched} 个。"
        ),
        None => format!(
            "L1（此行、此线程块）：请求 {requested} 个扇区，其中不同的 {distinct} 个；此设备的 L1 大小未知。"
        ),
    }
}
