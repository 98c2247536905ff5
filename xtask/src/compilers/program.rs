//! Random kernels of the kinds that people write: maps, stencils, tiles, reductions, products, scans, histograms.
//!
//! No address or branch depends on the contents of an array, so that source and SASS can both be counted whole.

use super::random::Random;

/// What a parameter is given.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// An array of so many bytes.
    Array(u64),
    /// An `int`.
    Integer(i32),
}

/// A kernel and its launch.
pub(super) struct Program {
    /// Which kind it is of.
    pub(super) kind: &'static str,
    pub(super) source: String,
    pub(super) grid: [u64; 3],
    pub(super) block: [u64; 3],
    pub(super) parameters: Vec<(&'static str, Value)>,
}

type Kind = fn(&mut Random, &str) -> Program;

/// Every kind and what makes it.
const KINDS: [Kind; 18] = [
    map,
    strided_map,
    structures,
    stencil_1d,
    stencil_2d,
    transpose,
    shared_reduction,
    warp_reduction,
    product,
    tiled_product,
    register_tiles,
    row_sums,
    histogram,
    scan,
    butterfly,
    image,
    branches,
    neighbours,
];

/// Kernel `name` of the `index`-th kind, with the choices that `seed` gives.
pub(super) fn program(index: usize, seed: u64, name: &str) -> Program {
    let kind = KINDS[index % KINDS.len()];
    kind(&mut Random::new(seed), name)
}

const ARRAY: u64 = 1 << 22;

/// Element types and their bytes.
const ELEMENTS: [&str; 7] = [
    "float",
    "float",
    "float",
    "int",
    "double",
    "short",
    "unsigned char",
];

fn restrict(random: &mut Random) -> &'static str {
    random.pick(&["", "", " __restrict__"])
}

fn constant(random: &mut Random) -> &'static str {
    random.pick(&["const ", "const ", ""])
}

fn unroll(random: &mut Random) -> &'static str {
    random.pick(&[
        "",
        "",
        "",
        "",
        "#pragma unroll\n    ",
        "#pragma unroll 1\n    ",
        "#pragma unroll 2\n    ",
        "#pragma unroll 4\n    ",
    ])
}

/// `const float* a, float* __restrict__ c`: arrays `inputs`, then `c`.
fn arrays(random: &mut Random, element: &str, inputs: &[&str]) -> String {
    let (restrict, constant) = (restrict(random), constant(random));
    let mut list: Vec<String> = inputs
        .iter()
        .map(|name| format!("{constant}{element}*{restrict} {name}"))
        .collect();
    list.push(format!("{element}*{restrict} c"));
    list.join(", ")
}

fn index_1d(random: &mut Random) -> &'static str {
    random.pick(&[
        "int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "const int i = threadIdx.x + blockIdx.x * blockDim.x;",
        "unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;",
        "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;",
    ])
}

/// An odd or even number of elements for a grid of so many threads.
fn size(random: &mut Random, threads: u64) -> i32 {
    let less = random.pick(&[0, 0, 1, 13, 40]);
    i32::try_from(threads.saturating_sub(less)).unwrap_or(i32::MAX)
}

fn made(
    kind: &'static str,
    source: String,
    grid: [u64; 3],
    block: [u64; 3],
    parameters: &[(&'static str, Value)],
) -> Program {
    Program {
        kind,
        source,
        grid,
        block,
        parameters: parameters.to_vec(),
    }
}

/// An element of each array, or of one, joined to a value.
fn value(random: &mut Random, at: &str) -> String {
    let forms = [
        format!("a[{at}] + b[{at}]"),
        format!("a[{at}] * 2 + b[{at}] * 3"),
        format!("a[{at}] > b[{at}] ? a[{at}] : b[{at}]"),
        format!("(a[{at}] - b[{at}]) * (a[{at}] - b[{at}])"),
        format!("a[{at}] + b[{at}] * c[{at}]"),
        format!("a[{at}]"),
        format!("a[{at}] > 0 ? a[{at}] : b[{at}]"),
        format!("a[{at}] * a[{at}]"),
    ];
    forms[usize::try_from(random.below(forms.len() as u64)).unwrap_or(0)].clone()
}

/// `c[i] = a[i] + b[i]`, guarded or over the grid's stride.
fn map(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&ELEMENTS);
    let arrays = arrays(random, element, &["a", "b"]);
    let block = random.pick(&[32, 64, 96, 128, 256, 100]);
    let grid = 1 + random.below(5);
    let repeat = random.pick(&[1, 1, 2, 5, 11]);
    let mut statements = String::new();
    for _ in 0..1 + random.below(3) {
        let value = value(random, "i");
        let op = random.pick(&["=", "=", "+="]);
        statements += &format!("c[i] {op} {value};\n        ");
    }
    let body = match random.below(5) {
        0 => format!(
            "{}\n    if (i < n) {{\n        {statements}\n    }}",
            index_1d(random)
        ),
        1 => format!(
            "{}\n    if (i >= n) return;\n    {statements}",
            index_1d(random)
        ),
        2 => format!(
            "int stride = blockDim.x * gridDim.x;\n    {}for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {{\n        {statements}\n    }}",
            unroll(random)
        ),
        3 => format!(
            "int i = blockIdx.x * blockDim.x + threadIdx.x;\n    while (i < n) {{\n        {statements}\n        i += blockDim.x * gridDim.x;\n    }}"
        ),
        _ => format!(
            "int begin = (blockIdx.x * blockDim.x + threadIdx.x) * {repeat};\n    {}for (int k = 0; k < {repeat}; ++k) {{\n        int i = begin + k;\n        if (i < n) {{\n        {statements}\n        }}\n    }}",
            unroll(random)
        ),
    };
    let source = format!("__global__ void {name}({arrays}, int n) {{\n    {body}\n}}\n");
    let n = size(random, grid * block * repeat);
    made(
        "map",
        source,
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("b", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(n)),
        ],
    )
}

/// Strides and offsets that the launch gives.
fn strided_map(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&ELEMENTS);
    let arrays = arrays(random, element, &["a", "b"]);
    let block = random.pick(&[32, 64, 128, 256]);
    let grid = 1 + random.below(4);
    let (from, to) = (
        random.pick(&[
            "i * stride",
            "i + offset",
            "i * stride + offset",
            "(i * stride) % n",
            "i / stride",
            "n - 1 - i",
            "i ^ 1",
        ]),
        random.pick(&["i", "i", "i * stride", "i + offset"]),
    );
    let statement = match random.below(3) {
        0 => format!("c[{to}] = a[{from}];"),
        1 => format!("c[{to}] = a[{from}] + b[{from}];"),
        _ => format!("c[{to}] = a[{from}] + a[{from} + 1] + b[i];"),
    };
    let guard = random.pick(&["", "if (i < n) ", "if (i >= offset && i < n) "]);
    let index = index_1d(random)
        .replace("unsigned int", "int")
        .replace("size_t i", "int i");
    let source = format!(
        "__global__ void {name}({arrays}, int n, int stride, int offset) {{\n    {index}\n    {guard}{{ {statement} }}\n}}\n"
    );
    let n = size(random, grid * block);
    let stride = random.pick(&[1, 2, 3, 4, 7, 8, 16, 32, 33]);
    let offset = random.pick(&[0, 1, 2, 5, 16, 31]);
    made(
        "strided-map",
        source,
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("b", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(n)),
            ("stride", Value::Integer(stride)),
            ("offset", Value::Integer(offset)),
        ],
    )
}

/// Arrays of structures, by member or whole.
fn structures(random: &mut Random, name: &str) -> Program {
    let members = 2 + random.below(5);
    let names: Vec<String> = (0..members).map(|k| format!("m{k}")).collect();
    let element = random.pick(&["float", "float", "int", "double"]);
    let aligned = random.pick(&["", "", "__align__(8) ", "__align__(16) "]);
    let aligned = if element == "double" { "" } else { aligned };
    let fields = names.join(", ");
    let mut statements = String::new();
    match random.below(4) {
        0 => {
            statements += "Item item = items[i];\n        ";
            for member in &names {
                if random.chance(70) {
                    statements += &format!("item.{member} += 1;\n        ");
                }
            }
            statements += "items[i] = item;";
        }
        1 => {
            for member in &names {
                if random.chance(60) {
                    statements +=
                        &format!("items[i].{member} = items[i].{member} * 2 + 1;\n        ");
                }
            }
            statements += "items[i].m0 += 3;";
        }
        2 => {
            let sum: Vec<String> = names
                .iter()
                .map(|member| format!("items[i].{member}"))
                .collect();
            statements += &format!("out[i] = {};", sum.join(" + "));
        }
        _ => {
            statements += "Item item = items[i];\n        out[i] = item.m0 + item.m1;";
            if random.chance(50) {
                statements += "\n        out[i] += item.m1;";
            }
        }
    }
    let restrict = restrict(random);
    let source = format!(
        "struct {aligned}Item_{name} {{ {element} {fields}; }};\n__global__ void {name}(Item_{name}*{restrict} items, {element}*{restrict} out, int n) {{\n    {}\n    if (i < n) {{\n        {}\n    }}\n}}\n",
        index_1d(random),
        statements.replace("Item item", &format!("Item_{name} item"))
    );
    let block = random.pick(&[32, 64, 128, 256]);
    let grid = 1 + random.below(3);
    made(
        "structures",
        source,
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("items", Value::Array(ARRAY)),
            ("out", Value::Array(ARRAY)),
            ("n", Value::Integer(size(random, grid * block))),
        ],
    )
}

/// Neighbours along a line, in global memory or through a tile with a halo.
fn stencil_1d(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double"]);
    let block = random.pick(&[32, 64, 128, 256]);
    let grid = 1 + random.below(4);
    let radius = 1 + random.below(4);
    let arrays = arrays(random, element, &["a"]);
    let index = index_1d(random)
        .replace("unsigned int", "int")
        .replace("size_t i", "int i")
        .replace("(size_t)", "");
    let body = match random.below(4) {
        0 => format!(
            "{index}\n    if (i >= {radius} && i < n - {radius}) {{\n        {element} sum = 0;\n        {}for (int k = -{radius}; k <= {radius}; ++k) sum += a[i + k];\n        c[i] = sum;\n    }}",
            unroll(random)
        ),
        1 => format!(
            "__shared__ {element} tile[{block} + 2 * {radius}];\n    {index}\n    int t = threadIdx.x + {radius};\n    tile[t] = i < n ? a[i] : 0;\n    if (threadIdx.x < {radius}) {{\n        tile[t - {radius}] = i >= {radius} ? a[i - {radius}] : 0;\n        tile[t + {block}] = i + {block} < n ? a[i + {block}] : 0;\n    }}\n    __syncthreads();\n    {element} sum = 0;\n    {}for (int k = -{radius}; k <= {radius}; ++k) sum += tile[t + k];\n    if (i < n) c[i] = sum;",
            unroll(random)
        ),
        2 => format!(
            "{index}\n    if (i < n) {{\n        {element} left = i > 0 ? a[i - 1] : a[i];\n        {element} right = i < n - 1 ? a[i + 1] : a[i];\n        c[i] = (left + a[i] + right) / 3;\n    }}"
        ),
        _ => format!(
            "{index}\n    if (i >= n) return;\n    {element} sum = 0;\n    for (int k = -{radius}; k <= {radius}; ++k) {{\n        int j = min(max(i + k, 0), n - 1);\n        sum += a[j];\n    }}\n    c[i] = sum;"
        ),
    };
    let source = format!("__global__ void {name}({arrays}, int n) {{\n    {body}\n}}\n");
    made(
        "stencil-1d",
        source,
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(size(random, grid * block))),
        ],
    )
}

/// A plane of width `w`, five or nine points, with guards.
fn stencil_2d(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int", "double"]);
    let (bx, by) = random.pick(&[(32, 8), (16, 16), (8, 8), (32, 4), (64, 2)]);
    let (gx, gy) = (1 + random.below(2), 1 + random.below(3));
    let arrays = arrays(random, element, &["a"]);
    let guard = random.pick(&[
        "x > 0 && x < w - 1 && y > 0 && y < h - 1",
        "x >= 1 && y >= 1 && x < w - 1 && y < h - 1",
    ]);
    let body = match random.below(4) {
        0 => format!(
            "if ({guard}) {{\n        c[y * w + x] = (a[y * w + x - 1] + a[y * w + x + 1] + a[(y - 1) * w + x] + a[(y + 1) * w + x]) / 4 - a[y * w + x];\n    }}"
        ),
        1 => format!(
            "if ({guard}) {{\n        {element} sum = 0;\n        {}for (int dy = -1; dy <= 1; ++dy)\n            for (int dx = -1; dx <= 1; ++dx)\n                sum += a[(y + dy) * w + x + dx];\n        c[y * w + x] = sum / 9;\n    }}",
            unroll(random)
        ),
        2 => format!(
            "if (x >= w || y >= h) return;\n    int i = y * w + x;\n    {element} sum = a[i];\n    if (x > 0) sum += a[i - 1];\n    if (x < w - 1) sum += a[i + 1];\n    if (y > 0) sum += a[i - w];\n    if (y < h - 1) sum += a[i + w];\n    c[i] = sum;"
        ),
        _ => format!(
            "__shared__ {element} tile[{by} + 2][{bx} + 2];\n    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;\n    bool inside = x < w && y < h;\n    tile[ty][tx] = inside ? a[y * w + x] : 0;\n    if (threadIdx.x == 0) tile[ty][0] = inside && x > 0 ? a[y * w + x - 1] : 0;\n    if (threadIdx.x == {bx} - 1) tile[ty][{bx} + 1] = x + 1 < w && y < h ? a[y * w + x + 1] : 0;\n    if (threadIdx.y == 0) tile[0][tx] = inside && y > 0 ? a[(y - 1) * w + x] : 0;\n    if (threadIdx.y == {by} - 1) tile[{by} + 1][tx] = x < w && y + 1 < h ? a[(y + 1) * w + x] : 0;\n    __syncthreads();\n    if (inside) c[y * w + x] = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];"
        ),
    };
    let source = format!(
        "__global__ void {name}({arrays}, int w, int h) {{\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    int y = blockIdx.y * blockDim.y + threadIdx.y;\n    {body}\n}}\n"
    );
    let less = random.pick(&[0, 0, 1, 3]);
    made(
        "stencil-2d",
        source,
        [gx, gy, 1],
        [bx, by, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("w", Value::Integer(integer(gx * bx) - less)),
            ("h", Value::Integer(integer(gy * by) - less)),
        ],
    )
}

fn integer(number: u64) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// A matrix through a shared tile, padded or not, several rows a thread.
fn transpose(random: &mut Random, name: &str) -> Program {
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
        [gx, gy, 1],
        [tile, rows, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("w", Value::Integer(integer(gx * tile) - less)),
            ("h", Value::Integer(integer(gy * tile) - less)),
        ],
    )
}

/// A sum over a block in shared memory.
fn shared_reduction(random: &mut Random, name: &str) -> Program {
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
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(size(random, grid * block * 2))),
        ],
    )
}

/// A sum over warps by exchange of registers, then over the block.
fn warp_reduction(random: &mut Random, name: &str) -> Program {
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
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(size(random, grid * block * 2))),
        ],
    )
}

/// A product of matrices without tiles.
fn product(random: &mut Random, name: &str) -> Program {
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
        [gx, gy, 1],
        [bx, by, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("b", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(n)),
        ],
    )
}

/// A product of matrices through shared tiles.
fn tiled_product(random: &mut Random, name: &str) -> Program {
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
        [gx, gy, 1],
        [tile, tile, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("b", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(n)),
        ],
    )
}

/// A product with several results a thread, held in registers.
fn register_tiles(random: &mut Random, name: &str) -> Program {
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
        [1, 2, 1],
        [bx, by, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("b", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(integer(depth * 3))),
        ],
    )
}

/// One row a thread, a warp or a block: sums, norms, softmax.
fn row_sums(random: &mut Random, name: &str) -> Program {
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
        [1 + random.below(2), 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("rows", Value::Integer(random.pick(&[32, 64, 90]))),
            ("columns", Value::Integer(random.pick(&[20, 33, 64, 100]))),
        ],
    )
}

/// Bins in shared memory, filled by atomics at places that data does not decide.
fn histogram(random: &mut Random, name: &str) -> Program {
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
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(size(random, grid * block * 3))),
        ],
    )
}

/// Prefix sums in shared memory.
fn scan(random: &mut Random, name: &str) -> Program {
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
        [1 + random.below(2), 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(integer(block))),
        ],
    )
}

/// Partners at powers of two: sorting networks, transforms.
fn butterfly(random: &mut Random, name: &str) -> Program {
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
        [1 + random.below(2), 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(integer(block))),
        ],
    )
}

/// Pixels of bytes, three or four a place.
fn image(random: &mut Random, name: &str) -> Program {
    let channels = random.pick(&[1, 3, 3, 4]);
    let arrays = arrays(random, "unsigned char", &["a"]);
    let (bx, by) = random.pick(&[(32, 8), (16, 16), (8, 8)]);
    let (gx, gy) = (1 + random.below(2), 1 + random.below(2));
    let body = match random.below(4) {
        0 if channels > 1 => format!("unsigned char r = a[{channels} * i], g = a[{channels} * i + 1], b = a[{channels} * i + 2];\n        c[i] = (unsigned char)(0.21f * r + 0.71f * g + 0.07f * b);").replace("+ 2]", if channels > 2 { "+ 2]" } else { "+ 1]" }),
        1 => format!("for (int k = 0; k < {channels}; ++k) c[{channels} * i + k] = 255 - a[{channels} * i + k];"),
        2 => format!("int sum = 0, count = 0;\n        for (int dy = -1; dy <= 1; ++dy)\n            for (int dx = -1; dx <= 1; ++dx) {{\n                int u = x + dx, v = y + dy;\n                if (u >= 0 && u < w && v >= 0 && v < h) {{\n                    sum += a[(v * w + u) * {channels}];\n                    ++count;\n                }}\n            }}\n        c[i] = sum / count;"),
        _ => format!("int u = w - 1 - x;\n        c[{channels} * (y * w + u)] = a[{channels} * i];"),
    };
    let source = format!(
        "__global__ void {name}({arrays}, int w, int h) {{\n    int x = blockIdx.x * blockDim.x + threadIdx.x;\n    int y = blockIdx.y * blockDim.y + threadIdx.y;\n    if (x < w && y < h) {{\n        int i = y * w + x;\n        {body}\n    }}\n}}\n"
    );
    let less = random.pick(&[0, 0, 1, 3]);
    made(
        "image",
        source,
        [gx, gy, 1],
        [bx, by, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("w", Value::Integer(integer(gx * bx) - less)),
            ("h", Value::Integer(integer(gy * by) - less)),
        ],
    )
}

/// Branches by lane, by warp and by parity.
fn branches(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&ELEMENTS);
    let arrays = arrays(random, element, &["a", "b"]);
    let test = random.pick(&[
        "i % 2 == 0",
        "threadIdx.x < 16",
        "i & 4",
        "(i / 32) % 2",
        "threadIdx.x % 3 == 1",
        "i < n / 2",
    ]);
    let other = random.pick(&["i % 3 == 0", "threadIdx.x >= 8", "i & 1"]);
    let body = match random.below(6) {
        0 => format!("if ({test}) c[i] = a[i]; else c[i] = b[i];"),
        1 => format!("if ({test}) {{\n        c[i] = a[i] + 1;\n    }} else if ({other}) {{\n        c[i] = b[i];\n    }}"),
        2 => format!("{element} v = a[i];\n    if ({test}) v = b[i];\n    c[i] = v;"),
        3 => format!("c[i] = ({test}) ? a[i] : b[i] * 2;"),
        4 => "switch (i % 4) {\n        case 0: c[i] = a[i]; break;\n        case 1: c[i] = b[i]; break;\n        case 2: c[i] = a[i] + b[i]; break;\n        default: c[i] = 0;\n    }".to_owned(),
        _ => format!("{element} v = 0;\n    if ({test}) v += a[i];\n    if ({other}) v += b[i];\n    if ({test}) c[i] = v;"),
    };
    let guard = random.pick(&["", "if (i >= n) return;\n    "]);
    let index = index_1d(random)
        .replace("unsigned int", "int")
        .replace("size_t i", "int i")
        .replace("(size_t)", "");
    let source =
        format!("__global__ void {name}({arrays}, int n) {{\n    {index}\n    {guard}{body}\n}}\n");
    let block = random.pick(&[32, 64, 128, 256]);
    let grid = 1 + random.below(3);
    made(
        "branches",
        source,
        [grid, 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("b", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(size(random, grid * block))),
        ],
    )
}

/// Several neighbouring elements a thread, one by one, as a vector or through an array of the thread's own.
fn neighbours(random: &mut Random, name: &str) -> Program {
    let element = random.pick(&["float", "float", "int"]);
    let arrays = arrays(random, element, &["a"]);
    let wide = random.pick(&[2, 4, 4, 8]);
    let pragma = unroll(random);
    let index = index_1d(random)
        .replace("unsigned int", "int")
        .replace("size_t i", "int i")
        .replace("(size_t)", "");
    let vector = if element == "float" { "float4" } else { "int4" };
    let body = match random.below(6) {
        0 => format!(
            "{element} r[{wide}];\n    {pragma}for (int k = 0; k < {wide}; ++k) r[k] = a[i * {wide} + k];\n    {pragma}for (int k = 0; k < {wide}; ++k) c[i * {wide} + k] = r[{wide} - 1 - k];"
        ),
        1 => format!(
            "{vector} v = reinterpret_cast<const {vector}*>(a)[i];\n    v.x += 1; v.y += 2; v.z *= 3;\n    reinterpret_cast<{vector}*>(c)[i] = v;"
        ),
        2 => format!(
            "{element} sum = 0;\n    {pragma}for (int k = 0; k < {wide}; ++k) sum += a[i * {wide} + k];\n    c[i] = sum;"
        ),
        3 => format!(
            "__shared__ {element} s[256 * {wide}];\n    {pragma}for (int k = 0; k < {wide}; ++k) s[threadIdx.x * {wide} + k] = a[i + k * 256];\n    __syncthreads();\n    {element} sum = 0;\n    {pragma}for (int k = 0; k < {wide}; ++k) sum += s[threadIdx.x + k * blockDim.x];\n    c[i] = sum;"
        ),
        4 => format!(
            "__shared__ {element} s[256][{wide}];\n    {pragma}for (int k = 0; k < {wide}; ++k) s[threadIdx.x][k] = a[i * {wide} + k];\n    __syncthreads();\n    {pragma}for (int k = 0; k < {wide}; ++k) c[i * {wide} + k] = s[threadIdx.x ^ 1][k];"
        ),
        _ => format!(
            "__shared__ {vector} s[256];\n    s[threadIdx.x] = reinterpret_cast<const {vector}*>(a)[i];\n    __syncthreads();\n    {vector} v = s[(threadIdx.x + 1) % blockDim.x];\n    c[i] = v.x + v.y + v.z + v.w;"
        ),
    };
    let source =
        format!("__global__ void {name}({arrays}, int n) {{\n    {index}\n    {body}\n}}\n");
    let block = random.pick(&[32, 64, 128, 256]);
    made(
        "neighbours",
        source,
        [1 + random.below(3), 1, 1],
        [block, 1, 1],
        &[
            ("a", Value::Array(ARRAY)),
            ("c", Value::Array(ARRAY)),
            ("n", Value::Integer(0)),
        ],
    )
}
