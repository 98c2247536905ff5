//! The lab's page says in English.

use crate::lab::{LabWords, Word};
use crate::number;

pub(crate) const WORDS: &LabWords = &LabWords {
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

pub(crate) const fn word(word: Word) -> &'static str {
    match word {
        Word::Title => "Run the kernels on your GPU",
        Word::Lead => {
            "Each result is checked against the CPU before it is timed, and stands beside what the model predicts and the best copy or read of the same run. Nothing leaves your machine."
        }
        Word::Experiment => "Experiment",
        Word::Transposes => "Transposes",
        Word::Reductions => "Sums, f32",
        Word::IntegerReductions => "Sums, u32",
        Word::Strides => "Shared-memory strides",
        Word::StrideLead => {
            "Loads of lanes 1 to 64 words apart: what they cost tells how many banks your GPU's shared memory has. Press Run."
        }
        Word::Size => "Size",
        Word::Kernels => "Kernels",
        Word::BlockShapes => "Block shapes",
        Word::OwnShape => "own",
        Word::All => "all",
        Word::PredictFor => "Predict for",
        Word::Run => "Run",
        Word::Cancel => "Cancel",
        Word::Waiting => "waiting for the GPU",
        Word::InTurn => "all in turn",
        Word::Software => {
            "This adapter is the processor: its times say nothing about a GPU. Choose small sizes."
        }
        Word::ChooseSmall => "Choose a small size",
        Word::Prediction => "What the model predicts",
        Word::MeasuredHere => "Measured",
        Word::ResultsHere => "Measured on this machine",
        Word::ResultsLink => "Results from the link, measured elsewhere",
        Word::ResultsHistory => "An earlier run on this machine",
        Word::Results => "Results",
        Word::Kernel => "Kernel",
        Word::Block => "Block",
        Word::Time => "Time (ms)",
        Word::Bandwidth => "GB/s",
        Word::Ceiling => "Of the roof",
        Word::Spread => "Spread",
        Word::Result => "Result",
        Word::ActiveLanes => "Active lanes",
        Word::ActiveLanesPredicted => "Active lanes (predicted)",
        Word::Wavefronts => "Shared wavefronts",
        Word::Conflicts => "Conflicts",
        Word::Sectors => "Sectors",
        Word::SectorsARequest => "Sectors / request",
        Word::Verified => "verified",
        Word::TooNoisy => "verified; too noisy to tell a time",
        Word::Wrong => "wrong result",
        Word::DeviceCopy => "the device's own copy",
        Word::CopyCeiling => "copy",
        Word::ReadCeiling => "read",
        Word::RoofNote => {
            "The roof is the best copy (or, for sums, read) of the same run: at one addition for four bytes or less, memory is the limit on every GPU."
        }
        Word::Interrupted => "Cut short; results so far are kept: ",
        Word::Sweep => "By block shape, GB/s",
        Word::Stride => "Stride (words)",
        Word::Cost => "Cost, stride 1 = 1",
        Word::CannotTell => "The banks cannot be told from these costs.",
        Word::DeviceClock => "timed on the device",
        Word::WallClock => "timed by wall clock: no timestamps here",
        Word::SaveCsv => "Save CSV",
        Word::SaveJson => "Save JSON",
        Word::Link => "Link to this page",
        Word::CopyLink => "Copy link",
        Word::WithResults => "with the results",
        Word::Unreadable => "The results in this link cannot be read.",
        Word::History => "Earlier runs",
        Word::HistoryLead => "kept in this browser only; times are UTC",
        Word::Forget => "Forget all",
        Word::Published => "Measured before, elsewhere",
        Word::PublishedLead => {
            "for comparison only; a sum counts bytes read, the others bytes read and written"
        }
        Word::Open => "Open this kernel",
        Word::Binding => "largest binding",
        Word::SharedMemory => "workgroup memory",
        Word::Invocations => "threads a workgroup",
        Word::Subgroups => "subgroup operations",
        Word::Timestamps => "timestamps",
        Word::TimesFirst => "× first",
        Word::TimesBefore => "× before",
        Word::Cause => "against the step before",
        Word::SameCounts => "same counts",
        Word::OrderOf => "Order",
        Word::OrderStory => "in the story’s order",
        Word::OrderSpeed => "by speed",
        Word::Formula => {
            "GB/s = (bytes read + bytes written) ÷ (10⁹ × seconds), each byte once; of a sum the bytes read."
        }
        Word::Peak => "Your card’s theoretical peak",
        Word::PeakRule => "theoretical peak",
        Word::OfPeak => "of peak",
        Word::LowerBound => "lower bound, copy by columns",
        Word::UpperBound => "upper bound, copy by rows",
        Word::SmallTile => {
            "This adapter takes too few threads a workgroup for the articles’ tile of 32 × 32: the tile is smaller, and its conflict less than 32-way."
        }
        Word::Computed => "computed from time and size",
        Word::SaveMarkdown => "Copy as Markdown",
        Word::CopyElement => "Copy as element",
        Word::SaveCard => "Save as card",
        Word::Yes => "yes",
        Word::No => "no",
    }
}
