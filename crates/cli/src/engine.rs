//! What subcommands ask before they print: the same for other front ends.

use std::path::{Path, PathBuf};

pub use crate::every_kernel::{Kernels, Launched};
pub use crate::fix_compiled::Costliest;
pub use crate::kernel::{KernelQuestion, analysed, known_of, launched};
pub use crate::sass_cost::SassCost;

/// The question of a state, in whatever language its source is, with the compiler that was measured for it; `stop` ends
/// its analysis.
///
/// # Errors
/// When the state names a device or an argument that there is not, or its source is a trace.
pub fn question(
    state: &lanescope_share::State,
    max_requests: u64,
    stop: lanescope_query::Stop,
) -> anyhow::Result<lanescope_query::Question> {
    crate::question::of(state, max_requests, stop)
}

/// The source of the file at `path`, with the files that it includes.
#[must_use]
pub fn bundled(path: &Path, text: &str, folders: &[PathBuf]) -> String {
    crate::includes::bundled(path, text, folders).text
}

/// A layout with its accesses as JSON; with `search`, also the cheapest swizzle or pitch that frees all of them, under the
/// alignment that it gives (in bytes; the widest access's otherwise).
///
/// # Errors
/// When the text has no layout, or there is nothing to seek for.
pub fn layout_json(
    layout: &str,
    accesses: &[String],
    device: &lanescope_model::Device,
    search: Option<Option<u64>>,
) -> anyhow::Result<String> {
    let layout = lanescope_report::Layout::of(layout, accesses, device, search)?;
    layout.json(device).map(crate::clean::json)
}

/// The fixes of `asked`, the kernel or the expressions of `state`, as the command line's JSON; those of what the
/// `costliest` line of compiled code touches come first.
///
/// # Errors
/// When the source is of a kind in which no fixes are searched.
pub fn fixes_json(
    state: &lanescope_share::State,
    question: &lanescope_query::Question,
    costliest: Option<&Costliest>,
    keep_going: &mut dyn FnMut() -> bool,
) -> anyhow::Result<String> {
    let mut advice = lanescope_report::advise(state, question, None, keep_going)?;
    if let Some(costliest) = costliest {
        costliest.first(&mut advice, &question.parsed.program);
    }
    crate::output::json(&lanescope_report::Fixes::of(&advice, "", &question.source))
}

/// The answers to a trace as the command line's JSON.
///
/// # Errors
/// When its first line does not name the columns.
pub fn trace_json(text: &str, device: &lanescope_model::Device) -> anyhow::Result<String> {
    let trace =
        lanescope_report::Trace::open(text, device).map_err(|error| anyhow::anyhow!("{error}"))?;
    Ok(crate::clean::json(trace.json()?))
}
