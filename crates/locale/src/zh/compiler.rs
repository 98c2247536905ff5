//! Compilers in Chinese.

use lanescope_model::Unit;

use super::grouped;
use crate::compiler::{CompilerWords, Other};

pub(crate) const WORDS: &CompilerWords = &CompilerWords {
    counted: "统计",
    picture_predicted: "预测",
    picture_same: "nvcc 生成的请求与此相同。",
    as_written: "按源代码原样",
    as_nvcc_13: "按 nvcc 13",
    is_compiled: "已是编译结果。",
    is_wgsl: "WGSL 编译器未经测量。",
    is_amp: "C++ AMP 编译器未经测量。",
    device_unmeasured: "该设备的编译器未经测量。",
    remarks_head: "编译器模型所做的改动",
    unchanged: "省去：该处已是这个值",
    known: "省去：数组为常量，该处的值已知",
    overwritten: "省去：读取之前已被覆盖",
    unused: "省去：其值未被使用",
    hoisted: "在循环之前执行一次",
    sunk: "移入需要它的分支",
    aggregated: "由一个线程代整个 warp 执行",
    omitted_held: "线程仍保有该值，不再读取",
    omitted_overwritten: "被省去：读取之前已被覆盖",
    omitted_unused: "被省去：读出的值没有用处",
    omitted_elsewhere: "位于常量内存或线程私有存储，不计数",
    omitted_cluster: "位于线程块簇内另一线程块的共享内存，不计数",
    omitted_bulk: "由 TMA 搬运或由张量核心读取，不经过加载/存储单元：不产生波前和扇区",
    omitted_texture: "纹理或表面，不计数",
    omitted_unreached: "已运行的线程块中没有线程到达这里",
    omitted_cut: "未知：尚无线程到达这里，统计已中止",
    side_by_side: "源码与编译结果",
    side_by_side_about: "指向一行可点亮与其对应的代码；点击访问可查看其内部",
    source_side: "源码",
    code_side: "编译结果",
    side_cut: "超过 1,000 行的一侧只显示其中的访问。",
    compile_it: "用同样的方法统计 nvcc 的真实编译结果：",
    or_paste_sass: "或将以下命令的输出粘贴到此处：",
    copy_command: "复制",
    command_copied: "已复制",
};

pub(crate) fn remarks_title(count: usize) -> String {
    match count {
        0 => "编译器模型未改动任何访问".into(),
        _ => format!("编译器模型所做的改动（{count}）"),
    }
}

fn with(before: &str, other: Option<Other<'_>>, after: &str) -> String {
    other.map_or_else(String::new, |other| {
        format!("{before}第 {} 行的 {} {after}", other.place, other.text)
    })
}

pub(crate) fn vectorized(bytes: u32, other: Option<Other<'_>>) -> String {
    format!("{}合为一次 {bytes} 字节的访问", with("与", other, ""))
}

pub(crate) fn merged(other: Option<Other<'_>>) -> String {
    format!("{}同为一条指令", with("与另一分支中", other, ""))
}

pub(crate) fn eliminated(other: Option<Other<'_>>) -> String {
    format!("省去：线程已持有该值{}", with("（来自", other, "）"))
}

pub(crate) fn partly_eliminated(other: Option<Other<'_>>) -> String {
    format!("只由尚未持有该值的线程执行{}", with("（来自", other, "）"))
}

pub(crate) fn unrolled(times: u64) -> String {
    format!("所在循环展开 {times} 次")
}

pub(crate) fn omitted_joined(text: &str, line: u32) -> String {
    format!("与第 {line} 行的 {text} 合并为一次更宽的访问（nvcc 13 的做法）")
}

pub(crate) fn omitted_merged(text: &str, line: u32) -> String {
    format!("与另一分支中第 {line} 行的 {text} 是同一条指令")
}

pub(crate) fn source_wanted(file: &str) -> String {
    format!("将 {file} 粘贴或拖到此处，即可与编译结果并排查看：")
}

pub(crate) fn cost_columns(unit: Option<Unit>) -> [&'static str; 4] {
    let unit = super::verdict::unit_name(unit.unwrap_or(Unit::Sector), true);
    ["请求", "wavefront", unit, "理想"]
}

pub(crate) fn as_predicted(count: u64) -> String {
    format!("nvcc：{}，与预测一致", grouped(count))
}

pub(crate) fn not_as_predicted(count: u64, predicted: u64) -> String {
    format!("nvcc：{}，预测为 {}", grouped(count), grouped(predicted))
}

pub(crate) fn picture_counted(instruction: &str) -> String {
    format!("统计：nvcc 生成的 {instruction}")
}

pub(crate) fn counted_beside(predicted: &str) -> String {
    format!("已按 nvcc 生成的 SASS 统计。预测：{predicted}。")
}
