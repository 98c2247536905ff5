//! `lanescope svg`: the dearest request as a picture.

use crate::analysis::{Analysis, analyse, picture};
use crate::args::SvgArgs;
use crate::{diagnostics, output, question, subject};
use lanescope_draw::escape_xml;
use lanescope_share::{State, encode};
use std::process::ExitCode;

/// How much is run before the dearest request is chosen.
const MAX_REQUESTS: u64 = 10_000_000;

/// Draws the picture.
///
/// # Errors
/// When a file cannot be read, or there is nothing to draw.
pub(crate) fn run(args: &SvgArgs) -> anyhow::Result<ExitCode> {
    let state = subject::state(&args.subject)?;
    let analysis = analyse(question::of(&state, MAX_REQUESTS)?);
    diagnostics::print("<source>", &analysis.question.source, &analysis.diagnostics);
    output::print(&text(
        &analysis,
        args.line,
        &format!("{}#{}", args.base, encode(&state)),
    )?)?;
    Ok(ExitCode::SUCCESS)
}

/// The picture with its link inside; on standard error which request it shows.
///
/// # Errors
/// When there is nothing to draw.
pub(crate) fn text(analysis: &Analysis, line: Option<u32>, link: &str) -> anyhow::Result<String> {
    let picture = picture(analysis, line).map_err(anyhow::Error::msg)?;
    output::complain(&picture.caption);
    let metadata = format!("</desc><metadata>{}</metadata>", escape_xml(link));
    Ok(picture.svg.replacen("</desc>", &metadata, 1))
}

/// The picture of `state`'s own choice, without an address of the page.
///
/// # Errors
/// When there is nothing to draw.
pub(crate) fn of_state(analysis: &Analysis, state: &State) -> anyhow::Result<String> {
    text(analysis, None, &format!("#{}", encode(state)))
}
