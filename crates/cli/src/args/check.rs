//! The command line of `lanescope check`.

use super::count::CountArgs;
use crate::launch_args;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Hold every kernel of files and folders to limits: a gate for a repository
///
/// A kernel's launches are those of comments before it (`// lanescope: grid=(64,64) block=256 n=2^20 max-ways=1`), else of
/// lanescope.toml, else of host code in the same text (`<<<…>>>`). A kernel whose launch nobody gives is counted under a
/// guessed one and never fails a limit: that it was guessed is said. `// lanescope: allow` or `allow=RULE` on a line, or
/// alone on the line before it, accepts what the line costs; `// lanescope: skip` before a kernel leaves it out.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope check src kernels/*.cu\n  \
    lanescope check --max-ways 2 --max-waste 25% src\n  \
    lanescope check src --write-baseline lanescope-baseline.json\n  \
    lanescope check src --baseline lanescope-baseline.json --format sarif --output lanescope.sarif\n\n\
    Without any limit, --max-ways 1 holds.\n\n\
    Exit status: 4 when a limit is exceeded, 1 when something could not be checked, 3 when some kernel is not fully\n\
    counted or its launch is guessed (0 with --allow-uncounted), 0 otherwise, 2 for bad usage.")]
pub(crate) struct CheckArgs {
    /// Files, folders and globs; the folder that this is run in without any. What .gitignore leaves out of a folder is
    /// left out
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Settings, launches and limits [default: lanescope.toml here or in the next folder above that has it]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Bank conflicts of at most so many ways on a line
    #[arg(long, value_name = "N")]
    pub(crate) max_ways: Option<u32>,
    /// At most so many sectors for each request of a line to global memory
    #[arg(long, value_name = "N", value_parser = crate::limits::sectors)]
    pub(crate) max_sectors_per_request: Option<f64>,
    /// At most this part of a line's sectors beyond the fewest possible, as in 0.25 or 25%
    #[arg(long, value_name = "PART", value_parser = crate::limits::waste)]
    pub(crate) max_waste: Option<f64>,
    /// Accept the findings of this file, unless they have become worse
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings as such a file, and exit 0
    #[arg(long, value_name = "FILE")]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Succeed though something is not fully counted, or its launch is guessed
    #[arg(long)]
    pub(crate) allow_uncounted: bool,
    /// Search no fixes for what exceeds a limit
    #[arg(long)]
    pub(crate) no_fixes: bool,
    /// Compile each CUDA source with nvcc and count its SASS
    #[arg(long)]
    pub(crate) compile: bool,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    /// Macro for every file
    #[arg(long = "define", short = 'D', value_name = "NAME=VALUE", value_parser = launch_args::named)]
    pub(crate) defines: Vec<(String, String)>,
    /// Folder to look in for files that sources include, after their own
    #[arg(long = "include", short = 'I', value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Stop each launch after so many requests of warps
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub(crate) max_requests: u64,
    /// Stop each launch after so many seconds; 0 for no limit
    #[arg(long, value_name = "S", default_value = "20", value_parser = crate::watch::parse_seconds)]
    pub(crate) kernel_seconds: Duration,
    /// JSON that this command printed of the base, for the comparison in markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) base: Option<PathBuf>,
    /// How to print: github are annotations of a workflow, markdown is a comment for a pull request
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: CheckFormat,
}

/// How `lanescope check` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Text,
    Json,
    Sarif,
    Github,
    Junit,
    Markdown,
}
