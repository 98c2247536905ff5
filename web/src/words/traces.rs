//! What the page says of recorded traces, in both languages.

use lanescope_lang::trace::{Fault, FaultKind, JsonExpected, Totals, TraceError};
use lanescope_model::Unit;

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
    match language {
        Language::English => english(word),
        Language::Chinese => chinese(word),
    }
}

fn english(word: &TraceWord<'_>) -> String {
    match *word {
        TraceWord::Tab => "Trace".into(),
        TraceWord::Drop => "Drop a CSV or JSON file of lane addresses here, paste one below, or".into(),
        TraceWord::Choose => "Choose a file".into(),
        TraceWord::Text => "Recorded lane addresses".into(),
        TraceWord::Hint => "First line: instruction, lane0 … lane31 (byte offsets, blank: lane off), and if measured shared_wavefronts, shared_bank_conflicts, global_sectors. Or one warp a line: 0,4,8 …; or JSON: [{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 4]}].".into(),
        TraceWord::KeptHere(bytes) => format!(
            "{} bytes, too long for a link: this trace stays on this page and is not shared",
            grouped(bytes as u64)
        ),
        TraceWord::TooLarge => "More than 64 MiB: split the file".into(),
        TraceWord::Title => "The trace".into(),
        TraceWord::Reading { done, total } => format!("reading, {} %", percent(done, total)),
        TraceWord::Rows(totals) => format!("{} rows", grouped(totals.rows as u64)),
        TraceWord::Shared(totals) => format!(
            "Shared memory: {} requests, {} wavefronts, ideal {}, {} bank conflicts.",
            grouped(totals.shared_requests),
            grouped(totals.wavefronts),
            grouped(totals.ideal_wavefronts),
            grouped(totals.conflicts)
        ),
        TraceWord::Global(totals) => format!(
            "Global memory: {} requests, {} {}, ideal {}.",
            grouped(totals.global_requests),
            grouped(totals.units),
            match totals.unit {
                Some(Unit::Line) => "lines",
                Some(Unit::Transaction) => "transactions",
                _ => "sectors",
            },
            grouped(totals.ideal_units)
        ),
        TraceWord::Agreement(totals) => format!(
            "{} of {} measured rows agree with the prediction.",
            grouped(totals.agreeing as u64),
            grouped(totals.compared as u64)
        ),
        TraceWord::Worst => "Rows that cost most beyond the ideal".into(),
        TraceWord::Differing => "Measured otherwise than predicted".into(),
        TraceWord::Faults(count) => format!("What is wrong ({})", grouped(count as u64)),
        TraceWord::Fault(fault) => place_english(fault),
        TraceWord::MoreFaults(count) => format!("and {} more", grouped(count as u64)),
        TraceWord::Error(error) => format!("This is no trace: {error}"),
        TraceWord::Row => "row".into(),
        TraceWord::Instruction => "instruction".into(),
        TraceWord::Cost => "wavefronts or sectors".into(),
        TraceWord::Ideal => "ideal".into(),
        TraceWord::Predicted => "predicted".into(),
        TraceWord::Measured => "measured".into(),
        TraceWord::Picture { row, name } => format!("Row {}: {name}", grouped(row as u64)),
        TraceWord::Unread(row) => format!("Row {} cannot be read.", grouped(row as u64)),
    }
}

fn chinese(word: &TraceWord<'_>) -> String {
    match *word {
        TraceWord::Tab => "轨迹".into(),
        TraceWord::Drop => "将记录各 lane 地址的 CSV 或 JSON 文件拖到此处，或粘贴在下方，或".into(),
        TraceWord::Choose => "选择文件".into(),
        TraceWord::Text => "记录的 lane 地址".into(),
        TraceWord::Hint => "首行：instruction、lane0 … lane31（字节偏移，空白表示 lane 未激活），若有测量值则加 shared_wavefronts、shared_bank_conflicts、global_sectors。也可每行一个 warp：0,4,8 …；或 JSON：[{\"instruction\": \"ld.shared.b32\", \"lanes\": [0, 4]}]。".into(),
        TraceWord::KeptHere(bytes) => format!(
            "共 {} 字节，超出链接容量：此轨迹只留在本页，不会分享",
            grouped(bytes as u64)
        ),
        TraceWord::TooLarge => "超过 64 MiB：请拆分文件".into(),
        TraceWord::Title => "轨迹".into(),
        TraceWord::Reading { done, total } => format!("正在读取，{} %", percent(done, total)),
        TraceWord::Rows(totals) => format!("{} 行", grouped(totals.rows as u64)),
        TraceWord::Shared(totals) => format!(
            "共享内存：{} 个请求，{} 个 wavefront，理想 {}，{} 次 bank 冲突。",
            grouped(totals.shared_requests),
            grouped(totals.wavefronts),
            grouped(totals.ideal_wavefronts),
            grouped(totals.conflicts)
        ),
        TraceWord::Global(totals) => format!(
            "全局内存：{} 个请求，{} 个{}，理想 {}。",
            grouped(totals.global_requests),
            grouped(totals.units),
            match totals.unit {
                Some(Unit::Line) => "缓存行",
                Some(Unit::Transaction) => "事务",
                _ => "扇区",
            },
            grouped(totals.ideal_units)
        ),
        TraceWord::Agreement(totals) => format!(
            "{} 个有测量值的行中，{} 个与预测一致。",
            grouped(totals.compared as u64),
            grouped(totals.agreeing as u64)
        ),
        TraceWord::Worst => "超出理想最多的行".into(),
        TraceWord::Differing => "测量与预测不同的行".into(),
        TraceWord::Faults(count) => format!("有问题之处（{}）", grouped(count as u64)),
        TraceWord::Fault(fault) => place_chinese(fault),
        TraceWord::MoreFaults(count) => format!("另有 {} 处", grouped(count as u64)),
        TraceWord::Error(error) => format!("这不是轨迹：{}", error_chinese(error)),
        TraceWord::Row => "行号".into(),
        TraceWord::Instruction => "指令".into(),
        TraceWord::Cost => "wavefront 或扇区".into(),
        TraceWord::Ideal => "理想".into(),
        TraceWord::Predicted => "预测".into(),
        TraceWord::Measured => "测量".into(),
        TraceWord::Picture { row, name } => format!("第 {} 行：{name}", grouped(row as u64)),
        TraceWord::Unread(row) => format!("第 {} 行无法读取。", grouped(row as u64)),
    }
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
        _ => error.to_string(),
    }
}
