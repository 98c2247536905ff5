//! What compiled code costs, as a source's report with what only a listing says.

use super::lines::{self, OriginReport};
use super::sources::Sources;
use crate::args::kernel::KernelArgs;
use crate::{kernel, output};
use lanescope_compiled::demangled;
use lanescope_query::{Analysis, Report};
use serde::Serialize;

/// A report with what the command line adds to it.
#[derive(Serialize)]
struct WithOrigins {
    #[serde(flatten)]
    report: Report,
    /// The kernel's name as the source has it.
    demangled: String,
    /// What each line of the source costs, where the listing says from which it comes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    source_lines: Vec<OriginReport>,
}

/// The report as JSON.
///
/// # Errors
/// Never, in memory.
pub(super) fn json(
    analysis: &Analysis,
    args: &KernelArgs,
    sources: &Sources,
) -> anyhow::Result<String> {
    output::json(&WithOrigins {
        report: kernel::report(analysis, args),
        demangled: demangled(analysis.program().name()),
        source_lines: lines::lines(&analysis.lines, sources),
    })
}

/// The kernel's name and the source's lines before what any kernel is printed as.
pub(super) fn table(analysis: &Analysis, args: &KernelArgs, sources: &Sources) -> String {
    let lines = match lines::lines(&analysis.lines, sources).as_slice() {
        [] => String::new(),
        lines => format!("{}\n", lines::table(lines)),
    };
    let name = demangled(analysis.program().name());
    format!("{name}\n\n{lines}{}", kernel::table(analysis, args))
}
