//! The command line of `lanescope run` and `lanescope emit`.

use crate::args::count::CountArgs;
use crate::args::launch::KernelLaunchArgs;
use crate::launch_args;
use crate::launch_file::{self, LaunchFile};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// A kernel and its launch, as it runs on a GPU.
#[derive(Args, Clone, Debug)]
pub(crate) struct LaunchedArgs {
    /// CUDA, HIP or WGSL source; - for standard input
    pub(crate) file: PathBuf,
    /// Recorded launch: kernel, grid, block, dynamic shared memory and arguments; other options win. A JSON object, an
    /// array of them, or one a line; #N takes the N-th
    #[arg(long, value_name = "FILE[#N]", value_parser = launch_file::parse)]
    pub(crate) launch: Option<LaunchFile>,
    /// Blocks along x, y, z; without them as the text's host code launches the kernel, or a guess
    #[arg(long, visible_alias = "dispatch", value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z; of WGSL instead of what @workgroup_size says
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) block: Option<[u32; 3]>,
    #[command(flatten)]
    pub(crate) kernel: KernelLaunchArgs,
    #[command(flatten)]
    pub(crate) count: CountArgs,
}

/// A shading language that a kernel can be printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageArg {
    /// WebGPU's
    Wgsl,
    /// Metal's, 2.4
    Msl,
    /// OpenGL's, 4.30
    Glsl,
    /// The text itself, with NVIDIA's names of runtime and headers
    Cuda,
    /// The text itself, with AMD's
    Hip,
}

/// Print a CUDA, HIP or WGSL kernel as WGSL, MSL or GLSL, as it would run on a GPU, or as CUDA or HIP
///
/// Differences between the text and the kernel are notes on standard error. What WGSL has no word for is refused, with
/// its line. A text in WGSL is printed as it is. MSL and GLSL are written from the WGSL: a buffer's slot is its binding there, and MSL has an array of the
/// buffers' sizes in the slot after the last.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope emit transpose.cu --block 32,32 > transpose.wgsl\n  \
    lanescope emit transpose.cu --block 32,32 --language msl > transpose.metal")]
pub(crate) struct EmitArgs {
    #[command(flatten)]
    pub(crate) launched: LaunchedArgs,
    /// The language to print it in
    #[arg(long, value_name = "LANGUAGE", default_value = "wgsl")]
    pub(crate) language: LanguageArg,
}

/// Run a CUDA, HIP or WGSL kernel on this machine's GPU: verified, timed, beside the device's own copy
///
/// The kernel is emitted as WGSL, or is WGSL and stays as it is, with its overrides by --define; it runs through Vulkan, Metal or Direct3D 12. A launch that is small enough runs in the
/// simulator too, and all that it stores must be the same. Times are those of the GPU's own clock where it has one; the
/// copy of as many bytes is timed in the same run.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope run transpose.cu --grid 32,32 --block 32,32 --arg in=1048576,random:1 --arg out=1048576,zero --arg n=1024\n  \
    lanescope run transpose.cu --fix 1\n  \
    lanescope run blur.wgsl --dispatch 64 --define RADIUS=3 --arg input=4096,random:1\n  \
    lanescope run reduce.cu --launch launches.jsonl#3 --grid 4\n\n\
    Exit status: 0 when it ran and nothing is wrong, 3 when its results were too many to be verified, 1 otherwise.")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) launched: LaunchedArgs,
    /// Run this fix of `lanescope fix` too: its time, and whether its results are equal
    #[arg(long, value_name = "N")]
    pub(crate) fix: Option<usize>,
    /// Units in the last place by which floats may differ from the simulator's
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub(crate) ulps: u32,
    /// Part of the adapter's name (see `lanescope adapters`); without it, the fastest
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
}
