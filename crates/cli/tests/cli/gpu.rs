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
