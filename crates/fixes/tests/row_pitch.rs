//! Shared arrays that are indexed flat: their rows are set further apart, however the pitch and the array are spelled.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;

use lanescope_fixes::{Advice, FixKind, Place, Suggestion};
use lanescope_frontend::NamedLaunch;

fn advised(text: &str, block: [u32; 3], dynamic: u64, arguments: &[(&str, i64)]) -> Advice {
    let launch = NamedLaunch {
        dynamic_shared_bytes: dynamic,
        ..NamedLaunch::new([1, 1, 1], block)
    };
    asked::advised(text, launch, arguments)
}

fn padded<'a>(advice: &'a Advice, text: &str) -> &'a Suggestion {
    let is_pad = |one: &&Suggestion| matches!(one.kind, FixKind::Place(Place::Pad { .. }));
    let found = advice.suggestions.iter().take(2).find(is_pad);
    found.unwrap_or_else(|| {
        let kinds = advice.suggestions.iter().map(|one| one.kind.to_string());
        panic!("{text}\n{:?} {:?}", kinds.collect::<Vec<_>>(), advice.notes)
    })
}

#[test]
fn a_flat_tile_is_padded() {
    let head = "#define SIDE 32\nconstexpr int EDGE = 32;\n";
    let bodies = [
        "__shared__ float s[32 * 32]; s[threadIdx.y * 32 + threadIdx.x] = i[at]; __syncthreads(); o[at] = s[threadIdx.x * 32 + threadIdx.y];",
        "__shared__ float s[1'024]; const unsigned int tx = threadIdx.x, ty = threadIdx.y; s[ty * SIDE + tx] = i[at]; __syncthreads(); o[at] = s[tx * SIDE + ty];",
        "__shared__ float s[EDGE * EDGE]; float* p = s; p[threadIdx.x + EDGE * threadIdx.y] = i[at]; __syncthreads(); o[at] = p[threadIdx.y + EDGE * threadIdx.x];",
        "__shared__ float s[SIDE * SIDE]; int to = threadIdx.y * SIDE + threadIdx.x; int from = threadIdx.x * SIDE + threadIdx.y; s[to] = i[at]; __syncthreads(); o[at] = s[from];",
        "extern __shared__ float s[]; const int w = blockDim.x; if (at < 1024) { *(s + threadIdx.y * w + threadIdx.x) = i[at]; } __syncthreads(); o[at] = *(s + threadIdx.x * w + threadIdx.y);",
    ];
    for body in bodies {
        let text = format!(
            "{head}__global__ void k(const float* i, float* o) {{ int at = threadIdx.y * 32 + threadIdx.x; {body} }}"
        );
        let dynamic = if text.contains("extern") { 4096 } else { 0 };
        let advice = advised(&text, [32, 32, 1], dynamic, &[]);
        let found = padded(&advice, &text);
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
        // Dynamic memory ends with the last element that is touched.
        let elements = if dynamic > 0 { 33 * 31 + 32 } else { 33 * 32 };
        assert_eq!(found.occupancy[1].shared_bytes, elements * 4, "{text}");
    }
}

#[test]
fn a_helper_that_gets_the_tile_is_changed_with_it() {
    let text = "template <int N> __device__ float column(const float* tile, int t) { float sum = 0; for (int j = 0; j < 4; j++) sum += tile[t * 64 + 16 * j]; return sum; }
__global__ void k(const float* in, float* out) {
  __shared__ float tile[32 * 64];
  for (int j = threadIdx.x; j < 32; j += 32) for (int c = 0; c < 64; c++) tile[j * 64 + c] = in[c * 32 + j];
  __syncwarp();
  out[threadIdx.x] = column<3>(tile, threadIdx.x);
}";
    let advice = advised(text, [32, 1, 1], 0, &[]);
    let found = padded(&advice, text);
    assert_eq!(found.array_totals[1].conflicts(), 0);
    assert!(found.source.text().contains("tile[t * 65 + 16 * j]"));
    assert!(found.source.text().contains("tile[32 * 65]"));
}

/// As attention is written: tiles cut out of one dynamic array, their size a product in a variable that global memory
/// is indexed by too.
#[test]
fn tiles_carved_from_dynamic_memory_are_padded() {
    let text =
        "__global__ void scores(const float* Q, const float* K, int d, int rows, float* out) {
  extern __shared__ float memory[];
  const int size = rows * d;
  float* Qs = memory;
  float* Ks = &memory[size];
  int t = threadIdx.x;
  for (int x = 0; x < d; x++) {
    Qs[(t * d) + x] = Q[size * blockIdx.x + t * d + x];
    Ks[(t * d) + x] = K[size * blockIdx.x + t * d + x];
  }
  __syncthreads();
  for (int j = 0; j < rows; j++) {
    float sum = 0;
    for (int x = 0; x < d; x++) sum += Qs[t * d + x] * Ks[j * d + x];
    out[j * rows + t] = sum;
  }
}";
    let advice = advised(text, [32, 1, 1], 16_384, &[("d", 64), ("rows", 32)]);
    let found = padded(&advice, text);
    assert_eq!(found.array_totals[1].conflicts(), 0);
    assert_eq!(found.snippet, "Qs[(t * (d + 1)) + x]");
    let changed = found.source.text();
    assert!(
        changed.contains("float* Ks = &memory[rows * (d + 1)];"),
        "{changed}"
    );
    // What global memory is indexed by stays.
    assert!(changed.contains("const int size = rows * d;"));
    assert!(changed.contains("Q[size * blockIdx.x + t * d + x]"));
    // The last row needs no room behind it.
    assert_eq!(found.launch.dynamic_shared_bytes, 16_384 + 4 * 63);
}

/// Reads of 16 bytes keep their alignment: a row is longer by four elements, not by one.
#[test]
fn rows_of_vectors_are_padded_by_a_vector() {
    let text = "__global__ void k(const float4* in, float* out) {
  extern __shared__ float4 raw[];
  float* s = reinterpret_cast<float*>(raw);
  int t = threadIdx.x;
  for (int x = 0; x < 64; x += 4) reinterpret_cast<float4*>(&s[t * 64 + x])[0] = in[x * 8 + t];
  __syncthreads();
  float sum = 0;
  for (int x = 0; x < 64; x += 4) { float4 v = reinterpret_cast<float4*>(&s[t * 64 + x])[0]; sum += v.x + v.y + v.z + v.w; }
  out[t] = sum;
}";
    let advice = advised(text, [32, 1, 1], 8192, &[]);
    let found = padded(&advice, text);
    assert_eq!(found.array_totals[1].conflicts(), 0);
    assert!(found.source.text().contains("&s[t * 68 + x]"));
}

/// Each array alone leaves most of the conflicts.
#[test]
fn several_arrays_are_moved_together() {
    let text = "__global__ void k(const float* i, float* o) {
  __shared__ float a[32 * 32];
  __shared__ float b[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  a[x * 32 + y] = i[y * 32 + x];
  b[x][y] = i[y * 32 + x];
  __syncthreads();
  o[y * 32 + x] = a[y * 32 + x] + b[y][x];
}";
    let advice = advised(text, [32, 32, 1], 0, &[]);
    let first = &advice.suggestions[0];
    let pad = Place::Pad {
        dimension: 1,
        elements: 1,
    };
    let both = vec![("a".to_owned(), pad), ("b".to_owned(), pad)];
    assert_eq!(first.kind, FixKind::Together(both));
    let [before, after] = first.totals.map(|totals| totals.shared.conflicts());
    assert_eq!((before, after), (2 * 32 * 31, 0));
    assert_eq!(first.kind.to_string(), "a: pad by 1; b: pad by 1");
    assert!(first.source.text().contains("a[x * 33 + y]"));
    assert!(first.source.text().contains("b[32][33]"));
}

/// Macros compute the index, over several lines and with numbers of any spelling: they and the declaration change.
#[test]
fn macros_that_compute_the_index_are_changed() {
    let cases = [
        (
            "#define IDX(r, c) ((r) * 32 + (c))",
            "s[1024]; s[IDX(y, x)] = v; __syncthreads(); v = s[IDX(x, y)];",
            ["((r) * 33 + (c))", "s[1056]"],
        ),
        (
            "#define IDX(r, c) \\\n    ((r) * 0x20 + \\\n     (c))",
            "s[0x400]; s[IDX(y, x)] = v; __syncthreads(); v = s[IDX(x, y)];",
            ["((r) * 0x21 + \\", "s[0x420]"],
        ),
        (
            "#define PITCH 0x20\n#define IDX(r, c) \\\n    ((r) * PITCH + (c)) // of a tile",
            "s[32 * PITCH]; float* p = s; p[IDX(y, x)] = v; __syncthreads(); v = p[IDX(x, y)];",
            [
                "((r) * (PITCH + 1) + (c)) // of a tile",
                "s[32 * (PITCH + 1)]",
            ],
        ),
        (
            "#define IDX(r, c) (((r) << 5) + (c))",
            "s[1 << 10]; int to = IDX(y, x); s[to] = v; __syncthreads(); v = s[IDX(x, y)];",
            ["(((r) * 33) + (c))", "s[(1 << 10) / 32 * 33]"],
        ),
        (
            "#define AT(tile, r, c) \\\n    tile[(r) * 32 + (c)]",
            "s[1024]; AT(s, y, x) = v; __syncthreads(); v = AT(s, x, y);",
            ["tile[(r) * 33 + (c)]", "s[1056]"],
        ),
        (
            "#define PUT(r, c, v) \\\n    do { \\\n        s[(r) * 32 + (c)] = v; \\\n    } while (0)",
            "s[1024]; PUT(y, x, v); __syncthreads(); v = s[x * 32 + y];",
            ["s[(r) * 33 + (c)] = v; \\", "s[x * 33 + y]"],
        ),
        // Numbers alone, written so.
        (
            "",
            "s[0x400u]; s[y * 0x20 + x] = v; __syncthreads(); v = s[x * 0x20 + y];",
            ["s[0x420u]", "s[x * 0x21 + y]"],
        ),
    ];
    for (macros, body, changed) in cases {
        let text = format!(
            "{macros}
__global__ void k(const float* i, float* o) {{
  int x = threadIdx.x, y = threadIdx.y;
  float v = i[y * 32 + x];
  __shared__ float {body}
  o[y * 32 + x] = v;
}}"
        );
        let advice = advised(&text, [32, 32, 1], 0, &[]);
        let found = padded(&advice, &text);
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
        assert!(!found.snippet.contains('\n'), "{}", found.snippet);
        let source = found.source.text();
        for one in changed {
            assert!(source.contains(one), "{one}\n{source}");
        }
    }
}

/// Two tiles share the macro that computes their indices, and one is in conflict: the macro is written out for that one.
#[test]
fn a_macro_that_others_share_is_written_out() {
    for (index, declared, changed) in [
        (
            "#define IDX(r, c) ((r) * 32 + (c))",
            "1024",
            "b[((x + 0) * 33 + (y))]",
        ),
        (
            "#define IDX(r, c) \\\n  (((r) << 5) + (c))",
            "32 * 32",
            "b[(((x + 0) * 33) + (y))]",
        ),
    ] {
        let text = format!(
            "{index}
__global__ void k(const float* in, float* out) {{
  __shared__ float a[{declared}];
  __shared__ float b[{declared}];
  int x = threadIdx.x, y = threadIdx.y;
  a[IDX(y, x)] = in[y * 32 + x];
  b[IDX(y, x)] = in[1024 + y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = a[IDX(y, x)] + b[IDX(x + 0, y)];
}}"
        );
        let advice = advised(&text, [32, 32, 1], 0, &[]);
        let found = padded(&advice, &text);
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
        let source = found.source.text();
        assert!(source.contains(changed), "{changed}\n{source}");
        assert!(source.contains(&format!("{index}\n")), "{source}");
        assert!(source.contains("a[IDX(y, x)] + b"), "{source}");
        assert_eq!(
            found.occupancy[1].shared_bytes,
            4 * (1024 + 33 * 32),
            "{text}"
        );
    }
}
