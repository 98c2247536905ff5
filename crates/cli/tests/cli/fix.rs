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

/// A workgroup that is not square, by its place in the grid.
#[test]
fn the_place_in_the_grid_is_turned() {
    let text = b"@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(16, 8) fn copy(@builtin(global_invocation_id) g: vec3<u32>) {
  b[g.x * 64u + g.y] = a[g.x * 64u + g.y];
}";
    let ran = lanescope(&["fix", "-", "--grid", "4,8", "--format", "json"], text);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let found = &value["fixes"][0];
    assert_eq!(found["source"], "block.x * (16) + thread.y");
    let units = [&found["before"], &found["after"]].map(|totals| totals["global_units"].clone());
    assert_eq!(units, [4096, 1024].map(serde_json::Value::from));
    let changed = lanescope(&["fix", "-", "--grid", "4,8", "--as", "wgsl"], text);
    assert!(
        changed.out.contains("@workgroup_size(8, 16)"),
        "{}",
        changed.out
    );
    let again = lanescope(
        &["kernel", "-", "--grid", "4,8", "--format", "json"],
        changed.out.as_bytes(),
    );
    let value: serde_json::Value = serde_json::from_str(&again.out).expect("JSON");
    assert_eq!(value["totals"]["global_load_sectors"], 512, "{}", again.err);
}

#[test]
fn a_fix_is_printed_in_the_notation_that_is_asked_for() {
    let text = |notation: &str, pick: &str| {
        let ran = lanescope(&["fix", "-", "--as", notation, "--pick", pick], LAUNCHED);
        assert_eq!(ran.code, Some(0), "{notation}: {}", ran.err);
        ran.out
    };
    assert_eq!(
        text("cute", "1"),
        "Layout<Shape<Int<32>, Int<32>>, Stride<Int<33>, Int<1>>>{}\n"
    );
    assert_eq!(
        text("cute-dsl", "2"),
        "cute.make_composed_layout(cute.make_swizzle(5, 0, 5), 0, cute.make_layout((32, 32), stride=(32, 1)))\n"
    );
    assert_eq!(
        text("triton", "1"),
        "#ttg.padded_shared<[32:+1] {order = [1, 0], shape = [32, 32]}>\n"
    );
    let cuda = text("cuda", "1");
    let expected = String::from_utf8_lossy(LAUNCHED).replace("box[32][32]", "box[32][33]");
    assert_eq!(cuda, expected);
    let hip = text("hip", "1");
    assert_eq!(hip, format!("#include <hip/hip_runtime.h>\n{expected}"));
    assert!(text("wgsl", "1").contains("array<f32, 1056>"));
    // What is printed is free of conflicts when it is asked about.
    for (notation, pick) in [("cute", "2"), ("triton", "1"), ("triton", "2")] {
        let layout = format!("type f32\n{}", text(notation, pick));
        let asked = lanescope(
            &[
                "layout",
                "-",
                "--access",
                "load column",
                "--access",
                "store row",
            ],
            layout.as_bytes(),
        );
        assert_eq!(asked.code, Some(0), "{layout}{}", asked.err);
        assert_eq!(asked.out.matches("1-way").count(), 2, "{}", asked.out);
    }
}

/// A reduction as it is reduced to a layout: there is none.
#[test]
fn a_fix_that_moves_no_elements_is_no_layout() {
    let text = b"__global__ void sum(const float* from, float* to) {
  __shared__ float part[256];
  int t = threadIdx.x;
  part[t] = from[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) to[blockIdx.x] = part[0];
}";
    let asked = |more: &[&str]| {
        let all = [&["fix", "-", "--grid", "4", "--block", "256"], more].concat();
        lanescope(&all, text)
    };
    let ran = asked(&["--as", "cute"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("is no layout"), "{}", ran.err);
    let hip = asked(&["--as", "hip", "--pick", "2"]);
    assert!(
        hip.out.contains("__shfl_down(value, offset)"),
        "{}{}",
        hip.out,
        hip.err
    );
    let cuda = asked(&["--as", "cuda", "--pick", "1"]);
    assert!(
        cuda.err.contains("launch it with --block 128,1,1"),
        "{}",
        cuda.err
    );
}

/// A buffer that is aligned elsewhere leaves the source as it is: the launch is what changes, and it is told.
#[test]
fn what_an_aligned_buffer_is_launched_with_is_said() {
    let text = b"__global__ void k(const float* in, float* out) {
  int i = blockIdx.x * 128 + threadIdx.x;
  out[i] = in[i];
}";
    let arguments = [
        "fix",
        "-",
        "--grid",
        "2",
        "--block",
        "128",
        "--arg",
        "in=iota,offset:4",
        "--format",
    ];
    let with = |format: &'static str| lanescope(&[&arguments[..], &[format]].concat(), text);
    let json: serde_json::Value = serde_json::from_str(&with("json").out).expect("JSON");
    let first = &json["fixes"][0];
    assert_eq!(first["fix"], "align the buffer's base");
    assert_eq!(
        first["launch_options"],
        serde_json::json!(["--arg", "in=iota"])
    );
    let diff = with("diff");
    let told = "# only the launch changes: --arg in=iota\n";
    assert_eq!((diff.code, diff.out.as_str()), (Some(0), told));
    assert!(
        diff.err.contains("launch it with --arg in=iota"),
        "{}",
        diff.err
    );
}

/// Rows, columns and diagonals of one tile: the best XOR is none that CuTe has a name for.
#[test]
fn an_xor_that_is_no_swizzle_has_no_layout() {
    let text = b"__global__ void k(const float* in, float* out) {
  __shared__ float s[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = in[y * 32 + x];
  __syncthreads();
  out[y * 32 + x] = s[x][y] + s[x][(y + 32 - x) & 31];
}";
    let fix = |more: &[&str]| {
        let given = ["fix", "-", "--grid", "1", "--block", "32,32"];
        lanescope(&[&given[..], more].concat(), text)
    };
    let found = fix(&["--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&found.out).expect("JSON");
    let fixes = json["fixes"].as_array().expect("fixes");
    let is_xor = |one: &serde_json::Value| one["fix"] == "XOR of shifted index bits";
    let at = fixes.iter().position(is_xor).expect("an XOR");
    assert!(fixes[at].get("layouts").is_none(), "{}", fixes[at]);
    let pick = (at + 1).to_string();
    for notation in ["cute", "cute-dsl", "triton"] {
        let ran = fix(&["--pick", &pick, "--as", notation]);
        assert_ne!(ran.code, Some(0));
        let said = "is no Swizzle<B,M,S>: CuTe and Triton have no layout for it";
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}
