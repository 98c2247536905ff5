//! The gallery in Chinese.

use crate::gallery::GalleryWords;

pub(crate) const LESSONS: &str = include_str!("lessons.md");

pub(crate) const WORDS: &GalleryWords = &GalleryWords {
    playground: "演练场",
    lab_page: "实验室",
    gallery: "模式速查",
    about: "warp 如何访问内存，一页一种模式：有图，有数字，也有可以改动的活页。",
    open: "在 Lanescope 中打开",
    lab: "在你的 GPU 上实测",
    counts: "代价",
    elsewhere: "在其他设备上",
    previous: "上一页",
    next: "下一页",
    access: "访问",
    does: "操作",
    device: "设备",
    requests: "请求",
    wavefronts: "wavefront",
    sectors: "扇区",
    ideal: "理想值",
    ways: "n 路",
    active_lanes: "活跃 lane",
    unknown: "未知",
    on: "设备：",
    subject_tiles: "分块与转置",
    subject_reductions: "归约",
    subject_structures: "结构体",
    subject_vectors: "向量、重排与对齐",
    subject_half_warps: "CUDA 1.x：半个 warp、16 个 bank",
    subject_four_numbers: "用四个数描述的设备",
    subject_kernels: "完整内核",
};

pub(crate) fn active_in_all(lanes: &str, warp_lanes: u32) -> String {
    format!("平均 {warp_lanes} 个 lane 槽位用上 {lanes} 个。")
}

pub(crate) fn operation(key: &str) -> String {
    let word = |part| match part {
        "shared" => "共享内存",
        "global" => "全局内存",
        "load" => "读",
        "store" => "写",
        "atomic" => "原子操作",
        "reduction" => "归约",
        _ => "",
    };
    key.split('_').map(word).collect()
}

pub(crate) fn other_unit(key: &str) -> &'static str {
    match key {
        "lines" => " 行",
        "transactions" => " 次事务",
        _ => "",
    }
}
