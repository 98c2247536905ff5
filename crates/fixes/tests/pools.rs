//! Tiles carved out of one pool of shared memory by offsets: their rows are padded, and the offsets move along.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;
use crate::padded;

use lanescope_fixes::{Advice, Note};
use lanescope_frontend::NamedLaunch;
use padded::padded;

const SIDE: &str = "#define SIDE 32\n#define TILE (SIDE * SIDE)\nconstexpr int AREA = 32 * 32;\n";

/// A kernel whose pool is declared and divided as `head` says, with tiles `A` and `B`, both read down their columns.
fn kernel(head: &str, a: &str, b: &str) -> String {
    let index = |tile: &str, row: &str, column: &str| {
        let text = if tile.ends_with("32]") {
            "[R][C]"
        } else {
            "[R * 32 + C]"
        };
        text.replace('R', row).replace('C', column)
    };
    let [to_a, to_b] = [a, b].map(|tile| index(tile, "y", "x"));
    let [from_a, from_b] = [a, b].map(|tile| index(tile, "x", "y"));
    format!(
        "{SIDE}__global__ void k(const float* in, float* out) {{
  int x = threadIdx.x, y = threadIdx.y;
  {head}
  A{to_a} = in[y * 32 + x];
  B{to_b} = in[1024 + y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = A{from_a} + B{from_b};
}}"
    )
}

#[test]
fn offsets_move_along() {
    for (head, changed) in [
        (
            "extern __shared__ float pool[]; float* A = pool; float* B = pool + 1024;",
            "float* B = pool + 1056;",
        ),
        (
            "extern __shared__ float pool[]; float* A = pool; float* B = &pool[0x400];",
            "float* B = &pool[0x420];",
        ),
        (
            "extern __shared__ char smem[]; float* A = (float*)smem; float* B = (float*)(smem + 4096);",
            "(float*)(smem + 4224);",
        ),
        (
            "extern __shared__ unsigned char smem[]; auto* A = reinterpret_cast<float*>(smem); auto* B = reinterpret_cast<float*>(smem + 1024 * sizeof(float));",
            "(smem + 1056 * sizeof(float));",
        ),
        (
            "extern __shared__ float pool[]; float* A = pool; float* B = pool + TILE;",
            "float* B = pool + TILE / 32 * 33;",
        ),
        (
            "extern __shared__ float pool[]; float* A = pool; float* B = A; B += AREA;",
            "B += AREA / 32 * 33;",
        ),
        (
            "extern __shared__ float pool[]; const int size = 2 * 512; float* A = pool; float* B = pool + size;",
            "float* B = pool + size / 32 * 33;",
        ),
        // Before the tiles stands something else.
        (
            "extern __shared__ float pool[]; float* A = pool + 8; float* B = pool + 1032;",
            "float* A = pool + 8; float* B = pool + 1064;",
        ),
    ] {
        let text = kernel(head, "A", "B");
        let found = padded(&text, 8192 + 64);
        assert_eq!(found.array_totals[1].conflicts(), 0, "{text}");
        let source = found.source.text();
        assert!(source.contains(changed), "{changed}\n{source}");
        assert!(source.contains("B[x * 33 + y]"), "{source}");
        assert!(source.contains("in[1024 + y * 32 + x]"), "{source}");
    }
}

/// The pool's size is declared in the text: it grows with the rows.
#[test]
fn a_pool_that_is_declared_with_a_size_grows() {
    for (head, declared) in [
        (
            "__shared__ float pool[2048]; float* A = pool; float* B = &pool[1024];",
            "pool[2112]",
        ),
        (
            "__shared__ char pool[0x2000]; float* A = (float*)pool; float* B = (float*)(pool + 0x1000);",
            "pool[0x2100]",
        ),
        (
            "__shared__ float pool[2 * TILE]; float* A = &pool[0]; float* B = pool + TILE;",
            "pool[(2 * TILE) / 32 * 33]",
        ),
        (
            "__shared__ float pool[2][1024]; float* A = pool[0]; float* B = pool[1];",
            "pool[2][1056]",
        ),
        (
            "__shared__ float pool[2][SIDE * 32]; auto* A = pool[0]; auto* B = pool[1];",
            "pool[2][SIDE * 33]",
        ),
    ] {
        let text = kernel(head, "A", "B");
        let found = padded(&text, 0);
        assert_eq!(found.array_totals[1].conflicts(), 0, "{text}");
        assert_eq!(found.occupancy[1].shared_bytes, 2 * 32 * 33 * 4, "{text}");
        let source = found.source.text();
        assert!(source.contains(declared), "{declared}\n{source}");
    }
}

/// Pointers to rows have the pitch in their types, and not in the indices.
#[test]
fn types_of_pointers_to_rows_are_widened() {
    let head = "extern __shared__ char smem[]; float (*A)[32] = (float (*)[32])smem; auto B = reinterpret_cast<float (*)[32]>(smem + 4096);";
    let text = kernel(head, "A[32]", "B[32]")
        .replace("A[32]", "A")
        .replace("B[32]", "B");
    let found = padded(&text, 8192);
    assert_eq!(found.array_totals[1].conflicts(), 0);
    assert_eq!(found.snippet, "float (*A)[33]");
    let source = found.source.text();
    let changed = "float (*A)[33] = (float (*)[33])smem; auto B = reinterpret_cast<float (*)[33]>(smem + 4224);";
    assert!(source.contains(changed), "{source}");
}

/// Two buffers by turns: the number of one is multiplied by its size.
#[test]
fn buffers_by_turns_are_moved() {
    let rows = ["tile[2048]", "tile[2][1024]"];
    let offset = |at: &str| format!("tile[{at} + ");
    for (index, declared) in [
        (offset("stage * 1024"), rows[0]),
        (offset("1024 * stage"), rows[0]),
        (offset("(stage << 10)"), rows[0]),
        (offset("stage * TILE"), rows[0]),
        ("tile[stage][".to_owned(), rows[1]),
    ] {
        let text = format!(
            "{SIDE}__global__ void k(const float* in, float* out) {{
  __shared__ float {declared};
  int x = threadIdx.x, y = threadIdx.y;
  for (int stage = 0; stage < 2; stage++) {{
    {index}y * 32 + x] = in[stage * 1024 + y * 32 + x];
    __syncthreads();
    out[stage * 1024 + y * 32 + x] = {index}x * 32 + y];
  }}
}}"
        );
        let found = padded(&text, 0);
        assert_eq!(found.array_totals[1].conflicts(), 0, "{text}");
        assert_eq!(found.occupancy[1].shared_bytes, 2 * 32 * 33 * 4, "{text}");
    }
}

/// Where the text launches the kernel, its shared bytes grow too.
#[test]
fn the_launch_takes_what_the_pool_grows_by() {
    let head = "extern __shared__ float pool[]; float* A = pool; float* B = pool + 1024;";
    let text = kernel(head, "A", "B")
        + "\nvoid host(const float* in, float* out) { k<<<1, dim3(32, 32), 8192>>>(in, out); }";
    let found = padded(&text, 8192);
    // The last row needs no room behind it.
    assert_eq!(found.launch.dynamic_shared_bytes, 8192 + 4 * 63);
    assert!(found.is_launched_in_text);
    let source = found.source.text();
    assert!(source.contains("dim3(32, 32), 8444>>>"), "{source}");
}

/// One tile alone is in conflict: its rows become longer, what lies behind it moves along, and the others stay.
#[test]
fn only_the_tile_in_conflict_is_padded() {
    let tiles = |declared: &str, at: [&str; 3]| {
        let [a, b, c] = at;
        format!("{declared} float* A = {a}; float* B = {b}; float* C = {c};")
    };
    let pool = "extern __shared__ float pool[];";
    for (head, changed) in [
        (
            tiles(pool, ["pool", "pool + 1024", "pool + 2048"]),
            "float* A = pool; float* B = pool + 1024; float* C = pool + 2080;",
        ),
        (
            tiles(pool, ["pool", "A + 1024", "B + 1024"]),
            "float* A = pool; float* B = A + 1024; float* C = B + 1056;",
        ),
        (
            tiles(pool, ["pool", "&pool[TILE]", "&pool[2 * TILE]"]),
            "float* B = &pool[TILE]; float* C = &pool[2 * TILE + 32];",
        ),
        (
            tiles(
                "__shared__ float pool[3072];",
                ["pool", "pool + AREA", "pool + 2048"],
            ),
            "pool[3104]; float* A = pool; float* B = pool + AREA; float* C = pool + 2080;",
        ),
        (
            tiles(
                "extern __shared__ char bytes[];",
                [
                    "(float*)bytes",
                    "(float*)(bytes + 4096)",
                    "(float*)(bytes + 2 * AREA * sizeof(float))",
                ],
            ),
            "float* B = (float*)(bytes + 4096); float* C = (float*)(bytes + 2 * AREA * sizeof(float) + 128);",
        ),
    ] {
        let text = kernel(&head, "A", "B").replace("= A[x * 32 + y] +", "= A[y * 32 + x] +");
        let text = text.replace(
            "  __syncthreads();",
            "  C[y * 32 + x] = in[2048 + y * 32 + x];\n  __syncthreads();\n  out[1024 + y * 32 + x] = C[y * 32 + x];",
        );
        let dynamic = if text.contains("extern") { 12_288 } else { 0 };
        let found = padded(&text, dynamic);
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{text}");
        let source = found.source.text();
        assert!(source.contains(changed), "{changed}\n{source}");
        assert!(source.contains("B[x * 33 + y]"), "{source}");
        assert!(source.contains("A[y * 32 + x] + B"), "{source}");
        assert!(source.contains("C[y * 32 + x] = in"), "{source}");
        assert_eq!(
            found.occupancy[1].shared_bytes,
            4 * (3 * 1024 + 32),
            "{text}"
        );
    }
}

/// Both tiles are in conflict: none alone gains as much.
#[test]
fn tiles_in_conflict_are_padded_together() {
    let head = "extern __shared__ float pool[]; float* A = pool; float* B = pool + 1024;";
    let text = kernel(head, "A", "B");
    let found = padded(&text, 8192);
    assert_eq!(found.totals[1].shared.conflicts(), 0);
    let source = found.source.text();
    assert!(source.contains("A[x * 33 + y] + B[x * 33 + y]"), "{source}");
}

/// The pitch is a parameter, and how long a tile is another: what lies behind moves by as many rows as the tile has.
#[test]
fn a_tile_whose_length_is_a_parameter_is_padded() {
    let text = |behind: &str| {
        format!(
            "__global__ void k(const float* in, float* out, int pitch, int length) {{
  extern __shared__ float pool[];
  float* A = pool; float* B = A + length; float* C = {behind};
  int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  A[t] = in[t]; B[y * pitch + x] = in[t] * 2.0f; C[t] = in[t] * 3.0f;
  __syncthreads();
  out[t] = A[t] + B[x * pitch + y] + C[t];
}}"
        )
    };
    let of = |behind: &str| {
        let launch = NamedLaunch {
            dynamic_shared_bytes: 12_288,
            ..NamedLaunch::new([1, 1, 1], [32, 32, 1])
        };
        let arguments = [("pitch", 32), ("length", 1024)];
        asked::advised(&text(behind), launch, &arguments)
    };
    for (behind, moved) in [
        ("B + length", "B + length + length / pitch;"),
        ("&B[length]", "&B[length + length / pitch];"),
        ("B + 32 * pitch", "B + 32 * (pitch + 1);"),
        ("pool + 2 * length", "pool + 2 * length + length / pitch;"),
    ] {
        let advice = of(behind);
        let found = &advice.suggestions[0];
        let source = found.source.text();
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{source}");
        assert!(source.contains(moved), "{source}");
        assert!(source.contains("B[x * (pitch + 1) + y]"), "{source}");
        assert_eq!(found.launch.dynamic_shared_bytes, 12_288 + 128);
    }
}

/// Where a tile begins is a sum of lengths: what lies behind the tile in conflict moves by as many rows as that has.
#[test]
fn offsets_that_are_sums_of_lengths_move_along() {
    let pool = "extern __shared__ float pool[]; float* A = pool;";
    let bytes = "extern __shared__ char pool[]; float* A = (float*)pool;";
    for (head, pitch, moved) in [
        (
            format!("{pool} float* B = pool + length; float* C = pool + 2 * length;"),
            "32",
            "float* B = pool + length; float* C = pool + 2 * length + length / 32;",
        ),
        (
            format!("{pool} float* B = pool + length; float* C = &pool[length << 1];"),
            "32",
            "float* C = &pool[(length << 1) + length / 32];",
        ),
        (
            format!("{pool} float* C = pool + length + length; float* B = pool + length;"),
            "pitch",
            "float* C = pool + length + length + length / pitch; float* B = pool + length;",
        ),
        (
            format!("{pool} float* B = pool + length; float* C = pool + (length + length);"),
            "pitch",
            "float* C = pool + (length + length) + length / pitch;",
        ),
        (
            format!("{pool} float* B = pool + 32 * pitch; float* C = pool + 64 * pitch;"),
            "pitch",
            "float* B = pool + 32 * pitch; float* C = pool + 64 * pitch + 32;",
        ),
        (
            format!("{pool} float* B = A + length; float* C = B + length; float* D = C + length;"),
            "32",
            "float* B = A + length; float* C = B + length + length / 32; float* D = C + length;",
        ),
        (
            format!(
                "{bytes} float* B = (float*)(pool + length * sizeof(float)); float* C = (float*)(pool + 2 * length * sizeof(float));"
            ),
            "32",
            "float* C = (float*)(pool + 2 * length * sizeof(float) + length / 32 * 4);",
        ),
        (
            format!(
                "{bytes} float* B = (float*)pool + length; float* C = (float*)pool + 2 * length;"
            ),
            "32",
            "float* C = (float*)pool + 2 * length + length / 32;",
        ),
        (
            format!(
                "{pool} int first = length; const int second = 2 * length; float* B = pool + first; float* C = pool + second;"
            ),
            "32",
            "float* B = pool + first; float* C = pool + second + length / 32;",
        ),
        // Other lengths stand before and behind.
        (
            format!(
                "{pool} float* B = pool + other; float* C = pool + other + length; float* D = pool + other + 2 * length;"
            ),
            "32",
            "float* B = pool + other; float* C = pool + other + length + length / 32; float* D = pool + other + 2 * length + length / 32;",
        ),
        (
            format!(
                "{pool} float* B = pool + length; float* C = pool + (length + other); float* D = pool + (length + other + 8);"
            ),
            "32",
            "float* C = pool + (length + other) + other / 32; float* D = pool + (length + other + 8) + other / 32;",
        ),
    ] {
        let advice = sums_of_lengths(&head, pitch);
        let Some(found) = advice.suggestions.first() else {
            panic!("{head} {:?}", advice.notes);
        };
        let source = found.source.text();
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{source}");
        assert!(source.contains(moved), "{source}");
        assert_eq!(found.launch.dynamic_shared_bytes, 16_384 + 128);
    }
}

/// Two tiles are in conflict: the rows of both become longer, and what lies behind both moves by the rows of both.
#[test]
fn tiles_of_a_length_are_padded_together() {
    let text = "__global__ void k(const float* in, float* out, int length) {
  extern __shared__ float pool[];
  float* A = pool; float* B = pool + length; float* C = pool + 2 * length;
  int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  A[y * 32 + x] = in[t]; B[y * 32 + x] = in[t] * 2.0f; C[t] = in[t] * 3.0f;
  __syncthreads();
  out[t] = A[x * 32 + y] + B[x * 32 + y] + C[t];
}";
    let launch = NamedLaunch {
        dynamic_shared_bytes: 12_288,
        ..NamedLaunch::new([1, 1, 1], [32, 32, 1])
    };
    let advice = asked::advised(text, launch, &[("length", 1024)]);
    let found = &advice.suggestions[0];
    let source = found.source.text();
    assert_eq!(found.totals[1].shared.conflicts(), 0, "{source}");
    let moved = "float* B = pool + length + length / 32; float* C = pool + 2 * length + length / 32 + length / 32;";
    assert!(source.contains(moved), "{source}");
    assert!(
        source.contains("A[x * 33 + y] + B[x * 33 + y] + C[t]"),
        "{source}"
    );
    assert_eq!(found.launch.dynamic_shared_bytes, 12_288 + 2 * 128);
}

/// A pool of a fixed size grows by as many rows as it has room for, however long its tiles are.
#[test]
fn a_pool_of_a_fixed_size_has_room_for_any_lengths() {
    let of = |tiles: &str, read: &str| {
        let text = format!(
            "__global__ void k(const float* in, float* out, int length) {{
  __shared__ float pool[2048];
  {tiles}
  int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  A[t] = in[t]; B[t] = in[t] * 2.0f;
  __syncthreads();
  out[t] = {read};
}}"
        );
        let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
        asked::advised(&text, launch, &[("length", 1024)])
    };
    let tiles = "float* A = pool; float* B = pool + length;";
    for (tiles, read, declared, moved) in [
        // The last tile moves nothing.
        (tiles, "A[t] + B[x * 32 + y]", "pool[2112]", tiles),
        (
            tiles,
            "A[x * 32 + y] + B[t]",
            "pool[2112]",
            "float* A = pool; float* B = pool + length + length / 32;",
        ),
        (
            tiles,
            "A[x * 32 + y] + B[x * 32 + y]",
            "pool[2176]",
            "float* A = pool; float* B = pool + length + length / 32;",
        ),
    ] {
        let advice = of(tiles, read);
        let Some(found) = advice.suggestions.first() else {
            panic!("{read} {:?}", advice.notes);
        };
        let source = found.source.text();
        assert_eq!(found.totals[1].shared.conflicts(), 0, "{source}");
        assert!(source.contains(declared), "{source}");
        assert!(source.contains(moved), "{source}");
    }
}

/// How much a pool of a fixed size would have to grow is no number where the length of a row is none.
#[test]
fn a_size_that_cannot_grow_is_named() {
    let text = "__global__ void k(const float* in, float* out, int pitch, int length) {
  __shared__ float pool[4096];
  float* A = pool; float* B = pool + length;
  int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  A[t] = in[t]; B[y * pitch + x] = in[t] * 2.0f;
  __syncthreads();
  out[t] = A[t] + B[x * pitch + y];
}";
    let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
    let advice = asked::advised(text, launch, &[("pitch", 32), ("length", 1024)]);
    assert!(advice.suggestions.is_empty(), "{:?}", advice.suggestions);
    let note = Note::SizeKept {
        array: "pool".to_owned(),
        pointer: "B".to_owned(),
    };
    assert_eq!(advice.notes, [note]);
}

/// What begins somewhere else stands in the way, and is named.
#[test]
fn a_pointer_that_cannot_move_is_named() {
    let pool = "extern __shared__ float pool[]; float* A = pool; float* B = pool + length;";
    for (behind, named) in [
        ("float* C = pool + other + 1024;", "C"),
        (
            "float* C = pool + length * 2; float* D = pool + 3 * other;",
            "D",
        ),
        ("int at = length; at += length; float* C = pool + at;", "C"),
    ] {
        let advice = sums_of_lengths(&format!("{pool} {behind}"), "32");
        assert!(advice.suggestions.is_empty(), "{behind}");
        let note = Note::PointerKept {
            array: "pool".to_owned(),
            pointer: named.to_owned(),
        };
        assert_eq!(advice.notes, [note], "{behind}");
    }
}

/// The fixes of a kernel with tiles `A`, `B` and `C`, of which `B` is read down its columns of this pitch.
fn sums_of_lengths(head: &str, pitch: &str) -> Advice {
    let launch = NamedLaunch {
        dynamic_shared_bytes: 16_384,
        ..NamedLaunch::new([1, 1, 1], [32, 32, 1])
    };
    let last = if head.contains("* D") {
        "D[t] = in[t] * 4.0f; out[t] += D[t];"
    } else {
        ""
    };
    let text = format!(
        "__global__ void k(const float* in, float* out, int pitch, int length, int other) {{
  {head}
  int x = threadIdx.x, y = threadIdx.y, t = y * 32 + x;
  A[t] = in[t]; B[y * {pitch} + x] = in[t] * 2.0f; C[t] = in[t] * 3.0f;
  __syncthreads();
  out[t] = A[t] + B[x * {pitch} + y] + C[t];
  {last}
}}"
    );
    asked::advised(
        &text,
        launch,
        &[("pitch", 32), ("length", 1024), ("other", 1024)],
    )
}
