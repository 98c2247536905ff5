//! What subcommands ask before they print: the same for other front ends.

use std::path::{Path, PathBuf};

pub use crate::fix::json as fixes_json;
pub use crate::kernel::{KernelQuestion, analysed, launched};
pub use crate::trace::json as trace_json;

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
    crate::layout_report::Answer::of(layout, accesses, device, search)?.json(device)
}
