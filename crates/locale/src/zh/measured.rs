//! A profiler's export beside the prediction in Chinese.

use super::grouped;
use crate::measured::MeasuredWords;

pub(crate) const WORDS: &MeasuredWords = &MeasuredWords {
    title: "预测与测量",
    reading: "正在读取导出文件并统计其中的启动……",
    slow: "统计超过 20 秒：命令行的 `lanescope compare` 没有这一限制。",
    missing: "无法加载导出文件的读取程序：请检查网络并重新加载页面。",
    arguments: "导出文件不含启动参数。分支、循环上限或地址所依赖的参数可在此填写：",
    take_launch: "统计此次启动",
};

pub(crate) fn about([grid, block]: [&str; 2], whence: &str, status: &str) -> String {
    let code = match whence {
        "sass" => "导出文件自带的 SASS",
        "ptx" => "导出文件自带的 PTX",
        "source" => "导出文件自带的源码",
        _ => "当前打开的内核",
    };
    let sure = match status {
        "counted" => "完整统计",
        "assumed" => "基于假设统计",
        _ => "未完整统计",
    };
    let asked = if grid.ends_with('?') || block.ends_with('?') {
        "带 ? 的值导出文件中没有，取自当前内核的启动配置；附上 raw 页即可使用其自身的值。"
    } else {
        ""
    };
    format!("网格 {grid}，线程块 {block}；预测依据{code}，{sure}。{asked}")
}

pub(crate) fn fault(fault: &str) -> String {
    format!("未能对照：{fault}")
}

pub(crate) const fn unnamed() -> &'static str {
    "导出文件没有给出内核；请导出 `--page source --print-source sass` 或 `--page raw`"
}

pub(crate) fn first_launches(most: usize, all: usize) -> String {
    format!("共 {all} 次启动，只显示前 {most} 次")
}

pub(crate) const fn no_code() -> &'static str {
    "导出文件不含代码：请先打开该内核，或用 `ncu --import report.ncu-rep --csv --page source \
     --print-source sass` 导出其 SASS"
}

pub(crate) const fn no_wgsl() -> &'static str {
    "性能分析器不测量 WGSL"
}

pub(crate) const fn unreadable() -> &'static str {
    "无法读取代码"
}

pub(crate) const fn bad_question() -> &'static str {
    "页面上的启动配置或设备无法使用，请先在页面上改正"
}

pub(crate) fn cost(measured: u64) -> String {
    format!("ncu：{}", grouped(measured))
}

pub(crate) fn cost_beside(measured: u64, predicted: u64) -> String {
    let beside = match measured == predicted {
        true => "与预测一致".to_owned(),
        false => format!("预测为 {}", grouped(predicted)),
    };
    format!("{}，{beside}", cost(measured))
}

pub(crate) fn cost_of_all(key: &str, measured: u64, predicted: u64) -> String {
    format!("全部{}：{}", total(key), cost_beside(measured, predicted))
}

pub(crate) fn others(count: usize) -> String {
    format!("其他内核的 {} 次启动", grouped(count as u64))
}

pub(crate) fn equal(equal: u64, all: u64) -> String {
    format!("{} 个数中有 {} 个相等。", grouped(all), grouped(equal))
}

pub(crate) const fn columns() -> [&'static str; 5] {
    ["项目", "预测", "测量", "差", "原因"]
}

pub(crate) fn more(left: u64) -> String {
    let left = grouped(left);
    format!("另有 {left} 行；`lanescope compare` 可输出全部")
}

pub(crate) fn total(key: &str) -> String {
    let total = match key {
        "shared_load_wavefronts" => "共享加载 wavefront",
        "shared_load_bank_conflicts" => "共享加载 bank 冲突",
        "shared_store_wavefronts" => "共享存储 wavefront",
        "shared_store_bank_conflicts" => "共享存储 bank 冲突",
        "shared_atomic_wavefronts" => "共享原子 wavefront",
        "global_load_requests" => "全局加载请求",
        "global_load_sectors" => "全局加载扇区",
        "global_store_requests" => "全局存储请求",
        "global_store_sectors" => "全局存储扇区",
        "global_reduction_sectors" => "全局归约扇区",
        "global_atomic_sectors" => "全局原子扇区",
        "async_copy_wavefronts" => "异步拷贝 wavefront",
        "async_copy_sectors" => "异步拷贝扇区",
        other => other,
    };
    total.to_owned()
}

pub(crate) fn unit(unit: &str) -> &'static str {
    match unit {
        "wavefronts" => "wavefront",
        _ => "扇区",
    }
}

pub(crate) fn difference(key: &str) -> &'static str {
    match key {
        "equal" => "相等",
        "not-measured" => "未测量",
        "arbitration" => "硬件仲裁",
        "data" => "取决于数据或假定的参数",
        "not-counted" => "未完整统计",
        _ => "原因不明",
    }
}
