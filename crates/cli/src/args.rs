//! The command line.

use crate::device_choice;
use clap::{Args, Parser, Subcommand, ValueEnum};
use lanescope_model::Device;
use std::path::PathBuf;

/// See what a warp does to memory: shared-memory bank conflicts and global sectors, as the hardware counts them.
#[derive(Debug, Parser)]
#[command(
    name = "lanescope",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
#[command(
    after_help = "Numbers go to standard output, everything else to standard error.\n\
    Exit status: 0 when anything was analysed, 1 when nothing could be, 2 for bad usage."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Trace(TraceArgs),
    Devices(DevicesArgs),
}

/// The device of an analysis.
#[derive(Args, Debug)]
pub(crate) struct DeviceArg {
    /// Device to analyse for (see `lanescope devices`), or custom:BANKS,BITS,LANES,BROADCAST,SECTOR,LINE
    #[arg(long, value_name = "NAME", default_value = "cc9.0", value_parser = device_choice::parse)]
    pub(crate) device: Device,
}

/// Count recorded lane addresses, a CSV row for each instruction of a warp
///
/// The first line names the columns, in any order: `instruction`, `lane0` … `lane31` (byte offsets; blank: the lane
/// is off) and, if there are any, `pattern` and the measured `shared_wavefronts`, `shared_bank_conflicts`,
/// `global_sectors`. Other columns are left out of account.
///
/// Instructions: ld, st of shared or global b8 … b128; ldmatrix.x1|x2|x4, stmatrix (.trans); atom.shared.add.u32;
/// red.global.add.u32; and their kin.
///
/// A row that cannot be read is named by line and column on standard error, and the rest is answered.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope trace patterns.csv\n  \
    lanescope trace patterns.csv --format csv > predicted.csv\n  \
    lanescope trace - --device cc8.0 --format json < patterns.csv")]
pub(crate) struct TraceArgs {
    /// CSV file; - for standard input
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    /// How to print: csv has the columns row,instruction,wavefronts,conflicts,sectors
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: TraceFormat,
}

/// How `lanescope trace` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    Table,
    Csv,
    Json,
}

/// List the devices: every number and rule, its source and how far it can be trusted
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope devices\n  \
    lanescope devices cc9.0 cdna3\n  \
    lanescope devices --format json\n\n\
    Where a device is asked for, custom:BANKS,BITS,LANES,BROADCAST,SECTOR,LINE describes one of your own:\n  \
    custom:16,32,16,one,32,128 has 16 banks of 32 bits, serves 16 lanes at a time, broadcasts one word a step\n  \
    (BROADCAST: none, one or any), and moves global memory in sectors of 32 bytes of lines of 128.")]
pub(crate) struct DevicesArgs {
    /// Only these devices
    #[arg(value_name = "NAME", value_parser = device_choice::parse)]
    pub(crate) devices: Vec<Device>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

/// How numbers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}
