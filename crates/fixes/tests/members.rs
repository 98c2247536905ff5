//! Arrays that are members of a structure in shared memory: their rows are padded in the structure.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

use crate::asked;
use crate::padded;

use lanescope_fixes::Suggestion;
use lanescope_frontend::NamedLaunch;
use padded::padded;

/// A kernel with these structures that declares tiles, stores into two and reads the first down its columns.
fn kernel(structures: &str, declared: &str, [to_a, to_b, from_a]: [&str; 3]) -> String {
    format!(
        "{structures}
__global__ void k(const float* in, float* out) {{
  {declared}
  int x = threadIdx.x, y = threadIdx.y;
  {to_a} = in[y * 32 + x];
  {to_b} = in[1024 + y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = {from_a} + {to_b};
}}"
    )
}

#[test]
fn members_of_several_sides_are_padded_where_they_are_declared() {
    let dot = ["t.a[y][x]", "t.b[y][x]", "t.a[x][y]"];
    let arrow = ["t->a[y][x]", "t->b[y][x]", "t->a[x][y]"];
    let plain = "struct Tile { float a[32][32]; float b[32][32]; };";
    for (structures, declared, accesses, shown) in [
        (plain, "__shared__ Tile t;", dot, "a[32][33]"),
        (
            "#define SIDE 32\ntypedef struct { float a[SIDE][SIDE], b[SIDE][SIDE]; } Tile;",
            "__shared__ Tile t;",
            dot,
            "a[SIDE][SIDE + 1]",
        ),
        (
            "template <int N> struct Tile { float a[N][N]; float b[N][N]; };",
            "__shared__ Tile<32> t;",
            dot,
            "a[N][N + 1]",
        ),
        (
            plain,
            "extern __shared__ char smem[]; Tile* t = reinterpret_cast<Tile*>(smem);",
            arrow,
            "a[32][33]",
        ),
        (
            plain,
            "extern __shared__ char smem[]; Tile& t = *(Tile*)smem;",
            dot,
            "a[32][33]",
        ),
    ] {
        let text = kernel(structures, declared, accesses);
        let dynamic = if text.contains("extern") { 8192 } else { 0 };
        let found = padded(&text, dynamic);
        assert_eq!(found.array_totals[1].conflicts(), 0, "{text}");
        assert_eq!(found.occupancy[1].shared_bytes, 8192 + 128, "{text}");
        assert_eq!(found.snippet, shown);
        assert!(found.source.text().contains(shown), "{text}");
    }
}

#[test]
fn flat_members_are_padded_with_their_indices() {
    let flat = "struct Tile { float a[1024]; float b[1024]; };";
    let methods = "struct Tile { float a[32 * 32]; float b[1024]; __device__ float& at(int r, int c) { return a[r * 32 + c]; } };";
    for (structures, accesses, changed) in [
        (
            flat,
            ["t.a[y * 32 + x]", "t.b[y * 32 + x]", "t.a[x * 32 + y]"],
            ["float a[1056];", "t.a[y * 33 + x]", "t.b[y * 32 + x]"],
        ),
        (
            methods,
            ["t.at(y, x)", "t.b[y * 32 + x]", "t.at(x, y)"],
            [
                "float a[32 * 33];",
                "return a[r * 33 + c];",
                "t.b[y * 32 + x]",
            ],
        ),
    ] {
        let text = kernel(structures, "__shared__ Tile t;", accesses);
        let found = padded(&text, 0);
        assert_eq!(found.array_totals[1].conflicts(), 0, "{text}");
        assert_eq!(found.occupancy[1].shared_bytes, 8192 + 128, "{text}");
        let source = found.source.text();
        for one in changed {
            assert!(source.contains(one), "{one}\n{source}");
        }
    }
}

/// One member padded leaves the other's conflicts: both together leave none.
#[test]
fn members_are_padded_together() {
    let text = kernel(
        "struct Tile { float a[32][32]; float b[32][32]; };",
        "__shared__ Tile t;",
        ["t.a[y][x]", "t.b[y][x]", "t.a[x][y] + t.b[x][y]"],
    );
    let found = padded(&text, 0);
    assert_eq!(found.array_totals[1].conflicts(), 0);
    let source = found.source.text();
    assert!(
        source.contains("float a[32][33]; float b[32][33];"),
        "{source}"
    );
}

/// A structure that global memory holds too keeps its layout, which other programs know.
#[test]
fn a_structure_of_global_memory_keeps_its_layout() {
    let text = "struct Tile { float a[32][32]; };
__global__ void k(const Tile* in, float* out) {
  __shared__ Tile t;
  int x = threadIdx.x, y = threadIdx.y;
  t.a[y][x] = in->a[y][x];
  __syncthreads();
  out[y * 32 + x] = t.a[x][y];
}";
    let launch = NamedLaunch::new([1, 1, 1], [32, 32, 1]);
    let advice = asked::advised(text, launch, &[]);
    let is_changed = |one: &Suggestion| one.source.text().contains("a[32][33]");
    assert!(!advice.suggestions.iter().any(is_changed));
}
