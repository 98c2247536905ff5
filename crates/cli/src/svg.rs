//! `lanescope svg`: the dearest request as a picture.

use crate::args::SvgArgs;
use crate::{diagnostics, output, question, subject};
use lanescope_draw::{Drawing, english, to_svg, with_link, with_note};
use lanescope_query::{Analysis, analyse, picture, qualification};
use lanescope_share::{State, encode};
use lanescope_tally::Status;
use std::process::ExitCode;

/// How much is run before the dearest request is chosen.
const MAX_REQUESTS: u64 = 1_000_000;

/// Draws the picture.
///
/// # Errors
/// When a file cannot be read, or there is nothing to draw.
pub(crate) fn run(args: &SvgArgs) -> anyhow::Result<ExitCode> {
    let Drawn {
        drawing,
        link,
        exit_code,
    } = drawn(args)?;
    output::print(&with_link(&to_svg(&drawing), &link))?;
    Ok(exit_code)
}

/// A picture, the link to what it shows, and the exit status of what it is of.
pub(crate) struct Drawn {
    pub(crate) drawing: Drawing,
    pub(crate) link: String,
    pub(crate) exit_code: ExitCode,
}

/// The picture that is asked for, and the link to what it shows; on standard error which request that is.
///
/// # Errors
/// When a file cannot be read, or there is nothing to draw.
pub(crate) fn drawn(args: &SvgArgs) -> anyhow::Result<Drawn> {
    let state = subject::state(&args.subject)?;
    let analysis = analyse(question::of(&state, MAX_REQUESTS)?);
    diagnostics::print("<source>", &analysis.question.source, &analysis.diagnostics);
    let drawing = dearest(&analysis, args.line)?;
    Ok(Drawn {
        drawing,
        link: format!("{}#{}", args.base, encode(&state)),
        exit_code: output::exit_code(&analysis),
    })
}

/// The picture of the dearest request of `state`, without an address of the page.
///
/// # Errors
/// When there is nothing to draw.
pub(crate) fn of_state(analysis: &Analysis, state: &State) -> anyhow::Result<String> {
    let drawing = dearest(analysis, None)?;
    Ok(with_link(&to_svg(&drawing), &format!("#{}", encode(state))))
}

fn dearest(analysis: &Analysis, line: Option<u32>) -> anyhow::Result<Drawing> {
    let picture = picture(analysis, line, &english)?;
    output::complain(&picture.caption);
    match analysis.standing.status {
        Status::Counted => Ok(picture.drawing),
        Status::Assumed | Status::Partial => {
            let said = qualification(&analysis.standing);
            output::complain(&said);
            Ok(with_note(picture.drawing, &said))
        }
    }
}
