//! What the page says of fixes, in both languages.

use lanescope_fixes::{FixKind, Note, Occupancy, Place, Proof, Suggestion};

use super::{Language, grouped};
use crate::answer::decimal;

/// The headline of a fix.
pub(super) fn kind(language: Language, kind: &FixKind) -> String {
    match language {
        Language::English => english_kind(kind),
        Language::Chinese => chinese_kind(kind),
    }
}

fn english_kind(kind: &FixKind) -> String {
    match kind {
        FixKind::Place(Place::AsIs) => "Leave it".into(),
        FixKind::Place(Place::Pad { elements, .. }) => format!("Pad each row by {elements}"),
        FixKind::Place(Place::PadEvery { group, elements }) => {
            format!("Leave out {elements} after every {group}")
        }
        FixKind::Place(Place::Swizzle(swizzle)) => format!("XOR the index, {swizzle}"),
        FixKind::Place(Place::RowXor { .. }) => "XOR the column with the row".into(),
        FixKind::Place(Place::Transposed) => "Transpose the layout".into(),
        FixKind::Narrowed(_) => "Drop the padding and XOR".into(),
        FixKind::SplitShared => "An array for each field".into(),
        FixKind::SplitGlobal => "A buffer for each field".into(),
        FixKind::Sequential => "Sequential addressing".into(),
        FixKind::SwapAxes => "Swap threadIdx.x and .y".into(),
        FixKind::Stage => "Stage through shared memory".into(),
        FixKind::AlignBase => "Align the buffer".into(),
        FixKind::Pitch { arrays, from, to } => {
            let arrays = arrays.join(", ");
            format!("Rows of {arrays} {to} elements apart, not {from}")
        }
        FixKind::Widen { bytes } => format!("Take {bytes} bytes at once"),
    }
}

fn chinese_kind(kind: &FixKind) -> String {
    match kind {
        FixKind::Place(Place::AsIs) => "保持不变".into(),
        FixKind::Place(Place::Pad { elements, .. }) => format!("每行填充 {elements} 个元素"),
        FixKind::Place(Place::PadEvery { group, elements }) => {
            format!("每 {group} 个元素后空出 {elements} 个")
        }
        FixKind::Place(Place::Swizzle(swizzle)) => format!("对下标做异或，{swizzle}"),
        FixKind::Place(Place::RowXor { .. }) => "列与行异或".into(),
        FixKind::Place(Place::Transposed) => "转置布局".into(),
        FixKind::Narrowed(_) => "去掉填充并异或".into(),
        FixKind::SplitShared => "每个字段一个数组".into(),
        FixKind::SplitGlobal => "每个字段一个缓冲区".into(),
        FixKind::Sequential => "顺序寻址".into(),
        FixKind::SwapAxes => "交换 threadIdx.x 与 .y".into(),
        FixKind::Stage => "经共享内存中转".into(),
        FixKind::AlignBase => "对齐缓冲区".into(),
        FixKind::Pitch { arrays, from, to } => {
            format!("{} 的行距由 {from} 改为 {to} 个元素", arrays.join("、"))
        }
        FixKind::Widen { bytes } => format!("一次访问 {bytes} 字节"),
    }
}

/// Wavefronts and sectors, before and after.
pub(super) fn effect(language: Language, suggestion: &Suggestion) -> String {
    let [before, after] = &suggestion.totals;
    let mut parts = Vec::new();
    if before.shared.wavefronts != after.shared.wavefronts {
        let (from, to) = (
            grouped(before.shared.wavefronts),
            grouped(after.shared.wavefronts),
        );
        parts.push(match language {
            Language::English => format!("{from} → {to} shared wavefronts"),
            Language::Chinese => format!("共享内存 wavefront：{from} → {to}"),
        });
    }
    if before.global.units != after.global.units {
        let (from, to) = (grouped(before.global.units), grouped(after.global.units));
        parts.push(match language {
            Language::English => format!("{from} → {to} global sectors"),
            Language::Chinese => format!("全局内存扇区：{from} → {to}"),
        });
    }
    let conflicts = after.shared.conflicts();
    if conflicts > 0 && before.shared.wavefronts != after.shared.wavefronts {
        parts.push(match language {
            Language::English => format!("{} conflicts remain", grouped(conflicts)),
            Language::Chinese => format!("仍有 {} 次冲突", grouped(conflicts)),
        });
    }
    parts.join(" · ")
}

/// Bytes, blocks an SM, instructions.
pub(super) fn price(language: Language, suggestion: &Suggestion) -> String {
    let [before, after] = &suggestion.occupancy;
    let more = after.shared_bytes.saturating_sub(before.shared_bytes);
    let share = decimal(after.webgpu_share());
    let mut parts = vec![match (language, more) {
        (Language::English, 0) => "no extra memory".into(),
        (Language::English, _) => {
            format!("+{} bytes ({share}% of WebGPU's 16,384)", grouped(more))
        }
        (Language::Chinese, 0) => "不增加内存".into(),
        (Language::Chinese, _) => format!(
            "+{} 字节（占 WebGPU 16,384 字节的 {share}%）",
            grouped(more)
        ),
    }];
    parts.extend(blocks(language, before, after));
    parts.extend(match (language, suggestion.instructions) {
        (_, 0) => None,
        (Language::English, 1) => Some("1 more instruction per index".into()),
        (Language::English, count) => Some(format!("{count} more instructions per index")),
        (Language::Chinese, count) => Some(format!("每个下标多 {count} 条指令")),
    });
    parts.join(" · ")
}

/// What a fix takes, in few words.
pub(super) fn cost(language: Language, suggestion: &Suggestion) -> String {
    let [before, after] = &suggestion.occupancy;
    let more = after.shared_bytes.saturating_sub(before.shared_bytes);
    let mut parts = Vec::new();
    if more > 0 {
        parts.push(match language {
            Language::English => format!("+{} B", grouped(more)),
            Language::Chinese => format!("+{} 字节", grouped(more)),
        });
    }
    if before.blocks != after.blocks || after.fits == Some(false) {
        parts.extend(blocks(language, before, after));
    }
    parts.extend(match (language, suggestion.instructions) {
        (_, 0) => None,
        (Language::English, 1) => Some("+1 instruction per index".into()),
        (Language::English, count) => Some(format!("+{count} instructions per index")),
        (Language::Chinese, count) => Some(format!("每个下标多 {count} 条指令")),
    });
    if parts.is_empty() {
        parts.push(match language {
            Language::English => "no extra memory".into(),
            Language::Chinese => "不增加内存".into(),
        });
    }
    parts.join(" · ")
}

fn blocks(language: Language, before: &Occupancy, after: &Occupancy) -> Option<String> {
    if after.fits == Some(false) {
        return Some(match language {
            Language::English => "does not fit in a block on this device".into(),
            Language::Chinese => "超出该设备每个线程块的上限".into(),
        });
    }
    let (from, to) = (before.blocks?, after.blocks?);
    Some(match (language, from == to) {
        (Language::English, true) => format!("{to} blocks per SM, as before"),
        (Language::English, false) => format!("{from} → {to} blocks per SM"),
        (Language::Chinese, true) => format!("每个 SM 仍为 {to} 个线程块"),
        (Language::Chinese, false) => format!("每个 SM 的线程块：{from} → {to}"),
    })
}

/// Why the changed source computes the same.
pub(super) fn proof(language: Language, proof: Proof) -> String {
    match (language, proof) {
        (Language::English, Proof::SameAccesses) => {
            "proved: each thread touches the same elements in the same order".into()
        }
        (Language::English, Proof::SameElements) => {
            "proved: each thread touches the same elements, several at once".into()
        }
        (Language::Chinese, Proof::SameElements) => {
            "已验证：每个线程访问相同的元素，只是一次取多个".into()
        }
        (Language::English, Proof::ThreadsExchanged) => {
            "proved: the same work, thread numbers exchanged".into()
        }
        (Language::English, Proof::SameSums) => {
            "proved: the same sums on random data, added in another order".into()
        }
        (Language::English, _) => format!("proved: {proof}"),
        (Language::Chinese, Proof::SameAccesses) => "已验证：每个线程以相同顺序访问相同元素".into(),
        (Language::Chinese, Proof::ThreadsExchanged) => "已验证：工作相同，仅线程编号互换".into(),
        (Language::Chinese, Proof::SameSums) => {
            "已验证：随机数据上求和结果相同，仅相加次序不同".into()
        }
        (Language::Chinese, _) => "已验证".into(),
    }
}

/// What else there is to say.
pub(super) fn note(language: Language, note: &Note) -> String {
    match language {
        Language::English => sentence(&note.to_string()),
        Language::Chinese => chinese_note(note),
    }
}

fn chinese_note(note: &Note) -> String {
    match note {
        Note::NothingToFix => "没有冲突，也没有浪费的扇区。".into(),
        Note::DataDependent { array } => {
            format!("`{array}` 的地址取决于数据，没有对所有数据都最优的布局。")
        }
        Note::NotRewritable { array } => {
            format!("`{array}` 通过指针或宏使用，或未写全下标，无法改写其布局。")
        }
        Note::Bound { array, wavefronts } => {
            format!(
                "`{array}` 的任何布局都不少于 {} 个 wavefront。",
                grouped(*wavefronts)
            )
        }
        Note::NothingFound { array } => {
            format!("没有找到 `{array}` 的更优布局；这并不说明不存在。")
        }
        Note::Unknown(unknown) => format!("该设备的规则未知：{unknown}。"),
        Note::SectorsWasted { units, ideal } => format!(
            "移动了 {} 个扇区，而 {} 个就能容纳所需字节；没有找到相应的修复。",
            grouped(*units),
            grouped(*ideal)
        ),
        Note::Errors => "源代码有错误，请先修正。".into(),
        Note::Stopped => "运行在预算处停止，未作任何验证。".into(),
    }
}

/// `text` with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().collect::<String>());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
