//! The lab's page says in English.

use crate::lab::LabWords;
use crate::number;

pub(crate) const WORDS: &LabWords = &LabWords {
    title: "Run the kernels on your GPU",
    lead: "Each result is checked against the CPU before it is timed, and stands beside what the model predicts and the best copy or read of the same run. Nothing leaves your machine.",
    experiment: "Experiment",
    transposes: "Transposes",
    reductions: "Sums, f32",
    integer_reductions: "Sums, u32",
    strides: "Shared-memory strides",
    stride_lead: "Loads of lanes 1 to 64 words apart: what they cost tells how many banks your GPU's shared memory has. Press Run.",
    size: "Size",
    kernels: "Kernels",
    block_shapes: "Block shapes",
    own_shape: "own",
    all: "all",
    predict_for: "Predict for",
    run: "Run",
    cancel: "Cancel",
    waiting: "waiting for the GPU",
    in_turn: "all in turn",
    software: "This adapter is the processor: its times say nothing about a GPU. Choose small sizes.",
    choose_small: "Choose a small size",
    prediction: "What the model predicts",
    measured_here: "Measured",
    results_here: "Measured on this machine",
    results_link: "Results from the link, measured elsewhere",
    results_history: "An earlier run on this machine",
    results: "Results",
    kernel: "Kernel",
    block: "Block",
    time: "Time (ms)",
    bandwidth: "GB/s",
    ceiling: "Of the roof",
    spread: "Spread",
    result: "Result",
    active_lanes: "Active lanes",
    active_lanes_predicted: "Active lanes (predicted)",
    wavefronts: "Shared wavefronts",
    conflicts: "Conflicts",
    sectors: "Sectors",
    sectors_a_request: "Sectors / request",
    verified: "verified",
    too_noisy: "verified; too noisy to tell a time",
    wrong: "wrong result",
    device_copy: "the device's own copy",
    copy_ceiling: "copy",
    read_ceiling: "read",
    roof_note: "The roof is the best copy (or, for sums, read) of the same run: at one addition for four bytes or less, memory is the limit on every GPU.",
    interrupted: "Cut short; results so far are kept: ",
    sweep: "By block shape, GB/s",
    stride: "Stride (words)",
    cost: "Cost, stride 1 = 1",
    cannot_tell: "The banks cannot be told from these costs.",
    device_clock: "timed on the device",
    wall_clock: "timed by wall clock: no timestamps here",
    save_csv: "Save CSV",
    save_json: "Save JSON",
    link: "Link to this page",
    copy_link: "Copy link",
    with_results: "with the results",
    unreadable: "The results in this link cannot be read.",
    history: "Earlier runs",
    history_lead: "kept in this browser only; times are UTC",
    forget: "Forget all",
    published: "Measured before, elsewhere",
    published_lead: "for comparison only; a sum counts bytes read, the others bytes read and written",
    open: "Open this kernel",
    binding: "largest binding",
    shared_memory: "workgroup memory",
    invocations: "threads a workgroup",
    subgroups: "subgroup operations",
    timestamps: "timestamps",
    times_first: "× first",
    times_before: "× before",
    cause: "against the step before",
    same_counts: "same counts",
    order_of: "Order",
    order_story: "in the story’s order",
    order_speed: "by speed",
    formula: "GB/s = (bytes read + bytes written) ÷ (10⁹ × seconds), each byte once; of a sum the bytes read.",
    peak: "Your card’s theoretical peak",
    peak_rule: "theoretical peak",
    of_peak: "of peak",
    lower_bound: "lower bound, copy by columns",
    upper_bound: "upper bound, copy by rows",
    small_tile: "This adapter takes too few threads a workgroup for the articles’ tile of 32 × 32: the tile is smaller, and its conflict less than 32-way.",
    computed: "computed from time and size",
    save_markdown: "Copy as Markdown",
    copy_element: "Copy as element",
    save_card: "Save as card",
    yes: "yes",
    no: "no",
    kind_discrete: "discrete GPU",
    kind_integrated: "integrated GPU",
    kind_virtual: "virtual GPU",
    kind_software: "software, not a GPU",
    kind_unknown: "GPU",
    by_h200: "CUDA on an NVIDIA H200 (measured for this project, median of 30)",
    by_gtx1050ti: "CUDA on a GTX 1050 Ti (published write-up, block 32 × 32 unless said)",
    by_gtx580: "C++ AMP on a GTX 580 (published write-up)",
    by_unnamed: "CUDA, GPU not named (published write-up)",
    shows_copy_vec4: "reads and writes every byte once: the ceiling",
    shows_read_vec4: "only reads: the ceiling of a reduction",
    shows_reduce_divergent: "idle lanes in every warp",
    shows_reduce_interleaved: "packed lanes, conflicting banks",
    shows_reduce_sequential: "neighbouring lanes, no conflict",
    shows_reduce_first_add: "adds while loading",
    shows_reduce_unrolled: "every step written out",
    shows_reduce_grid_stride: "several elements a thread",
    shows_reduce_vec4: "16 bytes a load",
    shows_reduce_subgroup: "subgroup adds",
    shows_reduce_two_pass: "many loads in flight, two passes",
    shows_reduce_single_pass: "the last workgroup finishes",
    shows_copy_row: "copy along rows: upper bound",
    shows_copy_col: "copy along columns: lower bound",
    shows_transpose_naive_row: "reads rows, writes columns",
    shows_transpose_naive_col: "reads columns, writes rows",
    shows_transpose_unroll4_row: "reads rows, four a thread",
    shows_transpose_unroll4_col: "reads columns, four a thread",
    shows_transpose_diagonal_row: "reads rows, diagonal order",
    shows_transpose_diagonal_col: "reads columns, diagonal order",
    shows_transpose_tiled: "tile columns in one bank",
    shows_transpose_padded: "a word of padding a row",
    shows_transpose_swizzled: "XOR instead of padding",
    shows_transpose_rows: "padded, four rows a thread",
    shows_transpose_vec4: "tile of quads, XOR",
    shows_transpose_persistent: "several tiles a workgroup",
    shows_transpose_registers: "4 x 4 in registers, no tile",
    shows_transpose_scalar: "single floats, any row length",
    shows_transpose_sectors: "whole sectors, any row length",
    shows_stride_probe: "loads a stride apart",
    agrees: "The ranking agrees",
    mostly_agrees: "The ranking mostly agrees",
    disagrees: "The ranking does not agree",
    software_ranking: " This adapter is the processor, which has neither banks nor sectors: no agreement is expected.",
};

pub(crate) fn banks(count: u32, word_bytes: u32) -> String {
    format!("Looks like {count} banks of {word_bytes} bytes.")
}

pub(crate) fn predicted_for(device: &str) -> String {
    format!("Predicted, {device}")
}

pub(crate) fn lanes(hundredths: u64, warp_lanes: u32) -> String {
    format!("{} of {warp_lanes}", number::decimal(hundredths))
}

pub(crate) fn lanes_of_line(line: u32, all_hundredths: u64) -> String {
    let all = number::decimal(all_hundredths);
    format!("at line {line}; {all} in all")
}

pub(crate) fn sets(sets: u32) -> String {
    format!("{sets} sets of buffers are used in turn, so that no cache helps.")
}

pub(crate) fn strange(names: &str) -> String {
    format!("The link names what this lab does not have: {names}.")
}

pub(crate) fn ranking(verdict: &str, ordered: usize, agreeing: usize) -> String {
    format!(
        "{verdict}: of {ordered} pairs that the predicted counts order, {agreeing} were measured in that order."
    )
}

pub(crate) fn furthest(first: &str, faster: &str) -> String {
    format!(" Furthest off: {faster} was faster than {first}, which asks less of memory.")
}
