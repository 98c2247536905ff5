//! The project's task runner: what the README, continuous integration and people call.

mod asset;
mod bundle;
mod chromium;
mod dependencies;
mod e2e;
mod fuzz;
mod npm;
mod process;
mod serve;
mod size;
mod suite;
mod tally;
mod wasm;
mod workspace;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::bundle::Bundle;
use crate::wasm::Speed;

/// Lanescope's task runner
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    disable_version_flag = true
)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Install what the build needs: the WASM target and, from npm, wasm-opt
    Setup,
    /// Install what the build needs, build the page, serve it and print its address
    Serve(serve::Options),
    /// Build the page into dist/, which works from any folder of a static host
    Build {
        /// Compile quickly rather than small: for work on the page, not for publishing
        #[arg(long)]
        fast: bool,
    },
    /// Run every test: formatting, lints, native tests, WASM tests, the page's size, stories in a real browser
    Test,
    /// Build the page and tell its stories in a real browser
    E2e {
        /// Only the stories whose file's name holds this
        #[arg(default_value = "")]
        story: String,
        /// On dist/ as it is, without building it
        #[arg(long)]
        no_build: bool,
    },
    /// Fuzz one of the targets in fuzz/
    Fuzz(fuzz::Options),
    /// Build, then print each file's size raw, gzip and brotli; fail over the budget
    Size,
}

fn main() -> ExitCode {
    match run(Arguments::parse().task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Setup => wasm::setup(),
        Task::Serve(options) => serve::serve(&options),
        Task::Build { fast } => build(Speed::from_fast(fast)),
        Task::Test => suite::run(),
        Task::E2e { story, no_build } => stories(&story, no_build),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Size => size::check(&Bundle::build(Speed::Published)?),
    }
}

fn build(speed: Speed) -> Result<()> {
    let bundle = Bundle::build(speed)?;
    println!("dist/: {} files", bundle.files().len());
    Ok(())
}

fn stories(filter: &str, no_build: bool) -> Result<()> {
    if !no_build {
        Bundle::build(Speed::Published)?;
    }
    let tally = e2e::run(filter)?;
    println!("{tally}");
    anyhow::ensure!(tally.failed == 0, "{} stories failed", tally.failed);
    Ok(())
}
