//! Families of faults, in the spellings that programs have them.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;

use asked::advised;
use lanescope_fixes::{Advice, FixKind, Place, Suggestion};
use lanescope_frontend::NamedLaunch;

fn fixes(text: &str, grid: [u32; 3], block: [u32; 3], arguments: &[(&str, i64)]) -> Advice {
    advised(text, NamedLaunch::new(grid, block), arguments)
}

fn first(advice: &Advice) -> &Suggestion {
    advice
        .suggestions
        .first()
        .unwrap_or_else(|| panic!("{advice:#?}"))
}

#[test]
fn a_compare_exchange_is_freed_though_data_decide_who_writes() {
    let text = "__global__ void sort(const int* in, int* out) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 256] = in[t + 256];
  __syncthreads();
  if (s[8 * (t % 64)] > s[8 * (t % 64) + 1]) {
    int held = s[8 * (t % 64)];
    s[8 * (t % 64)] = s[8 * (t % 64) + 1];
    s[8 * (t % 64) + 1] = held;
  }
  __syncthreads();
  out[t] = s[t];
}";
    let advice = fixes(text, [1, 1, 1], [256, 1, 1], &[]);
    let found = first(&advice);
    assert_eq!(found.totals[1].shared.conflicts(), 0, "{found:#?}");
}

#[test]
fn an_address_that_data_decide_is_left() {
    let text = "__global__ void count(const int* in, int* out) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  int at = 0;
  if (in[t] > 0) at = 32 * t;
  out[t] = s[at % 512];
}";
    let advice = fixes(text, [1, 1, 1], [256, 1, 1], &[]);
    assert!(advice.suggestions.is_empty(), "{advice:#?}");
}

#[test]
fn a_structure_as_long_as_an_access_is_aligned() {
    for structure in [
        "struct four { float x, y, z, w; };",
        "typedef float real;\ntypedef struct { real x, y, z, w; } four;",
    ] {
        let text = format!(
            "{structure}
__global__ void sum(const four* in, float* out) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  four one = in[i];
  out[i] = one.x + one.y + one.z + one.w;
}}"
        );
        let advice = fixes(&text, [2, 1, 1], [128, 1, 1], &[]);
        let is_aligned = |one: &&Suggestion| one.kind == FixKind::AlignStructure { bytes: 16 };
        let found = advice.suggestions.iter().find(is_aligned);
        let found = found.unwrap_or_else(|| panic!("{advice:#?}"));
        assert_eq!(found.totals[1].global.units, found.totals[1].global.ideal);
        assert!(found.source.text().contains("struct __align__(16)"));
    }
}

#[test]
fn a_block_narrower_than_a_sector_is_widened() {
    let text = "const int WIDE = 4;
__global__ void columns(const float* in, float* out, int n) {
  __shared__ float s[32][WIDE];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
  s[y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[y * n + x] = s[31 - y][threadIdx.x];
}";
    let advice = fixes(text, [16, 1, 1], [4, 32, 1], &[("n", 64)]);
    let is_wider = |one: &&Suggestion| matches!(one.kind, FixKind::BlockShape { .. });
    let found = advice.suggestions.iter().find(is_wider);
    let found = found.unwrap_or_else(|| panic!("{advice:#?}"));
    assert_eq!(found.totals[1].global.units, found.totals[1].global.ideal);
    let [width, ..] = found.launch.block;
    assert_eq!(found.launch.grid[0] * width, 64);
    assert!(found.source.text().contains(&format!("WIDE = {width};")));
}

#[test]
fn a_row_walked_by_each_thread_is_taken_in_vectors() {
    for (element, count) in [("float", 4), ("unsigned char", 16), ("double", 2)] {
        let text = format!(
            "__global__ void rows(const {element}* in, float* out, int n) {{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; k++) sum += in[row * n + k];
  out[row] = sum;
}}"
        );
        let advice = fixes(&text, [2, 1, 1], [64, 1, 1], &[("n", 64)]);
        let found = first(&advice);
        assert!(
            matches!(found.kind, FixKind::Widen { bytes: 16 }),
            "{found:#?}"
        );
        let waste = |at: usize| found.totals[at].global.units - found.totals[at].global.ideal;
        assert!(waste(1) * count / 2 <= waste(0), "{found:#?}");
    }
}

#[test]
fn a_padding_that_no_index_uses_is_said() {
    let kernel = |declared: &str, begin: &str, index: &str| {
        format!(
            "#define SIDE 32
__global__ void turn(const float* in, float* out) {{
  {declared}
  {begin}
  int x = threadIdx.x, y = threadIdx.y;
  s[{index}] = in[y * SIDE + x];
  __syncthreads();
  out[y * SIDE + x] = s[x * {pitch} + y];
}}",
            pitch = index.split(['*', '+']).nth(1).unwrap().trim()
        )
    };
    let said = |text: &str| -> Vec<String> {
        let advice = fixes(text, [1, 1, 1], [32, 32, 1], &[]);
        let notes = advice.notes.iter().map(ToString::to_string);
        notes.filter(|note| note.contains("padding")).collect()
    };
    for (declared, begin, index, rows) in [
        (
            "__shared__ float s[32 * 33];",
            "",
            "y * 32 + x",
            ["33", "32"],
        ),
        (
            "__shared__ float tile[32][33];",
            "float* s = &tile[0][0];",
            "y * 32 + x",
            ["33", "32"],
        ),
        (
            "__shared__ float tile[SIDE][SIDE + 1];",
            "float* s = tile[0];",
            "y * SIDE + x",
            ["SIDE + 1", "SIDE"],
        ),
    ] {
        let text = kernel(declared, begin, index);
        let [declared, used] = rows;
        let found = said(&text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        let ends = format!("rows of `{declared}` are indexed as rows of `{used}`");
        assert!(found[0].ends_with(&ends), "{found:?}");
    }
    assert!(said(&kernel("__shared__ float s[32 * 33];", "", "y * 33 + x")).is_empty());
    assert!(said(&kernel("__shared__ float s[32 * 32];", "", "y * 32 + x")).is_empty());
}

#[test]
fn a_fix_that_moves_a_conflict_says_so_and_is_not_first() {
    let text = "__global__ void turn(const float* in, float* out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[32 * y + x];
  __syncthreads();
  float a = tile[x][y];
  float b = tile[x][y ^ 1];
  out[32 * y + x] = a - b;
}";
    let advice = fixes(text, [1, 1, 1], [32, 32, 1], &[]);
    let rise = |one: &Suggestion| one.raises.map(|rise| (rise.line, rise.from, rise.to));
    assert_eq!(rise(first(&advice)), None);
    let mut all = advice.suggestions.iter();
    let moved = all.find(|one| one.kind == FixKind::Place(Place::Transposed));
    // 128 sectors of global memory with them.
    assert_eq!(rise(moved.unwrap()), Some((4, 160, 1152)));
}

/// A transpose whose tile and accesses are spelled so.
fn transpose(before: &str, tile: &str, store: &str, load: &str) -> String {
    format!(
        "{before}
__global__ void transpose(const float* in, float* out, unsigned n) {{
  {tile}
  unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  {store} = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * n + x] = {load};
}}"
    )
}

/// The fix goes where the array is declared, and where pointers to it are.
#[test]
fn a_tile_is_padded_however_it_is_spelled() {
    let plain = [
        "tile[threadIdx.y][threadIdx.x]",
        "tile[threadIdx.x][threadIdx.y]",
    ];
    let cases = [
        // A separator in a number.
        (
            "",
            "__shared__ float tile[32][1'024 / 32];",
            plain,
            "tile[32][(1'024 / 32) + 1]",
        ),
        (
            "",
            "__shared__ float tile[32u][32u];",
            plain,
            "tile[32u][33u]",
        ),
        // Helpers that get it.
        (
            "__device__ float at(float (*t)[32], int r, int c) { return t[r][c]; }",
            "__shared__ float tile[32][32];",
            [plain[0], "at(tile, threadIdx.x, threadIdx.y)"],
            "tile[32][33]",
        ),
        (
            "__device__ float at(const float t[][32], int r, int c) { return t[r][c]; }",
            "__shared__ float tile[32][32];",
            [plain[0], "at(tile, threadIdx.x, threadIdx.y)"],
            "tile[32][33]",
        ),
        (
            "template <typename T> __device__ T& at(T (&t)[32][32], int r, int c) { return t[r][c]; }",
            "__shared__ float tile[32][32];",
            [
                "at(tile, threadIdx.y, threadIdx.x)",
                "at(tile, threadIdx.x, threadIdx.y)",
            ],
            "tile[32][33]",
        ),
        // A pointer to its rows.
        (
            "",
            "__shared__ float tile[32][32]; float (*rows)[32] = tile;",
            [plain[0], "rows[threadIdx.x][threadIdx.y]"],
            "tile[32][33]",
        ),
        // Macros.
        (
            "#define SIDE 32\n#define AT(a, r, c) a[(r)][(c)]",
            "__shared__ float tile[SIDE][SIDE];",
            [
                "AT(tile, threadIdx.y, threadIdx.x)",
                "AT(tile, threadIdx.x, threadIdx.y)",
            ],
            "tile[SIDE][SIDE + 1]",
        ),
    ];
    for (before, tile, [store, load], shown) in cases {
        let text = transpose(before, tile, store, load);
        let advice = fixes(&text, [4, 4, 1], [32, 32, 1], &[("n", 128)]);
        let found = first(&advice);
        assert!(
            matches!(
                found.kind,
                FixKind::Place(Place::Pad {
                    dimension: 1,
                    elements: 1
                })
            ),
            "{text}\n{found:#?}"
        );
        assert_eq!(
            (&*found.snippet, found.totals[1].shared.conflicts()),
            (shown, 0),
            "{text}"
        );
    }
}

#[test]
fn axes_that_macros_name_are_exchanged_in_the_macros() {
    let text = "#define TX threadIdx.x
#define TY threadIdx.y
__global__ void copy(const float* in, float* out, int n) {
  int row = blockIdx.x * blockDim.x + TX, column = blockIdx.y * blockDim.y + TY;
  out[row * n + column] = in[row * n + column];
}";
    let advice = fixes(text, [8, 8, 1], [16, 16, 1], &[("n", 128)]);
    let swapped = |one: &&Suggestion| one.kind == FixKind::SwapAxes;
    let found = advice.suggestions.iter().find(swapped);
    let text = found.map(|one| one.source.text()).unwrap_or_default();
    assert!(
        text.starts_with("#define TX threadIdx.y\n#define TY threadIdx.x\n"),
        "{advice:#?}"
    );
}

/// nvcc joins reads through `half2` that the prediction keeps apart: neither joining them by hand nor XORing their indices, which
/// keeps nvcc from it, is offered.
#[test]
fn neighbours_read_through_casts_stay_joined() {
    let text = "#include <cuda_fp16.h>
#define HALF2(value) (reinterpret_cast<half2*>(&(value))[0])
__global__ void turn(half* in, half* out, int n) {
  __shared__ half s[8][128];
  int t = threadIdx.y * 16 + threadIdx.x;
  half v[4], r[4];
  int m = t / 2, k0 = (t & 1) << 2;
  if (m >= n) return;
  for (int b = 0; b < n / 64; b++) {
  HALF2(v[0]) = HALF2(in[m * n + b * 8 + k0]);
  HALF2(v[2]) = HALF2(in[m * n + b * 8 + k0 + 2]);
  s[k0][m] = v[0];
  s[k0 + 1][m] = v[1];
  s[k0 + 2][m] = v[2];
  s[k0 + 3][m] = v[3];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++) {
    HALF2(r[0]) = HALF2(s[k][threadIdx.y * 8 / 2]);
    HALF2(r[2]) = HALF2(s[k][threadIdx.y * 8 / 2 + 2]);
    for (int i = 0; i < 4; i++) out[(b * 32 + k * 4 + i) * 256 + t] = r[i];
  }
  __syncthreads();
  }
}";
    let advice = fixes(text, [1, 1, 1], [16, 16, 1], &[("n", 128)]);
    let of_tile = advice.suggestions.iter().filter(|one| one.array == "s");
    let kinds: Vec<_> = of_tile.map(|one| &one.kind).collect();
    assert!(!kinds.is_empty(), "{advice:#?}");
    assert!(
        kinds
            .iter()
            .all(|kind| matches!(kind, FixKind::Place(Place::Pad { .. }))),
        "{kinds:?}"
    );
}

/// At the grid's edge, which the blocks that are compared first do not reach, a wider block may cost more, or do something
/// else.
#[test]
fn blocks_at_the_edge_count_when_blocks_are_widened() {
    let widened = |edge: &str| {
        let text = format!(
            "__global__ void columns(const float* in, float* out, float* more, int n) {{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * n + x] = in[y * n + x];
  if (blockIdx.y == gridDim.y - 1) {edge}
}}"
        );
        let advice = fixes(&text, [16, 64, 1], [4, 32, 1], &[("n", 64)]);
        let mut kinds = advice.suggestions.iter().map(|one| &one.kind);
        kinds.any(|kind| matches!(kind, FixKind::BlockShape { .. }))
    };
    assert!(widened("more[y * n + x] = in[y * n + x];"));
    assert!(!widened(
        "for (int i = 0; i < 256; i++) more[(i * n + x) * 2048 + y] = in[y * n + x];"
    ));
    assert!(!widened("if (threadIdx.x >= 4) more[y] = in[y];"));
}

/// Two tiles whose rows one template's parameter tells are padded alike or not at all: a compiler refuses two sizes.
#[test]
fn tiles_of_one_template_keep_one_size() {
    let text = "template <int ROWS, int COLS>
__device__ float row_dot(const float (&a)[ROWS][COLS], const float (&b)[ROWS][COLS], int i, int j) {
  float s = 0;
  for (int k = 0; k < ROWS; k++) s += a[i][k] * b[j][k];
  return s;
}
__global__ void tiles(const float* x, const float* y, float* out) {
  __shared__ float a[16][20];
  __shared__ float b[16][20];
  a[threadIdx.y][threadIdx.x] = x[threadIdx.y * 16 + threadIdx.x];
  b[threadIdx.y][threadIdx.x] = y[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 16 + threadIdx.x] = row_dot(a, b, threadIdx.y, threadIdx.x);
}";
    let advice = fixes(text, [1, 1, 1], [16, 16, 1], &[]);
    for one in &advice.suggestions {
        let changed = one.source.text();
        let size = |name: &str| {
            let declared = format!("__shared__ float {name}[16][");
            let (_, rest) = changed.split_once(&declared)?;
            rest.split(']').next().map(str::to_owned)
        };
        assert_eq!(size("a"), size("b"), "{changed}");
    }
}

/// The blocks that are compared first gain by rows further apart, those at the end lose as much: it is not offered.
#[test]
fn rows_are_set_apart_where_the_whole_launch_gains() {
    let text = "__global__ void inner(const float* in, float* out, int width, int height) {
  __shared__ float tile[16][16];
  int col = blockIdx.x * 12 + threadIdx.x - 2, row = blockIdx.y * 12 + threadIdx.y - 2;
  int x = threadIdx.x - 2, y = threadIdx.y - 2;
  if (col >= 0 && col < width && row >= 0 && row < height) tile[threadIdx.y][threadIdx.x] = in[row * width + col];
  else tile[threadIdx.y][threadIdx.x] = 0.0f;
  __syncthreads();
  if (col >= 0 && col < width && row >= 0 && row < height) {
    if (x >= 0 && x < 12 && y >= 0 && y < 12) out[row * width + col] = tile[y][x] + tile[y + 4][x + 4];
  }
}";
    let sides = [("width", 60), ("height", 60)];
    let advice = fixes(text, [5, 5, 1], [16, 16, 1], &sides);
    let mut kinds = advice.suggestions.iter().map(|one| &one.kind);
    assert!(
        kinds.all(|kind| !matches!(kind, FixKind::Pitch { .. })),
        "{advice:#?}"
    );
}
