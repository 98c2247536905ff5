//! Lanescope on the command line: the same engine as the page.
//!
//! A library, so that the Python package has the whole command line inside ([`run`]) and asks what its subcommands ask
//! ([`engine`]). Without the feature `lab`, what needs a GPU is left out.

mod architecture;
mod args;
mod array_file;
mod bulk_copies;
mod card;
mod check;
mod clean;
mod clock;
mod compare;
mod compiled;
mod device_choice;
mod devices;
mod diagnostics;
mod divergence;
pub mod engine;
mod every_kernel;
mod excerpt;
mod expr;
mod fact_words;
mod findings_table;
mod fix;
mod fix_compiled;
mod fix_launch;
mod fix_sarif;
mod fix_sass;
mod fix_text;
mod hip;
mod includes;
mod input;
mod kernel;
mod l1_table;
#[cfg(feature = "lab")]
mod lab;
#[cfg(feature = "lab")]
mod lab_table;
mod launch_args;
mod launch_file;
mod launched;
mod layout;
mod layout_finding;
mod limits;
mod lines_table;
mod link;
mod manual;
mod mcp;
mod output;
mod png;
mod question;
mod reference;
#[cfg(feature = "lab")]
mod run;
#[cfg(feature = "lab")]
mod run_table;
mod sarif;
mod sass_cost;
mod serve;
mod subject;
mod svg;
mod table;
mod trace;
mod usage;
mod watch;

use args::command::{Cli, Command};
use clap::Parser as _;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command line `arguments`, the program's name first. What it prints goes to the process's standard output
/// and error.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            refuse(&error);
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(1));
        }
    };
    clock::begin(cli.limit());
    output::begin(cli.output.as_deref());
    diagnostics::begin(cli.color);
    let code = command(&cli.command).unwrap_or_else(|error| {
        let hint = usage::hint(&error).unwrap_or_default();
        output::complain(&format!("error: {error:#}{hint}"));
        match usage::is_usage(&error) {
            true => ExitCode::from(usage::BAD_USAGE),
            false => ExitCode::FAILURE,
        }
    });
    clock::end();
    code
}

/// Says what is wrong with the arguments, or how they are used.
fn refuse(error: &clap::Error) {
    if error.use_stderr() {
        output::complain(error.render().to_string().trim_end());
    } else {
        // Help has no words of the user's; nobody may be listening.
        let _ = error.print();
    }
}

fn command(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Expr(args) => expr::run(args),
        Command::Kernel(args) => kernel::run(args),
        Command::Trace(args) => trace::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Layout(args) => layout::run(args),
        Command::Devices(args) => devices::run(args),
        Command::Fix(args) => fix::run(args),
        Command::Check(args) => check::run(args),
        Command::Completions(args) => manual::completions(args),
        Command::Man(args) => manual::man(args),
        Command::Emit(args) => launched::print(args),
        #[cfg(feature = "lab")]
        Command::Run(args) => run::run(args),
        Command::Mcp(args) => mcp::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Link(args) => link::run(args),
        Command::Svg(args) => svg::run(args),
        Command::Png(args) => png::run(args),
        #[cfg(feature = "lab")]
        Command::Lab(args) => lab::run(args),
        #[cfg(feature = "lab")]
        Command::Adapters(args) => lab::list(args),
    }
}
