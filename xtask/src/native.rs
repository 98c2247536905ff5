//! What the tests of programs run, built by one call of cargo: it chooses the features of shared dependencies by the
//! packages that it is asked for, and each choice of its own compiles the whole engine again.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::{process, workspace};

/// The packages, the same ones for everything that is built or tested here.
const PACKAGES: [&str; 3] = ["--quiet", "--locked", "--workspace"];

/// Builds the tests, `lanescope`, `xtask-engine` and Python's native module.
///
/// # Errors
/// When something does not compile.
pub(crate) fn build() -> Result<()> {
    let targets = [
        "--lib",
        "--tests",
        "--bin",
        "lanescope",
        "--bin",
        "xtask-engine",
    ];
    process::run(process::cargo(&["build"]).args(PACKAGES).args(targets))
}

/// A `cargo test` of what [`build`] built.
pub(crate) fn tests() -> Command {
    let mut command = process::cargo(&["test"]);
    command.args(PACKAGES).arg("--no-fail-fast");
    command
}

/// Where [`build`] puts a program.
pub(crate) fn program(name: &str) -> PathBuf {
    workspace::target()
        .join("debug")
        .join(format!("{name}{EXE_SUFFIX}"))
}
