//! The command line of `lanescope fix`.

use super::count::{CountArgs, LimitArgs};
use super::kernel::{KernelArgs, KernelFormat};
use super::launch::KernelLaunchArgs;
use crate::launch_args;
use crate::launch_file::{self, LaunchFile};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Most requests of warps that compiled code is counted for.
const MOST_REQUESTS: u64 = 20_000_000;

/// Search fixes for a kernel's bank conflicts and wasted sectors, each proved on the changed source
///
/// Tries paddings, XOR swizzles, transposed layouts, structures of arrays, sequential reductions, adding while loading, warp shuffles, exchanged loops and thread axes, wider blocks, staging through shared memory, aligned buffers, rows and structures, wider accesses;
/// runs the model on the changed source, over all accesses of the array together, and keeps what computes the same
/// and costs less.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope fix transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --arg ny=1024\n  \
    lanescope fix transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --arg ny=1024 --format diff | patch -p0\n  \
    lanescope fix transpose.cu --format patch --max-seconds 1 | git apply\n  \
    lanescope fix transpose.cu --as cute\n  \
    lanescope fix transpose.cubin --source transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --arg ny=1024\n  \
    lanescope fix reduce.cu --launch launches.jsonl#3\n\n\
    Exit status: 0 when the kernel was run, 1 when it could not be, 2 for bad usage.")]
pub(crate) struct FixArgs {
    /// Source file (.cu, .cuh, .hip, .cpp, .h, .wgsl); - for standard input; with --source a SASS listing, PTX or object
    pub(crate) file: PathBuf,
    /// Recorded launch: kernel, grid, block, dynamic shared memory and arguments; other options win. A JSON object,
    /// or line N of a JSONL file
    #[arg(long, value_name = "FILE[#N]", value_parser = launch_file::parse)]
    pub(crate) launch: Option<LaunchFile>,
    /// Blocks along x, y, z [default: as host code in the same file launches it, else a guess]
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z [default: as for --grid]; of WGSL instead of what @workgroup_size says
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) block: Option<[u32; 3]>,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    #[command(flatten)]
    pub(crate) kernel: KernelLaunchArgs,
    /// Registers of a thread and of an SM, as the compiler and the device tell them, to count blocks an SM
    #[arg(long, value_name = "THREAD,SM", value_parser = launch_args::registers)]
    pub(crate) registers: Option<(u32, u32)>,
    /// Which fix the diff or the patch shows, as numbered in the table
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) pick: usize,
    /// How to print: diff is the change of the source that the picked fix makes, patch the same for `git apply`, sarif
    /// every fix for an editor or a code review
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: FixFormat,
    /// The source that FILE was compiled from: FILE is counted, by its line information the line of the source that wastes
    /// most is named, and fixes of what that line touches come first
    #[arg(long, value_name = "SOURCE", conflicts_with = "compile")]
    pub(crate) source: Option<PathBuf>,
    /// Compile the source and each fix with nvcc (from PATH, CUDA_HOME or the Python environment) and count their SASS too:
    /// wavefronts, sectors and instructions of the whole launch, and those of the instructions that compute integers, as
    /// indices are
    #[arg(long, conflicts_with = "notation")]
    pub(crate) compile: bool,
    /// Print the picked fix as text of this notation: the whole changed source, or the layout that it gives to shared
    /// arrays
    #[arg(long = "as", value_name = "NOTATION", conflicts_with = "format")]
    pub(crate) notation: Option<FixText>,
}

impl FixArgs {
    /// `lanescope kernel FILE` of the same launch.
    pub(crate) fn kernel_args(&self, file: &Path) -> KernelArgs {
        KernelArgs {
            file: file.to_owned(),
            compile: false,
            arch: None,
            against: None,
            compiler_flags: Vec::new(),
            launch: None,
            grid: self.grid,
            block: self.block,
            count: self.count.clone(),
            kernel: self.kernel.clone(),
            compiler: None,
            remarks: false,
            blocks: None,
            l1: false,
            limits: LimitArgs {
                max_requests: MOST_REQUESTS,
                threads: None,
            },
            format: KernelFormat::Table,
        }
    }
}

/// The notations that a fix is printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixText {
    /// The changed source
    Cuda,
    /// The same with the names of HIP's runtime
    Hip,
    /// The changed kernel as WGSL
    Wgsl,
    /// Layouts as CuTe's C++ types
    Cute,
    /// Layouts as CuTe's Python
    CuteDsl,
    /// Layouts as Triton's encodings of shared memory
    Triton,
}

/// How `lanescope fix` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FixFormat {
    Table,
    Json,
    Diff,
    Patch,
    Sarif,
}
