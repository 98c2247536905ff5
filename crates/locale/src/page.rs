//! What the page says around its numbers.

use lanescope_model::Unit;

use crate::Language;
use crate::compiler::CompilerWords;
use crate::finding::FindingWords;
use crate::label::LabelWords;
use crate::measured::MeasuredWords;
use crate::run_card::RunWords;
use crate::share::ShareWords;
use crate::source_kind::SourceKindWords;
use crate::trace::TraceWords;

sentences! { page:
    /// A count that runs: so many blocks of all.
    fn counting(done: u64, total: u64) -> String;
    /// On a button that takes a replacement.
    fn apply(replacement: &str) -> String;
    /// So many rows that are not shown.
    fn more_in_table(count: u64) -> String;
    /// So many fields that are not shown.
    fn more_in_link(count: u64) -> String;
    /// Below a picture on a narrow screen: what its rows are, from the top.
    fn picture_rows(names: &[&str]) -> String;
    /// So many reasons that are not shown.
    fn more_reasons(count: u64) -> String;
    /// The run ended at its budget.
    fn stopped(requests: u64) -> String;
    /// n of n-way; at most so many where `least`.
    fn ways(ways: u32, least: bool) -> String;
    /// Units a request, in hundredths.
    fn units_a_request(unit: Unit, hundredths: u64) -> String;
    /// What a warp costs.
    fn warp_is(warp: u32, cost: &str) -> String;
    /// An iteration whose loops' variables are not told by the text.
    fn iteration_at(iteration: u64) -> String;
    /// What an iteration of a warp costs.
    fn moment_is(warp: u32, iteration: &str, cost: &str) -> String;
    /// Above the picture of A.
    fn side_a(headline: &str) -> String;
    /// Above the picture of B, which is what is on screen.
    fn side_b(headline: &str) -> String;
    /// The wavefront that is shown.
    fn wavefront_of(at: usize, of: usize) -> String;
    /// The phase that serves a lane.
    fn phase_of(phase: usize, of: usize) -> String;
    /// Behind a phase's name: the numbers of those that ask the banks alike, and how many there are with it.
    fn phases_alike(others: &str, count: usize) -> String;
    /// Shows each phase of a request, also those that are alike.
    fn each_phase(of: usize) -> String;
    /// Other lanes that want other words of the same bank.
    fn competing(lanes: u32, bank: u64) -> String;
    /// Other lanes that want the same word.
    fn sharing_word(lanes: u32) -> String;
    /// Other lanes that touch the same sector.
    fn sharing_sector(lanes: u32) -> String;
    /// No other lane wants another word of the bank.
    fn alone_in_bank(bank: u64) -> String;
    /// Who a lane is, and where.
    fn lane_at(lane: usize, thread: [u32; 3], address: u64) -> String;
    /// What a fix makes of the source, on a card.
    fn card_gain(change: &str, before: u32, after: u32) -> String;
    /// A link that fits everywhere.
    fn link_short(bytes: usize) -> String;
    /// A link that some applications cut.
    fn link_long(bytes: usize) -> String;
    /// A link that most applications cut.
    fn link_very_long(bytes: usize) -> String;
    /// A link that would not open again.
    fn link_too_long(bytes: usize) -> String;
    /// What a load asks of the L1 cache in one block: sectors requested, distinct and fetched, where its size is known.
    fn l1(sectors: [u64; 3], kib: Option<u64>) -> String;
}

/// Texts without numbers in them: the page's own, and by area those that others say too.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "each says its own English")]
pub struct PageWords {
    pub compiler: &'static CompilerWords,
    pub finding: &'static FindingWords,
    pub label: &'static LabelWords,
    pub measured: &'static MeasuredWords,
    pub run: &'static RunWords,
    pub share: &'static ShareWords,
    pub source_kind: &'static SourceKindWords,
    pub trace: &'static TraceWords,
    pub kernel: &'static str,
    pub layout: &'static str,
    pub examples: &'static str,
    pub launch: &'static str,
    pub not_a_shape: &'static str,
    pub close: &'static str,
    /// What the page is, in a line.
    pub tagline: &'static str,
    /// The link to the documentation.
    pub docs: &'static str,
    pub how_far_to_trust: &'static str,
    pub evidence: &'static str,
    pub licence: &'static str,
    pub source_of_page: &'static str,
    pub issues: &'static str,
    /// On a narrow screen: the way to the source, which stands below the picture.
    pub to_source: &'static str,
    /// Below the editor.
    pub paste_anything: &'static str,
    pub kernel_source: &'static str,
    pub layout_source: &'static str,
    pub layout_hint: &'static str,
    pub layout_access: &'static str,
    pub layout_as_written: &'static str,
    pub layout_tile: &'static str,
    pub layout_logical: &'static str,
    pub layout_physical: &'static str,
    /// A picture that is wider than its place: how the rest of it is seen.
    pub layout_sideways: &'static str,
    pub layout_point: &'static str,
    /// What the view of the L1 cache is.
    pub l1_model: &'static str,
    /// How sure the view of the L1 cache is.
    pub l1_about: &'static str,
    pub kernel_name: &'static str,
    pub defines: &'static str,
    pub defines_hint: &'static str,
    pub dynamic_shared: &'static str,
    pub argument_hint: &'static str,
    pub requests: &'static str,
    pub count_all: &'static str,
    pub cancel: &'static str,
    /// A worker that failed.
    pub work_broken: &'static str,
    /// A worker that did not answer.
    pub work_silent: &'static str,
    pub recent: &'static str,
    pub forget_recent: &'static str,
    /// Devices of generations that no compiler of today compiles for.
    pub historical: &'static str,
    pub custom_device: &'static str,
    pub custom_banks: &'static str,
    pub custom_bits: &'static str,
    pub custom_lanes: &'static str,
    pub custom_broadcast: &'static str,
    pub broadcast_none: &'static str,
    pub broadcast_one: &'static str,
    pub broadcast_any: &'static str,
    pub custom_sector: &'static str,
    pub custom_line: &'static str,
    pub shape_of_source: &'static str,
    /// Of a CUDA kernel on a device that its compiler was not measured for.
    pub other_compiler: &'static str,
    /// Of a WGSL kernel.
    pub as_written: &'static str,
    pub as_ptx: &'static str,
    pub with_errors: &'static str,
    pub by_line: &'static str,
    pub by_access_about: &'static str,
    /// The column with each access's part of all wavefronts or sectors.
    pub share_of_all: &'static str,
    pub total: &'static str,
    pub access: &'static str,
    pub wavefronts: &'static str,
    pub ideal: &'static str,
    pub per_request: &'static str,
    pub bytes_used: &'static str,
    pub iteration: &'static str,
    /// Above the requests of an access over time.
    pub heat_strip: &'static str,
    /// The same where each warp has one.
    pub heat_strip_of_warps: &'static str,
    pub play: &'static str,
    pub stop: &'static str,
    pub keep_as_a: &'static str,
    pub swap_ab: &'static str,
    pub drop_a: &'static str,
    /// How the picture is drawn.
    pub views: &'static str,
    /// The view by bank.
    pub view_stacks: &'static str,
    /// The view by address.
    pub view_addresses: &'static str,
    pub fix: &'static str,
    pub searching_fixes: &'static str,
    /// Of a source that needs none.
    pub no_fixes: &'static str,
    /// Beside the first example: the change to try.
    pub try_this: &'static str,
    pub undo: &'static str,
    pub devices: &'static str,
    pub devices_about: &'static str,
    pub shared_memory: &'static str,
    pub global_memory: &'static str,
    pub facts: &'static str,
    pub facts_about: &'static str,
    pub link: &'static str,
    pub save_source: &'static str,
    pub copy_link: &'static str,
    pub preview: &'static str,
    pub gallery_page: &'static str,
    pub save_svg: &'static str,
    pub save_png: &'static str,
    pub save_film: &'static str,
    pub copy_picture: &'static str,
    pub files: &'static str,
    pub copied: &'static str,
}

impl PageWords {
    /// In `language`.
    #[must_use]
    pub const fn of(language: Language) -> &'static Self {
        in_folder!(language, page::WORDS)
    }
}
