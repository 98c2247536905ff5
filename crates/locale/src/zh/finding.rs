//! What is said of findings.

use lanescope_model::Unit;

use super::grouped;
use super::verdict::unit_name;
use crate::finding::FindingWords;
use crate::number;

pub(crate) const WORDS: &FindingWords = &FindingWords {
    needed_part: "必需",
    rest_part: "浪费",
    findings: "问题列表",
    of_the_waste: "占浪费的百分比",
    best_fix: "最佳修复",
    no_fix: "未找到修复",
    apply: "应用",
    key_move: "移动",
    key_apply: "应用",
    key_undo: "撤销",
    copy_patch: "复制为补丁",
    applied: "已应用",
    profiler_names: "分析器指标名",
    all_accesses: "全部访问",
};

/// The numbers of which only the first digits matter.
const LARGE: [(u64, &str); 2] = [(100_000_000, " 亿"), (10_000, " 万")];

/// A count by its first digits, where only these matter.
pub(super) fn short(count: u64) -> String {
    let [_, all] = number::short([count, count], &LARGE, grouped);
    all
}

pub(crate) fn whole(wavefronts: Option<[u64; 2]>, units: Option<(Unit, [u64; 2])>) -> String {
    let shared = wavefronts.map(needed);
    let global = units.map(|(unit, counts)| wasted(unit, counts));
    let parts: Vec<String> = shared.into_iter().chain(global).collect();
    parts.join("；")
}

fn needed([needed, all]: [u64; 2]) -> String {
    if needed >= all {
        return format!("{} 个共享内存 wavefront 全部必需", grouped(all));
    }
    let [needed, all] = both([needed, all]);
    format!("{all}个共享内存 wavefront 中只需 {needed}个")
}

fn wasted(unit: Unit, [wasted, all]: [u64; 2]) -> String {
    let name = unit_name(unit, true);
    if wasted == 0 {
        return format!("{} 个{name}无一浪费", grouped(all));
    }
    let [wasted, all] = both([wasted, all]);
    format!("{all}个{name}中浪费 {wasted}个")
}

/// A part and its whole before a measure word. Both name their unit: without it, a part would be read as so many ones.
fn both(counts: [u64; 2]) -> [String; 2] {
    let [part, whole] = number::short(counts, &LARGE, grouped);
    let unit = LARGE.iter().find(|(_, name)| whole.ends_with(name));
    let name = unit.map_or("", |(_, name)| name);
    [spaced(&format!("{part}{name}")), spaced(&whole)]
}

/// A number before a measure word: digits keep a space from it.
fn spaced(number: &str) -> String {
    if number.ends_with(|last: char| last.is_ascii_digit()) {
        format!("{number} ")
    } else {
        number.to_owned()
    }
}

/// What a bar is of.
fn of_bar(unit: Option<Unit>) -> &'static str {
    unit.map_or("共享内存 wavefront ", |unit| unit_name(unit, true))
}

pub(crate) fn wasted_part(unit: Option<Unit>, counts: [u64; 2]) -> String {
    format!("{}浪费 {}", of_bar(unit), number::percent(counts))
}

pub(crate) fn needed_and_wasted(unit: Option<Unit>, [needed, wasted]: [u64; 2]) -> String {
    format!(
        "{}：必需 {} 个，浪费 {} 个",
        of_bar(unit).trim_end(),
        grouped(needed),
        grouped(wasted)
    )
}

pub(crate) fn wasted_wavefronts(count: u64) -> String {
    format!("浪费 {} 个 wavefront", grouped(count))
}

pub(crate) fn wasted_units(unit: Unit, count: u64) -> String {
    format!("浪费 {} 个{}", grouped(count), unit_name(unit, true))
}

pub(crate) fn lane_slots(hundredths: u64) -> String {
    format!("lane 槽利用率 {} %", number::decimal(hundredths))
}

pub(crate) fn most_idle(line: u32) -> String {
    format!("其余多空闲于第 {line} 行")
}

pub(crate) fn bulk_copies(bytes: u64, unsized_copies: u64) -> String {
    let bytes = grouped(bytes);
    match unsized_copies {
        0 => format!("批量拷贝（TMA）：{bytes} B，不计入各行"),
        more => format!(
            "批量拷贝（TMA）：{bytes} B，不计入各行；另有 {} 次字节数未知",
            grouped(more)
        ),
    }
}

pub(crate) fn lanes_used(hundredths: u64, lanes: u32) -> String {
    format!(
        "{lanes} 个 lane 中平均 {} 个参与",
        number::decimal(hundredths)
    )
}

pub(crate) fn more(count: u64) -> String {
    format!("另外 {} 项", grouped(count))
}

pub(crate) fn not_a_shape(label: &str, typed: &str) -> String {
    format!("{label} `{typed}` 不是形状：应为一到三个不小于 1 的数，例如 32, 8")
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn a_part_names_its_unit_as_its_whole_does() {
        assert_eq!(
            whole(Some([65_536, 1_081_344]), None),
            "108.1 万个共享内存 wavefront 中只需 6.5 万个"
        );
        assert_eq!(
            whole(Some([512, 4_096]), None),
            "4,096 个共享内存 wavefront 中只需 512 个"
        );
    }
}
