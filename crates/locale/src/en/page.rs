//! The page in English.

use lanescope_model::Unit;

use super::grouped;
use super::verdict;
use crate::number::decimal;
use crate::page::PageWords;

pub(crate) const WORDS: &PageWords = &PageWords {
    compiler: super::compiler::WORDS,
    finding: super::finding::WORDS,
    label: super::label::WORDS,
    measured: super::measured::WORDS,
    run: super::run_card::WORDS,
    share: super::share::WORDS,
    source_kind: super::source_kind::WORDS,
    trace: super::trace::WORDS,
    kernel: "Kernel",
    layout: "Layout",
    examples: "Examples",
    launch: "Launch",
    not_a_shape: "one to three numbers from 1, such as 32, 8",
    close: "Close",
    docs: "Documentation",
    how_far_to_trust: "How far to trust a number",
    evidence: "Evidence",
    licence: "MIT or Apache-2.0",
    source_of_page: "Source",
    issues: "Issues",
    tagline: "See what your warp does to memory, as the profiler counts it",
    to_source: "Edit source",
    paste_anything: "Paste anything over it: kernel, PTX, SASS, layout, CSV, trace",
    kernel_source: "CUDA, HIP, C++ AMP, WGSL, PTX or SASS",
    layout_source: "CuTe, swizzles, TMA, Triton",
    layout_hint: "Swizzles act on element numbers, with CuTe's S; the lines `swizzle bytes`, `shift absolute`, `type f32` and `base 512` change that. Layouts as CuTe's C++ and Python write or print them, as Triton's IR has them, or (8,64):(64,1), tma<128B>(64,64). Lanes: load row, load column, load lanes 8x4, load tv ((4,8),(2,4)):((32,1),(16,8)) bits 64, ldmatrix.x4.trans, cp.async 16.",
    layout_access: "accessed by",
    layout_as_written: "as written",
    layout_tile: "The tile",
    layout_logical: "logical: rows and columns, coloured by bank",
    layout_physical: "physical: banks across, lines of all banks down",
    layout_sideways: " · scroll sideways for the rest",
    layout_point: "Point at an element to follow it from its place in the tile to its bank and lane.",
    l1_model: "A model, not a counter: LRU, 128-byte lines, 32-byte sectors, one block alone.",
    l1_about: "The block starts with an empty cache and has all of it that shared memory leaves; stores and atomics bypass it. An H200 fetched exactly this in 137 of 139 measured kernels, and 3 % less in two whose blocks read the same sectors. Which line is evicted from a full cache is an assumption.",
    kernel_name: "kernel",
    defines: "defines",
    defines_hint: "NAME=VALUE, separated by semicolons, as in T=float; TILE=32",
    dynamic_shared: "shared bytes",
    argument_hint: "a number; for a buffer its elements and contents, as in 1048576,iota or 1024,random:7,offset:4",
    requests: "requests",
    count_all: "Count all blocks",
    cancel: "Cancel",
    work_broken: "This calculation failed. Reload the page; if that does not help, choose a smaller launch.",
    work_silent: "Stopped: no answer for 20 seconds. Choose a smaller launch.",
    recent: "Recent, in this browser",
    forget_recent: "Clear recent",
    historical: "Historical",
    custom_device: "your own device",
    custom_banks: "banks",
    custom_bits: "bits per bank",
    custom_lanes: "lanes per unit",
    custom_broadcast: "broadcast",
    broadcast_none: "none",
    broadcast_one: "one word per step",
    broadcast_any: "any word",
    custom_sector: "bytes per sector",
    custom_line: "bytes per line",
    shape_of_source: "set by @workgroup_size",
    other_compiler: "How a compiler combines and moves accesses is known only for nvcc 13, on CC 8.0, 9.0, 10.x and 12.x.",
    as_written: "Counted as written: how WGSL compilers combine accesses has not been measured.",
    as_ptx: "Counted as ptxas 13 is expected to compile it for sm_90. SASS has the last word.",
    with_errors: "The source has errors; only the part that could be read is counted.",
    by_line: "By line",
    by_access_about: "choose one to look inside",
    share_of_all: "share",
    total: "total",
    access: "access",
    wavefronts: "wavefronts",
    ideal: "ideal",
    per_request: "per request",
    bytes_used: "bytes used",
    iteration: "iteration",
    heat_strip: "Each request: iterations across, warps down",
    heat_strip_of_warps: "Each warp of the block",
    play: "▷ Play wavefronts",
    stop: "□ Stop",
    keep_as_a: "Keep as A",
    swap_ab: "Swap A and B",
    drop_a: "Remove A",
    views: "Picture",
    view_stacks: "Banks",
    view_addresses: "Addresses",
    fix: "Fix",
    searching_fixes: "Searching for fixes…",
    no_fixes: "Nothing to fix here.",
    try_this: "Try it: change the second 32 to 33",
    undo: "Undo",
    devices: "Devices",
    devices_about: "the same source on every profile, one block",
    shared_memory: "shared memory",
    global_memory: "global, per request",
    facts: "What is known about this device",
    facts_about: "each number with its source",
    link: "link to this state",
    save_source: "Save as a file",
    copy_link: "Copy link",
    preview: "Copied text",
    gallery_page: "This example in the gallery (oEmbed)",
    save_svg: "Save SVG",
    save_png: "Save PNG",
    save_film: "Save animation (SVG)",
    copy_picture: "Copy picture",
    files: "Files",
    copied: "Copied",
};

pub(crate) fn counting(done: u64, total: u64) -> String {
    format!("{} of {} blocks counted", grouped(done), grouped(total))
}

pub(crate) fn apply(replacement: &str) -> String {
    format!("use {replacement}")
}

pub(crate) fn more_in_table(count: u64) -> String {
    format!("and {} more: sort, or save the table", grouped(count))
}

pub(crate) fn more_in_link(count: u64) -> String {
    format!("and {} more, as set by the link", grouped(count))
}

pub(crate) fn picture_rows(names: &[&str]) -> String {
    format!("rows from the top: {}", names.join(", "))
}

pub(crate) fn more_reasons(count: u64) -> String {
    format!("{} more", grouped(count))
}

pub(crate) fn stopped(requests: u64) -> String {
    format!("Stopped after {} requests.", grouped(requests))
}

pub(crate) fn ways(ways: u32, least: bool) -> String {
    if least {
        format!("up to {ways}-way")
    } else {
        format!("{ways}-way")
    }
}

pub(crate) fn units_a_request(unit: Unit, hundredths: u64) -> String {
    format!(
        "{} {}",
        decimal(hundredths),
        verdict::unit_name(unit, hundredths != 100)
    )
}

pub(crate) fn warp_is(warp: u32, cost: &str) -> String {
    format!("warp {warp}: {cost}")
}

pub(crate) fn iteration_at(iteration: u64) -> String {
    format!("iteration {iteration}")
}

pub(crate) fn moment_is(warp: u32, iteration: &str, cost: &str) -> String {
    format!("warp {warp}, {iteration}: {cost}")
}

pub(crate) fn side_a(headline: &str) -> String {
    format!("A: {headline}")
}

pub(crate) fn side_b(headline: &str) -> String {
    format!("B: {headline}")
}

pub(crate) fn wavefront_of(at: usize, of: usize) -> String {
    format!("wavefront {at} of {of}")
}

pub(crate) fn phase_of(phase: usize, of: usize) -> String {
    format!("Phase {phase} of {of}.")
}

pub(crate) fn phases_alike(others: &str, count: usize) -> String {
    let plural = if count > 2 { "s" } else { "" };
    format!(" · × {count}: phase{plural} {others} alike")
}

pub(crate) fn each_phase(of: usize) -> String {
    format!("All {of} phases")
}

pub(crate) fn competing(lanes: u32, bank: u64) -> String {
    match lanes {
        1 => format!("1 other lane wants another word of bank {bank}."),
        _ => format!("{lanes} other lanes want other words of bank {bank}."),
    }
}

pub(crate) fn sharing_word(lanes: u32) -> String {
    match lanes {
        1 => "1 other lane wants the same word: one access serves both.".into(),
        _ => format!("{lanes} other lanes want the same word: one access serves all."),
    }
}

pub(crate) fn sharing_sector(lanes: u32) -> String {
    match lanes {
        0 => "No other lane touches this sector.".into(),
        1 => "1 other lane touches this sector.".into(),
        _ => format!("{lanes} other lanes touch this sector."),
    }
}

pub(crate) fn alone_in_bank(bank: u64) -> String {
    format!("No other lane wants another word of bank {bank}.")
}

pub(crate) fn lane_at(lane: usize, [x, y, z]: [u32; 3], address: u64) -> String {
    format!("lane {lane} is thread ({x}, {y}, {z}), at byte {address} ({address:#x})")
}

pub(crate) fn card_gain(change: &str, before: u32, after: u32) -> String {
    format!("{before}-way → {after}-way with {change}")
}

pub(crate) fn link_short(bytes: usize) -> String {
    format!("{bytes} characters: fits everywhere")
}

pub(crate) fn link_long(bytes: usize) -> String {
    format!("{bytes} characters: too long for some chat apps")
}

pub(crate) fn link_very_long(bytes: usize) -> String {
    format!("{bytes} characters: chat apps with a 2,000-character limit will cut it")
}

pub(crate) fn link_too_long(bytes: usize) -> String {
    format!("{bytes} characters: too long to open again; shorten the source")
}

pub(crate) fn l1([requested, distinct, fetched]: [u64; 3], kib: Option<u64>) -> String {
    let [requested, distinct, fetched] = [requested, distinct, fetched].map(grouped);
    match kib.map(grouped) {
        Some(kib) => format!(
            "L1, this line in this block: {requested} sectors requested, {distinct} distinct; {kib} KiB would fetch {fetched}."
        ),
        None => format!(
            "L1, this line in this block: {requested} sectors requested, {distinct} distinct; the size of this device's L1 is not known."
        ),
    }
}
