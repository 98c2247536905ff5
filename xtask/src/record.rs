//! How often answers to source were exact on blind sets of kernels, by what the answers rest on; and of the PTX of those
//! kernels, where it is there, how often what is left to its assembler was foretold.
//!
//! A set is a folder with a `launches.jsonl`: random kernels that `cargo xtask compilers --idioms` (or `--generated`) wrote, with
//! what is counted of their SASS, or launches of public programs with a profiler's counters. The table is shipped as `crates/tally/src/prediction_record/measured.rs`.

mod date;
mod table;

use crate::real::From;
use crate::{process, real, workspace};
use anyhow::{Context as _, Result};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use table::Table;

/// What `cargo xtask record` is told.
#[derive(Args)]
pub(crate) struct Options {
    /// Folders of blind sets, each with its launches.jsonl
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// The command line that counts [default: it is built]
    #[arg(long, value_name = "FILE")]
    lanescope: Option<PathBuf>,
    /// Device that is counted for
    #[arg(long, value_name = "NAME", default_value = "cc9.0")]
    device: String,
    /// Also write the table that the product ships
    #[arg(long)]
    write: bool,
    /// Also print each launch whose answer differs
    #[arg(long)]
    differences: bool,
}

/// The table that the product ships, in the top folder.
const SHIPPED: &str = "crates/tally/src/prediction_record/measured.rs";

/// Counts every launch of the sets, from source and from PTX, and prints the table.
///
/// # Errors
/// When a folder has no launches, the command line cannot be built, or the table cannot be written.
pub(crate) fn make(options: &Options) -> Result<()> {
    let binary = process::command_line(options.lanescope.as_deref())?;
    let mut table = Table::default();
    for folder in &options.folders {
        for from in [From::Source, From::Ptx] {
            for (launch, answer) in real::answered(folder, from, &binary, &options.device)? {
                if options.differences && !answer.is_exact() {
                    let differences = answer.differences.join("; ");
                    println!("{}: {}: {differences}", launch.name, answer.status);
                }
                table.add(from, &launch, &answer);
            }
        }
    }
    print!("{}", table.text());
    if options.write {
        let path = workspace::root().join(SHIPPED);
        let source = table.source(&date::today()?);
        fs::write(&path, source).with_context(|| format!("could not write {SHIPPED}"))?;
        process::run(
            process::command("rustfmt")
                .args(["--edition", "2024"])
                .arg(&path),
        )?;
    }
    Ok(())
}
