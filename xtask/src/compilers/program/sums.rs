//! Reductions, scans and histograms.

use super::super::random::Random;
use super::products::integer;
use super::{Program, arrays, made, size, unroll};

/// A sum over a block in shared memory.
pub(super) fn shared_reduction(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double"]);
    let block = random.pick(&[64, 128, 256, 512]);
    let arrays = arrays(random, element, &["a"]);
    let load = match random.below(4) {
        0 => "s[t] = i < n ? a[i] : 0;".to_owned(),
        1 => "s[t] = a[i];".to_owned(),
        2 => format!("{element} sum = 0;\n    for (int k = i; k < n; k += blockDim.x * gridDim.x) sum += a[k];\n    s[t] = sum;"),
        _ => "s[t] = (i < n ? a[i] : 0) + (i + blockDim.x * gridDim.x < n ? a[i + blockDim.x * gridDim.x] : 0);".to_owned(),
    };
    let step = match random.below(6) {
        0 => "for (int d = 1; d < blockDim.x; d *= 2) {\n        if (t % (2 * d) == 0) s[t] += s[t + d];\n        __syncthreads();\n    }".to_owned(),
        1 => "for (int d = 1; d < blockDim.x; d *= 2) {\n        int at = 2 * d * t;\n        if (at < blockDim.x) s[at] += s[at + d];\n        __syncthreads();\n    }".to_owned(),
        2 => "for (int d = blockDim.x / 2; d > 0; d >>= 1) {\n        if (t < d) s[t] += s[t + d];\n        __syncthreads();\n    }".to_owned(),
        3 => format!("{}for (int d = {block} / 2; d > 0; d /= 2) {{\n        if (t < d) s[t] = s[t] + s[t + d];\n        __syncthreads();\n    }}", unroll(random)),
        4 => format!("for (unsigned int d = {block} / 2; d > 32; d >>= 1) {{\n        if (t < d) s[t] += s[t + d];\n        __syncthreads();\n    }}\n    if (t < 32) {{\n        volatile {element}* v = s;\n        v[t] += v[t + 32];\n        v[t] += v[t + 16];\n        v[t] += v[t + 8];\n        v[t] += v[t + 4];\n        v[t] += v[t + 2];\n        v[t] += v[t + 1];\n    }}"),
        _ => "int d = blockDim.x / 2;\n    while (d != 0) {\n        if (t < d) s[t] += s[t + d];\n        __syncthreads();\n        d /= 2;\n    }".to_owned(),
    };
    let end = random.pick(&[
        "if (t == 0) c[blockIdx.x] = s[0];",
        "if (t == 0) { c[blockIdx.x] = s[0]; }",
        "if (!t) c[blockIdx.x] = s[t];",
    ]);
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    __shared__ {element} s[{block}];\n    int t = threadIdx.x;\n    int i = blockIdx.x * blockDim.x + t;\n    {load}\n    __syncthreads();\n    {step}\n    {end}\n}}\n"
    );
    let grid = 1 + random.below(3);
    made(
        "shared-reduction",
        source,
        [[grid, 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[("n", size(random, grid * block * 2))],
    )
}

/// A sum over warps by exchange of registers, then over the block.
pub(super) fn warp_reduction(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double"]);
    let block = random.pick(&[64, 128, 256, 512]);
    let arrays = arrays(random, element, &["a"]);
    let exchange = random.pick(&[
        "__shfl_down_sync(0xffffffff, v, d)",
        "__shfl_xor_sync(0xffffffff, v, d)",
    ]);
    let pragma = unroll(random);
    let load = random.pick(&[
        "v = i < n ? a[i] : 0;",
        "for (int k = i; k < n; k += blockDim.x * gridDim.x) v += a[k];",
        "if (i < n) v = a[i] * a[i];",
    ]);
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    __shared__ {element} s[32];\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n    {element} v = 0;\n    {load}\n    {pragma}for (int d = 16; d > 0; d >>= 1) v += {exchange};\n    if (lane == 0) s[warp] = v;\n    __syncthreads();\n    if (warp == 0) {{\n        v = lane < blockDim.x / 32 ? s[lane] : 0;\n        {pragma}for (int d = 16; d > 0; d /= 2) v += {exchange};\n        if (lane == 0) c[blockIdx.x] = v;\n    }}\n}}\n"
    );
    let grid = 1 + random.below(3);
    made(
        "warp-reduction",
        source,
        [[grid, 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[("n", size(random, grid * block * 2))],
    )
}

/// One row a thread, a warp or a block: sums, norms, softmax.
pub(super) fn row_sums(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "double", "int"]);
    let arrays = arrays(random, element, &["a"]);
    let columns = random.pick(&["columns", "columns", "20", "64"]);
    let pragma = unroll(random);
    let body = match random.below(4) {
        0 => format!(
            "int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row >= rows) return;\n    {element} sum = 0;\n    {pragma}for (int k = 0; k < {columns}; ++k) sum += a[row * columns + k];\n    c[row] = sum;"
        ),
        1 => format!(
            "int row = blockIdx.x * blockDim.x + threadIdx.x;\n    if (row < rows) {{\n        {element} most = a[row * columns];\n        for (int k = 1; k < {columns}; ++k) most = a[row * columns + k] > most ? a[row * columns + k] : most;\n        {element} sum = 0;\n        for (int k = 0; k < {columns}; ++k) sum += a[row * columns + k] - most;\n        for (int k = 0; k < {columns}; ++k) c[row * columns + k] = (a[row * columns + k] - most) * sum;\n    }}"
        ),
        2 => format!(
            "int row = blockIdx.x;\n    {element} sum = 0;\n    {pragma}for (int k = threadIdx.x; k < {columns}; k += blockDim.x) sum += a[row * columns + k];\n    __shared__ {element} s[256];\n    s[threadIdx.x] = sum;\n    __syncthreads();\n    for (int d = blockDim.x / 2; d > 0; d /= 2) {{\n        if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];\n        __syncthreads();\n    }}\n    for (int k = threadIdx.x; k < {columns}; k += blockDim.x) c[row * columns + k] = a[row * columns + k] - s[0];"
        ),
        _ => format!(
            "int column = blockIdx.x * blockDim.x + threadIdx.x;\n    if (column < {columns}) {{\n        {element} sum = 0;\n        {pragma}for (int r = 0; r < rows; ++r) sum += a[r * columns + column];\n        c[column] = sum;\n    }}"
        ),
    };
    let source =
        format!("__global__ void {name}({arrays}, int rows, int columns) {{\n    {body}\n}}\n");
    let block = random.pick(&[32, 64, 128, 256]);
    made(
        "row-sums",
        source,
        [[1 + random.below(2), 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[
            ("rows", random.pick(&[32, 64, 90])),
            ("columns", random.pick(&[20, 33, 64, 100])),
        ],
    )
}

/// Bins in shared memory, filled by atomics at places that data does not decide.
pub(super) fn histogram(random: &mut Random, name: &str) -> Program {
    let bins = random.pick(&[32, 64, 256]);
    let at = random.pick(&["i * 7", "i / 3", "threadIdx.x * 2", "i", "i * 33"]);
    let body = format!(
        "__shared__ {kind} s[{bins}];\n    for (int k = threadIdx.x; k < {bins}; k += blockDim.x) s[k] = 0;\n    __syncthreads();\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {loops}atomicAdd(&s[({at}) % {bins}], {one});\n    __syncthreads();\n    for (int k = threadIdx.x; k < {bins}; k += blockDim.x) {end}",
        kind = random.pick(&["int", "unsigned int"]),
        loops = random.pick(&[
            "",
            "if (i < n) ",
            "for (; i < n; i += blockDim.x * gridDim.x) "
        ]),
        one = random.pick(&["1", "1", "2"]),
        end = random.pick(&[
            "c[blockIdx.x * 256 + k] = s[k];",
            "atomicAdd(&c[k], (int)s[k]);",
            "c[k] += s[k];"
        ]),
    );
    let source = format!("__global__ void {name}(int* c, int n) {{\n    {body}\n}}\n");
    let block = random.pick(&[64, 128, 256]);
    let grid = 1 + random.below(2);
    made(
        "histogram",
        source,
        [[grid, 1, 1], [block, 1, 1]],
        &["c"],
        &[("n", size(random, grid * block * 3))],
    )
}

/// Prefix sums in shared memory.
pub(super) fn scan(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "int", "double"]);
    let arrays = arrays(random, element, &["a"]);
    let block = random.pick(&[64, 128, 256]);
    let body = match random.below(4) {
        0 => format!(
            "s[t] = a[i];\n    __syncthreads();\n    for (int d = 1; d < {block}; d *= 2) {{\n        {element} v = 0;\n        if (t >= d) v = s[t - d];\n        __syncthreads();\n        s[t] += v;\n        __syncthreads();\n    }}\n    c[i] = s[t];"
        ),
        1 => format!(
            "int out = 0, in = 1;\n    s[t] = t > 0 ? a[i - 1] : 0;\n    __syncthreads();\n    for (int d = 1; d < {block}; d *= 2) {{\n        out = 1 - out;\n        in = 1 - out;\n        if (t >= d) s[out * {block} + t] = s[in * {block} + t] + s[in * {block} + t - d];\n        else s[out * {block} + t] = s[in * {block} + t];\n        __syncthreads();\n    }}\n    c[i] = s[out * {block} + t];"
        ),
        2 => format!(
            "s[t] = a[i];\n    int offset = 1;\n    for (int d = {block} >> 1; d > 0; d >>= 1) {{\n        __syncthreads();\n        if (t < d) {{\n            int p = offset * (2 * t + 1) - 1;\n            int q = offset * (2 * t + 2) - 1;\n            s[q] += s[p];\n        }}\n        offset *= 2;\n    }}\n    if (t == 0) s[{block} - 1] = 0;\n    for (int d = 1; d < {block}; d *= 2) {{\n        offset >>= 1;\n        __syncthreads();\n        if (t < d) {{\n            int p = offset * (2 * t + 1) - 1;\n            int q = offset * (2 * t + 2) - 1;\n            {element} v = s[p];\n            s[p] = s[q];\n            s[q] += v;\n        }}\n    }}\n    __syncthreads();\n    c[i] = s[t];"
        ),
        _ => format!(
            "{element} v = a[i];\n    int lane = t & 31;\n    {}for (int d = 1; d < 32; d *= 2) {{\n        {element} u = __shfl_up_sync(0xffffffff, v, d);\n        if (lane >= d) v += u;\n    }}\n    if (lane == 31) s[t / 32] = v;\n    __syncthreads();\n    if (t < {block} / 32) {{\n        {element} w = 0;\n        for (int k = 0; k <= t; ++k) w += s[k];\n        s[{block} + t] = w;\n    }}\n    __syncthreads();\n    if (t >= 32) v += s[{block} + t / 32 - 1];\n    c[i] = v;",
            unroll(random)
        ),
    };
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    __shared__ {element} s[2 * {block}];\n    int t = threadIdx.x;\n    int i = blockIdx.x * {block} + t;\n    {body}\n}}\n"
    );
    made(
        "scan",
        source,
        [[1 + random.below(2), 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[("n", integer(block))],
    )
}

/// Partners at powers of two: sorting networks, transforms.
pub(super) fn butterfly(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "int", "float"]);
    let arrays = arrays(random, element, &["a"]);
    let block = random.pick(&[64, 128, 256]);
    let body = match random.below(3) {
        0 => format!(
            "for (int d = {block} / 2; d > 0; d /= 2) {{\n        {element} other = s[t ^ d];\n        __syncthreads();\n        s[t] = (t & d) ? s[t] - other : s[t] + other;\n        __syncthreads();\n    }}"
        ),
        1 => format!(
            "for (int d = 1; d < {block}; d *= 2) {{\n        int p = (t / d) * 2 * d + t % d;\n        if (t < {block} / 2) {{\n            {element} x = s[p], y = s[p + d];\n            s[p] = x + y;\n            s[p + d] = x - y;\n        }}\n        __syncthreads();\n    }}"
        ),
        _ => format!(
            "{}for (int d = 1; d < {block}; d <<= 1) {{\n        {element} other = s[t ^ d];\n        __syncthreads();\n        s[t] += other;\n        __syncthreads();\n    }}",
            unroll(random)
        ),
    };
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    __shared__ {element} s[{block}];\n    int t = threadIdx.x;\n    int i = blockIdx.x * {block} + t;\n    s[t] = a[i];\n    __syncthreads();\n    {body}\n    c[i] = s[t];\n}}\n"
    );
    made(
        "butterfly",
        source,
        [[1 + random.below(2), 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[("n", integer(block))],
    )
}
