//! What the page says of recorded traces.

use lanescope_locale::trace::{self, TraceWords};
use lanescope_model::Unit;
use lanescope_trace::{Fault, FaultKind, JsonExpected, Totals, TraceError};

use super::Language;

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
    let words = TraceWords::of(language);
    match *word {
        TraceWord::Tab => words.tab.into(),
        TraceWord::Drop => words.drop.into(),
        TraceWord::Choose => words.choose.into(),
        TraceWord::Text => words.text.into(),
        TraceWord::Hint => words.hint.into(),
        TraceWord::TooLarge => words.too_large.into(),
        TraceWord::UnreadableFile => words.unreadable_file.into(),
        TraceWord::Title => words.title.into(),
        TraceWord::Worst => words.worst.into(),
        TraceWord::Differing => words.differing.into(),
        TraceWord::Row => words.row.into(),
        TraceWord::Instruction => words.instruction.into(),
        TraceWord::Cost => words.cost.into(),
        TraceWord::Ideal => words.ideal.into(),
        TraceWord::Predicted => words.predicted.into(),
        TraceWord::Measured => words.measured.into(),
        TraceWord::KeptHere(bytes) => trace::kept_here(language, bytes as u64),
        TraceWord::Reading { done, total } => trace::reading(language, percent(done, total)),
        TraceWord::Rows(totals) => trace::rows(language, totals.rows as u64),
        TraceWord::Shared(totals) => shared(language, totals),
        TraceWord::Global(totals) => global(language, totals),
        TraceWord::Agreement(totals) => {
            trace::agreement(language, totals.agreeing as u64, totals.compared as u64)
        }
        TraceWord::Faults(count) => trace::faults(language, count as u64),
        TraceWord::Fault(fault) => trace::fault(
            language,
            fault.line,
            fault.column,
            &fault.title,
            &fault_words(language, &fault.kind),
        ),
        TraceWord::MoreFaults(count) => trace::more_faults(language, count as u64),
        TraceWord::Error(error) => trace::not_a_trace(language, &error_words(language, error)),
        TraceWord::Picture { row, name } => trace::picture(language, row as u64, name),
        TraceWord::Unread(row) => trace::unread(language, row as u64),
    }
}

fn shared(language: Language, totals: &Totals) -> String {
    let counts = [
        totals.shared_requests,
        totals.wavefronts,
        totals.ideal_wavefronts,
        totals.conflicts,
    ];
    trace::shared(language, counts)
}

fn global(language: Language, totals: &Totals) -> String {
    let counts = [totals.global_requests, totals.units, totals.ideal_units];
    trace::global(language, counts, totals.unit.unwrap_or(Unit::Sector))
}

fn percent(done: usize, total: usize) -> usize {
    done.saturating_mul(100) / total.max(1)
}

fn fault_words(language: Language, kind: &FaultKind) -> String {
    match language {
        Language::English => kind.to_string(),
        Language::Chinese => fault_chinese(kind),
    }
}

fn error_words(language: Language, error: &TraceError) -> String {
    match language {
        Language::English => error.to_string(),
        Language::Chinese => error_chinese(error),
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
