//! `lanescope completions` and `lanescope man`: made of the command line itself.

use crate::args::command::Cli;
use crate::args::manual::{CompletionsArgs, ManArgs};
use crate::output;
use crate::reference;
use crate::usage::Usage;
use clap::CommandFactory as _;
use std::process::ExitCode;

/// What the program is called.
const NAME: &str = "lanescope";

/// Prints a shell's completions.
///
/// # Errors
/// When they cannot be written.
pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), NAME, &mut text);
    output::bytes(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Prints a manual page.
///
/// # Errors
/// When there is no such command, or the page cannot be written.
pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let mut all = Cli::command();
    all.build();
    if args.markdown {
        output::bytes(reference::markdown(&mut all).as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let command = match &args.name {
        None => all,
        Some(name) => {
            let found = all.find_subcommand(name).cloned();
            found.ok_or_else(|| Usage::new(format!("there is no command `{name}`")))?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(command).render(&mut text)?;
    output::bytes(&text)?;
    Ok(ExitCode::SUCCESS)
}
