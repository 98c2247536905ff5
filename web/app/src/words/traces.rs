//! What the page says of recorded traces, in both languages.

use lanescope_model::Unit;
use lanescope_trace::{Fault, FaultKind, JsonExpected, Totals, TraceError};

use super::{Language, grouped};

/// One thing said of a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TraceWord<'a> {
    Tab,
    Drop,
    Choose,
    Text,
    Hint,
    /// A trace of so many bytes is shown that no link carries.
    KeptHere(usize),
    TooLarge,
    UnreadableFile,
    Title,
    Reading {
        done: usize,
        total: usize,
    },
    Rows(&'a Totals),
    Shared(&'a Totals),
    Global(&'a Totals),
    Agreement(&'a Totals),
    Worst,
    Differing,
    Faults(usize),
    Fault(&'a Fault),
    MoreFaults(usize),
    Error(&'a TraceError),
    Row,
    Instruction,
    Cost,
    Ideal,
    Predicted,
    Measured,
    Picture {
        row: usize,
        name: &'a str,
    },
    Unread(usize),
}

/// The word in `language`.
pub(super) fn say(language: Language, word: &TraceWord<'_>) -> String {
    let [english, chinese] = both(word);
    match language {
        Language::English => english,
        Language::Chinese => chinese,
    }
}

/// The word in English and in Chinese.
fn both(word: &TraceWord<'_>) -> [String; 2] {
    let plain = |english: &str, chinese: &str| [english.to_owned(), chinese.to_owned()];
    match *word {
        TraceWord::Tab => plain("Trace", "轨迹"),
        TraceWord::Drop => plain(
            "Drop a CSV or JSON file of lane addresses here, paste one below, or",
            "将记录各 lane 地址的 CSV 或 JSON 文件拖到此处，或粘贴在下方，或",
        ),
        TraceWord::Choose => plain("Choose a file", "选择文件"),
        TraceWord::Text => plain("Recorded lane addresses", "记录的 lane 地址"),
        TraceWord::Hint => plain(
            "First line: instruction, lane0 … lane31 (byte offsets; blank for an inactive lane) and, where measured, shared_wavefronts, shared_bank_conflicts, global_sectors. Or one warp per line: 0,4,8 …; or JSON: [{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 4]}].",
            "首行：instruction、lane0 … lane31（字节偏移，空白表示 lane 未激活），若有实测值则加 shared_wavefronts、shared_bank_conflicts、global_sectors。也可每行一个 warp：0,4,8 …；或 JSON：[{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 4]}]。",
        ),
        TraceWord::KeptHere(bytes) => {
            let bytes = grouped(bytes as u64);
            [
                format!(
                    "{bytes} bytes, too long for a link: this trace stays on this page and is not shared"
                ),
                format!("共 {bytes} 字节，超出链接容量：此轨迹只留在本页，不会分享"),
            ]
        }
        TraceWord::TooLarge => plain(
            "More than 64 MiB: split the file",
            "超过 64 MiB：请拆分文件",
        ),
        TraceWord::UnreadableFile => plain(
            "The file cannot be read: it has been moved, changed or locked. Choose it again",
            "无法读取该文件：它已被移动、更改或锁定。请重新选择",
        ),
        TraceWord::Title => plain("The trace", "轨迹"),
        TraceWord::Reading { done, total } => {
            let percent = percent(done, total);
            [
                format!("reading, {percent}%"),
                format!("正在读取，{percent}%"),
            ]
        }
        TraceWord::Rows(totals) => {
            let rows = grouped(totals.rows as u64);
            [format!("{rows} rows"), format!("{rows} 行")]
        }
        TraceWord::Shared(totals) => shared(totals),
        TraceWord::Global(totals) => global(totals),
        TraceWord::Agreement(totals) => {
            let [agreeing, compared] =
                [totals.agreeing, totals.compared].map(|count| grouped(count as u64));
            [
                format!("{agreeing} of {compared} measured rows agree with the prediction."),
                format!("{compared} 行有实测值，其中 {agreeing} 行与预测一致。"),
            ]
        }
        TraceWord::Worst => plain("Rows furthest above the ideal", "超出理想最多的行"),
        TraceWord::Differing => plain(
            "Measured differently from the prediction",
            "实测与预测不同的行",
        ),
        TraceWord::Faults(count) => {
            let count = grouped(count as u64);
            [
                format!("What is wrong ({count})"),
                format!("有问题之处（{count}）"),
            ]
        }
        TraceWord::Fault(fault) => [place_english(fault), place_chinese(fault)],
        TraceWord::MoreFaults(count) => {
            let count = grouped(count as u64);
            [format!("and {count} more"), format!("另有 {count} 处")]
        }
        TraceWord::Error(error) => [
            format!("Not a trace: {error}"),
            format!("这不是轨迹：{}", error_chinese(error)),
        ],
        TraceWord::Row => plain("row", "行号"),
        TraceWord::Instruction => plain("instruction", "指令"),
        TraceWord::Cost => plain("wavefronts or sectors", "wavefront 或扇区"),
        TraceWord::Ideal => plain("ideal", "理想"),
        TraceWord::Predicted => plain("predicted", "预测"),
        TraceWord::Measured => plain("measured", "实测"),
        TraceWord::Picture { row, name } => {
            let row = grouped(row as u64);
            [format!("Row {row}: {name}"), format!("第 {row} 行：{name}")]
        }
        TraceWord::Unread(row) => {
            let row = grouped(row as u64);
            [
                format!("Row {row} cannot be read."),
                format!("第 {row} 行无法读取。"),
            ]
        }
    }
}

fn shared(totals: &Totals) -> [String; 2] {
    let counts = [
        totals.shared_requests,
        totals.wavefronts,
        totals.ideal_wavefronts,
        totals.conflicts,
    ];
    let [requests, wavefronts, ideal, conflicts] = counts.map(grouped);
    [
        format!(
            "Shared memory: {requests} requests, {wavefronts} wavefronts, ideal {ideal}, {conflicts} bank conflicts."
        ),
        format!(
            "共享内存：{requests} 个请求，{wavefronts} 个 wavefront，理想 {ideal}，{conflicts} 次 bank 冲突。"
        ),
    ]
}

fn global(totals: &Totals) -> [String; 2] {
    let counts = [totals.global_requests, totals.units, totals.ideal_units];
    let [requests, units, ideal] = counts.map(grouped);
    let [english, chinese] = match totals.unit {
        Some(Unit::Line) => ["lines", "缓存行"],
        Some(Unit::Transaction) => ["transactions", "事务"],
        _ => ["sectors", "扇区"],
    };
    [
        format!("Global memory: {requests} requests, {units} {english}, ideal {ideal}."),
        format!("全局内存：{requests} 个请求，{units} 个{chinese}，理想 {ideal}。"),
    ]
}

fn percent(done: usize, total: usize) -> usize {
    done.saturating_mul(100) / total.max(1)
}

fn place_english(fault: &Fault) -> String {
    let Fault {
        line,
        column,
        title,
        kind,
        ..
    } = fault;
    if title.is_empty() {
        format!("line {line}, column {column}: {kind}")
    } else {
        format!("line {line}, column {column} ({title}): {kind}")
    }
}

fn place_chinese(fault: &Fault) -> String {
    let Fault {
        line,
        column,
        title,
        kind,
        ..
    } = fault;
    let kind = fault_chinese(kind);
    if title.is_empty() {
        format!("第 {line} 行第 {column} 列：{kind}")
    } else {
        format!("第 {line} 行第 {column} 列（{title}）：{kind}")
    }
}

fn fault_chinese(kind: &FaultKind) -> String {
    match kind {
        FaultKind::OpenQuote => "引号未闭合".into(),
        FaultKind::Columns { found, expected } => {
            format!("该行有 {found} 列，首行有 {expected} 列")
        }
        FaultKind::UnknownInstruction(name) => format!(
            "未知指令 `{name}`；可用 `ld.shared.b32`、`st.global.b128`、`ldmatrix.x4`、`atom.shared.add.u32`、`red.global.add.u32` 等"
        ),
        FaultKind::NoSuchLane { device, lanes } => format!("{device} 的 warp 有 {lanes} 个 lane"),
        FaultKind::Negative(text) => format!("`{text}` 为负；偏移从 0 字节起"),
        FaultKind::NoOffset(text) => {
            format!("`{text}` 不是字节偏移；请写整数，lane 未激活则留空")
        }
        FaultKind::TooLarge(text) => format!("`{text}` 太大；偏移须小于 2^48"),
        FaultKind::NoCount(text) => format!("`{text}` 不是计数"),
        FaultKind::Misaligned(bytes) => format!("偏移不是 {bytes} 的倍数；硬件会拒绝这样的访问"),
        FaultKind::Json(JsonExpected::Row) => "此处应为对象或偏移列表".into(),
        FaultKind::Json(JsonExpected::Value) => "此处应为数字、文本或 `null`".into(),
        FaultKind::Json(JsonExpected::Closing) => "括号或引号未闭合".into(),
        _ => kind.to_string(),
    }
}

fn error_chinese(error: &TraceError) -> String {
    match error {
        TraceError::Empty => "文本为空；首行须给出各列名称".into(),
        TraceError::NoInstruction => "没有 `instruction` 列；首行须给出各列名称".into(),
        TraceError::NoLanes => "没有 `lane0` 列；偏移写在 `lane0` … `lane31`".into(),
        TraceError::Twice(title) => format!("列 `{title}` 出现两次"),
        TraceError::Profiler => {
            "这是 Nsight Compute 导出的计数，没有 lane 地址；`lanescope compare` 可将其与预测对照"
                .into()
        }
        _ => error.to_string(),
    }
}
