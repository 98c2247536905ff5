//! `lanescope svg`: the costliest request as a picture.

use crate::args::picture::SvgArgs;
use crate::{clock, diagnostics, output, question, subject};
use lanescope_draw::{Drawing, english, to_svg, with_link, with_note};
use lanescope_query::{Analysis, Stop, analyse, picture, qualification};
use lanescope_share::{State, encode};
use lanescope_tally::Status;
use std::process::ExitCode;
use std::time::Instant;

/// Draws the picture.
///
/// # Errors
/// When a file cannot be read, or there is nothing to draw.
pub(crate) fn run(args: &SvgArgs) -> anyhow::Result<ExitCode> {
    let Drawn {
        drawing,
        link,
        exit_code,
        ..
    } = drawn(args)?;
    output::print(&with_link(&to_svg(&drawing), &link))?;
    Ok(exit_code)
}

/// A picture, the link to what it shows, and the exit status of what it is of.
pub(crate) struct Drawn {
    pub(crate) drawing: Drawing,
    pub(crate) link: String,
    pub(crate) exit_code: ExitCode,
    /// What it is of.
    pub(crate) analysis: Analysis,
    pub(crate) state: State,
}

/// The picture that is asked for, and the link to what it shows; on standard error which request that is.
///
/// # Errors
/// When a file cannot be read, or there is nothing to draw.
pub(crate) fn drawn(args: &SvgArgs) -> anyhow::Result<Drawn> {
    let state = subject::state(&args.subject)?;
    if args.subject.link.is_none() {
        subject::name_packed(&state);
    }
    let limits = &args.limits;
    let _looking = clock::looking();
    // The first half of the time counts, the second looks for the request.
    let mut question = question::of(&state, limits.max_requests, half_time())?;
    question.max_steps = limits.max_steps;
    let mut analysis = analyse(question);
    analysis.question.stop = clock::stop();
    diagnostics::print("<source>", &analysis.question.source, &analysis.diagnostics);
    let drawing = costliest(&analysis, args.line)?;
    Ok(Drawn {
        drawing,
        link: format!("{}#{}", args.base, encode(&state)),
        exit_code: output::exit_code(&analysis),
        analysis,
        state,
    })
}

/// The picture of the costliest request of `state`, without an address of the page.
///
/// # Errors
/// When there is nothing to draw.
pub(crate) fn of_state(analysis: &Analysis, state: &State) -> anyhow::Result<String> {
    let drawing = costliest(analysis, None)?;
    Ok(with_link(&to_svg(&drawing), &format!("#{}", encode(state))))
}

/// Ends once half of the time that is left is over.
fn half_time() -> Stop {
    let whole = clock::stop();
    let Some(deadline) = clock::deadline() else {
        return whole;
    };
    let left = deadline.saturating_duration_since(Instant::now());
    let end = deadline.checked_sub(left / 2).unwrap_or(deadline);
    Stop::when(move || whole.is_stopped() || Instant::now() >= end)
}

fn costliest(analysis: &Analysis, line: Option<u32>) -> anyhow::Result<Drawing> {
    let picture = picture(analysis, line, &english)?;
    output::complain(&picture.caption);
    if !picture.is_whole {
        output::complain("note: the costliest request of those until a limit was reached");
    }
    match analysis.standing.status {
        Status::Counted | Status::Predicted => Ok(picture.drawing),
        Status::Assumed | Status::Partial => {
            let said = qualification(&analysis.standing);
            output::complain(&said);
            Ok(with_note(picture.drawing, &said))
        }
    }
}
