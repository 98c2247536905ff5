//! Transposes and products of matrices.

use super::super::random::Random;
use super::{Program, arrays, made, unroll};

pub(super) fn integer(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A matrix through a shared tile, padded or not, several rows a thread.
pub(super) fn transpose(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double", "short"]);
    let tile = random.pick(&[8, 16, 32, 32]);
    let rows = random.pick(&[tile, tile / 2, tile / 4]);
    let pad = random.pick(&["", " + 1", " + 2"]);
    let arrays = arrays(random, element, &["a"]);
    let pragma = unroll(random);
    let guarded = random.chance(50);
    let (load, store) = if guarded {
        ("if (x < w && y + j < h) ", "if (x2 < h && y2 + j < w) ")
    } else {
        ("", "")
    };
    let source = format!(
        "__global__ void {name}({arrays}, int w, int h) {{\n    __shared__ {element} tile[{tile}][{tile}{pad}];\n    int x = blockIdx.x * {tile} + threadIdx.x;\n    int y = blockIdx.y * {tile} + threadIdx.y;\n    {pragma}for (int j = 0; j < {tile}; j += {rows})\n        {load}tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * w + x];\n    __syncthreads();\n    int x2 = blockIdx.y * {tile} + threadIdx.x;\n    int y2 = blockIdx.x * {tile} + threadIdx.y;\n    {pragma}for (int j = 0; j < {tile}; j += {rows})\n        {store}c[(y2 + j) * h + x2] = tile[threadIdx.x][threadIdx.y + j];\n}}\n"
    );
    let (gx, gy) = (1 + random.below(3), 1 + random.below(3));
    let less = if guarded { random.pick(&[0, 1, 5]) } else { 0 };
    made(
        "transpose",
        source,
        [[gx, gy, 1], [tile, rows, 1]],
        &["a", "c"],
        &[
            ("w", integer(gx * tile) - less),
            ("h", integer(gy * tile) - less),
        ],
    )
}

/// A product of matrices without tiles.
pub(super) fn product(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double"]);
    let arrays = arrays(random, element, &["a", "b"]);
    let (bx, by) = random.pick(&[(16, 16), (32, 8), (8, 8), (32, 1)]);
    let (gx, gy) = (1 + random.below(2), 1 + random.below(2));
    let depth = random.pick(&["n", "n", "16", "24", "50"]);
    let (row, column) = random.pick(&[("y", "x"), ("x", "y")]);
    let inner = match random.below(3) {
        0 => format!(
            "{element} sum = 0;\n        {}for (int k = 0; k < {depth}; ++k) sum += a[{row} * n + k] * b[k * n + {column}];\n        c[{row} * n + {column}] = sum;",
            unroll(random)
        ),
        1 => format!(
            "c[{row} * n + {column}] = 0;\n        for (int k = 0; k < {depth}; k++) c[{row} * n + {column}] += a[{row} * n + k] * b[k * n + {column}];"
        ),
        _ => format!(
            "{element} sum = 0;\n        {}for (int k = 0; k < {depth}; ++k) sum += a[{row} * n + k] * b[{column} * n + k];\n        c[{row} * n + {column}] = 2 * sum + 3 * c[{row} * n + {column}];",
            unroll(random)
        ),
    };
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    int y = blockIdx.y * blockDim.y + threadIdx.y;\n    if (x < n && y < n) {{\n        {inner}\n    }}\n}}\n"
    );
    let n = random.pick(&[16, 32, 33, 40, 61]);
    made(
        "product",
        source,
        [[gx, gy, 1], [bx, by, 1]],
        &["a", "b", "c"],
        &[("n", n)],
    )
}

/// A product of matrices through shared tiles.
pub(super) fn tiled_product(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double"]);
    let arrays = arrays(random, element, &["a", "b"]);
    let tile = random.pick(&[8, 16, 32]);
    let pad = random.pick(&["", "", " + 1"]);
    let guarded = random.chance(50);
    let (pragma, inner) = (unroll(random), unroll(random));
    let second = random.pick(&["bs[k][tx]", "bs[k][tx]", "bs[tx][k]"]);
    let load = if guarded {
        format!(
            "as[ty][tx] = y < n && m * {tile} + tx < n ? a[y * n + m * {tile} + tx] : 0;\n        if (x < n && m * {tile} + ty < n) bs[ty][tx] = b[(m * {tile} + ty) * n + x]; else bs[ty][tx] = 0;"
        )
    } else {
        format!(
            "as[ty][tx] = a[y * n + m * {tile} + tx];\n        bs[ty][tx] = b[(m * {tile} + ty) * n + x];"
        )
    };
    let store = if guarded { "if (x < n && y < n) " } else { "" };
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    __shared__ {element} as[{tile}][{tile}{pad}];\n    __shared__ {element} bs[{tile}][{tile}{pad}];\n    int tx = threadIdx.x, ty = threadIdx.y;\n    int x = blockIdx.x * {tile} + tx, y = blockIdx.y * {tile} + ty;\n    {element} sum = 0;\n    {pragma}for (int m = 0; m < (n + {tile} - 1) / {tile}; ++m) {{\n        {load}\n        __syncthreads();\n        {inner}for (int k = 0; k < {tile}; ++k) sum += as[ty][k] * {second};\n        __syncthreads();\n    }}\n    {store}c[y * n + x] = sum;\n}}\n"
    );
    let (gx, gy) = (1 + random.below(2), 1 + random.below(2));
    let n = integer(tile * 3) - if guarded { random.pick(&[0, 1, 5]) } else { 0 };
    made(
        "tiled-product",
        source,
        [[gx, gy, 1], [tile, tile, 1]],
        &["a", "b", "c"],
        &[("n", n)],
    )
}

/// A product with several results a thread, held in registers.
pub(super) fn register_tiles(random: &mut Random, name: &str) -> Program {
    let arrays = arrays(random, "float", &["a", "b"]);
    let (tm, tn) = random.pick(&[(1, 4), (4, 1), (2, 2), (4, 4), (8, 1)]);
    let depth = random.pick(&[8, 16]);
    let (bx, by) = random.pick(&[(16, 16), (8, 8), (32, 4)]);
    let (width, height) = (bx * tn, by * tm);
    let pragma = random.pick(&["", "#pragma unroll\n        "]);
    let column = random
        .pick(&["tx * {tn} + j", "tx + j * {bx}"])
        .replace("{tn}", &tn.to_string())
        .replace("{bx}", &bx.to_string());
    let source = format!(
        "__global__ void {name}({arrays}, int n) {{\n    __shared__ float as[{height}][{depth}];\n    __shared__ float bs[{depth}][{width}];\n    int tx = threadIdx.x, ty = threadIdx.y;\n    int t = ty * {bx} + tx;\n    float acc[{tm}][{tn}] = {{}};\n    for (int m = 0; m < n; m += {depth}) {{\n        for (int k = t; k < {height} * {depth}; k += {bx} * {by}) as[k / {depth}][k % {depth}] = a[(blockIdx.y * {height} + k / {depth}) * n + m + k % {depth}];\n        for (int k = t; k < {depth} * {width}; k += {bx} * {by}) bs[k / {width}][k % {width}] = b[(m + k / {width}) * n + blockIdx.x * {width} + k % {width}];\n        __syncthreads();\n        {pragma}for (int k = 0; k < {depth}; ++k)\n            for (int i = 0; i < {tm}; ++i)\n                for (int j = 0; j < {tn}; ++j)\n                    acc[i][j] += as[ty * {tm} + i][k] * bs[k][{column}];\n        __syncthreads();\n    }}\n    for (int i = 0; i < {tm}; ++i)\n        for (int j = 0; j < {tn}; ++j)\n            c[(blockIdx.y * {height} + ty * {tm} + i) * n + blockIdx.x * {width} + {column}] = acc[i][j];\n}}\n"
    );
    made(
        "register-tiles",
        source,
        [[1, 2, 1], [bx, by, 1]],
        &["a", "b", "c"],
        &[("n", integer(depth * 3))],
    )
}
