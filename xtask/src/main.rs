//! `cargo xtask`: all that needs no engine, so that the first of the README's commands builds little before the page.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
