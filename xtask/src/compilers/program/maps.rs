//! Kernels that give each thread its own elements: maps, structures, stencils.

use super::super::random::Random;
use super::products::integer;
use super::{ELEMENTS, Program, arrays, index_1d, made, restrict, size, unroll, value};

/// `c[i] = a[i] + b[i]`, guarded or over the grid's stride.
pub(super) fn map(random: &mut Random, name: &str) -> Program {
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
        [[grid, 1, 1], [block, 1, 1]],
        &["a", "b", "c"],
        &[("n", n)],
    )
}

/// Strides and offsets that the launch gives.
pub(super) fn strided_map(random: &mut Random, name: &str) -> Program {
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
        [[grid, 1, 1], [block, 1, 1]],
        &["a", "b", "c"],
        &[("n", n), ("stride", stride), ("offset", offset)],
    )
}

/// Arrays of structures, by member or whole.
pub(super) fn structures(random: &mut Random, name: &str) -> Program {
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
        [[grid, 1, 1], [block, 1, 1]],
        &["items", "out"],
        &[("n", size(random, grid * block))],
    )
}

/// Neighbours along a line, in global memory or through a tile with a halo.
pub(super) fn stencil_1d(random: &mut Random, name: &str) -> Program {
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
        [[grid, 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[("n", size(random, grid * block))],
    )
}

/// A plane of width `w`, five or nine points, with guards.
pub(super) fn stencil_2d(random: &mut Random, name: &str) -> Program {
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
        [[gx, gy, 1], [bx, by, 1]],
        &["a", "c"],
        &[
            ("w", integer(gx * bx) - less),
            ("h", integer(gy * by) - less),
        ],
    )
}

/// Pixels of bytes, three or four a place.
pub(super) fn image(random: &mut Random, name: &str) -> Program {
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
        [[gx, gy, 1], [bx, by, 1]],
        &["a", "c"],
        &[
            ("w", integer(gx * bx) - less),
            ("h", integer(gy * by) - less),
        ],
    )
}

/// Branches by lane, by warp and by parity.
pub(super) fn branches(random: &mut Random, name: &str) -> Program {
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
        [[grid, 1, 1], [block, 1, 1]],
        &["a", "b", "c"],
        &[("n", size(random, grid * block))],
    )
}

/// Several neighbouring elements a thread, one by one, as a vector or through an array of the thread's own.
pub(super) fn neighbours(random: &mut Random, name: &str) -> Program {
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
        [[1 + random.below(3), 1, 1], [block, 1, 1]],
        &["a", "c"],
        &[("n", 0)],
    )
}
