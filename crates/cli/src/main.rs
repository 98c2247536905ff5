//! The program `lanescope`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lanescope_cli::run(std::env::args_os())
}
