//! The command line of `lanescope trace`.

use super::count::DeviceArg;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Count recorded lane addresses, a row for each instruction of a warp
///
/// The first line names the columns, in any order: `instruction`, `lane0` … `lane31` (byte offsets; blank: the lane
/// is off) and, if there are any, `pattern` and the measured `shared_wavefronts`, `shared_bank_conflicts`,
/// `global_sectors`. Other columns are left out of account. JSON may stand instead: a list of objects with the same
/// names, or with `lanes`, a list of offsets; and so may offsets without titles, one warp a line, or one lane a row
/// under the titles `lane` and `addr` (with `warp`, `block`, `pc`, `instruction`, `space`, `bytes`). What NVBit's
/// mem_trace prints and a kernel's trace of Accel-Sim (.traceg) are read too.
///
/// Instructions: ld, st of shared or global b8 … b128; ldmatrix.x1|x2|x4, stmatrix (.trans); atom.shared.add.u32;
/// red.global.add.u32; and their kin. SASS names too: LDS.64, LDG.E.128, LDSM.16.M88.4, ATOMS.ADD, RED.E.ADD.F32.
///
/// A row that cannot be read is named by line and column on standard error, and the rest is answered.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope trace patterns.csv\n  \
    lanescope trace patterns.csv --format csv > predicted.csv\n  \
    lanescope trace - --device cc8.0 --format json < patterns.csv\n\n\
    Exit status: 0 when all rows were answered, 3 when some could not be read, 1 when none could, 2 for bad usage.")]
pub(crate) struct TraceArgs {
    /// CSV or JSON file; - for standard input
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
