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

/// One thing the page says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each says its own English")]
pub enum Word {
    Title,
    Lead,
    Experiment,
    Transposes,
    Reductions,
    IntegerReductions,
    Strides,
    StrideLead,
    Size,
    Kernels,
    BlockShapes,
    OwnShape,
    All,
    PredictFor,
    Run,
    Cancel,
    Waiting,
    InTurn,
    Software,
    ChooseSmall,
    Prediction,
    MeasuredHere,
    ResultsHere,
    ResultsLink,
    ResultsHistory,
    Results,
    Kernel,
    Block,
    Time,
    Bandwidth,
    Ceiling,
    Spread,
    Result,
    ActiveLanes,
    ActiveLanesPredicted,
    Wavefronts,
    Conflicts,
    Sectors,
    SectorsARequest,
    Verified,
    TooNoisy,
    Wrong,
    DeviceCopy,
    CopyCeiling,
    ReadCeiling,
    RoofNote,
    Interrupted,
    Sweep,
    Stride,
    Cost,
    CannotTell,
    DeviceClock,
    WallClock,
    SaveCsv,
    SaveJson,
    Link,
    CopyLink,
    WithResults,
    Unreadable,
    History,
    HistoryLead,
    Forget,
    Published,
    PublishedLead,
    Open,
    Binding,
    SharedMemory,
    Invocations,
    Subgroups,
    Timestamps,
    TimesFirst,
    TimesBefore,
    Cause,
    SameCounts,
    OrderOf,
    OrderStory,
    OrderSpeed,
    Formula,
    Peak,
    PeakRule,
    OfPeak,
    LowerBound,
    UpperBound,
    SmallTile,
    Computed,
    SaveMarkdown,
    CopyElement,
    SaveCard,
    Yes,
    No,
}

impl Word {
    /// In `language`.
    #[must_use]
    pub const fn text(self, language: Language) -> &'static str {
        in_folder!(language, lab::word(self))
    }
}

/// Texts without numbers in them.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct LabWords {
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
