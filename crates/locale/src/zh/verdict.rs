//! The verdict in Chinese.

use lanescope_model::{Confidence, Operation, Unit, Unknown, Width};

use super::grouped;
use crate::number::{decimal, sides};

pub(crate) fn operation(operation: Operation) -> &'static str {
    match operation {
        Operation::Load => "加载",
        Operation::Store => "存储",
        Operation::Atomic => "原子操作",
        Operation::Reduction => "归约",
        Operation::Increment => "原子加一",
        Operation::CompareAndSwap => "比较并交换",
        Operation::MatrixLoad { .. } => "矩阵加载",
        Operation::MatrixStore { .. } => "矩阵存储",
        Operation::AsyncCopy => "异步拷贝",
    }
}

pub(crate) fn unit_name(unit: Unit, _: bool) -> &'static str {
    match unit {
        Unit::Sector => "扇区",
        Unit::Line => "缓存行",
        Unit::Transaction => "事务",
    }
}

pub(crate) const fn nothing() -> &'static str {
    "输入一个访问，查看它的代价"
}

pub(crate) const fn nobody() -> &'static str {
    "没有 lane 参与"
}

pub(crate) fn conflict(ways: u32, least: bool) -> String {
    if ways <= 1 {
        "bank 冲突".to_owned()
    } else if least {
        format!("最多 {ways} 路 bank 冲突")
    } else {
        format!("{ways} 路 bank 冲突")
    }
}

pub(crate) const fn free() -> &'static str {
    "没有 bank 冲突"
}

pub(crate) fn scattered(unit: Unit, times_hundredths: u64) -> String {
    let (unit, times) = (unit_name(unit, true), decimal(times_hundredths));
    format!("{unit}数是所需的 {times} 倍")
}

pub(crate) const fn coalesced() -> &'static str {
    "完全合并访问"
}

pub(crate) const fn unknown() -> &'static str {
    "未知"
}

pub(crate) const fn no_device() -> &'static str {
    "没有这个设备"
}

pub(crate) fn predicted(verdict: &str) -> String {
    format!("{verdict}（预测）")
}

pub(crate) const fn status_predicted() -> &'static str {
    "预测"
}

pub(crate) const fn prediction_open() -> &'static str {
    "每次访问均按源码，但 nvcc 可能另作处理"
}

pub(crate) const fn prediction_of_loops() -> &'static str {
    "循环按 nvcc 13 的方式展开"
}

pub(crate) const fn prediction_of_accesses() -> &'static str {
    "访问按 nvcc 13 的方式合并、移动或省去"
}

pub(crate) const fn prediction_of_assembler() -> &'static str {
    "访问按 ptxas 13 的方式合并或省去"
}

pub(crate) fn as_compiled(wavefronts: Option<[u64; 2]>, units: Option<(Unit, [u64; 2])>) -> String {
    let pair = |what: &str, counts: [u64; 2]| {
        let [predicted, written] = counts.map(grouped);
        format!("{what} {predicted} 个（按源码 {written} 个）")
    };
    let shared = wavefronts.map(|counts| pair("共享内存 wavefront", counts));
    let global = units.map(|(unit, counts)| pair(unit_name(unit, true), counts));
    let parts: Vec<String> = shared.into_iter().chain(global).collect();
    format!("nvcc 会合并、移动或省去访问：{}。", parts.join("、"))
}

pub(crate) fn prediction_record(public: [u32; 2], random: [u32; 2]) -> String {
    let public_words = |[exact, all]: [u32; 2]| format!("他人程序的 {all} 次运行中有 {exact} 次");
    let random_words = |[exact, all]: [u32; 2]| format!("{all} 个随机内核中有 {exact} 个");
    let said = match (public[1], random[1]) {
        (_, 0) => public_words(public),
        (0, _) => random_words(random),
        _ => format!("{}、{}", public_words(public), random_words(random)),
    };
    format!("此类答案完全准确的：{said}")
}

pub(crate) fn guessed(verdict: &str) -> String {
    format!("推测的网格与线程块：{verdict}")
}

pub(crate) fn conditional(verdict: &str) -> String {
    format!("{verdict}（有前提）")
}

pub(crate) fn in_part(verdict: &str) -> String {
    format!("{}：{verdict}", status_partial())
}

pub(crate) const fn uncounted() -> &'static str {
    "未能统计"
}

pub(crate) const fn status_counted() -> &'static str {
    "已统计"
}

pub(crate) const fn status_assumed() -> &'static str {
    "统计成立的前提"
}

pub(crate) const fn status_partial() -> &'static str {
    "未完整统计"
}

pub(crate) fn shared_choice(operation: Operation, [least, most]: [u64; 2], ideal: u64) -> String {
    let kind = self::operation(operation);
    let [least, most, ideal] = [least, most, ideal].map(grouped);
    format!("共享内存{kind} {least} 到 {most} 个 wavefront：由硬件选择；理想值为 {ideal}。")
}

pub(crate) fn shared_fewest(operation: Operation, wavefronts: u64) -> String {
    let (kind, count) = (self::operation(operation), grouped(wavefronts));
    format!("共享内存{kind} {count} 个 wavefront，已是最少。")
}

pub(crate) fn shared_excess(operation: Operation, wavefronts: u64, ideal: u64) -> String {
    let kind = self::operation(operation);
    let [count, ideal] = [wavefronts, ideal].map(grouped);
    format!("共享内存{kind} {count} 个 wavefront，理想情况只需 {ideal} 个。")
}

fn units(unit: Unit, count: u64) -> String {
    format!("{} 个{}", grouped(count), unit_name(unit, true))
}

pub(crate) fn global_fewest(unit: Unit, units: u64) -> String {
    let moved = self::units(unit, units);
    format!("全局访问完全合并：{moved}，已是最少。")
}

pub(crate) fn global_excess(unit: Unit, units: u64, ideal: u64, used_basis_points: u64) -> String {
    format!(
        "全局访问传输 {}，理想情况只需 {} 个：传输的字节中 {} % 被使用。",
        self::units(unit, units),
        grouped(ideal),
        decimal(used_basis_points)
    )
}

pub(crate) fn worst_bank(lanes: u32, words: usize, bank: u32) -> String {
    format!("下方的请求中，{lanes} 个 lane 访问 bank {bank} 的 {words} 个不同的字。")
}

pub(crate) fn amount_wavefronts_at_most(operation: Operation, least: u64) -> String {
    let op = self::operation(operation);
    format!("共享内存{op} wavefront，最多；最少 {}", grouped(least))
}

pub(crate) fn amount_wavefronts(operation: Operation) -> String {
    format!("共享内存{} wavefront", self::operation(operation))
}

pub(crate) const fn amount_ideal() -> &'static str {
    "理想值"
}

pub(crate) fn amount_conflicts(operation: Operation) -> String {
    format!("多余的{} wavefront", self::operation(operation))
}

pub(crate) const fn amount_ways() -> &'static str {
    "n 路，最差的请求"
}

pub(crate) fn amount_units(operation: Operation, unit: Unit) -> String {
    let op = self::operation(operation);
    format!("全局内存{op}{}", unit_name(unit, true))
}

pub(crate) fn amount_units_per_request(
    operation: Operation,
    unit: Unit,
    ideal_hundredths: u64,
) -> String {
    format!(
        "每个{}请求的{}，理想值 {}",
        self::operation(operation),
        unit_name(unit, true),
        decimal(ideal_hundredths)
    )
}

pub(crate) fn amount_used(used: u64, moved: u64) -> String {
    let (used, moved) = (grouped(used), grouped(moved));
    format!("传输字节的利用率：{used} / {moved}")
}

pub(crate) fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Given => "自定义",
        Confidence::Measured => "实测",
        Confidence::Documented => "官方文档",
        Confidence::ThirdParty => "第三方",
        Confidence::Inferred => "推断",
        Confidence::Disputed => "有争议",
        Confidence::Unknown => "未知",
    }
}

pub(crate) fn meaning(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Given => "由你输入",
        Confidence::Measured => "读自硬件计数器或已发表的测量",
        Confidence::Documented => "厂商自己的文档",
        Confidence::ThirdParty => "他人的表格",
        Confidence::Inferred => "由相邻世代推断",
        Confidence::Disputed => "来源不一致；出处注明采用哪一种",
        Confidence::Unknown => "没有可验证的资料",
    }
}

pub(crate) fn on_line(line: u32) -> String {
    format!("，第 {line} 行")
}

pub(crate) fn extent(done: u64, total: u64) -> String {
    format!(
        "统计了 {} 个线程块中的前 {} 个。",
        grouped(total),
        grouped(done)
    )
}

pub(crate) fn extrapolated(done: u64, total: u64) -> String {
    let (done_text, total_text) = (grouped(done), grouped(total));
    if done == 1 {
        return format!("全部 {total_text} 个线程块除平移外完全相同；统计了其中 1 个。");
    }
    format!("统计了 {total_text} 个线程块中的 {done_text} 个；其余各与其中之一除平移外完全相同。")
}

pub(crate) fn exact(total: u64) -> String {
    format!("已统计全部 {} 个线程块。", grouped(total))
}

pub(crate) fn request(line: u32, operation: Operation, width: Width, active: u32) -> String {
    let (operation, bits) = (self::operation(operation), width.bytes() * 8);
    format!("第 {line} 行 · {operation} {bits} 位 · {active} 个活动 lane")
}

pub(crate) fn block_at([x, y, z]: [u32; 3]) -> String {
    format!("线程块 ({x}, {y}, {z})")
}

pub(crate) fn one_of(index: u64, of: u64) -> String {
    format!("{} / 共 {}", grouped(index), grouped(of))
}

/// Whose contents a sentence is about: a name has a blank behind it.
fn owner(array: Option<&str>) -> String {
    array.map_or_else(|| "内存".to_owned(), |array| format!("{array} "))
}

pub(crate) fn holds_zeros(array: Option<&str>) -> String {
    let array = owner(array);
    format!("{array}的内容为零")
}

pub(crate) fn holds_indices(array: Option<&str>) -> String {
    let array = owner(array);
    format!("{array}的内容为 0、1、2 等")
}

pub(crate) fn holds_random(array: Option<&str>, seed: u64) -> String {
    let array = owner(array);
    format!("{array}的内容为随机数（种子 {seed}）")
}

pub(crate) fn has_room(array: &str) -> String {
    format!("动态共享内存容得下 {array}")
}

pub(crate) fn no_contention(line: u32) -> String {
    format!("第 {line} 行没有两个 lane 同时更新同一个字")
}

pub(crate) fn crowded_atomic(line: u32) -> String {
    format!("第 {line} 行没有两个 warp 同时更新同一个字")
}

pub(crate) const fn results_used() -> &'static str {
    "其结果会被使用（此处没有任何存储）"
}

pub(crate) fn include_ignored(name: &str) -> String {
    format!("{name} 不影响内核所用的内容")
}

pub(crate) const fn compiler_bounded() -> &'static str {
    "编译器只做了已预测的处理（内核过大）"
}

pub(crate) fn unrolling(line: u32) -> String {
    format!("编译器按预测展开第 {line} 行的循环（展开与否难以断定）")
}

pub(crate) fn parameter_place(position: u32, offset: u32) -> String {
    format!("第 {position} 个参数从参数区第 {offset} 字节开始")
}

pub(crate) fn shape(grid: [u32; 3], block: [u32; 3]) -> String {
    format!("网格 {}，线程块 {}", sides(grid), sides(block))
}

pub(crate) fn unread(line: u32, why: &str) -> String {
    format!("第 {line} 行：{why}")
}

pub(crate) fn stopped(requests: u64) -> String {
    format!("统计 {} 个请求后停止", grouped(requests))
}

pub(crate) fn blocks(done: u64, total: u64) -> String {
    let (done, total) = (grouped(done), grouped(total));
    format!("只运行了 {total} 个线程块中的 {done} 个")
}

pub(crate) fn device(_: Unknown) -> String {
    "该设备的规则未知".into()
}

pub(crate) fn copy_bound(line: u32, least: u64) -> String {
    format!(
        "第 {line} 行：绕过 L1 的拷贝只需最少的 {} 个 wavefront",
        grouped(least)
    )
}

pub(crate) fn copy_race(line: u32) -> String {
    format!("第 {line} 行：各线程从不同来源拷贝到同一处时，以编号最小的线程为准")
}
