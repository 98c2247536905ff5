//! A kernel's launch.

use crate::launch_args;
use clap::Args;
use std::path::PathBuf;

/// What a kernel's launch gives besides grid and block.
#[derive(Args, Clone, Debug)]
pub(crate) struct KernelLaunchArgs {
    /// Kernel to take, when the file has several
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// Value of a parameter: a number, or for an array its elements (unbounded when not given), what it holds and its
    /// offset in bytes, as in in=1048576,random:7,offset:4 (holds zero, iota or random:SEED); of a source's array also a
    /// file of what it holds, as in in=@values.npy or in=@values.bin:f32 (raw bytes of u8 … f64)
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = launch_args::argument)]
    pub(crate) arguments: Vec<(String, String)>,
    /// Macro, or value of a template parameter
    #[arg(long = "define", short = 'D', value_name = "NAME=VALUE", value_parser = launch_args::named)]
    pub(crate) defines: Vec<(String, String)>,
    /// Folder to look in for files that the source includes, after its own
    #[arg(long = "include", short = 'I', value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Read no file that the source includes
    #[arg(long)]
    pub(crate) no_includes: bool,
    /// Bytes of extern __shared__ memory
    #[arg(long, value_name = "BYTES")]
    pub(crate) dynamic_shared: Option<u32>,
}

/// Grid and block, one warp unless said otherwise.
#[derive(Args, Debug)]
pub(crate) struct ExtentArgs {
    /// Threads of a block along x, y, z
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "32", value_parser = launch_args::extent)]
    pub(crate) block: [u32; 3],
    /// Blocks along x, y, z
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = launch_args::extent)]
    pub(crate) grid: [u32; 3],
}
