//! Lanescope on the command line: the same engine as the page.

mod args;
mod device_choice;
mod devices;
mod fact_words;
mod input;
mod instruction;
mod output;
mod table;
mod trace;

use args::{Cli, Command};
use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match &Cli::parse().command {
        Command::Trace(args) => trace::run(args),
        Command::Devices(args) => devices::run(args),
    };
    result.unwrap_or_else(|error| {
        output::complain(&format!("error: {error:#}"));
        ExitCode::FAILURE
    })
}
