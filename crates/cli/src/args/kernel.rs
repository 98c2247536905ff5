//! The command line of `lanescope kernel`.

use super::count::{CountArgs, LimitArgs};
use super::launch::KernelLaunchArgs;
use crate::architecture;
use crate::launch_args;
use crate::launch_file::{self, LaunchFile};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Analyse a kernel: what every line, or every instruction of compiled code, costs over the whole launch
///
/// Sources are CUDA, HIP or WGSL; compiled code is PTX, SASS as cuobjdump, nvdisasm or Compiler Explorer print it, or a
/// cubin, fat binary, object or program, where nvdisasm or cuobjdump is at hand. No GPU is needed, and nothing is
/// compiled unless --compile says so. Lines that cannot be analysed are named on standard error (and in the JSON), and
/// the others are counted. Of a source with several kernels all are counted whose launch its host code has, where neither
/// --kernel nor --grid nor --block chooses.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope kernel transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --arg ny=1024\n  \
    lanescope kernel reduce.cu --kernel reduce --grid 4096 --block 256 --arg n=1048576 --format json\n  \
    lanescope kernel matmul.cu --grid 8,8 --block 32,32 --define TILE=32 --arg n=256 --device cc8.0\n  \
    lanescope kernel scan.wgsl --dispatch 64 --define BLOCK=256 --arg params.length=16384\n  \
    lanescope kernel reduce.cu --launch launches.jsonl#3\n  \
    lanescope kernel reduce.cu --compile --grid 4096 --block 256 --arg n=1048576 -- -O3 --use_fast_math\n  \
    lanescope kernel reduce.cubin --kernel 'reduce<256, float>' --grid 4096 --block 256 --arg 2=1048576\n  \
    cuobjdump -sass a.out | lanescope kernel - --kernel reduce --grid 4096 --block 256\n\n\
    Exit status: 0 when counted, predicted or counted under named assumptions, 3 when not fully counted,\n\
    1 when nothing could be, 2 for bad usage.")]
pub(crate) struct KernelArgs {
    /// Source, PTX, SASS listing, or compiled file; - for standard input
    pub(crate) file: PathBuf,
    /// Compile the source with nvcc (from PATH, CUDA_HOME or the Python environment) and count its SASS; flags for nvcc
    /// follow --
    #[arg(long, conflicts_with_all = ["compiler", "l1"])]
    pub(crate) compile: bool,
    /// What --compile compiles for, or which code of a fat binary is counted [default: that of --device; the newest]
    #[arg(long, value_name = "SM", value_parser = architecture::parse)]
    pub(crate) arch: Option<String>,
    /// Compare what is predicted of the source with compiled code of it, line by line: a listing or an object; `compile`:
    /// what the compiler of this machine makes of it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["compile", "l1"])]
    pub(crate) against: Option<PathBuf>,
    /// Flags for nvcc
    #[arg(last = true, value_name = "FLAGS")]
    pub(crate) compiler_flags: Vec<String>,
    /// Recorded launch: kernel, grid, block, dynamic shared memory and arguments; other options win. A JSON object,
    /// or line N of a file with one a line; an argument's "contents" names a file as after @ in --arg, beside the record
    #[arg(long, value_name = "FILE[#N]", value_parser = launch_file::parse)]
    pub(crate) launch: Option<LaunchFile>,
    /// Blocks (workgroups) along x, y, z; without them as the text's host code launches the kernel, or a guess
    #[arg(long, visible_alias = "dispatch", value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z; of WGSL instead of what @workgroup_size says
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) block: Option<[u32; 3]>,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    #[command(flatten)]
    pub(crate) kernel: KernelLaunchArgs,
    /// What a compiler makes of the kernel: none counts it as written. Without it nvcc-13 for CUDA kernels, as measured
    /// for compute capability 9.0, and none for AMD's devices and WGSL
    #[arg(long, value_name = "COMPILER")]
    pub(crate) compiler: Option<CompilerArg>,
    /// Also what the model of the compiler did to each access
    #[arg(long)]
    pub(crate) remarks: bool,
    /// Run only the first N blocks
    #[arg(long, value_name = "N")]
    pub(crate) blocks: Option<u64>,
    /// Also what L1 would fetch for global loads: a model of LRU, each block alone
    #[arg(long)]
    pub(crate) l1: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: KernelFormat,
}

/// Whose version of a kernel is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompilerArg {
    None,
    #[value(name = "nvcc-13")]
    Nvcc13,
}

/// How `lanescope kernel` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum KernelFormat {
    Table,
    Json,
    Csv,
}
