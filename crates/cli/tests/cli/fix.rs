//! `lanescope fix`.

use crate::run::lanescope;
use std::path::Path;

/// The page's story of the same kernel (`tests/e2e/stories/worker.test.js`) holds its list to this snapshot.
#[test]
fn fixes_of_a_hundred_lines_as_json() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixes/benches/hundred_lines.cu");
    let file = file.to_str().unwrap();
    let ran = lanescope(
        &[
            "fix",
            file,
            "--grid",
            "8,8",
            "--block",
            "256",
            "--arg",
            "width=250",
            "--arg",
            "height=250",
            "--format",
            "json",
        ],
        b"",
    );
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!("fixes_of_a_hundred_lines", ran.out);
}

/// A kernel with the host code that launches it.
const LAUNCHED: &[u8] = b"__global__ void turn(const float* from, float* to) {
  __shared__ float box[32][32];
  box[threadIdx.y][threadIdx.x] = from[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  to[threadIdx.y * 32 + threadIdx.x] = box[threadIdx.x][threadIdx.y];
}
void go(const float* a, float* b) {
  const int side = 32;
  turn<<<1, dim3(side, side)>>>(a, b);
}
";

#[test]
fn the_launch_is_read_from_the_text() {
    let read = lanescope(&["fix", "-", "--max-seconds", "60"], LAUNCHED);
    let given = lanescope(&["fix", "-", "--grid", "1", "--block", "32,32"], LAUNCHED);
    assert_eq!(
        (read.code, &read.out),
        (Some(0), &given.out),
        "{}",
        read.err
    );
    assert!(read.out.contains("box[32][33]"), "{}", read.out);
    assert!(!read.err.contains("guess"), "{}", read.err);
}

#[test]
fn a_launch_that_is_guessed_is_named() {
    let kernel = LAUNCHED.split(|byte| *byte == b'}').next().unwrap();
    let ran = lanescope(&["fix", "-"], &[kernel, b"}"].concat());
    assert!(ran.err.contains("a guess"), "{}", ran.err);
}

#[test]
fn a_patch_names_both_sides() {
    let ran = lanescope(&["fix", "-", "--format", "patch"], LAUNCHED);
    assert!(
        ran.out.starts_with("--- a/<stdin>\n+++ b/<stdin>\n@@"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("\n+  __shared__ float box[32][33];"),
        "{}",
        ran.out
    );
}

#[test]
fn sarif_holds_the_edits_of_every_fix() {
    let json = lanescope(&["fix", "-", "--format", "json"], LAUNCHED).out;
    let sarif = lanescope(&["fix", "-", "--format", "sarif"], LAUNCHED).out;
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let (json, sarif) = (read(&json), read(&sarif));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let fixes = json["fixes"].as_array().unwrap();
    assert_eq!(results.len(), fixes.len());
    let changes = &results[0]["fixes"][0]["artifactChanges"][0]["replacements"];
    assert_eq!(changes[0]["deletedRegion"]["startLine"], 2);
    assert_eq!(
        changes[0]["insertedContent"]["text"],
        fixes[0]["edits"][0]["replacement"]
    );
}

/// A WGSL workgroup that walks a matrix against its rows: `x` and `y` of its invocations change places.
#[test]
fn a_workgroup_against_the_rows_is_turned() {
    let text = b"@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(16, 16) fn copy(@builtin(local_invocation_id) l: vec3<u32>, @builtin(workgroup_id) w: vec3<u32>) {
  let row = w.x * 16u + l.x;
  let column = w.y * 16u + l.y;
  b[row * 64u + column] = a[row * 64u + column];
}";
    let ran = lanescope(&["fix", "-", "--grid", "4,4", "--format", "json"], text);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let found = &value["fixes"][0];
    assert_eq!(
        found["fix"],
        "swap local_invocation_id.x and local_invocation_id.y"
    );
    assert_eq!(found["source"], "let row = w.x * 16u + l.y;");
    assert_eq!(
        (
            &found["before"]["global_units"],
            &found["after"]["global_units"]
        ),
        (&4096.into(), &1024.into())
    );
}
