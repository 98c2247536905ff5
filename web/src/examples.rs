//! Sources to begin with: the curriculum's topics that fit in an expression.

use lanescope_share::{Broadcast, CustomDevice, Device, Launch, Operation, Source, State};
use lanescope_webparts::first;

/// The subjects of the examples, in the order of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    Tiles,
    Reductions,
    Structures,
    Vectors,
    HalfWarps,
    FourNumbers,
    Kernels,
}

/// Every subject, in the order of the menu.
pub(crate) const SUBJECTS: [Subject; 7] = [
    Subject::Tiles,
    Subject::Reductions,
    Subject::Structures,
    Subject::Vectors,
    Subject::HalfWarps,
    Subject::FourNumbers,
    Subject::Kernels,
];

/// One example's name in the words of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Title {
    ColumnOfTile,
    PaddedTile,
    SwizzledTile,
    SmallTile,
    TransposeWhole,
    Interleaved,
    Sequential,
    ArrayOfStructures,
    StructureOfArrays,
    StagedStructures,
    ContiguousVectors,
    StridedVectors,
    TmaSwizzle,
    MisalignedRow,
    OldStride,
    OldPadding,
    OldBytes,
    OldDoubles,
    TinyFree,
    TinyStride,
    TinyBroadcast,
    KernelTranspose,
    KernelReduction,
    KernelPoints,
    KernelHistogram,
}

/// An example.
pub(crate) struct Example {
    pub(crate) subject: Subject,
    pub(crate) title: Title,
    declarations: &'static str,
    accesses: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    device: &'static str,
    /// A kernel instead of declarations and accesses.
    kernel: Option<&'static str>,
    arguments: &'static [(&'static str, &'static str)],
}

const fn example(
    subject: Subject,
    title: Title,
    declarations: &'static str,
    accesses: &'static str,
    block: [u32; 3],
) -> Example {
    Example {
        subject,
        title,
        declarations,
        accesses,
        grid: [1; 3],
        block,
        device: "cc9.0",
        kernel: None,
        arguments: &[],
    }
}

const fn kernel(
    title: Title,
    text: &'static str,
    block: [u32; 3],
    arguments: &'static [(&'static str, &'static str)],
) -> Example {
    Example {
        kernel: Some(text),
        arguments,
        ..example(Subject::Kernels, title, "", "", block)
    }
}

const fn on(device: &'static str, example: Example) -> Example {
    Example { device, ..example }
}

const TILE: [u32; 3] = [32, 32, 1];
const STRUCTURES: [u32; 3] = [256, 1, 1];

/// Every example, subject by subject.
pub(crate) const EXAMPLES: [Example; 25] = [
    example(
        Subject::Tiles,
        Title::ColumnOfTile,
        first::DECLARATIONS,
        first::ACCESSES,
        first::BLOCK,
    ),
    example(
        Subject::Tiles,
        Title::PaddedTile,
        "__shared__ float tile[32][33];",
        "tile[threadIdx.x][threadIdx.y]",
        TILE,
    ),
    example(
        Subject::Tiles,
        Title::SwizzledTile,
        "__shared__ float tile[32][32];",
        "tile[ty][tx ^ ty] = 0\ntile[tx][ty ^ tx]",
        TILE,
    ),
    example(
        Subject::Tiles,
        Title::SmallTile,
        "__shared__ float tile[16][17];",
        "tile[ty][tx] = 0\ntile[tx][ty]",
        [16, 16, 1],
    ),
    Example {
        grid: [32, 32, 1],
        ..example(
            Subject::Tiles,
            Title::TransposeWhole,
            "__shared__ float tile[32][32];\n__device__ float in[1024][1024];\n__device__ float out[1024][1024];",
            "tile[ty][tx] = in[blockIdx.y * 32 + ty][blockIdx.x * 32 + tx]\n\
             out[blockIdx.x * 32 + ty][blockIdx.y * 32 + tx] = tile[tx][ty]",
            TILE,
        )
    },
    example(
        Subject::Reductions,
        Title::Interleaved,
        "__shared__ float sdata[256];\ns = 1, 2, 4, 8, 16, 32, 64, 128",
        "if (2 * s * tid < blockDim.x) sdata[2 * s * tid] += sdata[2 * s * tid + s]",
        STRUCTURES,
    ),
    example(
        Subject::Reductions,
        Title::Sequential,
        "__shared__ float sdata[256];\ns = 128, 64, 32, 16, 8, 4, 2, 1",
        "if (tid < s) sdata[tid] += sdata[tid + s]",
        STRUCTURES,
    ),
    example(
        Subject::Structures,
        Title::ArrayOfStructures,
        "struct vec3 { float x, y, z; };\n__device__ vec3 points[65536];",
        "points[blockIdx.x * blockDim.x + tid].x",
        STRUCTURES,
    ),
    example(
        Subject::Structures,
        Title::StructureOfArrays,
        "__device__ float x[65536];\n__device__ float y[65536];\n__device__ float z[65536];",
        "x[tid]\ny[tid]\nz[tid]",
        STRUCTURES,
    ),
    example(
        Subject::Structures,
        Title::StagedStructures,
        "__shared__ float temp[768];\n__device__ float points[196608];",
        "temp[tid] = points[tid]\ntemp[tid + 256] = points[tid + 256]\ntemp[tid + 512] = points[tid + 512]\n\
         temp[3 * tid]\ntemp[3 * tid + 1]\ntemp[3 * tid + 2]",
        STRUCTURES,
    ),
    example(
        Subject::Vectors,
        Title::ContiguousVectors,
        "__shared__ float4 v[256];",
        "v[tid]",
        STRUCTURES,
    ),
    example(
        Subject::Vectors,
        Title::StridedVectors,
        "__shared__ float4 v[512];",
        "v[tid % 8 * 8 + tid / 8]",
        [32, 1, 1],
    ),
    example(
        Subject::Vectors,
        Title::TmaSwizzle,
        "// 128-byte rows of 16-byte chunks, chunk ^= row % 8\n__shared__ float4 rows[64][8];\nchunk = 0, 1, 2, 3, 4, 5, 6, 7",
        "rows[tid][chunk]\nrows[tid][chunk ^ tid % 8]",
        [32, 1, 1],
    ),
    example(
        Subject::Vectors,
        Title::MisalignedRow,
        "__device__ float data[65536];\noffset = 0, 1, 2, 4, 8, 16",
        "data[tid + offset]",
        STRUCTURES,
    ),
    on(
        "cc1.0",
        example(
            Subject::HalfWarps,
            Title::OldStride,
            "__shared__ float data[1024];\nstride = 1, 2, 3, 4, 8, 16, 17",
            "data[stride * tid]",
            [32, 1, 1],
        ),
    ),
    on(
        "cc1.0",
        example(
            Subject::HalfWarps,
            Title::OldPadding,
            "__shared__ float data[1024];",
            "data[16 * tid]\ndata[17 * tid]",
            [32, 1, 1],
        ),
    ),
    on(
        "cc1.0",
        example(
            Subject::HalfWarps,
            Title::OldBytes,
            "__shared__ char a[256];",
            "a[tid]",
            [32, 1, 1],
        ),
    ),
    on(
        "cc1.0",
        example(
            Subject::HalfWarps,
            Title::OldDoubles,
            "__shared__ double a[256];",
            "a[tid]",
            [32, 1, 1],
        ),
    ),
    on(
        CUSTOM,
        example(
            Subject::FourNumbers,
            Title::TinyFree,
            "tile_static float t[16];",
            "t[tid]",
            [4, 1, 1],
        ),
    ),
    on(
        CUSTOM,
        example(
            Subject::FourNumbers,
            Title::TinyStride,
            "tile_static float t[16];",
            "t[2 * tid]",
            [4, 1, 1],
        ),
    ),
    on(
        CUSTOM,
        example(
            Subject::FourNumbers,
            Title::TinyBroadcast,
            "tile_static float t[16];",
            "t[tid % 2]",
            [4, 1, 1],
        ),
    ),
    Example {
        grid: [32, 32, 1],
        ..kernel(
            Title::KernelTranspose,
            include_str!("../../crates/gallery/kernels/transpose.cu"),
            TILE,
            &[("nx", "1024"), ("ny", "1024")],
        )
    },
    Example {
        grid: [64, 1, 1],
        ..kernel(
            Title::KernelReduction,
            include_str!("../../crates/gallery/kernels/reduction.cu"),
            STRUCTURES,
            &[],
        )
    },
    Example {
        grid: [64, 1, 1],
        ..kernel(
            Title::KernelPoints,
            include_str!("../../crates/gallery/kernels/points.cu"),
            STRUCTURES,
            &[],
        )
    },
    Example {
        grid: [16, 1, 1],
        ..kernel(
            Title::KernelHistogram,
            include_str!("../../crates/gallery/kernels/histogram.cu"),
            STRUCTURES,
            &[("bytes", "65536,random:7"), ("n", "65536")],
        )
    },
];

const CUSTOM: &str = "custom";

/// The device of the C++ AMP write-up's small example: four banks, four lanes.
const TINY: CustomDevice = CustomDevice {
    banks: 4,
    bank_bits: 32,
    lanes: 4,
    broadcast: Broadcast::Any,
    sector_bytes: 32,
    line_bytes: 128,
};

impl Example {
    /// The page's state with this example in it.
    pub(crate) fn state(&self) -> State {
        let device = match self.device {
            CUSTOM => Device::Custom(TINY),
            id => Device::Known(id.to_owned()),
        };
        State {
            source: match self.kernel {
                Some(text) => Source::Kernel(text.to_owned()),
                None => Source::Expression {
                    declarations: self.declarations.to_owned(),
                    accesses: self.accesses.to_owned(),
                },
            },
            operation: Operation::Load,
            launch: Launch {
                grid: self.grid,
                block: self.block,
                arguments: owned(self.arguments),
                ..Launch::default()
            },
            device,
            ..State::default()
        }
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    owned.collect()
}

/// What the Kernel tab begins with.
pub(crate) fn first_kernel() -> State {
    let first = EXAMPLES.iter().find(|example| example.kernel.is_some());
    first.unwrap_or(&EXAMPLES[0]).state()
}

/// What an empty address opens.
pub(crate) fn first() -> State {
    EXAMPLES[0].state()
}
