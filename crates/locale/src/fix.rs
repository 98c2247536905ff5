//! What is said of fixes.

use crate::Language;

sentences! { fix:
    /// Fix: padded rows.
    fn pad(elements: u64) -> String;
    /// Fix: gaps between groups of elements.
    fn pad_every(group: u64, elements: u64) -> String;
    /// Fix: a swizzled index.
    fn swizzle(swizzle: &str) -> String;
    /// Fix: rows in global memory further apart.
    fn pitch(arrays: &[String], from: u64, to: u64) -> String;
    /// Fix: a structure made as long as one access.
    fn align_structure(bytes: u64) -> String;
    /// Fix: wider blocks.
    fn block_shape(width: u32) -> String;
    /// Fix: wider accesses.
    fn widen(bytes: u64) -> String;
    /// Wavefronts before and after.
    fn wavefronts(from: u64, to: u64) -> String;
    /// Sectors before and after.
    fn sectors(from: u64, to: u64) -> String;
    /// Conflicts that remain.
    fn conflicts_remain(conflicts: u64) -> String;
    /// Bytes that it takes more, and what share of WebGPU's limit that makes in all.
    fn more_bytes(bytes: u64, share: &str) -> String;
    /// Bytes that it takes more, in few words.
    fn bytes(bytes: u64) -> String;
    /// Instructions that it takes more.
    fn more_instructions(count: u64) -> String;
    /// Instructions that it takes more, in few words.
    fn instructions(count: u64) -> String;
    /// Blocks that an SM holds, before and after.
    fn blocks(from: u64, to: u64) -> String;
    /// The line whose accesses cost more, and how many wavefronts and sectors.
    fn raises(line: u32, from: u64, to: u64) -> String;
    /// A note as a sentence.
    fn note(note: &str) -> String;
    /// A proof in the words of the command line.
    fn proved(proof: &str) -> String;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct FixWords {
    pub as_is: &'static str,
    pub row_xor: &'static str,
    pub transposed: &'static str,
    /// A linear swizzle that is none of CuTe's.
    pub linear: &'static str,
    pub narrowed: &'static str,
    pub split_shared: &'static str,
    pub split_global: &'static str,
    pub sequential: &'static str,
    pub first_add: &'static str,
    pub warp_shuffle: &'static str,
    pub loop_order: &'static str,
    pub swap_axes: &'static str,
    /// The same in WGSL.
    pub swap_invocations: &'static str,
    pub stage: &'static str,
    pub align_base: &'static str,
    pub no_extra_memory: &'static str,
    pub does_not_fit: &'static str,
    pub same_accesses: &'static str,
    pub same_elements: &'static str,
    pub threads_exchanged: &'static str,
    pub same_sums: &'static str,
    pub same_results: &'static str,
}

impl FixWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, fix::WORDS)
    }
}
