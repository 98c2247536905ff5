//! The command line of `lanescope expr`.

use super::count::{CountArgs, LimitArgs};
use super::launch::ExtentArgs;
use crate::launch_args;
use clap::{Args, ValueEnum};

/// Index expressions over declared arrays.
#[derive(Args, Debug)]
pub(crate) struct ExpressionArgs {
    /// Accesses, as in 'tile[threadIdx.x][threadIdx.y]' or 'if (tid < s) data[2 * s * tid]'; - for standard input
    #[arg(value_name = "EXPR")]
    pub(crate) accesses: Vec<String>,
    /// Declarations as in CUDA, as in 'float tile[32][33]'; may be given several times
    #[arg(long = "decl", value_name = "DECL")]
    pub(crate) declarations: Vec<String>,
    /// What an access without assignment does
    #[arg(long, value_name = "OP", default_value = "load")]
    pub(crate) op: Op,
    /// Value of a variable that has several
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = launch_args::chosen)]
    pub(crate) values: Vec<(String, i64)>,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Op {
    Load,
    Store,
}

/// Analyse index expressions: the conflicts and sectors of every warp of the grid
///
/// Arrays are shared memory; an array declared `__device__` or as a pointer is global memory. Names: threadIdx,
/// blockIdx, blockDim, gridDim, lane, warp, tid, tx, ty.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope expr 'tile[threadIdx.x][threadIdx.y]' --decl 'float tile[32][32]' --block 32,32\n  \
    lanescope expr 'tile[threadIdx.x][threadIdx.y]' --decl 'float tile[32][33]' --block 32,32 --op store\n  \
    lanescope expr 's[2*k*tid]' --decl 'float s[512]; k = 1, 2, 4, 8' --set k=4 --block 256\n  \
    lanescope expr 'tile[tx][ty]' --decl 'float tile[32][32]' --block 32,32 --format svg > tile.svg")]
pub(crate) struct ExprArgs {
    #[command(flatten)]
    pub(crate) expression: ExpressionArgs,
    #[command(flatten)]
    pub(crate) extents: ExtentArgs,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How to print: svg is the picture of the costliest request
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: ExprFormat,
}

/// How `lanescope expr` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExprFormat {
    Table,
    Json,
    Svg,
}
