//! What is wrong with a SASS listing, in Chinese.

use crate::Language;
use crate::names::{architectures, listed};
use crate::sass_fault::SassFault;

const MOST_NAMES: usize = 8;

pub(crate) fn text(fault: &SassFault) -> String {
    match fault {
        SassFault::TooLong { mebibytes } => format!("反汇编文本超过 {mebibytes} MiB"),
        SassFault::NotSass(kind) => kind.text(Language::Chinese).into(),
        SassFault::ArchitectureAssumed { taken } => {
            format!("反汇编文本没有注明架构，按 sm_{taken} 处理")
        }
        SassFault::SeveralArchitectures { found, taken } => format!(
            "反汇编文本含有 {} 的代码，采用 sm_{taken}",
            architectures(found, "、")
        ),
        SassFault::InitialConstants => "`__constant__` 变量取目标文件中的初始值".into(),
        SassFault::UnknownFunction { wanted, names } => format!(
            "反汇编文本中没有函数 `{wanted}`；现有：{}",
            listed(names, MOST_NAMES, "、")
        ),
        SassFault::FirstRows { rows } => format!("只读取前 {rows} 条指令"),
        SassFault::NotModelled { opcode, times } => {
            let times = match times {
                1 => String::new(),
                times => format!("（共 {times} 处）"),
            };
            format!("未对 `{opcode}` 建模{times}，它写入的值视为未知")
        }
        SassFault::CutOff { function } => {
            format!("`{function}` 的反汇编文本不完整：执行或跳转到了末尾之后")
        }
    }
}
