//! What the page says.

use lanescope_fixes::{FixKind, Note, Proof, Rise, Suggestion};
use lanescope_frontend::Omitted;
use lanescope_layouts::Swizzle;
use lanescope_model::{
    Confidence, CustomDeviceError, Operation, Quantity, Space, Unit, Unknown, Value, Vendor, Width,
};

use super::FindingWord;
use crate::answer::{
    Amount, GlobalTotals, Headline, L1, Reason, SharedTotals, Standing, Status, View,
};
use crate::work::Failure;
use lanescope_gallery::{Compiled, Preset, Subject};
use lanescope_tally::RecordRow;

/// One thing the page says, with the values in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message<'a> {
    // The page.
    Playground,
    Lab,
    Stories,
    SkipToAnswer,
    SwitchLanguage,
    SwitchTheme,
    Close,
    Trust,
    /// The link to the documentation.
    Docs,
    HowFarToTrust,
    Evidence,
    Licence,
    SourceOfPage,
    Issues,
    /// What the page is, in a line.
    Tagline,
    /// On a narrow screen: the way to the source, which stands below the picture.
    ToSource,

    // The source.
    Expression,
    Kernel,
    ExpressionSource,
    PasteAnything,
    KernelSource,
    Layout,
    LayoutSource,
    LayoutHint,
    LayoutAccess,
    LayoutAsWritten,
    LayoutTile,
    LayoutAbout {
        rows: u64,
        columns: u64,
        bytes: u64,
        is_cut: bool,
    },
    LayoutLogical,
    LayoutPhysical,
    LayoutSideways,
    LayoutPoint,
    LayoutCell {
        row: u64,
        columns: [u64; 2],
        address: u64,
        bank: u64,
        lane: Option<usize>,
    },
    LayoutBits {
        swizzle: &'a Swizzle,
        on_bytes: bool,
    },
    LayoutXor {
        size: u64,
        on_bytes: bool,
        is_permutation: bool,
    },
    Trace(super::TraceWord<'a>),
    Examples,
    Recent,
    ForgetRecent,
    Subject(Subject),
    Preset(&'static Preset),
    CompiledPreset(&'static Compiled),
    Accesses,
    Bare,
    Operation(Operation),
    Place {
        line: u32,
        column: u32,
    },
    Apply {
        replacement: &'a str,
    },

    /// So many rows that are not shown.
    MoreInTable(usize),
    /// So many fields that are not shown.
    MoreInLink(usize),
    /// What the rows of a picture are, from the top.
    PictureRows(&'a [&'a str]),

    // The cache.
    L1(L1),
    L1Model,
    L1About,

    // The launch.
    Launch,
    Grid,
    KernelName,
    Defines,
    DefinesHint,
    DynamicShared,
    ArgumentHint,
    Requests,
    CountAll,
    Cancel,
    Counting {
        done: u64,
        total: u64,
    },
    Exact {
        total: u64,
    },
    Extrapolated {
        done: u64,
        total: u64,
    },
    WorkFailed(Failure),
    Block,
    Device,
    Vendor(Vendor),
    /// Devices of old generations.
    Historical,
    CustomDevice,
    CustomBanks,
    CustomBits,
    CustomLanes,
    CustomBroadcast,
    BroadcastNone,
    BroadcastOne,
    BroadcastAny,
    CustomSector,
    CustomLine,
    CustomError(CustomDeviceError),
    NotAShape,
    ShapeOfSource,

    // The verdict.
    Headline(&'a Headline),
    /// The same with how far it can be relied on.
    Qualified(&'a Headline, &'a Standing),
    /// What was found under a launch that nobody gave.
    Guessed(&'a str),
    /// Before the reasons.
    Standing(Status),
    Reason(&'a Reason),
    MoreReasons(usize),
    /// How often such predictions were exact.
    Record(&'a [&'static RecordRow]),
    OnLine(u32),
    SharedSentence {
        totals: &'a SharedTotals,
        operation: Operation,
    },
    WorstBank {
        lanes: u32,
        words: usize,
        bank: u32,
    },
    GlobalSentence(&'a GlobalTotals),
    WithErrors,
    /// Of a CUDA kernel on a device for which nobody compared what the compiler does.
    OtherCompiler,
    /// Of a WGSL kernel.
    AsWritten,
    AsPtx,
    Extent {
        done: u64,
        total: u64,
    },
    Stopped {
        requests: u64,
    },
    Amount {
        amount: &'a Amount,
        operation: Operation,
    },
    Metrics,

    // The accesses.
    ByLine,
    ByAccessAbout,
    /// The column with each access's part of all wavefronts or sectors.
    ShareOfAll,
    Total,
    Access,
    Wavefronts,
    Ideal,
    NWay,
    PerRequest,
    BytesUsed,
    /// Why an access of the source makes no request; text and line are those of the one that does its work too.
    Omitted {
        why: Omitted,
        text: &'a str,
        line: u32,
    },
    Ways {
        ways: u32,
        least: bool,
    },
    UnitsARequest {
        unit: Unit,
        hundredths: u64,
    },

    // The findings.
    Finding(FindingWord<'a>),

    // Inside one request.
    Inside(Space),
    Request {
        line: u32,
        operation: Operation,
        width: Width,
        active: u32,
    },
    BlockAt([u32; 3]),
    Warp,
    WarpOf {
        warp: u32,
        of: u64,
    },
    BlockNumber {
        index: u64,
        of: u64,
    },
    Iteration,
    IterationOf {
        iteration: u64,
        of: u64,
    },
    /// Above the requests of an access over time.
    HeatStrip,
    /// The same where each warp has one.
    HeatStripOfWarps,
    WarpIs {
        warp: u32,
        cost: &'a str,
    },
    /// An iteration whose loops' variables are not told by the text.
    IterationAt(u64),
    MomentIs {
        warp: u32,
        iteration: &'a str,
        cost: &'a str,
    },
    Play,
    Stop,
    KeepAsA,
    SwapAB,
    DropA,
    /// Above the picture of A.
    SideA {
        headline: &'a str,
    },
    /// Above the picture of what is on screen, beside that of A.
    SideB {
        headline: &'a str,
    },
    WavefrontOf {
        at: usize,
        of: usize,
    },
    PointAtIt,
    /// How the picture is drawn.
    Views,
    View(View),
    /// Phases alike: their numbers, and how many there are with the one shown.
    PhasesAlike {
        others: &'a str,
        count: usize,
    },
    /// Shows each of so many phases.
    EachPhase(usize),
    /// The phase that serves a lane.
    PhaseOf {
        phase: usize,
        of: usize,
    },
    /// Other lanes that want other words of the same bank.
    Competing {
        lanes: u32,
        bank: u64,
    },
    /// Other lanes that want the same word.
    SharingWord(u32),
    /// Other lanes that touch the same sector.
    SharingSector(u32),
    AloneInBank(u64),
    LaneAt {
        lane: usize,
        thread: [u32; 3],
        address: u64,
    },
    Unknown(Unknown),
    Used,
    Wasted,
    NotMoved,

    // The fixes.
    Fix,
    FixKind(&'a FixKind),
    FixEffect(&'a Suggestion),
    FixPrice(&'a Suggestion),
    /// The same in few words.
    FixCost(&'a Suggestion),
    /// What the accesses of another line cost more with a fix.
    FixRaises(Rise),
    FixProof(Proof),
    FixNote(&'a Note),
    SearchingFixes,
    /// Of a source that needs none.
    NoFixes,
    /// Beside the first example: the change to try.
    TryThis,
    Undo,

    // The devices.
    Devices,
    DevicesAbout,
    SharedMemory,
    GlobalMemory,
    Confidence(Confidence),
    ConfidenceMeans(Confidence),

    // What is known of a device.
    Facts,
    FactsAbout,
    Quantity(Quantity),
    Value(&'a Value),

    // Taking it away.
    Share,
    Link,
    CopyLink,
    SaveSource,
    Preview,
    GalleryPage,
    SaveSvg,
    SavePng,
    SaveFilm,
    /// What can be taken along beside the picture.
    Files,
    CopyPicture,
    SourceText,
    OpenInLanescope,
    Copied,
    LinkShort {
        bytes: usize,
    },
    LinkLong {
        bytes: usize,
    },
    LinkVeryLong {
        bytes: usize,
    },
    LinkTooLong {
        bytes: usize,
    },
}
