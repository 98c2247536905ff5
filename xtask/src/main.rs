//! The project's task runner: what the README, continuous integration and people call.

mod asset;
mod bundle;
mod npm;
mod process;
mod serve;
mod size;
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
        Task::Size => size::check(&Bundle::build(Speed::Published)?),
    }
}

fn build(speed: Speed) -> Result<()> {
    let bundle = Bundle::build(speed)?;
    println!("dist/: {} files", bundle.files().len());
    Ok(())
}
