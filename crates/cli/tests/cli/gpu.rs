//! Kernels as WGSL, and on this machine's device.

use std::path::PathBuf;

use crate::run::lanescope;

const TRANSPOSES: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../lab/tests/emitted/transposes.cu"
);

#[test]
fn a_kernel_is_printed_as_wgsl() {
    let ran = lanescope(&["emit", TRANSPOSES, "--kernel", "padded"], b"");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("var<workgroup> tile: array<f32, 1056>;")
            && ran.out.contains("@workgroup_size(32, 32, 1)"),
        "{}",
        ran.out
    );
}

#[test]
fn a_recorded_launch_says_kernel_and_block_and_options_win() {
    let launch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("emitted.jsonl");
    let record = r#"{"kernel":"padded","grid":[4,4,1],"block":[32,32,1],"arguments":[]}"#;
    std::fs::write(&launch, record).expect("the temporary folder can be written");
    let launch = launch.display().to_string();
    let recorded = lanescope(&["emit", TRANSPOSES, "--launch", &launch], b"");
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    assert!(
        recorded.out.contains("@workgroup_size(32, 32"),
        "{}",
        recorded.out
    );
    let wider = ["emit", TRANSPOSES, "--launch", &launch, "--block", "16,16"];
    let wider = lanescope(&wider, b"");
    assert!(
        wider.out.contains("@workgroup_size(16, 16"),
        "{}",
        wider.out
    );
}

#[test]
fn what_is_refused_names_its_line() {
    let source = b"__global__ void k(double* v) {\n  v[threadIdx.x] *= 2.0;\n}\n";
    let ran = lanescope(&["emit", "-", "--block", "32"], source);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(ran.err.contains("line 2: not run: double"), "{}", ran.err);
}

/// A device that is missing is a failure, unless `LANESCOPE_GPU=none` says that there is none.
#[test]
fn a_kernel_runs_and_is_verified() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let arguments = ["--arg", "in=32768,random:1", "--arg", "out=32768,zero"];
    let command = [&["run", TRANSPOSES, "--kernel", "tiled"], &arguments[..]].concat();
    let ran = lanescope(&command, b"");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("bit for bit"), "{}", ran.out);
    let ran = lanescope(&[&command[..], &["--fix", "1"]].concat(), b"");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("results equal"), "{}", ran.out);
}

#[test]
fn what_the_last_of_several_blocks_leaves_is_not_held_against_a_run() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let source = b"__global__ void k(int* a) {
        atomicAdd(&a[0], 1);
        atomicExch(&a[1], blockIdx.x * blockDim.x + threadIdx.x);
        atomicCAS(&a[2], blockIdx.x + 1, blockIdx.x);
    }";
    let options = ["--grid", "16", "--block", "64", "--arg", "a=4,zero"];
    let ran = lanescope(&[&["run", "-"], &options[..]].concat(), source);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("bit for bit"), "{}", ran.out);
}

/// Nobody says how large the buffers are: each is as large as the launch goes into it.
#[test]
fn buffers_are_as_large_as_the_launch_goes_into_them() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let source = br"
__global__ void strided(const int* in, int* out, const unsigned char* places) {
  out[blockIdx.x * 64 + threadIdx.x] = in[3 * threadIdx.x] + in[places[threadIdx.x]];
}
int main() { strided<<<2, 64>>>(nullptr, nullptr, nullptr); }
";
    let ran = lanescope(&["run", "-"], source);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("bit for bit"), "{}", ran.out);
    for said in [
        "`in` was not given: 190 elements, as far as the launch goes, zeros",
        "`out` was not given: 128 elements",
        "`places` was not given: 64 elements",
    ] {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
}

/// Places that depend on which thread comes first are checked in a run of their own, and what they leave is not called verified.
#[test]
fn an_index_that_leaves_its_array_in_the_run_is_named() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let source = b"__global__ void k(int* count, int* out) {
  int at = atomicAdd(count, 1);
  out[at] = threadIdx.x;
}";
    let ran = |elements: &str| {
        let launch = ["run", "-", "--grid", "4", "--block", "32"];
        let out = format!("out={elements},zero");
        let arguments = ["--arg", "count=1,zero", "--arg", &out];
        lanescope(&[&launch[..], &arguments].concat(), source)
    };
    let outside = ran("127");
    assert_eq!((outside.code, outside.out.as_str()), (Some(1), ""));
    let said = "line 3: the run accessed memory outside of `out`";
    assert!(outside.err.contains(said), "{}", outside.err);
    let inside = ran("128");
    assert_eq!(inside.code, Some(3), "{}{}", inside.out, inside.err);
    assert!(inside.out.contains("not verified"), "{}", inside.out);
    let said = "a first run, not timed, checks it";
    assert!(inside.err.contains(said), "{}", inside.err);
}

/// A transpose with everything that a text in WGSL may bind: a uniform, two groups, overrides, a workgroup's size by one.
const WGSL: &str = r"
override SIDE: u32 = 8;
struct Shape { columns: u32, rows: u32 }
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;
@group(2) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<array<u32, 16>, 16>;
@compute @workgroup_size(SIDE, SIDE)
fn turn(@builtin(local_invocation_id) at: vec3<u32>, @builtin(workgroup_id) block: vec3<u32>) {
  let column = block.x * SIDE + at.x;
  let row = block.y * SIDE + at.y;
  tile[at.x][at.y] = input[row * shape.columns + column];
  workgroupBarrier();
  let across = block.y * SIDE + at.x;
  let down = block.x * SIDE + at.y;
  output[down * shape.rows + across] = tile[at.y][at.x];
}
";

#[test]
fn wgsl_runs_as_it_is_with_its_groups_its_uniform_and_its_overrides() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let shape = ["--arg", "shape.columns=32", "--arg", "shape.rows=64"];
    for (side, dispatch) in [("8", "4,8"), ("16", "2,4")] {
        let define = format!("SIDE={side}");
        let own = ["--dispatch", dispatch, "--define", &define];
        let ran = lanescope(&[&["run", "-"], &own[..], &shape].concat(), WGSL.as_bytes());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("bit for bit"), "{}", ran.out);
        assert!(
            ran.err.contains("`input` was not given: 2048"),
            "{}",
            ran.err
        );
    }
    for size in [["--define", "SIDE=16"], ["--block", "16,16"]] {
        let own = [&["--dispatch", "2,4", "--fix", "1"], &size[..]].concat();
        let ran = lanescope(&[&["run", "-"], &own[..], &shape].concat(), WGSL.as_bytes());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(ran.out.contains("results equal"), "{}", ran.out);
    }
}

#[test]
fn wgsl_is_had_in_the_languages_of_other_machines_and_in_none_of_cuda() {
    let of = |language| lanescope(&["emit", "-", "--language", language], WGSL.as_bytes());
    assert_eq!(of("wgsl").out, WGSL);
    let glsl = of("glsl");
    assert!(glsl.out.contains("local_size_x = 8"), "{}", glsl.err);
    assert!(of("msl").out.contains("kernel void turn"));
    let cuda = of("cuda");
    assert_eq!(cuda.code, Some(1), "{}", cuda.out);
    assert!(cuda.err.contains("WGSL is not translated"), "{}", cuda.err);
}

const HIP: &str = r"
#include <hip/hip_runtime.h>
__global__ void squares(const float* in, float* out, int n) {
  int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < n) out[i] = in[i] * in[i];
}
int main() {
  float *in, *out;
  hipMalloc(&in, 4000);
  hipMalloc(&out, 4000);
  hipLaunchKernelGGL(squares, dim3(8), dim3(128), 0, 0, in, out, 1000);
}
";

#[test]
fn hip_runs_like_cuda_in_the_launch_of_its_host_code() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("squares.hip");
    std::fs::write(&path, HIP).expect("the temporary folder can be written");
    let path = path.display().to_string();
    let ran = lanescope(&["run", &path, "--arg", "n=1000"], b"");
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("bit for bit"), "{}", ran.out);
    let said = "what `in` holds was not given: its 1000 elements are random";
    assert!(ran.err.contains(said), "{}", ran.err);
}

/// What the host allocates is as large as its launch's buffers are, and an index behind it is refused.
#[test]
fn buffers_are_as_large_as_the_host_allocates_them() {
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let ran = |elements: &str, options: &[&str]| {
        let source = format!(
            "__global__ void next(const float* in, float* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1];
}}
int main() {{
  const int n = 1 << 12;
  float *in, *out;
  cudaMallocManaged(&in, ({elements}) * sizeof(float));
  cudaMalloc((void**)&out, n * sizeof(float));
  next<<<n / 256, 256>>>(in, out, n);
}}
"
        );
        lanescope(&[&["run", "-"], options].concat(), source.as_bytes())
    };
    let enough = ran("2 * n", &[]);
    assert_eq!(enough.code, Some(0), "{}{}", enough.out, enough.err);
    assert!(enough.out.contains("bit for bit"), "{}", enough.out);
    let said = "what `in` holds was not given: its 8192 elements are random";
    assert!(enough.err.contains(said), "{}", enough.err);
    let few = ran("n", &[]);
    assert_eq!(few.code, Some(1), "{}{}", few.out, few.err);
    assert!(
        few.err
            .contains("line 3: not run: an index is out of bounds"),
        "{}",
        few.err
    );
    // Another launch than the host's is not in its buffers.
    let other = ran("n", &["--grid", "4", "--block", "256", "--arg", "n=1024"]);
    assert_eq!(other.code, Some(0), "{}{}", other.out, other.err);
    assert!(
        other.err.contains("`in` was not given: 1025"),
        "{}",
        other.err
    );
}

#[test]
fn a_text_is_spelt_as_cuda_and_as_hip() {
    let cuda = lanescope(&["emit", "-", "--language", "cuda"], HIP.as_bytes());
    assert_eq!(cuda.code, Some(0), "{}", cuda.err);
    assert!(
        cuda.out.contains("#include <cuda_runtime.h>")
            && cuda.out.contains("cudaMalloc(&in, 4000)"),
        "{}",
        cuda.out
    );
    let hip = lanescope(&["emit", TRANSPOSES, "--language", "hip"], b"");
    assert!(
        hip.out.contains("#include <hip/hip_runtime.h>"),
        "{}",
        hip.out
    );
}

/// PTX inside of what WGSL has words for goes the same way.
#[test]
fn ptx_is_printed_as_wgsl_and_runs() {
    let source = b".version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  shl.b32 %r2, %r1, 1;
  st.global.u32 [%rd4], %r2;
  ret;
}
";
    let ran = lanescope(&["emit", "-", "--block", "32"], source);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.contains("@workgroup_size(32, 1, 1)") && ran.out.contains("array<u32>"),
        "{}",
        ran.out
    );
    if std::env::var("LANESCOPE_GPU").is_ok_and(|value| value == "none") {
        return;
    }
    let ran = lanescope(&["run", "-", "--grid", "1", "--block", "32"], source);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("bit for bit"), "{}", ran.out);
}
