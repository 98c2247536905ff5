//! `lanescope link`: the link that opens an expression or a kernel in the page.

use crate::args::picture::LinkArgs;
use crate::{output, subject};
use lanescope_share::{Length, encode};
use std::process::ExitCode;

/// Prints the link; says on standard error when it is long.
///
/// # Errors
/// When a file cannot be read, or the link would be too long to open.
pub(crate) fn run(args: &LinkArgs) -> anyhow::Result<ExitCode> {
    let state = subject::state(&args.subject)?;
    if args.subject.link.is_none() {
        subject::name_packed(&state);
    }
    let link = encode(&state);
    let characters = link.len();
    match Length::of(characters) {
        Length::Short => {}
        Length::Long => output::complain(&format!("note: {characters} characters")),
        Length::VeryLong => {
            output::complain(&format!(
                "warning: {characters} characters; chat programs may cut it off"
            ));
        }
        Length::TooLong => {
            anyhow::bail!("the link would have {characters} characters, too many to open")
        }
    }
    output::print(&format!("{}#{link}\n", args.base))?;
    Ok(ExitCode::SUCCESS)
}
