//! Random kernels in the manner of published programs: layers of networks, tiles of nests, bodies in loops, vector types,
//! loops that are left early, guards.
//!
//! No address or branch depends on the contents of an array, so that source and SASS can both be counted whole.

use super::program::{Program, Value};
use super::random::Random;

type Kind = fn(&mut Random, &str) -> Program;

/// Every kind and what makes it.
const KINDS: [Kind; 16] = [
    row_norm,
    softmax,
    vector_map,
    bodies,
    convolution,
    left_early,
    triangle,
    pooling,
    columns,
    row_products,
    index_parts,
    two_buffers,
    planes,
    transform,
    helpers,
    small_nest,
];

/// Kernel `name` of the `index`-th kind, with the choices that `seed` gives.
pub(super) fn program(index: usize, seed: u64, name: &str) -> Program {
    let kind = KINDS[index % KINDS.len()];
    kind(&mut Random::new(seed), name)
}

const ARRAY: u64 = 1 << 22;

/// `text` with each `$KEY` replaced by its word.
fn fill(text: &str, words: &[(&str, &str)]) -> String {
    words.iter().fold(text.to_owned(), |text, (key, word)| {
        text.replace(&format!("${key}"), word)
    })
}

/// A kernel with arrays `a`, `b`, `c` and the integers `sizes`.
fn made(
    kind: &'static str,
    source: String,
    [grid, block]: [[u64; 3]; 2],
    sizes: &[(&'static str, i32)],
) -> Program {
    let arrays = ["a", "b", "c"].map(|name| (name, Value::Array(ARRAY)));
    let sizes = sizes
        .iter()
        .map(|(name, size)| (*name, Value::Integer(*size)));
    Program {
        kind,
        source,
        grid,
        block,
        parameters: arrays.into_iter().chain(sizes).collect(),
    }
}

/// The list of arrays, as some people write it.
fn arrays(random: &mut Random, element: &str) -> String {
    let form = random.pick(&[
        "const $E* a, const $E* b, $E* c",
        "const $E* __restrict__ a, const $E* __restrict__ b, $E* __restrict__ c",
        "$E* a, $E* b, $E* c",
    ]);
    fill(form, &[("E", element)])
}

fn unroll(random: &mut Random) -> &'static str {
    random.pick(&[
        "",
        "",
        "",
        "",
        "#pragma unroll\n",
        "#pragma unroll\n",
        "#pragma unroll 2\n",
        "#pragma unroll 4\n",
        "#pragma unroll 1\n",
    ])
}

/// Sums over a block: within warps by exchange, then over warps in shared memory.
fn block_sum(random: &mut Random) -> &'static str {
    random.pick(&[
        "for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x % 32] : 0;
    if (threadIdx.x < 32) for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0) s[0] = v;
    __syncthreads();
    v = s[0];",
        "#pragma unroll
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if ((threadIdx.x & 31) == 0) s[threadIdx.x >> 5] = v;
    __syncthreads();
    v = 0;
    for (int k = 0; k < blockDim.x / 32; ++k) v += s[k];",
        "s[threadIdx.x] = v;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    v = s[0];",
    ])
}

/// A norm of each row: one block a row.
fn row_norm(random: &mut Random, name: &str) -> Program {
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
fn softmax(random: &mut Random, name: &str) -> Program {
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

/// Vectors of two or four, with the rest singly.
fn vector_map(random: &mut Random, name: &str) -> Program {
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
fn bodies(random: &mut Random, name: &str) -> Program {
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

/// A filter over a plane, direct or through a tile with a halo.
fn convolution(random: &mut Random, name: &str) -> Program {
    let radius = random.pick(&["1", "1", "2", "3"]);
    let text = random.pick(&[
        "__global__ void $N($A, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0;
    $Ufor (int dy = -$R; dy <= $R; ++dy)
        for (int dx = -$R; dx <= $R; ++dx) {
            int u = x + dx, v = y + dy;
            if (u >= 0 && u < w && v >= 0 && v < h) sum += a[v * w + u] * b[(dy + $R) * (2 * $R + 1) + dx + $R];
        }
    c[y * w + x] = sum;
}
",
        "__global__ void $N($A, int w, int h) {
    __shared__ float tile[16 + 2 * $R][16 + 2 * $R$P];
    int x0 = blockIdx.x * 16 - $R, y0 = blockIdx.y * 16 - $R;
    for (int j = threadIdx.y; j < 16 + 2 * $R; j += 16)
        for (int i = threadIdx.x; i < 16 + 2 * $R; i += 16) {
            int u = x0 + i, v = y0 + j;
            tile[j][i] = u >= 0 && u < w && v >= 0 && v < h ? a[v * w + u] : 0.0f;
        }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < w && y < h) {
        float sum = 0;
        $Ufor (int j = 0; j <= 2 * $R; ++j)
            $Vfor (int i = 0; i <= 2 * $R; ++i) sum += tile[threadIdx.y + j][threadIdx.x + i] * b[j * (2 * $R + 1) + i];
        c[y * w + x] = sum;
    }
}
",
        "__global__ void $N($A, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        float sum = 0;
        for (int j = -$R; j <= $R; ++j) {
            int v = min(max(y + j, 0), h - 1);
            $Vfor (int i = -$R; i <= $R; ++i) sum += a[v * w + min(max(x + i, 0), w - 1)] * b[i + $R];
        }
        c[y * w + x] = sum / (2 * $R + 1);
    }
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("R", radius),
            ("P", random.pick(&["", " + 1"])),
            ("U", unroll(random)),
            ("V", unroll(random)),
            ("N", name),
        ],
    );
    let less = random.pick(&[0, 0, 3]);
    made(
        "convolution",
        source,
        [[2, 1 + random.below(2), 1], [16, 16, 1]],
        &[("w", 32 - less), ("h", 32 - less)],
    )
}

/// Loops with two counters, with breaks, without end.
fn left_early(random: &mut Random, name: &str) -> Program {
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

/// Solvers of small systems in shared memory: each row hangs on those before it.
fn triangle(random: &mut Random, name: &str) -> Program {
    let body = random.pick(&[
        "for (int k = 0; k < $D - 1; ++k) {
        if (t > k) {
            float f = s[t][k] / s[k][k];
            for (int j = k; j < $D; ++j) s[t][j] -= f * s[k][j];
        }
        __syncthreads();
    }",
        "for (int i = 0; i < $D; ++i) {
        float v = s[i][t];
        for (int j = 0; j < i; ++j) v -= s[i][j] * s[j][t];
        s[i][t] = v;
        __syncthreads();
    }",
        "for (int i = $D - 1; i >= 0; --i) {
        float v = b[i * $D + t];
        for (int j = i + 1; j < $D; ++j) v -= s[i][j] * s[j][t];
        s[i][t] = v / s[i][i];
    }",
        "for (int k = 0; k < $D; ++k) {
        if (t >= k) {
            float v = s[t][k];
            for (int j = 0; j < k; ++j) v -= s[t][j] * s[k][j];
            s[t][k] = v * b[k];
        }
        __syncthreads();
    }",
        "for (int i = 0; i < $D; ++i)
        for (int j = i + 1; j < $D; ++j) s[i][t] += s[j][t] * b[j];",
        "for (int k = 0; k < $D; ++k) {
        float v = s[k][t];
        __syncthreads();
        for (int i = 0; i < $D; ++i) if (i != k) s[i][t] -= s[i][k] * v;
        __syncthreads();
    }",
    ]);
    let text = "__global__ void $N($A, int n) {
    __shared__ float s[$D][$D$P];
    int t = threadIdx.x;
    const float* own = a + blockIdx.x * n;
    for (int i = 0; i < $D; ++i) s[i][t] = own[i * $D + t];
    __syncthreads();
    $BODY
    __syncthreads();
    for (int i = 0; i < $D; ++i) c[blockIdx.x * n + i * $D + t] = s[i][t];
}
";
    let size = random.pick(&[3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 32]);
    let source = fill(
        text,
        &[
            ("BODY", body),
            ("A", &arrays(random, "float")),
            ("D", &size.to_string()),
            ("P", random.pick(&["", "", " + 1"])),
            ("N", name),
        ],
    );
    made(
        "triangle",
        source,
        [[1 + random.below(2), 1, 1], [size, 1, 1]],
        &[("n", 1024)],
    )
}

/// Windows of a plane: their largest or their sum.
fn pooling(random: &mut Random, name: &str) -> Program {
    let text = random.pick(&[
        "__global__ void $N($A, int n, int w, int h, int size, int step) {
    for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
        int pw = index % (w / step), ph = index / (w / step) % (h / step), ch = index / (w / step) / (h / step);
        int y0 = ph * step, x0 = pw * step;
        int y1 = min(y0 + size, h), x1 = min(x0 + size, w);
        const float* plane = a + ch * h * w;
        float most = -1e30f;
        $Ufor (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) most = fmaxf(most, plane[y * w + x]);
        c[index] = most;
    }
}
",
        "__global__ void $N($A, int n, int w, int h, int size, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int x0 = i % w, y0 = i / w % h;
    float sum = 0;
    for (int k = 0; k < $K; ++k)
        for (int l = 0; l < $K; ++l) {
            int y = y0 * step + k - 1, x = x0 * step + l - 1;
            if (y >= 0 && x >= 0 && y < h && x < w) sum += a[y * w + x];
        }
    c[i] = sum * b[size];
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("K", random.pick(&["2", "3", "5"])),
            ("U", unroll(random)),
            ("N", name),
        ],
    );
    made(
        "pooling",
        source,
        [[1 + random.below(2), 1, 1], [random.pick(&[64, 128]), 1, 1]],
        &[
            ("n", random.pick(&[100, 128, 250])),
            ("w", random.pick(&[16, 30])),
            ("h", random.pick(&[16, 20])),
            ("size", random.pick(&[2, 3, 5])),
            ("step", random.pick(&[1, 2])),
        ],
    )
}

/// Windows of an image laid out as columns, and back.
fn columns(random: &mut Random, name: &str) -> Program {
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
fn row_products(random: &mut Random, name: &str) -> Program {
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

/// An index taken apart: batches, channels, rows, columns.
fn index_parts(random: &mut Random, name: &str) -> Program {
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
fn two_buffers(random: &mut Random, name: &str) -> Program {
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

/// A stencil in three dimensions that walks through the planes.
fn planes(random: &mut Random, name: &str) -> Program {
    let text = random.pick(&[
        "__global__ void $N($A, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int plane = w * h, i = y * w + x;
    float below = a[i], here = a[i + plane];
    $Ufor (int z = 1; z < d - 1; ++z) {
        float above = a[i + (z + 1) * plane];
        int at = i + z * plane;
        c[at] = below + above + a[at - 1] + a[at + 1] + a[at - w] + a[at + w] - 6 * here;
        below = here;
        here = above;
    }
}
",
        "__global__ void $N($A, int w, int h, int d) {
    __shared__ float s[10][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    for (int z = 0; z < d; ++z) {
        int at = (z * h + y) * w + x;
        s[ty][tx] = a[at];
        if (threadIdx.x == 0) s[ty][0] = x > 0 ? a[at - 1] : 0;
        if (threadIdx.x == 31) s[ty][33] = x < w - 1 ? a[at + 1] : 0;
        if (threadIdx.y == 0) s[0][tx] = y > 0 ? a[at - w] : 0;
        if (threadIdx.y == 7) s[9][tx] = y < h - 1 ? a[at + w] : 0;
        __syncthreads();
        c[at] = b[z] * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx]) - s[ty][tx];
        __syncthreads();
    }
}
",
        "__global__ void $N($A, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    for (int z = 0; z < d; ++z)
        if (x > 0 && x < w - 1 && y > 0 && y < h - 1 && z > 0 && z < d - 1) {
            float sum = 0;
            for (int k = -1; k <= 1; ++k)
                for (int l = -1; l <= 1; ++l) sum += a[((z + k) * h + y + l) * w + x] * b[k + 1];
            c[(z * h + y) * w + x] = sum;
        }
}
",
    ]);
    let source = fill(
        text,
        &[
            ("A", &arrays(random, "float")),
            ("U", unroll(random)),
            ("N", name),
        ],
    );
    made(
        "planes",
        source,
        [[2, 1 + random.below(2), 1], [32, 8, 1]],
        &[("w", 64), ("h", 16), ("d", random.pick(&[4, 6, 11, 18]))],
    )
}

/// Transforms of pairs in shared memory.
fn transform(random: &mut Random, name: &str) -> Program {
    let step = random.pick(&[
        "for (int s = 1; s < $B; s <<= 1) {
        int p = (t / s) * 2 * s + t % s;
        float2 u = x[p], v = x[p + s];
        __syncthreads();
        x[p] = make_float2(u.x + v.x, u.y + v.y);
        x[p + s] = make_float2(u.x - v.x, u.y - v.y);
        __syncthreads();
    }",
        "for (int half = $B; half >= 1; half /= 2) {
        int p = 2 * half * (t / half) + t % half;
        float2 u = x[p];
        float2 v = x[p + half];
        x[p].x = u.x + v.x;
        x[p].y = u.y + v.y;
        x[p + half].x = u.x - v.x;
        x[p + half].y = u.y - v.y;
        __syncthreads();
    }",
        "#pragma unroll
    for (int s = 1; s < 32; s *= 2) {
        float2 u = x[t];
        float v = __shfl_xor_sync(0xffffffffu, u.x, s);
        x[t] = make_float2(u.x + v, u.y * v);
        __syncthreads();
    }",
    ]);
    let text = "__global__ void $N(const float2* a, const float2* b, float2* c, int n) {
    __shared__ float2 x[2 * $B];
    int t = threadIdx.x;
    for (int k = 0; k < 2; ++k) x[t + k * $B] = a[blockIdx.x * n + t + k * $B];
    __syncthreads();
    $STEP
    float2 w = b[t];
    float2 v = x[t];
    c[blockIdx.x * n + t] = make_float2(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
    c[blockIdx.x * n + t + $B] = x[t + $B];
}
";
    let block = random.pick(&[32, 64, 128]);
    let source = fill(
        text,
        &[("STEP", step), ("B", &block.to_string()), ("N", name)],
    );
    made(
        "transform",
        source,
        [[1 + random.below(2), 1, 1], [block, 1, 1]],
        &[("n", 512)],
    )
}

/// Functions of the device that are given pointers and structures.
fn helpers(random: &mut Random, name: &str) -> Program {
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

/// Nests of small loops around memory, whose sizes are known, half known or given.
fn small_nest(random: &mut Random, name: &str) -> Program {
    let outer = random.pick(&["2", "3", "4", "6", "8", "n"]);
    let inner = random.pick(&["m", "m", "2", "4", "8", "i + 1", "16"]);
    let work = random.pick(&[
        "sum += a[i * m + j] * b[j];",
        "sum += a[(i * 32 + j) * 8 + t] * s[j % 32];",
        "s[j % 32] += a[i * m + j];\n            sum += s[(j + 1) % 32];",
        "sum += a[t + j] * b[i] + a[t + i] * b[j];",
        "float d = a[i * 64 + t] - b[j * 64 + t];\n            sum += d * d;\n            if (d > 0) sum += s[i + j];",
        "c[(i * 32 + j) * 64 + t] = a[j * 64 + t] * s[i];",
        "sum += a[t * 4 + (j & 3)] * b[i];\n            sum += a[t * 4 + (i & 3)] / b[j];",
    ]);
    let end = random.pick(&[
        "c[i * 64 + t] = sum;\n        sum = 0;",
        "",
        "c[i * 64 + t] += sum;",
    ]);
    let text = "__global__ void $N($A, int n, int m) {
    __shared__ float s[64];
    int t = blockIdx.x * 32 + threadIdx.x;
    s[threadIdx.x] = a[t];
    s[threadIdx.x + 32] = b[t];
    __syncwarp();
    float sum = 0;
    $Ufor (int i = 0; i < $O; ++i) {
        $Vfor (int j = 0; j < $I; ++j) {
            $WORK
        }
        $END
    }
    c[t + 8192] = sum + s[63 - threadIdx.x];
}
";
    let source = fill(
        text,
        &[
            ("WORK", work),
            ("END", end),
            ("A", &arrays(random, "float")),
            ("O", outer),
            ("I", inner),
            ("U", unroll(random)),
            ("V", unroll(random)),
            ("N", name),
        ],
    );
    made(
        "small-nest",
        source,
        [[1 + random.below(2), 1, 1], [32, 1, 1]],
        &[
            ("n", random.pick(&[3, 5, 8])),
            ("m", random.pick(&[5, 7, 16, 21])),
        ],
    )
}
