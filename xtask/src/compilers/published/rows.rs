//! Kernels that work on rows and columns of a matrix.

use super::{arrays, block_sum, fill, made, unroll};
use crate::compilers::program::Program;
use crate::compilers::random::Random;

/// A norm of each row: one block a row.
pub(super) fn row_norm(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "double"]);
    let second = random.pick(&[
        "float q = v / width;\n    __syncthreads();\n    v = 0;\n    for (int i = threadIdx.x; i < width; i += blockDim.x) { $E d = row[i] - q; v += d * d; }\n    $SUM\n    $E scale = v + 1;",
        "$E scale = v + 1;",
    ]);
    let last = random.pick(&[
        "out[i] = row[i] * scale;",
        "out[i] = row[i] * scale * b[i];",
        "out[i] = (row[i] - scale) * b[i] + b[i + width];",
    ]);
    let sum = block_sum(random);
    let text = "__global__ void $N($A, int width) {
    __shared__ $E s[256];
    const $E* row = a + (size_t)blockIdx.x * width;
    $E* out = c + (size_t)blockIdx.x * width;
    $E v = 0;
    for (int i = threadIdx.x; i < width; i += blockDim.x) v += row[i];
    $SUM
    $SECOND
    $Ufor (int i = threadIdx.x; i < width; i += blockDim.x) {
        $LAST
    }
}
";
    let source = fill(
        text,
        &[
            ("SECOND", second),
            ("SUM", sum),
            ("LAST", last),
            ("A", &arrays(random, element)),
            ("U", unroll(random)),
            ("E", element),
            ("N", name),
        ],
    );
    let block = random.pick(&[64, 128, 256]);
    let width = random.pick(&[100, 256, 500, 768, 1000, 3000]);
    made(
        "row-norm",
        source,
        [[1 + random.below(3), 1, 1], [block, 1, 1]],
        &[("width", width)],
    )
}

/// The largest of a row, a sum, a quotient: one warp or one thread a row.
pub(super) fn softmax(random: &mut Random, name: &str) -> Program {
    let text = if random.chance(60) {
        "__global__ void $N($A, int rows, int width) {
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) return;
    const float* x = a + row * width;
    float most = -1e30f;
    $Ufor (int i = lane; i < width; i += 32) most = fmaxf(most, x[i]);
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, d));
    float sum = 0.0f;
    $Vfor (int i = lane; i < width; i += 32) sum += expf(x[i] - most);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int i = lane; i < width; i += 32) c[row * width + i] = expf(x[i] - most) / sum;
}
"
    } else {
        "__global__ void $N($A, int rows, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const float* x = a + row * width;
        float most = x[0];
        $Ufor (int i = 1; i < width; ++i) if (x[i] > most) most = x[i];
        float sum = 0.0f;
        for (int i = 0; i < width; ++i) { float e = expf(x[i] - most); c[row * width + i] = e; sum += e; }
        $Vfor (int i = 0; i < width; ++i) c[row * width + i] /= sum;
    }
}
"
    };
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("U", unroll(random)),
            ("V", unroll(random)),
            ("N", name),
        ],
    );
    let block = random.pick(&[32, 64, 128]);
    let width = random.pick(&[10, 31, 64, 100, 200]);
    let rows = random.pick(&[4, 30, 64]);
    made(
        "softmax",
        source,
        [[1 + random.below(2), 1, 1], [block, 1, 1]],
        &[("rows", rows), ("width", width)],
    )
}

/// Windows of an image laid out as columns, and back.
pub(super) fn columns(random: &mut Random, name: &str) -> Program {
    let text = random.pick(&[
        "__global__ void $N($A, int n, int w, int h, int pad) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        int x = index % w, y = index / w % h, ch = index / w / h;
        float* out = c + ch * $K * $K * w * h + y * w + x;
        const float* in = a + ch * w * h;
        $Ufor (int i = 0; i < $K; ++i)
            for (int j = 0; j < $K; ++j) {
                int v = y - pad + i, u = x - pad + j;
                *out = v >= 0 && u >= 0 && v < h && u < w ? in[v * w + u] : 0.0f;
                out += w * h;
            }
    }
}
",
        "__global__ void $N($A, int n, int w, int h, int pad) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < n) {
        int x = index % w, y = index / w;
        float sum = 0;
        for (int i = 0; i < pad + 2; ++i)
            $Ufor (int j = 0; j < $K; ++j) sum += a[((y + i) * w + x + j) * $K + j] * b[i * $K + j];
        c[index] += sum;
    }
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("K", random.pick(&["2", "3", "4", "5"])),
            ("U", unroll(random)),
            ("N", name),
        ],
    );
    made(
        "columns",
        source,
        [[1 + random.below(3), 1, 1], [random.pick(&[64, 128]), 1, 1]],
        &[
            ("n", random.pick(&[100, 256, 300])),
            ("w", random.pick(&[16, 13, 32])),
            ("h", random.pick(&[16, 9])),
            ("pad", random.pick(&[0, 1, 2])),
        ],
    )
}

/// A matrix times a vector: a warp or a block a row, vectors where they fit.
pub(super) fn row_products(random: &mut Random, name: &str) -> Program {
    let text = random.pick(&[
        "__global__ void $N($A, int rows, int width) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float sum = 0;
    $Ufor (int k = threadIdx.x; k < width; k += 32) sum += a[row * width + k] * b[k];
    $Vfor (int d = 16; d >= 1; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) c[row] = sum;
}
",
        "__global__ void $N($A, int rows, int width) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    const float4* m = (const float4*)(a + row * width);
    const float4* v = (const float4*)b;
    float sum = 0;
    for (int k = threadIdx.x; k < width / 4; k += 32) {
        float4 p = m[k], q = v[k];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int d = 16; d >= 1; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0 && row < rows) c[row] = sum;
}
",
        "__global__ void $N($A, int rows, int width) {
    __shared__ float x[256];
    int t = threadIdx.y * 32 + threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int m = 0; m < width; m += 128) {
        for (int k = t; k < 128; k += 32 * blockDim.y) x[k] = m + k < width ? b[m + k] : 0;
        __syncthreads();
        $Ufor (int k = 0; k < 4; ++k) if (m + threadIdx.x + 32 * k < width) sum += a[row * width + m + threadIdx.x + 32 * k] * x[threadIdx.x + 32 * k];
        __syncthreads();
    }
    for (int d = 16; d >= 1; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0 && row < rows) c[row] = sum;
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("U", unroll(random)),
            ("V", unroll(random)),
            ("N", name),
        ],
    );
    made(
        "row-products",
        source,
        [[1 + random.below(2), 1, 1], [32, random.pick(&[2, 4]), 1]],
        &[
            ("rows", random.pick(&[3, 8, 16])),
            ("width", random.pick(&[64, 128, 256, 300])),
        ],
    )
}
