//! The table of presets.

use crate::first;
use crate::preset::{Machine, Preset, Text};
use crate::subject::Subject::{self, *};

/// The preset of this id.
#[must_use]
pub fn preset(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

const fn preset_of(subject: Subject, id: &'static str, block: [u32; 3], text: Text) -> Preset {
    Preset {
        id,
        subject,
        text,
        grid: [1; 3],
        block,
        device: Machine::Named("cc9.0"),
        values: &[],
        beside: None,
    }
}

const fn expression(
    subject: Subject,
    id: &'static str,
    block: [u32; 3],
    [declarations, accesses]: [&'static str; 2],
) -> Preset {
    let text = Text::Expression {
        declarations,
        accesses,
    };
    preset_of(subject, id, block, text)
}

const fn kernel(
    id: &'static str,
    block: [u32; 3],
    source: &'static str,
    arguments: &'static [(&'static str, &'static str)],
) -> Preset {
    preset_of(Kernels, id, block, Text::Kernel { source, arguments })
}

const fn over(grid: [u32; 3], preset: Preset) -> Preset {
    Preset { grid, ..preset }
}

const fn on(device: &'static str, preset: Preset) -> Preset {
    let device = Machine::Named(device);
    Preset { device, ..preset }
}

/// Opened on these values.
const fn at(values: &'static [(&'static str, i64)], preset: Preset) -> Preset {
    Preset { values, ..preset }
}

const fn tiny(id: &'static str, access: &'static str) -> Preset {
    let text = ["tile_static float t[16];", access];
    let device = Machine::Tiny;
    Preset {
        device,
        ..expression(FourNumbers, id, [4, 1, 1], text)
    }
}

const TILE: [u32; 3] = [32, 32, 1];
const ROW: [u32; 3] = [256, 1, 1];
const WARP: [u32; 3] = [32, 1, 1];
const MATRIX: [u32; 3] = [32, 32, 1];
const INPUT_AND_OUTPUT: &str =
    "__device__ float in[1024][1024];\n__device__ float out[1024][1024];";

/// Every preset, subject by subject, in the order of the menu. Entries are only ever added.
pub const PRESETS: [Preset; 37] = [
    expression(
        Tiles,
        "column-of-tile",
        first::BLOCK,
        [first::DECLARATIONS, first::ACCESSES],
    ),
    expression(
        Tiles,
        "padded-tile",
        TILE,
        [
            "__shared__ float tile[32][33];",
            "tile[threadIdx.x][threadIdx.y]",
        ],
    ),
    expression(
        Tiles,
        "swizzled-tile",
        TILE,
        [
            "__shared__ float tile[32][32];",
            "tile[ty][tx ^ ty] = 0\n__syncthreads()\ntile[tx][ty ^ tx]",
        ],
    ),
    expression(
        Tiles,
        "small-tile",
        [16, 16, 1],
        [
            "__shared__ float tile[16][17];",
            "tile[ty][tx] = 0\n__syncthreads()\ntile[tx][ty]",
        ],
    ),
    expression(
        Tiles,
        "small-tile-unpadded",
        [16, 16, 1],
        [
            "__shared__ float tile[16][16];",
            "tile[ty][tx] = 0\n__syncthreads()\ntile[tx][ty]",
        ],
    ),
    expression(
        Tiles,
        "small-tile-swizzled",
        [16, 16, 1],
        [
            "__shared__ float tile[256];",
            "tile[ty * 16 + (tx ^ ty)] = 0\n__syncthreads()\ntile[tx * 16 + (ty ^ tx)]",
        ],
    ),
    over(
        MATRIX,
        expression(
            Tiles,
            "transpose-read-rows",
            TILE,
            [
                INPUT_AND_OUTPUT,
                "out[blockIdx.x * 32 + tx][blockIdx.y * 32 + ty] = in[blockIdx.y * 32 + ty][blockIdx.x * 32 + tx]",
            ],
        ),
    ),
    over(
        MATRIX,
        expression(
            Tiles,
            "transpose-read-columns",
            TILE,
            [
                INPUT_AND_OUTPUT,
                "out[blockIdx.y * 32 + ty][blockIdx.x * 32 + tx] = in[blockIdx.x * 32 + tx][blockIdx.y * 32 + ty]",
            ],
        ),
    ),
    over(
        MATRIX,
        expression(
            Tiles,
            "transpose-whole",
            TILE,
            [
                "__shared__ float tile[32][32];\n__device__ float in[1024][1024];\n__device__ float out[1024][1024];",
                "tile[ty][tx] = in[blockIdx.y * 32 + ty][blockIdx.x * 32 + tx]\n__syncthreads()\n\
                 out[blockIdx.x * 32 + ty][blockIdx.y * 32 + tx] = tile[tx][ty]",
            ],
        ),
    ),
    at(
        &[("s", 16)],
        expression(
            Reductions,
            "reduction-divergent",
            ROW,
            [
                "__shared__ float sdata[256];\ns = 1, 2, 4, 8, 16, 32, 64, 128",
                "if (tid % (2 * s) == 0) sdata[tid] += sdata[tid + s]",
            ],
        ),
    ),
    at(
        &[("s", 8)],
        expression(
            Reductions,
            "reduction-interleaved",
            ROW,
            [
                "__shared__ float sdata[256];\ns = 1, 2, 4, 8, 16, 32, 64, 128",
                "if (2 * s * tid < blockDim.x) sdata[2 * s * tid] += sdata[2 * s * tid + s]",
            ],
        ),
    ),
    expression(
        Reductions,
        "reduction-sequential",
        ROW,
        [
            "__shared__ float sdata[256];\ns = 128, 64, 32, 16, 8, 4, 2, 1",
            "if (tid < s) sdata[tid] += sdata[tid + s]",
        ],
    ),
    expression(
        Structures,
        "array-of-structures",
        ROW,
        [
            "struct vec3 { float x, y, z; };\n__device__ vec3 points[65536];",
            "points[blockIdx.x * blockDim.x + tid].x",
        ],
    ),
    expression(
        Structures,
        "aligned-structures",
        ROW,
        ["__device__ float4 points[65536];", "points[tid]"],
    ),
    expression(
        Structures,
        "structure-of-arrays",
        ROW,
        [
            "__device__ float x[65536];\n__device__ float y[65536];\n__device__ float z[65536];",
            "x[tid]\ny[tid]\nz[tid]",
        ],
    ),
    expression(
        Structures,
        "staged-structures",
        ROW,
        [
            "__shared__ float temp[768];\n__device__ float points[196608];",
            "temp[tid] = points[tid]\ntemp[tid + 256] = points[tid + 256]\ntemp[tid + 512] = points[tid + 512]\n__syncthreads()\n\
             temp[3 * tid]\ntemp[3 * tid + 1]\ntemp[3 * tid + 2]",
        ],
    ),
    expression(
        Vectors,
        "vectors-contiguous",
        ROW,
        ["__shared__ float4 v[256];", "v[tid]"],
    ),
    expression(
        Vectors,
        "vectors-strided",
        WARP,
        ["__shared__ float4 v[512];", "v[tid % 8 * 8 + tid / 8]"],
    ),
    expression(
        Vectors,
        "vectors-padded",
        WARP,
        ["__shared__ float4 v[512];", "v[tid % 8 * 9 + tid / 8]"],
    ),
    Preset {
        beside: Some(2),
        ..expression(
            Vectors,
            "tma-swizzle-128",
            WARP,
            [
                "// 128-byte rows of 16-byte chunks, chunk ^= row % 8\n__shared__ float4 rows[64][8];\nchunk = 0, 1, 2, 3, 4, 5, 6, 7",
                "rows[tid][chunk]\nrows[tid][chunk ^ tid % 8]",
            ],
        )
    },
    at(
        &[("offset", 1)],
        expression(
            Vectors,
            "misaligned-row",
            ROW,
            [
                "__device__ float data[65536];\noffset = 0, 1, 2, 4, 8, 16",
                "data[tid + offset]",
            ],
        ),
    ),
    at(
        &[("stride", 16)],
        on(
            "cc1.0",
            expression(
                HalfWarps,
                "cc1-stride",
                WARP,
                [
                    "__shared__ float data[1024];\nstride = 1, 2, 3, 4, 8, 16, 17",
                    "data[stride * tid]",
                ],
            ),
        ),
    ),
    on(
        "cc1.0",
        expression(
            HalfWarps,
            "cc1-padding",
            WARP,
            [
                "__shared__ float data[1024];",
                "data[16 * tid]\ndata[17 * tid]",
            ],
        ),
    ),
    on(
        "cc1.0",
        expression(
            HalfWarps,
            "cc1-broadcast",
            WARP,
            ["__shared__ float data[1024];", "data[3]"],
        ),
    ),
    on(
        "cc1.0",
        expression(
            HalfWarps,
            "cc1-bytes",
            WARP,
            ["__shared__ char a[256];", "a[tid]"],
        ),
    ),
    on(
        "cc1.0",
        expression(
            HalfWarps,
            "cc1-doubles",
            WARP,
            ["__shared__ double a[256];", "a[tid]"],
        ),
    ),
    on(
        "cc1.0",
        expression(
            HalfWarps,
            "cc1-coalescing",
            WARP,
            [
                "__device__ float data[65536];",
                "if (tid != 3) data[tid]\ndata[tid + 1]",
            ],
        ),
    ),
    on(
        "cc1.0",
        expression(
            HalfWarps,
            "cc1-structures",
            ROW,
            [
                "struct vec3 { float x, y, z; };\n__device__ vec3 points[65536];\n__device__ float4 aligned[65536];\n\
                 __device__ float x[65536];\n__device__ float y[65536];\n__device__ float z[65536];\n\
                 __device__ float floats[196608];",
                "points[tid].x\npoints[tid].y\npoints[tid].z\naligned[tid]\nx[tid]\ny[tid]\nz[tid]\n\
                 floats[tid]\nfloats[tid + 256]\nfloats[tid + 512]",
            ],
        ),
    ),
    tiny("four-banks-free", "t[tid]"),
    tiny("four-banks-stride", "t[2 * tid]"),
    tiny("four-banks-broadcast", "t[tid % 2]"),
    over(
        MATRIX,
        kernel(
            "kernel-transpose",
            TILE,
            include_str!("../kernels/transpose.cu"),
            &[("nx", "1024"), ("ny", "1024")],
        ),
    ),
    over(
        MATRIX,
        kernel(
            "kernel-transpose-diagonal",
            TILE,
            include_str!("../kernels/transpose_diagonal.cu"),
            &[("n", "1024")],
        ),
    ),
    over(
        [64, 1, 1],
        kernel(
            "kernel-reduction",
            ROW,
            include_str!("../kernels/reduction.cu"),
            &[],
        ),
    ),
    over(
        [64, 1, 1],
        kernel(
            "kernel-points",
            ROW,
            include_str!("../kernels/points.cu"),
            &[],
        ),
    ),
    over(
        [16, 1, 1],
        kernel(
            "kernel-histogram",
            ROW,
            include_str!("../kernels/histogram.cu"),
            &[("bytes", "65536,random:7"), ("n", "65536")],
        ),
    ),
    kernel(
        "kernel-four-sums",
        [32, 8, 1],
        include_str!("../kernels/four_sums.cu"),
        &[],
    ),
];
