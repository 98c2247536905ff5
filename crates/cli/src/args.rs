//! The command line.

use crate::compiled;
use crate::device_choice::{self, Choice};
use crate::hip::is_hip;
#[cfg(feature = "lab")]
use crate::lab_args::{AdaptersArgs, LabArgs};
use crate::launch_args;
use crate::launch_file::{self, LaunchFile};
use crate::run_args::EmitArgs;
#[cfg(feature = "lab")]
use crate::run_args::RunArgs;
use crate::{output, watch};
use clap::{Args, Parser, Subcommand, ValueEnum};
use lanescope_model::Device;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
    Exit status: 0 when counted or counted under named assumptions, 3 when not fully counted, 1 when nothing could be,\n\
    2 for bad usage."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Stop after so many seconds, with what was found until then; 0 for no limit [default: 2 for pictures, else none]
    #[arg(long, value_name = "S", global = true, value_parser = watch::parse_seconds)]
    pub(crate) max_seconds: Option<Duration>,
}

/// A picture is for a page that waits for it.
const PICTURE_SECONDS: Duration = Duration::from_secs(2);

impl Cli {
    /// The time that the command may take; `None` without limit.
    pub(crate) fn limit(&self) -> Option<Duration> {
        let default = match self.command {
            Command::Svg(_) | Command::Png(_) => Some(PICTURE_SECONDS),
            Command::Expr(_)
            | Command::Kernel(_)
            | Command::Fix(_)
            | Command::Trace(_)
            | Command::Compare(_)
            | Command::Layout(_)
            | Command::Devices(_)
            | Command::Link(_)
            | Command::Emit(_) => None,
            #[cfg(feature = "lab")]
            Command::Lab(_) | Command::Adapters(_) | Command::Run(_) => None,
        };
        let limit = self.max_seconds.or(default);
        limit.filter(|limit| !limit.is_zero())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Expr(ExprArgs),
    Kernel(KernelArgs),
    #[command(alias = "mend")]
    Fix(FixArgs),
    #[cfg(feature = "lab")]
    Run(RunArgs),
    Emit(EmitArgs),
    Trace(TraceArgs),
    Compare(CompareArgs),
    Layout(LayoutArgs),
    Devices(DevicesArgs),
    Link(LinkArgs),
    Svg(SvgArgs),
    Png(PngArgs),
    #[cfg(feature = "lab")]
    Lab(LabArgs),
    #[cfg(feature = "lab")]
    Adapters(AdaptersArgs),
}

/// The device of an analysis.
#[derive(Args, Clone, Debug)]
pub(crate) struct DeviceArg {
    /// Device to analyse for, by any of its names (cc9.0, sm_90, h100, gfx942; see `lanescope devices`), or
    /// custom:BANKS,BITS,LANES,BROADCAST,SECTOR,LINE [default: cc9.0; for a HIP source cdna3]
    #[arg(long = "device", value_name = "NAME", value_parser = device_choice::parse)]
    pub(crate) given: Option<Choice>,
}

/// The device of a HIP source that is given none.
const HIP_DEVICE: &str = "cdna3";

impl DeviceArg {
    /// The device given, or the one that was measured.
    pub(crate) fn choice(&self) -> Choice {
        let measured = || Choice::of(Default::default());
        self.given.clone().unwrap_or_else(measured)
    }

    /// The device given; for a HIP source that is given none one of AMD's, which is said.
    pub(crate) fn choice_of(&self, path: &Path, text: &str) -> Choice {
        let hip = Device::by_id(HIP_DEVICE).filter(|_| is_hip(path, text));
        match (&self.given, hip) {
            (None, Some(device)) => {
                let name = device.name();
                output::complain(&format!(
                    "note: a HIP source is counted for {HIP_DEVICE}, {name}; --device names another"
                ));
                Choice::of(device)
            }
            _ => self.choice(),
        }
    }
}

/// Count recorded lane addresses, a row for each instruction of a warp
///
/// The first line names the columns, in any order: `instruction`, `lane0` … `lane31` (byte offsets; blank: the lane
/// is off) and, if there are any, `pattern` and the measured `shared_wavefronts`, `shared_bank_conflicts`,
/// `global_sectors`. Other columns are left out of account. JSON may stand instead: a list of objects with the same
/// names, or with `lanes`, a list of offsets; and so may offsets without titles, one warp a line. What NVBit's
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
    pub(crate) devices: Vec<Choice>,
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

/// What the counts are for.
#[derive(Args, Clone, Debug)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    /// Count a value that a thread reads twice, with no store or barrier between, twice
    #[arg(long)]
    pub(crate) count_repeated_reads: bool,
}

/// How much an analysis may cost.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Stop after so many requests of warps
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) max_requests: u64,
    /// Threads for launches whose blocks are run one by one [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
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
    /// How to print: svg is the picture of the dearest request
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

/// Analyse a kernel: what every line, or every instruction of compiled code, costs over the whole launch
///
/// Sources are CUDA, HIP or WGSL; compiled code is PTX, SASS as cuobjdump, nvdisasm or Compiler Explorer print it, or a
/// cubin, fat binary, object or program, where nvdisasm or cuobjdump is at hand. No GPU is needed, and nothing is
/// compiled unless --compile says so. Lines that cannot be analysed are named on standard error (and in the JSON), and
/// the others are counted.
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
    Exit status: 0 when counted or counted under named assumptions, 3 when not fully counted, 1 when nothing could be,\n\
    2 for bad usage.")]
pub(crate) struct KernelArgs {
    /// Source, PTX, SASS listing, or compiled file; - for standard input
    pub(crate) file: PathBuf,
    /// Compile the source with nvcc (from PATH, CUDA_HOME or the Python environment) and count its SASS; flags for nvcc
    /// follow --
    #[arg(long, conflicts_with_all = ["compiler", "l1"])]
    pub(crate) compile: bool,
    /// What --compile compiles for, or which code of a fat binary is counted [default: that of --device; the newest]
    #[arg(long, value_name = "SM", value_parser = compiled::parse_architecture)]
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
    /// Threads of a block along x, y, z; WGSL says it itself
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

/// What a link or a picture is of.
#[derive(Args, Debug)]
pub(crate) struct SubjectArgs {
    #[command(flatten)]
    pub(crate) expression: ExpressionArgs,
    /// Kernel's source file instead of expressions; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["accesses", "declarations", "values"])]
    pub(crate) file: Option<PathBuf>,
    /// Link of the page instead of all else
    #[arg(long, value_name = "LINK", conflicts_with_all = ["accesses", "declarations", "values", "file"])]
    pub(crate) link: Option<String>,
    #[command(flatten)]
    pub(crate) extents: ExtentArgs,
    #[command(flatten)]
    pub(crate) count: CountArgs,
    #[command(flatten)]
    pub(crate) kernel: KernelLaunchArgs,
}

/// Print the link that opens an expression or a kernel in the page
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope link 'tile[tx][ty]' --decl 'float tile[32][33]' --block 32,32\n  \
    lanescope link --file transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --base https://example.org/lanescope/")]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Address of the page; without it the link begins at #
    #[arg(long, value_name = "URL", default_value = "")]
    pub(crate) base: String,
}

/// How much is run before the dearest request is chosen.
#[derive(Args, Debug)]
pub(crate) struct PictureLimits {
    /// Stop after so many requests of warps
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub(crate) max_requests: u64,
    /// Stop after so many steps of warps and blocks [default: 20 for each request]
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,
}

/// Draw the dearest request of an expression or a kernel as SVG
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope svg 'tile[tx][ty]' --decl 'float tile[32][32]' --block 32,32 > tile.svg\n  \
    lanescope svg --file transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --line 12 > line12.svg\n  \
    lanescope svg --link '#v=1&e=tile[tx][ty]&d=float tile[32][33]&b=32,32' > tile.svg")]
pub(crate) struct SvgArgs {
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// Line whose dearest request is drawn; without it the dearest of all
    #[arg(long, value_name = "N")]
    pub(crate) line: Option<u32>,
    /// Address of the page, for the link inside the picture
    #[arg(long, value_name = "URL", default_value = "")]
    pub(crate) base: String,
    #[command(flatten)]
    pub(crate) limits: PictureLimits,
}

/// Draw the dearest request of an expression or a kernel as PNG, with its link inside
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope png 'tile[tx][ty]' --decl 'float tile[32][32]' --block 32,32 > tile.png\n  \
    lanescope png --file transpose.cu --grid 32,32 --block 32,32 --theme dark --output transpose.png\n\n\
    The link stands in an iTXt chunk with the keyword Source.")]
pub(crate) struct PngArgs {
    #[command(flatten)]
    pub(crate) picture: SvgArgs,
    /// Ground of the picture
    #[arg(long, value_name = "THEME", default_value = "light")]
    pub(crate) theme: PictureTheme,
    /// Pixels to each of the picture's own
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=8))]
    pub(crate) scale: u16,
    /// File to write; without it standard output, unless that is a terminal
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PictureTheme {
    Light,
    Dark,
}

/// Search fixes for a kernel's bank conflicts and wasted sectors, each proved on the changed source
///
/// Tries paddings, XOR swizzles, transposed layouts, structures of arrays, exchanged thread axes, aligned buffers and rows, wider accesses;
/// runs the model on the changed source, over all accesses of the array together, and keeps what computes the same
/// and costs less.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope fix transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --arg ny=1024\n  \
    lanescope fix transpose.cu --grid 32,32 --block 32,32 --arg nx=1024 --arg ny=1024 --format diff | patch -p0\n  \
    lanescope fix transpose.cu --format patch --max-seconds 1 | git apply\n\n\
    Exit status: 0 when the kernel was run, 1 when it could not be, 2 for bad usage.")]
pub(crate) struct FixArgs {
    /// Source file (.cu, .cuh, .hip, .cpp, .h); - for standard input
    pub(crate) file: PathBuf,
    /// Blocks along x, y, z [default: as host code in the same file launches it, else a guess]
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = launch_args::extent)]
    pub(crate) grid: Option<[u32; 3]>,
    /// Threads of a block along x, y, z [default: as for --grid]
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
