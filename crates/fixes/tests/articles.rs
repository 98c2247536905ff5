//! The kernels that articles on shared memory explain, in several spellings each: the article's own fix is among the
//! first two, and its totals are those that arithmetic gives.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;

use lanescope_fixes::{Advice, Family, FixKind, Place, Suggestion};
use lanescope_frontend::NamedLaunch;
use lanescope_model::Device;

fn advised(text: &str, grid: [u32; 3], block: [u32; 3], arguments: &[(&str, i64)]) -> Advice {
    asked::advised(text, NamedLaunch::new(grid, block), arguments)
}

/// The first of the first two fixes that is of this kind.
fn among_first_two<'a>(
    advice: &'a Advice,
    text: &str,
    is_wanted: impl Fn(&FixKind) -> bool,
) -> &'a Suggestion {
    let mut first = advice.suggestions.iter().take(2);
    let found = first.find(|one| is_wanted(&one.kind));
    found.unwrap_or_else(|| {
        let kinds = advice.suggestions.iter().map(|one| one.kind.to_string());
        panic!("{text}\n{:?} {:?}", kinds.collect::<Vec<_>>(), advice.notes)
    })
}

/// A reduction of 256 numbers with these steps.
fn reduction(steps: &str) -> String {
    format!(
        "#define DOUBLED(s) (2 * (s))
const int THREADS = 256;
__global__ void sum(const float* from, float* to, unsigned int n) {{
  __shared__ float part[THREADS];
  const unsigned int t = threadIdx.x;
  const unsigned int at = blockIdx.x * blockDim.x + t;
  part[t] = at < n ? from[at] : 0.0f;
  __syncthreads();
{steps}
  if (t == 0) to[blockIdx.x] = part[0];
}}"
    )
}

#[test]
fn reductions_become_sequential() {
    let spellings = [
        // Lanes apart: no conflict, but many requests.
        "for (unsigned int s = 1; s < blockDim.x; s *= 2) { if (t % (2 * s) == 0) { part[t] += part[t + s]; } __syncthreads(); }",
        "for (int s = 1; s < THREADS; s <<= 1) { if ((t % (2 * s) == 0) && (at + s < n)) part[t] += part[t + s]; __syncthreads(); }",
        "for (int s = 1; s < 256; s += s) { if ((t & (2 * s - 1)) == 0) part[t] = part[t] + part[t + s]; __syncthreads(); }",
        "for (int s = 1; s < 256; s = s * 2) { if (!(t % (s << 1))) { float sum = part[t] + part[t + s]; part[t] = sum; } __syncthreads(); }",
        "for (int s = 1; s < 256; s *= 2) { if (t % DOUBLED(s) == 0) { part[t] += part[t + s]; } __syncthreads(); }",
        // Words apart: conflicts.
        "for (unsigned int s = 1; s < blockDim.x; s *= 2) { int i = 2 * s * t; if (i < blockDim.x) { part[i] += part[i + s]; } __syncthreads(); }",
        "for (int s = 1; s < THREADS; s *= 2)\n  {\n    int i = 2 * s * t;\n    if ((i + s < THREADS) && (blockIdx.x * THREADS + s < n))\n    {\n      part[i] += part[i + s];\n    }\n    __syncthreads();\n  }",
        "for (int s = 1; s < 256; s *= 2) { if (2 * s * t < 256) part[2 * s * t] += part[2 * s * t + s]; __syncthreads(); }",
        "unsigned int i; for (int s = 1; s < 256; s <<= 1) { i = (s << 1) * t; if (i < 256) part[i] += part[i + s]; __syncthreads(); }",
        "for (int s = 1; s < 256; s *= 2) { const int i = t * s * 2; if (i < 256 && t < 256) { part[i] += part[i + s]; } __syncthreads(); }",
        // The loop asks in its body.
        "for (unsigned int s = 1; ; s *= 2) { if (s >= blockDim.x) break; if (t % (2 * s) == 0) part[t] += part[t + s]; __syncthreads(); }",
        "unsigned int s = 1; while (true) { if (s >= 256) { break; } if (t % (2 * s) == 0) part[t] += part[t + s]; __syncthreads(); s *= 2; }",
        "int s = 1; for (;;) { if (!(s < THREADS)) break; int i = 2 * s * t; if (i < 256) { part[i] += part[i + s]; } __syncthreads(); s <<= 1; }",
    ];
    for steps in spellings {
        let text = reduction(steps);
        let advice = advised(&text, [4, 1, 1], [256, 1, 1], &[("n", 1024)]);
        let found = among_first_two(&advice, &text, |kind| *kind == FixKind::Sequential);
        let shared = found.totals[1].shared;
        assert_eq!((shared.conflicts(), shared.requests), (0, 180), "{text}");
    }
}

/// Two elements a thread, the first pair side by side.
#[test]
fn paired_reductions_become_sequential() {
    let spellings = [
        "__global__ void k(const float* d, float* o) { __shared__ float p[512]; p[threadIdx.x] = d[threadIdx.x]; p[threadIdx.x + 256] = d[threadIdx.x + 256]; __syncthreads(); unsigned int i = 2 * threadIdx.x; for (unsigned int s = 1; s <= blockDim.x; s *= 2) { if (threadIdx.x % s == 0) { p[i] += p[i + s]; } __syncthreads(); } if (threadIdx.x == 0) { *o = p[0]; } }",
        "__global__ void k(const float* d, float* o) { __shared__ float p[512]; p[threadIdx.x] = d[threadIdx.x]; p[threadIdx.x + 256] = d[threadIdx.x + 256]; __syncthreads(); unsigned i = threadIdx.x * 2; for (unsigned s = 1; s < 512; s <<= 1) { if (threadIdx.x % s == 0) p[i] = p[i] + p[i + s]; __syncthreads(); } if (!threadIdx.x) o[0] = p[0]; }",
        "__global__ void k(const float* d, float* o) { __shared__ float p[512]; int t = threadIdx.x; p[t] = d[t]; p[t + 256] = d[t + 256]; for (int s = 1; s <= 256; s *= 2) { __syncthreads(); if (t % s == 0) p[2 * t] += p[2 * t + s]; } if (t == 0) o[0] = p[0]; }",
        "#define N 256\n__global__ void k(const float* d, float* o) { __shared__ float p[2 * N]; unsigned int t = threadIdx.x; unsigned int start = 2 * blockIdx.x * blockDim.x; p[t] = d[start + t]; p[blockDim.x + t] = d[start + blockDim.x + t]; for (unsigned int s = 1; s <= blockDim.x; s *= 2) { __syncthreads(); if (t % s == 0) { p[2 * t] += p[2 * t + s]; } } __syncthreads(); if (t == 0) o[blockIdx.x] = p[0]; }",
        "__global__ void k(const float* d, float* o) { __shared__ float p[512]; const int t = threadIdx.x; p[t] = d[t]; p[t + 256] = d[t + 256]; const int at = t << 1; for (int s = 1; s <= 256; s += s) { __syncthreads(); if ((t % s == 0) && t < 256) { p[at] += p[at + s]; } } if (t == 0) o[0] = p[0]; }",
    ];
    for text in spellings {
        let advice = advised(text, [1, 1, 1], [256, 1, 1], &[]);
        let found = among_first_two(&advice, text, |kind| *kind == FixKind::Sequential);
        let [before, after] = found.totals;
        assert_eq!(after.shared.conflicts(), 0, "{text}");
        assert!(after.shared.requests < before.shared.requests, "{text}");
    }
}

#[test]
fn naive_transposes_are_staged() {
    let head = "__global__ void turn(const float* from, float* to, int w, int h) {\n  int x = blockIdx.x * blockDim.x + threadIdx.x;\n  int y = blockIdx.y * blockDim.y + threadIdx.y;\n";
    let spellings = [
        "  if (x < w && y < h) to[x * h + y] = from[y * w + x];\n}",
        "  if (x < w && y < h)\n  {\n    to[y * w + x] = from[x * h + y];\n  }\n}",
        "  if (x >= w || y >= h) return;\n  to[x * h + y] = from[y * w + x];\n}",
        "  if (x >= w || y >= h) { return; }\n  const float v = from[y * w + x];\n  to[x * h + y] = v;\n}",
        "  unsigned int along = x + y * w, across = x * h + y;\n  if (x < w) { if (y < h) { to[across] = from[along]; } }\n}",
    ];
    for body in spellings {
        let text = format!("{head}{body}");
        let sides = [("w", 64), ("h", 64)];
        let advice = advised(&text, [2, 2, 1], [32, 32, 1], &sides);
        let found = among_first_two(&advice, &text, |kind| *kind == FixKind::Stage);
        let totals = found.totals;
        assert_eq!(
            (totals[0].global.units, totals[1].global.units),
            (4608, 1024)
        );
        assert_eq!(totals[1].shared.conflicts(), 0, "{text}");
    }
}

#[test]
fn a_transpose_in_a_loop_is_staged() {
    let text = "__global__ void turn(const float* from, float* to) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  int w = gridDim.x * 32;
  for (int j = 0; j < 32; j += 8)
    to[x * w + (y + j)] = from[(y + j) * w + x];
}";
    let advice = advised(text, [2, 2, 1], [32, 8, 1], &[]);
    let found = among_first_two(&advice, text, |kind| *kind == FixKind::Stage);
    let after = found.totals[1];
    assert_eq!((after.global.units, after.shared.conflicts()), (1024, 0));
}

#[test]
fn four_copies_of_a_thread_are_staged() {
    let head = "__global__ void turn(const float* from, float* to, int w, int h) {\n  int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n";
    let spellings = [
        "  if (x + 96 < w && y < h) {\n    to[x * h + y] = from[y * w + x];\n    to[(x + 32) * h + y] = from[y * w + x + 32];\n    to[(x + 64) * h + y] = from[y * w + x + 64];\n    to[(x + 96) * h + y] = from[y * w + x + 96];\n  }\n}",
        "  if (x + 96 >= w || y >= h) return;\n  const int in = y * w + x, out = x * h + y;\n  to[out] = from[in];\n  to[out + 32 * h] = from[in + 32];\n  to[out + 64 * h] = from[in + 64];\n  to[out + 96 * h] = from[in + 96];\n}",
        // The other side runs against the rows.
        "  if (x + 96 < w && y < h) {\n    to[y * w + x] = from[x * h + y];\n    to[y * w + x + 32] = from[(x + 32) * h + y];\n    to[y * w + x + 64] = from[(x + 64) * h + y];\n    to[y * w + x + 96] = from[(x + 96) * h + y];\n  }\n}",
        // All loads before all stores.
        "  unsigned int step = blockDim.x;\n  if (x + 3 * step < w && y < h)\n  {\n    float a = from[y * w + x], b = from[y * w + x + step], c = from[y * w + x + 2 * step], d = from[y * w + x + 3 * step];\n    to[x * h + y] = a;\n    to[(x + step) * h + y] = b;\n    to[(x + 2 * step) * h + y] = c;\n    to[(x + 3 * step) * h + y] = d;\n  }\n}",
        "  if (x + 96 >= w) { return; }\n  if (y < h) {\n    const float a = from[y * w + x];\n    const float b = from[y * w + x + 32];\n    const float c = from[y * w + x + 64];\n    const auto d = from[y * w + x + 96];\n    to[x * h + y] = a; to[(x + 32) * h + y] = b; to[(x + 64) * h + y] = c; to[(x + 96) * h + y] = d;\n  }\n}",
    ];
    for body in spellings {
        let text = format!("{head}{body}");
        let sides = [("w", 128), ("h", 128)];
        let advice = advised(&text, [1, 4, 1], [32, 32, 1], &sides);
        let found = among_first_two(&advice, &text, |kind| *kind == FixKind::Stage);
        let after = found.totals[1];
        let counted = (after.global.units, after.shared.conflicts());
        assert_eq!(counted, (4096, 0), "{text}");
    }
}

/// What a tile's type would change on the way is left as it is.
#[test]
fn values_that_change_on_their_way_are_not_staged() {
    let head = "__global__ void turn(const float* from, float* to, int* whole, int w, int h) {\n  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n  if (x >= w || y >= h) return;\n";
    for body in [
        "  int v = from[y * w + x];\n  to[x * h + y] = v;\n}",
        "  to[x * h + y] = from[y * w + x];\n  whole[x * h + y] = from[y * w + x];\n}",
    ] {
        let text = format!("{head}{body}");
        let sides = [("w", 64), ("h", 64)];
        let advice = advised(&text, [2, 2, 1], [32, 32, 1], &sides);
        let mut kinds = advice.suggestions.iter().map(|one| &one.kind);
        assert!(kinds.all(|kind| *kind != FixKind::Stage), "{text}");
    }
}

/// Four floats at once down a column of rows of 128 bytes: rows are padded by the four, whose alignment they keep.
#[test]
fn rows_of_vectors_are_padded_by_a_vector() {
    let sum = "v.x + v.y + v.z + v.w;\n}";
    let spellings = [
        (
            "__global__ void k(const float* in, float* out) {\n  __shared__ float tile[32][32];\n  int t = threadIdx.x, j = threadIdx.y;\n  for (int r = j; r < 32; r += 8) tile[r][t] = in[r * 32 + t];\n  __syncthreads();\n  float4 v = *reinterpret_cast<float4*>(&tile[t][4 * j]);\n  out[j * 32 + t] = ",
            4,
        ),
        (
            "#define FOUR(value) (reinterpret_cast<float4*>(&(value))[0])\n__global__ void k(const float* in, float* out) {\n  __shared__ float tile[32][32];\n  for (int j = threadIdx.y; j < 32; j += 8) tile[j][threadIdx.x] = in[j * 32 + threadIdx.x];\n  __syncthreads();\n  float4 v = FOUR(tile[threadIdx.x][4 * threadIdx.y]);\n  out[threadIdx.y * 32 + threadIdx.x] = ",
            4,
        ),
        (
            "const unsigned int SIDE = 32;\n__global__ void k(const float* in, float* out) {\n  __shared__ float tile[SIDE * SIDE];\n  unsigned int t = threadIdx.x, j = threadIdx.y;\n  for (unsigned int r = j; r < SIDE; r += 8) { tile[r * SIDE + t] = in[r * SIDE + t]; }\n  __syncthreads();\n  const float4 v = *(const float4*)(tile + t * SIDE + 4 * j);\n  out[j * SIDE + t] = ",
            4,
        ),
        (
            "__global__ void k(const float4* in, float* out) {\n  __shared__ float4 tile[32][8];\n  int t = threadIdx.y * 32 + threadIdx.x;\n  tile[t / 8][t % 8] = in[t];\n  __syncthreads();\n  float4 v = tile[threadIdx.x][threadIdx.y];\n  out[t] = ",
            1,
        ),
        (
            "__device__ float4 piece(const float* row, int j) { return reinterpret_cast<const float4*>(row)[j]; }\n__global__ void k(const float* in, float* out) {\n  __shared__ float tile[32][32];\n  for (int j = threadIdx.y; j < 32; j += blockDim.y) tile[j][threadIdx.x] = in[j * 32 + threadIdx.x];\n  __syncthreads();\n  float4 v = piece(tile[threadIdx.x], threadIdx.y);\n  out[threadIdx.y * 32 + threadIdx.x] = ",
            4,
        ),
    ];
    for (body, elements) in spellings {
        let text = format!("{body}{sum}");
        let advice = advised(&text, [1, 1, 1], [32, 8, 1], &[]);
        // An array of one dimension has its pitch changed in its index.
        let is_vector = |kind: &FixKind| match kind {
            FixKind::Place(Place::Pad {
                elements: found, ..
            }) => *found == elements,
            FixKind::Pitch { from, to, .. } => to - from == elements,
            _ => false,
        };
        let found = among_first_two(&advice, &text, is_vector);
        let totals = found.totals.map(|totals| totals.shared.wavefronts);
        assert_eq!(totals, [32 + 256, 32 + 32], "{text}");
    }
}

#[test]
fn structures_of_twelve_bytes_are_split() {
    let head = "struct point { float x, y, z; };\n__global__ void k(";
    let spellings = [
        "const point* p, float* o) { int i = blockIdx.x * 256 + threadIdx.x; o[i] = p[i].x + p[i].y + p[i].z; }",
        "const struct point *p, float *o) { int i = blockIdx.x * 256 + threadIdx.x; point q = p[i]; o[i] = q.x + q.y + q.z; }",
        "const point* __restrict__ p, float* o) { int i = blockIdx.x * 256 + threadIdx.x; if (i < 1'024) { const point q = p[i]; o[i] = q.x + q.y + q.z; } }",
        "const point* p, float* o) { for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < 1024; i += gridDim.x * blockDim.x) { const point& q = p[i]; o[i] = q.x + q.y + q.z; } }",
    ];
    let named = "typedef struct { float x; float y; float z; } point;\n#define COUNT 1024\n__global__ void k(const point* p, float* o) { const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= COUNT) return; o[i] = p[i].x + p[i].y + p[i].z; }";
    let texts = spellings.map(|body| format!("{head}{body}")).into_iter();
    for text in texts.chain([named.to_owned()]) {
        let advice = advised(&text, [4, 1, 1], [256, 1, 1], &[]);
        let found = among_first_two(&advice, &text, |kind| *kind == FixKind::SplitGlobal);
        assert_eq!(found.totals[1].global.units, 512, "{text}");
        let is_aligned = |kind: &FixKind| *kind == FixKind::AlignStructure { bytes: 16 };
        let aligned = among_first_two(&advice, &text, is_aligned);
        assert_eq!(aligned.totals[1].global.units, 640, "{text}");
    }
}

/// A structure that is stored has no padding to store: a compiler takes several accesses, so no alignment is offered.
#[test]
fn structures_that_are_stored_are_split_only() {
    let text = "struct point { float x, y, z; };
__global__ void k(point* p) { int i = blockIdx.x * 256 + threadIdx.x; point q = p[i]; q.x += 1; q.y -= 1; q.z *= 2; p[i] = q; }";
    let advice = advised(text, [4, 1, 1], [256, 1, 1], &[]);
    let found = among_first_two(&advice, text, |kind| *kind == FixKind::SplitGlobal);
    assert_eq!(found.totals[1].global.units, 768);
    let is_aligned = |one: &Suggestion| matches!(one.kind, FixKind::AlignStructure { .. });
    assert!(!advice.suggestions.iter().any(is_aligned), "{advice:#?}");
}

/// Words of structures, copied by neighbouring threads: the third remedy, with its price in shared memory.
#[test]
fn structures_of_twelve_bytes_are_staged() {
    let i = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    let spellings = [
        (
            "struct point { float x, y, z; };",
            "o[i] = p[i].x + p[i].y + p[i].z;",
            512,
        ),
        (
            "struct point { unsigned int x; unsigned y; int z; };",
            "if (i >= n) return; o[i] = p[i].x + p[i].y + p[i].z;",
            512,
        ),
        (
            "typedef struct { float x; float y; float z; } point;",
            "if (i < n) { point q = p[i]; o[i] = q.x * q.y * q.z; }",
            512,
        ),
        (
            "#define point float3",
            "if (n <= i) { return; } const point q = p[i]; o[i] = q.x + q.y + q.z;",
            512,
        ),
        (
            "struct point { float x, y, z; };",
            "if (i < n) { p[i].x += 1; p[i].y += 2; p[i].z += 3; }",
            768,
        ),
    ];
    for (structure, uses, sectors) in spellings {
        let text = format!(
            "{structure}\n__global__ void k(point* p, float* o, unsigned n) {{\n  {i}\n  {uses}\n}}"
        );
        let advice = advised(&text, [4, 1, 1], [256, 1, 1], &[("n", 1024)]);
        let mut all = advice.suggestions.iter();
        let found = all.find(|one| one.kind == FixKind::Stage);
        let found = found.unwrap_or_else(|| panic!("{text}\n{advice:#?}"));
        let totals = &found.totals[1];
        assert_eq!(
            (totals.global.units, totals.shared.conflicts()),
            (sectors, 0),
            "{text}"
        );
        assert_eq!(found.occupancy[1].shared_bytes, 3072, "{text}");
    }
}

#[test]
fn padding_comes_before_an_xor() {
    let text = "__global__ void k(float* o) { __shared__ float b[32][32]; b[threadIdx.x][threadIdx.y] = 1; o[threadIdx.x] = b[threadIdx.y][threadIdx.x]; }";
    let advice = advised(text, [1, 1, 1], [32, 32, 1], &[]);
    let kinds: Vec<_> = advice.suggestions.iter().map(|one| &one.kind).collect();
    let pad = Place::Pad {
        dimension: 1,
        elements: 1,
    };
    assert_eq!(kinds.first(), Some(&&FixKind::Place(pad)));
    assert!(matches!(kinds[1], FixKind::Place(Place::Swizzle(_))));
}

/// A file of several kernels, as a lesson has it: only what is launched changes.
#[test]
fn other_kernels_of_the_file_stay_as_they_are() {
    let step = |test: &str| {
        format!(
            "{{ __shared__ float p[256]; int t = threadIdx.x; p[t] = in[blockIdx.x * 256 + t]; __syncthreads(); for (int s = 1; s < 256; s *= 2) {{ {test} __syncthreads(); }} if (t == 0) out[blockIdx.x] = p[0]; }}\n"
        )
    };
    let kernel = |name: &str, test: &str| {
        format!(
            "__global__ void {name}(const float* in, float* out) {}",
            step(test)
        )
    };
    let first = kernel("first", "if (t % (2 * s) == 0) p[t] += p[t + s];");
    let second = kernel(
        "second",
        "int i = 2 * s * t; if (i < 256) p[i] += p[i + s];",
    );
    let text = format!("{first}{second}");
    let advice = advised(&text, [4, 1, 1], [256, 1, 1], &[]);
    let found = among_first_two(&advice, &text, |kind| *kind == FixKind::Sequential);
    assert!(found.source.text().starts_with(&first));
    assert_eq!(found.totals[1].shared.conflicts(), 0);

    let copy = |name: &str| {
        format!(
            "__global__ void {name}(const float* in, float* out) {{ int x = blockIdx.x * 32 + threadIdx.y, y = blockIdx.y * 32 + threadIdx.x; out[y * 64 + x] = in[y * 64 + x]; }}\n"
        )
    };
    let text = copy("first") + &copy("second");
    let advice = advised(&text, [2, 2, 1], [32, 32, 1], &[]);
    let found = among_first_two(&advice, &text, |kind| *kind == FixKind::SwapAxes);
    assert!(found.source.text().starts_with(&copy("first")));

    let pairs = |name: &str| {
        format!(
            "__global__ void {name}(const float* in, float* out) {{ int t = blockIdx.x * 32 + threadIdx.x; out[2 * t] = in[2 * t] + 1; out[2 * t + 1] = in[2 * t + 1] + 1; }}\n"
        )
    };
    let text = pairs("first") + &pairs("second");
    let advice = advised(&text, [4, 1, 1], [32, 1, 1], &[]);
    let found = among_first_two(&advice, &text, |kind| *kind == FixKind::Widen { bytes: 8 });
    assert!(found.source.text().starts_with(&pairs("first")));
}

/// A tile of 32 x 32 words, written along its rows and read down its columns.
#[test]
fn tiles_are_padded_first() {
    let spellings = [
        "__global__ void turn(const float* in, float* out, int n) { __shared__ float tile[32][32]; int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y; tile[threadIdx.y][threadIdx.x] = in[y * n + x]; __syncthreads(); x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y; out[y * n + x] = tile[threadIdx.x][threadIdx.y]; }",
        "#define TILE 32\n__global__ void turn(const float* in, float* out, int n) { __shared__ float tile[TILE][TILE]; unsigned int tx = threadIdx.x, ty = threadIdx.y; if (blockIdx.x * TILE + tx < n && blockIdx.y * TILE + ty < n) { tile[ty][tx] = in[(blockIdx.y * TILE + ty) * n + blockIdx.x * TILE + tx]; } __syncthreads(); out[(blockIdx.x * TILE + ty) * n + blockIdx.y * TILE + tx] = tile[tx][ty]; }",
        "__global__ void turn(const float* in, float* out, int n) { __shared__ float tile[32 * 32]; int tx = threadIdx.x, ty = threadIdx.y; tile[ty * 32 + tx] = in[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx]; __syncthreads(); out[(blockIdx.x * 32 + ty) * n + blockIdx.y * 32 + tx] = tile[tx * 32 + ty]; }",
        "const int SIDE = 32;\n__global__ void turn(const float* in, float* out, int n)\n{\n  __shared__ float tile[SIDE][SIDE];\n  const int x = blockIdx.x * SIDE + threadIdx.x;\n  for (int j = 0; j < SIDE; j += blockDim.y)\n    tile[threadIdx.y + j][threadIdx.x] = in[(blockIdx.y * SIDE + threadIdx.y + j) * n + x];\n  __syncthreads();\n  const int across = blockIdx.y * SIDE + threadIdx.x;\n  for (int j = 0; j < SIDE; j += blockDim.y)\n    out[(blockIdx.x * SIDE + threadIdx.y + j) * n + across] = tile[threadIdx.x][threadIdx.y + j];\n}",
        "template <int ROWS, int COLS> __device__ void keep(float (&tile)[ROWS][COLS], float value) { tile[threadIdx.y][threadIdx.x] = value; }\n__global__ void turn(const float* in, float* out, int n) { __shared__ float tile[32][32]; keep(tile, in[(blockIdx.y * 32 + threadIdx.y) * n + blockIdx.x * 32 + threadIdx.x]); __syncthreads(); out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; }",
    ];
    for text in spellings {
        let advice = advised(text, [2, 2, 1], [32, 32, 1], &[("n", 64)]);
        let found = among_first_two(
            &advice,
            text,
            |kind| matches!(kind, FixKind::Place(place) if place.family() == Family::Padding),
        );
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
    }
}

/// A tile of 16 x 16 words: on 32 banks a warp covers two of its rows and no pitch frees both sides, an XOR does; on 16
/// banks rows of 17 do.
#[test]
fn small_tiles_want_an_xor_and_on_16_banks_a_padding() {
    let spellings = [
        "__global__ void turn(const float* in, float* out) { __shared__ float tile[16][16]; tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x]; __syncthreads(); out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; }",
        "#define B 16\n__global__ void turn(const float* in, float* out) { __shared__ float tile[B][B]; int i = threadIdx.x, j = threadIdx.y; tile[j][i] = in[j * B + i]; __syncthreads(); out[j * B + i] = tile[i][j]; }",
        "__global__ void turn(const float* in, float* out) { const unsigned int side = 16; __shared__ float tile[side][side]; unsigned i = threadIdx.x; unsigned j = threadIdx.y; if (i < side && j < side) { tile[j][i] = in[j * side + i]; } __syncthreads(); out[j * side + i] = tile[i][j]; }",
        "__global__ void turn(const float* in, float* out) { __shared__ float tile[16][16]; float (*rows)[16] = tile; rows[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x]; __syncthreads(); out[threadIdx.y * 16 + threadIdx.x] = rows[threadIdx.x][threadIdx.y]; }",
        "enum { SIDE = 16 };\n__global__ void turn(const float* in, float* out) { __shared__ float tile[SIDE][SIDE]; tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * SIDE + threadIdx.x]; __syncthreads(); out[threadIdx.y * SIDE + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; }",
    ];
    let old = Device::by_name("cc1.3").unwrap();
    for text in spellings {
        let launch = NamedLaunch::new([1, 1, 1], [16, 16, 1]);
        for (device, family) in [(<&Device>::default(), Family::Xor), (old, Family::Padding)] {
            let advice = asked::advised_on(device, text, launch.clone(), &[]);
            let found = among_first_two(
                &advice,
                text,
                |kind| matches!(kind, FixKind::Place(place) if place.family() == family),
            );
            assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
        }
    }
}

/// Words 16 apart, all in one of 16 banks: a word is left out after every 16.
#[test]
fn words_16_apart_are_set_17_apart() {
    let spellings = [
        "__shared__ float data[256]; data[16 * threadIdx.x] = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = data[16 * threadIdx.x];",
        "__shared__ float data[16 * 16]; int t = threadIdx.x; data[t * 16] = in[t]; __syncthreads(); out[t] = data[t * 16];",
        "__shared__ float data[256]; unsigned t = threadIdx.x; data[t << 4] = in[t]; __syncthreads(); out[t] = data[t << 4];",
        "const int STEP = 16; __shared__ float data[256]; const int at = STEP * threadIdx.x; data[at] = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = data[at];",
        "__shared__ float data[16][16]; data[threadIdx.x][0] = in[threadIdx.x]; __syncthreads(); out[threadIdx.x] = data[threadIdx.x][0];",
    ];
    let device = Device::by_name("cc1.0").unwrap();
    for body in spellings {
        let text = format!("__global__ void k(const float* in, float* out) {{ {body} }}");
        let launch = NamedLaunch::new([1, 1, 1], [16, 1, 1]);
        let advice = asked::advised_on(device, &text, launch, &[]);
        let found = among_first_two(
            &advice,
            &text,
            |kind| matches!(kind, FixKind::Place(place) if place.family() == Family::Padding),
        );
        assert_eq!(found.array_totals[1].conflicts(), 0, "{text}");
    }
}

/// Structures of two words in shared memory, whose fields are taken one by one: an array for each field.
#[test]
fn structures_of_an_even_size_are_split() {
    let spellings = [
        "struct pair { float a, b; };\n__global__ void k(const float* in, float* out) { __shared__ pair s[256]; int t = threadIdx.x; s[t].a = in[t]; __syncthreads(); s[t].b = s[255 - t].a; __syncthreads(); out[t] = s[t ^ 1].b; }",
        "struct pair { float a; float b; };\n__global__ void k(const float* in, float* out) { __shared__ pair s[256]; s[threadIdx.x].a = in[threadIdx.x]; __syncthreads(); if (threadIdx.x < 256) { s[threadIdx.x].b = s[255 - threadIdx.x].a; } __syncthreads(); out[threadIdx.x] = s[threadIdx.x ^ 1].b; }",
        "typedef struct { float a, b; } pair;\n__global__ void k(const float* in, float* out) { __shared__ pair s[256]; unsigned t = threadIdx.x; s[t].a = in[t]; __syncthreads(); s[t].b = s[255u - t].a; __syncthreads(); out[t] = s[t ^ 1u].b; }",
        "#define COUNT 256\nstruct pair { float a, b; };\n__global__ void k(const float* in, float* out) { __shared__ pair s[COUNT]; int t = threadIdx.x; s[t].a = in[t]; __syncthreads(); s[t].b = s[COUNT - 1 - t].a; __syncthreads(); out[t] = s[t ^ 1].b; }",
        "struct pair { float a, b; };\n__global__ void k(const float* in, float* out) { __shared__ pair s[256]; for (int t = threadIdx.x; t < 256; t += blockDim.x) s[t].a = in[t]; __syncthreads(); s[threadIdx.x].b = s[255 - threadIdx.x].a; __syncthreads(); out[threadIdx.x] = s[threadIdx.x ^ 1].b; }",
    ];
    for text in spellings {
        let advice = advised(text, [1, 1, 1], [256, 1, 1], &[]);
        let found = among_first_two(&advice, text, |kind| *kind == FixKind::SplitShared);
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
    }
}
