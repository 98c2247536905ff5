//! Layouts in English.

use super::grouped;
use crate::number::span;

pub(crate) fn about([rows, columns, bytes]: [u64; 3], is_cut: bool) -> String {
    let (rows, columns) = (grouped(rows), grouped(columns));
    let size = format!("{rows} × {columns}, {bytes} bytes each");
    if is_cut {
        format!("{size}; its beginning is drawn")
    } else {
        size
    }
}

pub(crate) fn cell(
    row: u64,
    columns: [u64; 2],
    [address, bank]: [u64; 2],
    lane: Option<usize>,
) -> String {
    let columns = span(columns);
    let lane = lane.map_or_else(String::new, |lane| format!(" → lane {lane}"));
    format!("row {row}, column {columns} → byte {address} ({address:#x}) → bank {bank}{lane}")
}

pub(crate) fn bits(swizzle: &str, read: &str, changed: &str, on_bytes: bool) -> String {
    let what = if on_bytes { "bytes" } else { "element numbers" };
    format!("{swizzle} on {what}: bits {read} are XORed onto bits {changed}")
}

pub(crate) fn xor(size: u64, on_bytes: bool, is_permutation: bool) -> String {
    let (size, unit) = (grouped(size), if on_bytes { "bytes" } else { "elements" });
    let how =
        format!("Where each group of {size} {unit} of a row goes: column XOR row, rows down.");
    if is_permutation {
        format!("{how} Every row and every column holds each number once.")
    } else {
        how
    }
}
