//! The tasks that count and draw: `cargo xtask` builds this program and hands them over.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
