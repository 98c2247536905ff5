//! What the lab's page says.

use crate::Language;

sentences! { lab:
    /// How many banks there seem to be.
    fn banks(count: u32, word_bytes: u32) -> String;
    /// The heading over the predictions.
    fn predicted_for(device: &str) -> String;
    /// Active lanes, of how many.
    fn lanes(hundredths: u64, warp_lanes: u32) -> String;
    /// Which line these are of, and the active lanes of all instructions.
    fn lanes_of_line(line: u32, all_hundredths: u64) -> String;
    /// How many buffers were used in turn.
    fn sets(sets: u32) -> String;
    /// What a link named and there is not.
    fn strange(names: &str) -> String;
    /// How many pairs were measured in the predicted order.
    fn ranking(verdict: &str, ordered: usize, agreeing: usize) -> String;
    /// The pair that is furthest off: `faster` was faster than `first`.
    fn furthest(first: &str, faster: &str) -> String;
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct LabWords {
    pub title: &'static str,
    pub lead: &'static str,
    pub experiment: &'static str,
    pub transposes: &'static str,
    pub reductions: &'static str,
    pub integer_reductions: &'static str,
    pub strides: &'static str,
    pub stride_lead: &'static str,
    pub size: &'static str,
    pub kernels: &'static str,
    pub block_shapes: &'static str,
    pub own_shape: &'static str,
    pub all: &'static str,
    pub predict_for: &'static str,
    pub run: &'static str,
    pub cancel: &'static str,
    pub waiting: &'static str,
    pub in_turn: &'static str,
    pub software: &'static str,
    pub choose_small: &'static str,
    pub prediction: &'static str,
    pub measured_here: &'static str,
    pub results_here: &'static str,
    pub results_link: &'static str,
    pub results_history: &'static str,
    pub results: &'static str,
    pub kernel: &'static str,
    pub block: &'static str,
    pub time: &'static str,
    pub bandwidth: &'static str,
    pub ceiling: &'static str,
    pub spread: &'static str,
    pub result: &'static str,
    pub active_lanes: &'static str,
    pub active_lanes_predicted: &'static str,
    pub wavefronts: &'static str,
    pub conflicts: &'static str,
    pub sectors: &'static str,
    pub sectors_a_request: &'static str,
    pub verified: &'static str,
    pub too_noisy: &'static str,
    pub wrong: &'static str,
    pub device_copy: &'static str,
    pub copy_ceiling: &'static str,
    pub read_ceiling: &'static str,
    pub roof_note: &'static str,
    pub interrupted: &'static str,
    pub sweep: &'static str,
    pub stride: &'static str,
    pub cost: &'static str,
    pub cannot_tell: &'static str,
    pub device_clock: &'static str,
    pub wall_clock: &'static str,
    pub save_csv: &'static str,
    pub save_json: &'static str,
    pub link: &'static str,
    pub copy_link: &'static str,
    pub with_results: &'static str,
    pub unreadable: &'static str,
    pub history: &'static str,
    pub history_lead: &'static str,
    pub forget: &'static str,
    pub published: &'static str,
    pub published_lead: &'static str,
    pub open: &'static str,
    pub binding: &'static str,
    pub shared_memory: &'static str,
    pub invocations: &'static str,
    pub subgroups: &'static str,
    pub timestamps: &'static str,
    pub times_first: &'static str,
    pub times_before: &'static str,
    pub cause: &'static str,
    pub same_counts: &'static str,
    pub order_of: &'static str,
    pub order_story: &'static str,
    pub order_speed: &'static str,
    pub formula: &'static str,
    pub peak: &'static str,
    pub peak_rule: &'static str,
    pub of_peak: &'static str,
    pub lower_bound: &'static str,
    pub upper_bound: &'static str,
    pub small_tile: &'static str,
    pub computed: &'static str,
    pub save_markdown: &'static str,
    pub copy_element: &'static str,
    pub save_card: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
    pub kind_discrete: &'static str,
    pub kind_integrated: &'static str,
    pub kind_virtual: &'static str,
    pub kind_software: &'static str,
    pub kind_unknown: &'static str,
    pub by_h200: &'static str,
    pub by_gtx1050ti: &'static str,
    pub by_gtx580: &'static str,
    pub by_unnamed: &'static str,
    pub shows_copy_vec4: &'static str,
    pub shows_read_vec4: &'static str,
    pub shows_reduce_divergent: &'static str,
    pub shows_reduce_interleaved: &'static str,
    pub shows_reduce_sequential: &'static str,
    pub shows_reduce_first_add: &'static str,
    pub shows_reduce_unrolled: &'static str,
    pub shows_reduce_grid_stride: &'static str,
    pub shows_reduce_vec4: &'static str,
    pub shows_reduce_subgroup: &'static str,
    pub shows_reduce_two_pass: &'static str,
    pub shows_reduce_single_pass: &'static str,
    pub shows_copy_row: &'static str,
    pub shows_copy_col: &'static str,
    pub shows_transpose_naive_row: &'static str,
    pub shows_transpose_naive_col: &'static str,
    pub shows_transpose_unroll4_row: &'static str,
    pub shows_transpose_unroll4_col: &'static str,
    pub shows_transpose_diagonal_row: &'static str,
    pub shows_transpose_diagonal_col: &'static str,
    pub shows_transpose_tiled: &'static str,
    pub shows_transpose_padded: &'static str,
    pub shows_transpose_swizzled: &'static str,
    pub shows_transpose_rows: &'static str,
    pub shows_transpose_vec4: &'static str,
    pub shows_transpose_persistent: &'static str,
    pub shows_transpose_registers: &'static str,
    pub shows_transpose_scalar: &'static str,
    pub shows_transpose_sectors: &'static str,
    pub shows_stride_probe: &'static str,
    pub agrees: &'static str,
    pub mostly_agrees: &'static str,
    pub disagrees: &'static str,
    pub software_ranking: &'static str,
}

impl LabWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, lab::WORDS)
    }
}
