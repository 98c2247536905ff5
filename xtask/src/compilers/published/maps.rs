//! Kernels that give each thread its own elements.

use super::{arrays, fill, made, unroll};
use crate::compilers::program::Program;
use crate::compilers::random::Random;

/// Vectors of two or four, with the rest singly.
pub(super) fn vector_map(random: &mut Random, name: &str) -> Program {
    let (vector, element, lanes) = random.pick(&[
        ("float4", "float", "4"),
        ("float2", "float", "2"),
        ("int4", "int", "4"),
        ("uchar4", "unsigned char", "4"),
        ("double2", "double", "2"),
    ]);
    let members: &[&str] = if lanes == "4" {
        &["x", "y", "z", "w"]
    } else {
        &["x", "y"]
    };
    let form = random.pick(&[
        "p.$M = p.$M + q.$M; ",
        "p.$M = p.$M > 0 ? p.$M : q.$M; ",
        "p.$M *= 2; ",
    ]);
    let all: String = members
        .iter()
        .map(|member| fill(form, &[("M", member)]))
        .collect();
    let text = random.pick(&[
        "__global__ void $N($A, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m = n / $L;
    for (int k = i; k < m; k += gridDim.x * blockDim.x) {
        $V p = reinterpret_cast<const $V*>(a)[k], q = reinterpret_cast<const $V*>(b)[k];
        $F
        reinterpret_cast<$V*>(c)[k] = p;
    }
    int rest = m * $L + i;
    if (rest < n) c[rest] = a[rest] + b[rest];
}
",
        "__global__ void $N($A, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * $L;
    if (i + $L <= n) {
        $V p = *(const $V*)&a[i];
        $V q = *(const $V*)&b[i];
        $F
        *($V*)&c[i] = p;
    } else {
        for (; i < n; ++i) c[i] = a[i] + b[i];
    }
}
",
        "__global__ void $N($A, int n) {
    const $V* u = (const $V*)a;
    $V* w = ($V*)c;
    int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    #pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = first + k * blockDim.x;
        if (i < n / $L) {
            $V p = u[i], q = ((const $V*)b)[i];
            $F
            w[i] = p;
        }
    }
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, element)),
            ("F", &all),
            ("V", vector),
            ("L", lanes),
            ("N", name),
        ],
    );
    let block = random.pick(&[32, 64, 128, 256]);
    let n = random.pick(&[500, 1000, 1024, 2047]);
    made(
        "vector-map",
        source,
        [[1 + random.below(3), 1, 1], [block, 1, 1]],
        &[("n", n)],
    )
}

/// Bodies that act on each other, directly or by tiles in shared memory.
pub(super) fn bodies(random: &mut Random, name: &str) -> Program {
    let (body, parts, members) = random.pick(&[
        ("float4", "", "p.x * q.w - p.y * q.z"),
        ("float3", "", "(p.x - q.x) * (p.y - q.y) * (p.z - q.z)"),
        (
            "Body_$N",
            "struct Body_$N { float x, y, z, m, u, v; };\n",
            "(p.x - q.x) * q.m + (p.y - q.y) * (p.z - q.z)",
        ),
        (
            "Body_$N",
            "struct Body_$N { float x, y; int kind; };\n",
            "(p.x - q.x) * (p.y - q.y)",
        ),
    ]);
    let text = random.pick(&[
        "__global__ void $N(const float* a, const $B* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    $B p = b[i];
    float sum = 0;
    $Ufor (int j = 0; j < n; ++j) {
        $B q = b[j];
        sum += $F;
    }
    c[i] = sum + a[i];
}
",
        "__global__ void $N(const float* a, const $B* b, float* c, int n) {
    __shared__ $B tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    $B p = b[i];
    float sum = a[i];
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = b[t + threadIdx.x];
        __syncthreads();
        $Ufor (int j = 0; j < $K; ++j) {
            const $B& q = tile[j];
            sum += $F;
        }
        __syncthreads();
    }
    c[i] = sum;
}
",
    ]);
    let source = format!("{parts}{text}");
    let source = fill(
        &source,
        &[
            ("F", members),
            ("B", body),
            ("U", unroll(random)),
            ("K", random.pick(&["64", "blockDim.x", "32"])),
            ("N", name),
        ],
    );
    made(
        "bodies",
        source,
        [[1 + random.below(2), 1, 1], [64, 1, 1]],
        &[("n", random.pick(&[64, 128, 100]))],
    )
}

/// Loops with two counters, with breaks, without end.
pub(super) fn left_early(random: &mut Random, name: &str) -> Program {
    let body = random.pick(&[
        "for (int k = 0; k < 16; ++k) {
        int i = t + k * stride;
        if (i >= n) break;
        c[i] = a[i] + b[k];
    }",
        "int i = t, j = n - 1 - t;
    while (i < j) {
        float v = a[i];
        c[i] = a[j] + b[i];
        c[j] = v;
        i += stride;
        j -= stride;
    }",
        "for (int i = t;; i += stride) {
        if (i >= n) return;
        c[i] = a[i] * b[i];
    }",
        "float sum = 0;
    for (int i = 0; i < n; ++i) {
        if (i > t) break;
        sum += a[i] * b[t];
    }
    c[t] = sum;",
        "float sum = 0;
    $Ufor (int i = t; i < n; i += stride) {
        if (i % 3 == 0) continue;
        sum += a[i];
    }
    c[t] = sum;",
        "int k = 0;
    float sum = 0;
    do {
        sum += a[t + k * stride] * b[k];
        ++k;
    } while (k < $K);
    c[t] = sum;",
        "float sum = 0;
    for (int i = t, k = 0; i < n && k < $K; i += stride, ++k) sum += a[i] * b[k];
    c[t] = sum;",
        "float sum = 0;
    int left = n;
    const float* p = a + t;
    while (left >= 4) {
        sum += p[0] * b[left] + p[stride] + p[2 * stride] + p[3 * stride];
        p += 4 * stride;
        left -= 4;
    }
    while (left > 0) { sum += *p; p += stride; --left; }
    c[t] = sum;",
        "float sum = 0;
    const float* end = b + n;
    for (const float* p = b; p != end; ++p) sum += *p * a[t];
    c[t] = sum;",
        "for (int i = t; i < n; i += stride) {
        float sum = 0;
        $Ufor (int k = 0; k < $K; ++k) {
            if (i + k >= n) break;
            sum += a[i + k];
        }
        c[i] = sum * b[i];
    }",
    ]);
    let text = "__global__ void $N($A, int n) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    $BODY
}
";
    let source = fill(
        text,
        &[
            ("BODY", body),
            ("A", &arrays(random, "float")),
            ("K", random.pick(&["3", "5", "8", "20"])),
            ("U", unroll(random)),
            ("N", name),
        ],
    );
    let block = random.pick(&[32, 64, 96]);
    made(
        "left-early",
        source,
        [[1 + random.below(2), 1, 1], [block, 1, 1]],
        &[("n", random.pick(&[37, 64, 100, 259]))],
    )
}

/// An index taken apart: batches, channels, rows, columns.
pub(super) fn index_parts(random: &mut Random, name: &str) -> Program {
    let body = random.pick(&[
        "int x = i % w, y = i / w % h, z = i / (w * h);\n        c[(x * h + y) * $K + z % $K] = a[i];",
        "int ch = i / (w * h) % $K;\n        c[i] = (a[i] - b[ch]) * b[ch + $K] + b[2 * $K + ch];",
        "int x = i % w, y = i / w % h, z = i / (w * h);\n        int left = max(x - 1, 0), right = min(x + 1, w - 1);\n        c[i] = a[(z * h + y) * w + left] + a[(z * h + y) * w + right] - 2 * a[i];",
        "int x = i % w, rest = i / w;\n        c[i] = x < w / 2 ? a[rest * w + 2 * x] : a[rest * w + 2 * (x - w / 2) + 1];",
        "float sum = 0;\n        $Ufor (int k = 0; k < $K; ++k) sum += a[k * n + i] * b[k];\n        c[i] = sum;",
        "float sum = 0;\n        int x = i % w;\n        for (int k = 0; k < h; ++k) sum += a[k * w + x] * b[(i / w) * h + k];\n        c[i] = sum;",
    ]);
    let form = random.pick(&[
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {\n        $BODY\n    }",
        "int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n        $BODY\n    }",
        "const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n    {\n        $BODY\n    }",
    ]);
    let text = format!("__global__ void $N($A, int n, int w, int h) {{\n    {form}\n}}\n");
    let source = fill(
        &text,
        &[
            ("BODY", body),
            ("A", &arrays(random, "float")),
            ("K", random.pick(&["2", "3", "8", "12"])),
            ("U", unroll(random)),
            ("N", name),
        ],
    );
    made(
        "index-parts",
        source,
        [
            [1 + random.below(3), 1, 1],
            [random.pick(&[64, 128, 256]), 1, 1],
        ],
        &[
            ("n", random.pick(&[200, 256, 700])),
            ("w", random.pick(&[8, 16, 25])),
            ("h", random.pick(&[4, 8, 11])),
        ],
    )
}

/// A product through tiles, one of two buffers being filled while the other is used; or with several results a thread.
pub(super) fn two_buffers(random: &mut Random, name: &str) -> Program {
    let text = random.pick(&[
        "__global__ void $N($A, int n) {
    __shared__ float as[2][$T][$T], bs[2][$T][$T];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * $T + tx, y = blockIdx.y * $T + ty;
    float sum = 0;
    int now = 0;
    as[0][ty][tx] = a[y * n + tx];
    bs[0][ty][tx] = b[ty * n + x];
    __syncthreads();
    for (int m = $T; m <= n; m += $T) {
        if (m < n) {
            as[now ^ 1][ty][tx] = a[y * n + m + tx];
            bs[now ^ 1][ty][tx] = b[(m + ty) * n + x];
        }
        $Ufor (int k = 0; k < $T; ++k) sum += as[now][ty][k] * bs[now][k][tx];
        __syncthreads();
        now ^= 1;
    }
    c[y * n + x] = sum;
}
",
        "__global__ void $N($A, int n) {
    __shared__ float as[$T][$T + 1], bs[$T][$T];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum[2] = {0, 0};
    for (int m = 0; m < n; m += $T) {
        for (int k = 0; k < 2; ++k) if (ty + k * $T / 2 < $T) {
            as[ty + k * $T / 2][tx] = a[(blockIdx.y * $T + ty + k * $T / 2) * n + m + tx];
            bs[ty + k * $T / 2][tx] = b[(m + ty + k * $T / 2) * n + blockIdx.x * $T + tx];
        }
        __syncthreads();
        $Ufor (int k = 0; k < $T; ++k)
            for (int r = 0; r < 2; ++r) if (ty + r * $T / 2 < $T) sum[r] += as[ty + r * $T / 2][k] * bs[k][tx];
        __syncthreads();
    }
    for (int r = 0; r < 2; ++r) if (ty + r * $T / 2 < $T) c[(blockIdx.y * $T + ty + r * $T / 2) * n + blockIdx.x * $T + tx] = sum[r];
}
",
    ]);
    let tile = random.pick(&[8_u64, 16, 32]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("T", &tile.to_string()),
            ("U", unroll(random)),
            ("N", name),
        ],
    );
    let rows = if text.contains("sum[2]") {
        tile / 2
    } else {
        tile
    };
    made(
        "two-buffers",
        source,
        [
            [1 + random.below(2), 1 + random.below(2), 1],
            [tile, rows, 1],
        ],
        &[("n", i32::try_from(tile * 4).unwrap_or(i32::MAX))],
    )
}

/// Functions of the device that are given pointers and structures.
pub(super) fn helpers(random: &mut Random, name: &str) -> Program {
    let text = random.pick(&[
        "struct View_$N { const float* data; int width, height; };
__device__ inline float at_$N(const View_$N& v, int x, int y) {
    x = x < 0 ? 0 : (x >= v.width ? v.width - 1 : x);
    y = y < 0 ? 0 : (y >= v.height ? v.height - 1 : y);
    return v.data[y * v.width + x];
}
__global__ void $N($A, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    View_$N v = {a, w, h};
    if (x < w && y < h)
        c[y * w + x] = at_$N(v, x - 1, y) + at_$N(v, x + 1, y) + at_$N(v, x, y - 1) + at_$N(v, x, y + 1) - 4 * at_$N(v, x, y);
}
",
        "__device__ __forceinline__ void load_$N(float* to, const float* from, int count, int stride) {
    $Ufor (int k = 0; k < count; ++k) to[k] = from[k * stride];
}
__device__ __forceinline__ float dot_$N(const float* u, const float* v) {
    float sum = 0;
    $Vfor (int k = 0; k < $K; ++k) sum += u[k] * v[k];
    return sum;
}
__global__ void $N($A, int w, int h) {
    int i = (blockIdx.y * blockDim.y + threadIdx.y) * w + blockIdx.x * blockDim.x + threadIdx.x;
    float u[$K], v[$K];
    load_$N(u, a + i, $K, w);
    load_$N(v, b, $K, h);
    c[i] = dot_$N(u, v);
}
",
        "__device__ float part_$N(float (*tile)[17], int row, int n) {
    float sum = 0;
    $Ufor (int k = 0; k < n; ++k) sum += tile[row][k];
    return sum;
}
__global__ void $N($A, int w, int h) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x < w && y < h ? a[y * w + x] : 0;
    __syncthreads();
    if (threadIdx.y == 0) c[blockIdx.y * w + x] = part_$N(tile, threadIdx.x, $K);
    else if (threadIdx.y == 1) c[blockIdx.x * h + x] = part_$N(tile, threadIdx.x, h / 2);
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("K", random.pick(&["3", "4", "8", "16"])),
            ("U", unroll(random)),
            ("V", unroll(random)),
            ("N", name),
        ],
    );
    let less = random.pick(&[0, 0, 2]);
    made(
        "helpers",
        source,
        [[2, 2, 1], [16, 16, 1]],
        &[("w", 32 - less), ("h", 32 - less)],
    )
}
