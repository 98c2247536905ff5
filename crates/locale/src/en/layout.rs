//! Layouts in English.

use super::grouped;
use crate::layout::Reading;
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

pub(crate) fn found_plain(accesses: usize) -> String {
    format!(
        "{} free as plain rows: no swizzle and no padding is needed",
        all(accesses)
    )
}

pub(crate) fn found_free(accesses: usize, tried: usize) -> String {
    format!(
        "{} free with the first; of {} swizzles and pitches tried, no cheaper one is",
        all(accesses),
        grouped(tried as u64)
    )
}

pub(crate) fn found_linear(accesses: usize, tried: usize) -> String {
    format!(
        "none of {} swizzles and pitches is free, but {} with another XOR of address bits, for which CuTe has no Swizzle<B,M,S>",
        grouped(tried as u64),
        all(accesses)
    )
}

pub(crate) fn found_none(accesses: usize, tried: usize, group_bytes: u64) -> String {
    let which = if accesses == 1 {
        "this access"
    } else {
        "these accesses"
    };
    format!(
        "no layout frees {which}: every XOR of address bits that keeps aligned groups of \
         {group_bytes} bytes whole was excluded, and none of {} swizzles and pitches is free; the \
         nearest is shown",
        grouped(tried as u64)
    )
}

pub(crate) fn found_none_in_long_tile(tried: usize, most_bytes: u64) -> String {
    format!(
        "none of {} swizzles and pitches is free; other XORs of address bits are decided for tiles \
         of at most {} bytes only",
        grouped(tried as u64),
        grouped(most_bytes)
    )
}

pub(crate) fn found_none_on_device(tried: usize) -> String {
    format!(
        "none of {} swizzles and pitches is free; other XORs of address bits are not decided on \
         this device, whose banks differ from access to access",
        grouped(tried as u64)
    )
}

pub(crate) fn found_none_in_limit(tried: usize) -> String {
    format!(
        "none of {} swizzles and pitches is free; other XORs of address bits were too many to decide",
        grouped(tried as u64)
    )
}

pub(crate) const fn find_no_layout() -> &'static str {
    "no layout to search for; write one, as in `(16,64):(64,1)`"
}

pub(crate) const fn find_no_access() -> &'static str {
    "no access to search for; write one that fits the layout, as in `ldmatrix.x4`"
}

pub(crate) const fn find_alignment() -> &'static str {
    "the alignment must be a power of two of at most 1,024 bytes"
}

pub(crate) const fn find_unknown_rule() -> &'static str {
    "the device's rule for one of the accesses is not known; choose another device"
}

pub(crate) fn found_price(
    name: &str,
    bytes: u64,
    operations: u32,
    [wavefronts, ideal]: [u64; 2],
) -> String {
    let (bytes, wavefronts, ideal) = (grouped(bytes), grouped(wavefronts), grouped(ideal));
    format!(
        "{name}: {wavefronts} wavefronts, ideal {ideal}; {bytes} bytes and {operations} index \
         operations more"
    )
}

/// `the access is`, `both accesses are`.
fn all(accesses: usize) -> String {
    match accesses {
        1 => "the access is".to_owned(),
        2 => "both accesses are".to_owned(),
        _ => format!("all {accesses} accesses are"),
    }
}

pub(crate) const fn find() -> &'static str {
    "Find the swizzle that frees all accesses"
}

pub(crate) const fn copy() -> &'static str {
    "Copy layout"
}

pub(crate) fn element_assumed(name: &str, bytes: u64) -> String {
    format!("{}, assumed", element(name, bytes))
}

pub(crate) fn element(name: &str, bytes: u64) -> String {
    format!("{name}, {bytes} bytes")
}

pub(crate) const fn as_written() -> &'static str {
    "as written"
}

pub(crate) const fn plain_rows() -> &'static str {
    "plain rows"
}

pub(crate) const fn other_xor() -> &'static str {
    "XOR of bits"
}

pub(crate) const fn readings() -> &'static str {
    "Each swizzle, as others write it"
}

pub(crate) const fn reading(of: Reading) -> &'static str {
    match of {
        Reading::Elements => "CuTe, on elements",
        Reading::AbsoluteShift => "with the absolute shift",
        Reading::Bytes => "on bytes, as after a pointer",
        Reading::Tma => "TMA, wgmma and tcgen05",
        Reading::Triton => "Triton",
        Reading::Address => "PTX, on a byte address a",
    }
}

pub(crate) const fn no_reading() -> &'static str {
    "no such mode"
}
