//! What is said of findings: the whole in a sentence, the ranked list, and what is wrong with a launch.

use lanescope_model::Unit;

use crate::Language;

sentences! { finding:
    /// How much of what a launch takes is needed: of wavefronts of shared memory `[needed, all]`, of units of global
    /// memory `[wasted, all]`; `None` of a memory that nothing asks.
    fn whole(wavefronts: Option<[u64; 2]>, units: Option<(Unit, [u64; 2])>) -> String;
    /// Beside a bar: how much is wasted of shared wavefronts (`None`) or of these units, `[wasted, all]`.
    fn wasted_part(unit: Option<Unit>, counts: [u64; 2]) -> String;
    /// The same bar in words: how many are needed and how many wasted, `[needed, wasted]`.
    fn needed_and_wasted(unit: Option<Unit>, counts: [u64; 2]) -> String;
    /// What a row of the list wastes: so many wavefronts.
    fn wasted_wavefronts(count: u64) -> String;
    /// What a row of the list wastes: so many units.
    fn wasted_units(unit: Unit, count: u64) -> String;
    /// Lane slots used of those that warps issued, in hundredths of a percent.
    fn lane_slots(hundredths: u64) -> String;
    /// The line that leaves most of them idle.
    fn most_idle(line: u32) -> String;
    /// Bytes that bulk copies move, and how often more were moved that are not known.
    fn bulk_copies(bytes: u64, unsized_copies: u64) -> String;
    /// Lanes that take part on average, in hundredths, of those of a warp.
    fn lanes_used(hundredths: u64, lanes: u32) -> String;
    /// Rows that are not shown.
    fn more(count: u64) -> String;
    /// Error: a field for grid or block, by its label, holds no shape.
    fn not_a_shape(label: &str, typed: &str) -> String;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
pub struct FindingWords {
    /// A part of a bar: what is needed.
    pub needed_part: &'static str,
    /// A part of a bar: the rest.
    pub rest_part: &'static str,
    /// The name of the list.
    pub findings: &'static str,
    /// What a number at a line or a row is: its percentage of the waste.
    pub of_the_waste: &'static str,
    /// Heading: the fix of a row.
    pub best_fix: &'static str,
    /// A row for which no fix was found.
    pub no_fix: &'static str,
    /// Makes a row's fix.
    pub apply: &'static str,
    /// Keys: to the next row.
    pub key_move: &'static str,
    /// Keys: makes the row's fix.
    pub key_apply: &'static str,
    /// Keys: takes it back.
    pub key_undo: &'static str,
    /// Takes all fixes that were applied, as a unified diff.
    pub copy_patch: &'static str,
    /// The list of fixes that were applied.
    pub applied: &'static str,
    /// Fold: the metrics by the profiler's names.
    pub profiler_names: &'static str,
    /// Fold: the table of all accesses.
    pub all_accesses: &'static str,
}

impl FindingWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, finding::WORDS)
    }
}
