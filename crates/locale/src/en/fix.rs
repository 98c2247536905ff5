//! Fixes in English.

use super::grouped;
use crate::fix::FixWords;

pub(crate) const WORDS: &FixWords = &FixWords {
    as_is: "Leave it",
    row_xor: "XOR the column with the row",
    linear: "XOR of shifted index bits",
    transposed: "Transpose the layout",
    narrowed: "Drop the padding and XOR",
    split_shared: "An array for each field",
    split_global: "A buffer for each field",
    sequential: "Sequential addressing",
    first_add: "Add while loading, half the threads",
    warp_shuffle: "Warp shuffles for the last steps",
    loop_order: "Exchange the loops",
    swap_axes: "Swap threadIdx.x and .y",
    swap_invocations: "Swap local_invocation_id.x and .y",
    stage: "Stage through shared memory",
    align_base: "Align the buffer",
    no_extra_memory: "no extra memory",
    does_not_fit: "does not fit in a block on this device",
    same_accesses: "proved: each thread touches the same elements in the same order",
    same_elements: "proved: each thread touches the same elements, several at once",
    threads_exchanged: "proved: the same work, thread numbers exchanged",
    same_sums: "proved: the same sums on random data, added in another order",
    same_results: "proved: the same results on random data, bit for bit",
};

pub(crate) fn pad(elements: u64) -> String {
    format!("Pad each row by {elements}")
}

pub(crate) fn pad_every(group: u64, elements: u64) -> String {
    format!("Leave out {elements} after every {group}")
}

pub(crate) fn swizzle(swizzle: &str) -> String {
    format!("XOR the index, {swizzle}")
}

pub(crate) fn pitch(arrays: &[String], from: u64, to: u64) -> String {
    let arrays = arrays.join(", ");
    format!("Rows of {arrays} {to} elements apart, not {from}")
}

pub(crate) fn align_structure(bytes: u64) -> String {
    format!("Align the structure to {bytes} bytes")
}

pub(crate) fn block_shape(width: u32) -> String {
    format!("Make blocks {width} threads wide")
}

pub(crate) fn widen(bytes: u64) -> String {
    format!("Take {bytes} bytes at once")
}

pub(crate) fn wavefronts(from: u64, to: u64) -> String {
    format!("{} → {} shared wavefronts", grouped(from), grouped(to))
}

pub(crate) fn sectors(from: u64, to: u64) -> String {
    format!("{} → {} global sectors", grouped(from), grouped(to))
}

pub(crate) fn conflicts_remain(conflicts: u64) -> String {
    format!("{} conflicts remain", grouped(conflicts))
}

pub(crate) fn more_bytes(bytes: u64, share: &str) -> String {
    format!("+{} bytes ({share}% of WebGPU's 16,384)", grouped(bytes))
}

pub(crate) fn bytes(bytes: u64) -> String {
    format!("+{} B", grouped(bytes))
}

pub(crate) fn more_instructions(count: u64) -> String {
    match count {
        1 => "1 more instruction per index, estimated".into(),
        _ => format!("{count} more instructions per index, estimated"),
    }
}

pub(crate) fn instructions(count: u64) -> String {
    match count {
        1 => "≈ +1 instruction per index".into(),
        _ => format!("≈ +{count} instructions per index"),
    }
}

pub(crate) fn blocks(from: u64, to: u64) -> String {
    if from == to {
        format!("{to} blocks per SM, as before")
    } else {
        format!("{from} → {to} blocks per SM")
    }
}

pub(crate) fn raises(line: u32, from: u64, to: u64) -> String {
    format!(
        "moves some of it to line {line}: {} → {}",
        grouped(from),
        grouped(to)
    )
}

pub(crate) fn proved(proof: &str) -> String {
    format!("proved: {proof}")
}

/// With a capital and a full stop.
pub(crate) fn note(note: &str) -> String {
    let mut letters = note.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().collect::<String>());
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}
