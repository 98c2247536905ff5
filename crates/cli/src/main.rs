//! Lanescope on the command line: the same engine as the page.

mod args;
mod compiled;
mod device_choice;
mod devices;
mod diagnostics;
mod expr;
mod fact_words;
mod fix;
mod includes;
mod input;
mod kernel;
mod l1_table;
mod lab;
mod lab_args;
mod lab_table;
mod launch_args;
mod launch_file;
mod layout;
mod lines_table;
mod link;
mod output;
mod png;
mod question;
mod subject;
mod svg;
mod table;
mod trace;

use args::{Cli, Command};
use clap::Parser as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match &Cli::parse().command {
        Command::Expr(args) => expr::run(args),
        Command::Kernel(args) => kernel::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Layout(args) => layout::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Fix(args) => fix::run(args),
        Command::Link(args) => link::run(args),
        Command::Svg(args) => svg::run(args),
        Command::Png(args) => png::run(args),
        Command::Lab(args) => lab::run(args),
        Command::Adapters(args) => lab::list(args),
    };
    result.unwrap_or_else(|error| {
        output::complain(&format!("error: {error:#}"));
        ExitCode::FAILURE
    })
}
