//! Kernels of nested loops: windows, triangles, planes, transforms.

use super::{arrays, fill, made, unroll};
use crate::compilers::program::Program;
use crate::compilers::random::Random;

/// A filter over a plane, direct or through a tile with a halo.
pub(super) fn convolution(random: &mut Random, name: &str) -> Program {
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

/// Solvers of small systems in shared memory: each row depends on those before it.
pub(super) fn triangle(random: &mut Random, name: &str) -> Program {
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
pub(super) fn pooling(random: &mut Random, name: &str) -> Program {
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

/// A stencil in three dimensions that walks through the planes.
pub(super) fn planes(random: &mut Random, name: &str) -> Program {
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
pub(super) fn transform(random: &mut Random, name: &str) -> Program {
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

/// Nests of small loops around memory, whose sizes are known, half known or given.
pub(super) fn small_nest(random: &mut Random, name: &str) -> Program {
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
