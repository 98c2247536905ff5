//! What is said of compilers: the choice, the optimizer's remarks, compiled code beside its source.

use lanescope_model::Unit;

use crate::Language;

sentences! { compiler:
    /// Over the list of remarks: how many there are.
    fn remarks_title(count: usize) -> String;
    /// Remark: accesses become one; `other` is the text and place of another of them.
    fn vectorized(bytes: u32, other: Option<Other<'_>>) -> String;
    /// Remark: one instruction with an access of the other branch.
    fn merged(other: Option<Other<'_>>) -> String;
    /// Remark: the thread holds the value, from another access.
    fn eliminated(other: Option<Other<'_>>) -> String;
    /// Remark: only lanes that do not hold the value do it.
    fn partly_eliminated(other: Option<Other<'_>>) -> String;
    /// Remark: its loop is unrolled.
    fn unrolled(times: u64) -> String;
    /// No request of its own: one wider access with that one.
    fn omitted_joined(text: &str, line: u32) -> String;
    /// No request of its own: one instruction with that one.
    fn omitted_merged(text: &str, line: u32) -> String;
    /// What the compiler made of a line is what was predicted.
    fn as_predicted(count: u64) -> String;
    /// It is something else.
    fn not_as_predicted(count: u64, predicted: u64) -> String;
    /// Over the picture of a request as it was compiled.
    fn picture_counted(instruction: &str) -> String;
    /// Beside a headline that is counted in compiled code: what was predicted.
    fn counted_beside(predicted: &str) -> String;
    /// Where the source's text is not at hand.
    fn source_wanted(file: &str) -> String;
    /// The columns of a line's costs: requests, wavefronts, what the device counts, the fewest.
    fn cost_columns(unit: Option<Unit>) -> [&'static str; 4];
}

/// Another access: its text and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its line.
    pub place: u32,
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct CompilerWords {
    pub counted: &'static str,
    /// Over the picture of a request as it was predicted, beside that of compiled code.
    pub picture_predicted: &'static str,
    /// In the place of that, where both are the same.
    pub picture_same: &'static str,
    pub as_written: &'static str,
    pub as_nvcc_13: &'static str,
    pub is_compiled: &'static str,
    pub is_wgsl: &'static str,
    /// Why nothing can be chosen for C++ AMP.
    pub is_amp: &'static str,
    pub device_unmeasured: &'static str,
    pub remarks_head: &'static str,
    pub unchanged: &'static str,
    pub known: &'static str,
    pub overwritten: &'static str,
    pub unused: &'static str,
    pub hoisted: &'static str,
    pub sunk: &'static str,
    pub aggregated: &'static str,
    pub omitted_held: &'static str,
    pub omitted_overwritten: &'static str,
    pub omitted_unused: &'static str,
    pub omitted_elsewhere: &'static str,
    pub omitted_cluster: &'static str,
    pub omitted_bulk: &'static str,
    pub omitted_texture: &'static str,
    pub omitted_unreached: &'static str,
    pub omitted_cut: &'static str,
    pub side_by_side: &'static str,
    pub side_by_side_about: &'static str,
    pub source_side: &'static str,
    pub code_side: &'static str,
    pub side_cut: &'static str,
    pub compile_it: &'static str,
    pub or_paste_sass: &'static str,
    pub copy_command: &'static str,
    pub command_copied: &'static str,
}

impl CompilerWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, compiler::WORDS)
    }
}
