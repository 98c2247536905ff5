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
