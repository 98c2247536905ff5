//! What the page says of layouts, in both languages.

use lanescope_layouts::Swizzle;

use super::{Language, grouped};

/// A tile's size: rows, columns, bytes of an element.
pub(super) fn about(language: Language, [rows, columns, bytes]: [u64; 3], is_cut: bool) -> String {
    let (rows, columns) = (grouped(rows), grouped(columns));
    match (language, is_cut) {
        (Language::English, false) => format!("{rows} × {columns}, {bytes} bytes each"),
        (Language::English, true) => {
            format!("{rows} × {columns}, {bytes} bytes each; its beginning is drawn")
        }
        (Language::Chinese, false) => format!("{rows} × {columns}，每个元素 {bytes} 字节"),
        (Language::Chinese, true) => {
            format!("{rows} × {columns}，每个元素 {bytes} 字节；只画出开头部分")
        }
    }
}

/// Where an element stands.
pub(super) fn cell(
    language: Language,
    (row, [first, last]): (u64, [u64; 2]),
    [address, bank]: [u64; 2],
    lane: Option<usize>,
) -> String {
    let columns = if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    };
    let lane = match (language, lane) {
        (_, None) => String::new(),
        (Language::English, Some(lane)) => format!(" → lane {lane}"),
        (Language::Chinese, Some(lane)) => format!(" → lane {lane}"),
    };
    match language {
        Language::English => format!(
            "row {row}, column {columns} → byte {address} ({address:#x}) → bank {bank}{lane}"
        ),
        Language::Chinese => format!(
            "第 {row} 行，第 {columns} 列 → 字节 {address}（{address:#x}）→ bank {bank}{lane}"
        ),
    }
}

/// Which bits a swizzle reads and changes.
pub(super) fn bits(language: Language, swizzle: &Swizzle, on_bytes: bool) -> String {
    let (read, changed) = swizzle.masks();
    let span = |mask: u64| {
        let (low, high) = (
            mask.trailing_zeros(),
            63_u32.saturating_sub(mask.leading_zeros()),
        );
        if low == high {
            low.to_string()
        } else {
            format!("{low}–{high}")
        }
    };
    let (read, changed) = (span(read), span(changed));
    match (language, on_bytes) {
        (Language::English, false) => {
            format!("{swizzle} on element numbers: bits {read} are XORed onto bits {changed}")
        }
        (Language::English, true) => {
            format!("{swizzle} on bytes: bits {read} are XORed onto bits {changed}")
        }
        (Language::Chinese, false) => {
            format!("{swizzle}，作用于元素编号：第 {read} 位异或到第 {changed} 位")
        }
        (Language::Chinese, true) => {
            format!("{swizzle}，作用于字节：第 {read} 位异或到第 {changed} 位")
        }
    }
}

/// How to read the table of a swizzle, and whether its rows and columns hold each group once.
pub(super) fn xor(language: Language, size: u64, on_bytes: bool, is_permutation: bool) -> String {
    let size = grouped(size);
    match language {
        Language::English => {
            let unit = if on_bytes { "bytes" } else { "elements" };
            let how = format!(
                "Where each group of {size} {unit} of a row goes: column XOR row, rows down."
            );
            if is_permutation {
                format!("{how} Every row and every column holds each number once.")
            } else {
                how
            }
        }
        Language::Chinese => {
            let unit = if on_bytes { "字节" } else { "个元素" };
            let how = format!("每行中每组 {size} {unit}的去向：列与行异或，纵向为行。");
            if is_permutation {
                format!("{how}每行、每列中各数恰好出现一次。")
            } else {
                how
            }
        }
    }
}
