//! The command line of `lanescope layout`.

use super::count::DeviceArg;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Read a layout (CuTe, swizzles, TMA boxes, Triton's encodings): its banks as counts, a picture, a table or code
///
/// The text may stand as C++ or Python writes a CuTe layout, as CuTe prints it (`Sw<3,4,3> o smem_ptr[16b](unset) o …`), or as
/// Triton's IR has it (aliases, `memdesc` types, operations); docs/LAYOUTS.md has a table of it and of the accesses.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    echo 'type f16; Swizzle<3,3,3> o (16,64):(64,1)' | lanescope layout - --access ldmatrix.x4\n  \
    lanescope layout tile.txt --format svg > tile.svg\n  \
    lanescope layout tile.txt --format csv > map.csv\n  \
    lanescope layout tile.txt --access ldmatrix.x4 --access 'cp.async 16' --find\n\n\
    The picture shows the first access; a cell holds the element's number, its bank and its lane.")]
pub(crate) struct LayoutArgs {
    /// File with the layout; - for standard input
    pub(crate) file: PathBuf,
    /// How lanes touch it, besides what the file says: 'load row', 'ldmatrix.x4', 'cp.async 16', 'store #blocked',
    /// 'load tv ((4,8),2):((16,1),8)'; without any, the widest ldmatrix that fits
    #[arg(long, value_name = "ACCESS")]
    pub(crate) access: Vec<String>,
    /// Seek the cheapest Swizzle<B,M,S> or pitch that frees all accesses at once, or the proof that there is none
    #[arg(long)]
    pub(crate) find: bool,
    /// Keep rows and swizzled groups aligned to so many bytes, a power of two; the widest access's otherwise
    #[arg(long, value_name = "BYTES", requires = "find")]
    pub(crate) align: Option<u64>,
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    /// How to print: code is CuTe, CUDA and Triton
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: LayoutFormat,
}

/// How `lanescope layout` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayoutFormat {
    Table,
    Json,
    Svg,
    Csv,
    Code,
}
