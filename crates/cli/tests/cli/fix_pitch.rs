//! Rows that are set further apart, however the text says how far apart they are.

use crate::run::lanescope;
use serde_json::Value;

fn fixes(text: &str) -> Vec<Value> {
    let ran = lanescope(&["fix", "-", "--format", "json"], text.as_bytes());
    let value: Value = serde_json::from_str(&ran.out).expect("JSON");
    value["fixes"].as_array().expect("fixes").clone()
}

/// Two tiles in a pool of bytes.
const POOL: &str = "__global__ void turn(const float* from, float* to) {
  extern __shared__ unsigned char pool[];
  float* a = (float*)pool;
  float* b = (float*)(pool + 32 * 32 * 4);
  int x = threadIdx.x, y = threadIdx.y;
  a[y * 32 + x] = from[y * 32 + x];
  b[y * 32 + x] = from[y * 32 + x];
  __syncthreads();
  to[y * 32 + x] = a[x * 32 + y] + b[x * 32 + y];
}
void go(float* a, float* b) { turn<<<1, dim3(32, 32), 8192>>>(a, b); }
";

#[test]
fn a_pool_of_bytes_is_padded_by_one_element() {
    for (from, to) in [
        ("", ""),
        ("unsigned char pool", "char pool"),
        ("32 * 32 * 4)", "32 * 32 * sizeof(float))"),
        ("(float*)pool", "reinterpret_cast<float*>(pool)"),
    ] {
        let text = POOL.replacen(from, to, 1);
        let found = fixes(&text);
        assert_eq!(found[0]["fix"], "pad by 1", "{text}");
        assert_eq!(found[0]["after"]["shared_conflicts"], 0, "{text}");
        let changed = lanescope(&["fix", "-", "--as", "cuda"], text.as_bytes()).out;
        assert!(changed.contains("(pool + 33 * 32 *"), "{changed}");
        assert!(changed.contains("8444>>>"), "{changed}");
    }
}

/// Vectors need rows that begin at their alignment.
#[test]
fn a_pool_of_vectors_is_padded_by_vectors_alone() {
    let text = "__global__ void turn(const float4* from, float* to) {
  extern __shared__ unsigned char pool[];
  float* a = (float*)pool;
  int t = threadIdx.x;
  for (int i = 0; i < 8; i++) *(float4*)&a[t * 32 + i * 4] = from[t * 8 + i];
  __syncthreads();
  for (int i = 0; i < 32; i++) to[i * 32 + t] = a[t * 32 + i];
}
void go(float4* a, float* b) { turn<<<1, 32, 4096>>>(a, b); }
";
    for fix in fixes(text) {
        let source = fix["source"].as_str().unwrap();
        assert!(!source.contains("* 33"), "{source}");
    }
}

/// A transpose of which a macro indexes the tile.
fn indexed_by(of: &str, macro_: &str, size: &str) -> String {
    format!(
        "{macro_}
__global__ void turn(const {of}* from, {of}* to) {{
  __shared__ {of} tile[{size}];
  AT(threadIdx.y, threadIdx.x) = from[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = AT(threadIdx.x, threadIdx.y);
}}
void go({of}* a, {of}* b) {{ turn<<<1, dim3(32, 32)>>>(a, b); }}
"
    )
}

#[test]
fn the_pitch_in_a_macro_is_padded() {
    for (macro_, padded) in [
        (
            "#define AT(i,j) tile[((i)<<5)+(j)]",
            "#define AT(i,j) tile[((i)*33)+(j)]",
        ),
        (
            "# define AT(i, j) tile[((i) << 5u) + (j)] // row",
            "# define AT(i, j) tile[((i) * 33) + (j)] // row",
        ),
        (
            "#define AT(i, j) (tile[(i) * 32 + (j)])",
            "#define AT(i, j) (tile[(i) * 33 + (j)])",
        ),
        (
            "#define AT(r, c) tile[(c) + 32 * (r)]",
            "#define AT(r, c) tile[(c) + 33 * (r)]",
        ),
    ] {
        for (of, size, grown) in [("float", "1024", "1056"), ("int", "32 * 32", "32 * 33")] {
            let text = indexed_by(of, macro_, size);
            let found = fixes(&text);
            assert!(!found.is_empty(), "{text}");
            assert_eq!(found[0]["fix"], "pad by 1", "{text}");
            assert_eq!(found[0]["after"]["shared_conflicts"], 0, "{text}");
            let changed = lanescope(&["fix", "-", "--as", "cuda"], text.as_bytes()).out;
            assert!(changed.contains(padded), "{changed}");
            assert!(changed.contains(&format!("tile[{grown}];")), "{changed}");
        }
    }
}

/// Another index goes by the same elements with no pitch that could change: nothing is offered that would part them.
#[test]
fn a_pitch_that_others_do_not_share_stays() {
    let text = indexed_by(
        "float",
        "#define AT(i, j) tile[((i) << 5) + (j)]\n#define FLAT(i) tile[i]",
        "1024",
    )
    .replace(
        "= AT(threadIdx.x, threadIdx.y)",
        "= FLAT((threadIdx.x << 6) / 2 + threadIdx.y)",
    );
    for fix in fixes(&text) {
        assert_ne!(fix["fix"], "pad by 1", "{fix}");
    }
}

#[test]
fn a_shift_is_a_pitch() {
    let text = indexed_by("float", "#define ROW 5", "32 * 32")
        .replace(
            "AT(threadIdx.y, threadIdx.x)",
            "tile[(threadIdx.y << 5) + threadIdx.x]",
        )
        .replace(
            "AT(threadIdx.x, threadIdx.y)",
            "tile[threadIdx.y + (threadIdx.x << 5)]",
        );
    let changed = lanescope(&["fix", "-", "--as", "cuda"], text.as_bytes()).out;
    assert!(
        changed.contains("tile[(threadIdx.y * 33) + threadIdx.x]"),
        "{changed}"
    );
    assert!(
        changed.contains("tile[threadIdx.y + (threadIdx.x * 33)]"),
        "{changed}"
    );
    assert!(changed.contains("tile[32 * 33];"), "{changed}");
    // A shift by a name is none that is known to be a pitch everywhere.
    let named = text.replace("<< 5", "<< ROW");
    assert!(fixes(&named).iter().all(|fix| fix["fix"] != "pad by 1"));
}
