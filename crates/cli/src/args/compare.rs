//! The command line of `lanescope compare`.

use super::count::{CountArgs, LimitArgs};
use super::format::Format;
use super::kernel::CompilerArg;
use super::launch::KernelLaunchArgs;
use crate::launch_args;
use crate::launch_file::{self, LaunchFile};
use clap::Args;
use std::path::PathBuf;

/// Lay what is predicted beside what Nsight Compute measured: every total, and every SASS instruction
///
/// Takes CSV exports of one report (raw, details and source pages, any of them), and of a kernel's code what there is:
/// a source, PTX, SASS or compiled file, else the SASS (or PTX, or source) that a source page holds. Grid, block and
/// device are those of the raw or details page; arguments have to be given, by name or by position.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    ncu --set full --import-source yes -o report ./program\n  \
    ncu --import report.ncu-rep --csv --page raw > raw.csv\n  \
    ncu --import report.ncu-rep --csv --page source --print-source sass > source.csv\n  \
    lanescope compare source.csv raw.csv --kernel transpose --arg 2=1024 --arg 3=1024\n  \
    lanescope compare raw.csv transpose.cu --kernel transpose --arg nx=1024 --arg ny=1024 --format json\n\n\
    A difference is equal, data (the prediction assumed data or arguments), arbitration (wavefronts that the hardware\n\
    repeats whatever the addresses), not-counted (the prediction is incomplete) or not-known.\n\n\
    Exit status: 0 when all is equal or explained, 4 when a difference is not known, 3 when the prediction is not fully\n\
    counted, 1 when nothing could be compared, 2 for bad usage.")]
pub(crate) struct CompareArgs {
    /// CSV exports of one report, and at most one file with the kernel's code; - for standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Which launch of the kernel, from 1, when the report has several
    #[arg(long, value_name = "N")]
    pub(crate) nth: Option<usize>,
    /// Recorded launch, for its arguments; other options win
    #[arg(long, value_name = "FILE[#N]", value_parser = launch_file::parse)]
    pub(crate) launch: Option<LaunchFile>,
    /// Blocks along x, y, z, where no export says them
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z, where no export says them
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) block: Option<[u32; 3]>,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    #[command(flatten)]
    pub(crate) kernel: KernelLaunchArgs,
    /// What a compiler makes of a source: none counts it as written
    #[arg(long, value_name = "NAME")]
    pub(crate) compiler: Option<CompilerArg>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}
