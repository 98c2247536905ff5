//! A text with several kernels: all whose launch its host code says are counted.

use crate::run::{Ran, lanescope};
use serde_json::Value;

const SEVERAL: &str = "__global__ void wide(float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i * 8] = 1; }
template <int STEP> __global__ void strided(float *a) {
    __shared__ float s[64 * STEP];
    s[threadIdx.x * STEP] = 1; __syncthreads(); a[threadIdx.x] = s[threadIdx.x * STEP]; }
__global__ void unknown(float *a) { a[threadIdx.x] = 1; }
int main() {
    const int n = 256;
    wide<<<n / 64, 64>>>(a, n);
    strided<4><<<2, 64>>>(a);
    for (int i = 0; i < rounds(); ++i) unknown<<<blocks(i), 64>>>(a);
}
";

fn kernel(more: &[&str], text: &str) -> Ran {
    lanescope(&[&["kernel", "-"], more].concat(), text.as_bytes())
}

fn json(more: &[&str], text: &str) -> Value {
    let ran = kernel(&[&["--format", "json"], more].concat(), text);
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err))
}

/// The names of the kernels that a report is on.
fn names(report: &Value) -> Vec<&str> {
    let others = report["others"].as_array().into_iter().flatten();
    let all = others.chain([report]);
    all.map(|one| one["kernel"].as_str().expect("a name"))
        .collect()
}

#[test]
fn every_kernel_whose_launch_the_text_has_is_counted() {
    let report = json(&[], SEVERAL);
    assert_eq!(names(&report), ["wide", "strided"]);
    let wide = &report["others"][0];
    assert_eq!(wide["totals"]["global_store_requests"], 8);
    assert_eq!(wide["totals"]["global_store_sectors"], 256);
    assert_eq!(wide["status"], "counted");
    assert_eq!(report["totals"]["shared_store_wavefronts"], 2 * 2 * 4);
    let ran = kernel(&[], SEVERAL);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let [wide, strided] = ["wide: ", "strided: "].map(|head| ran.out.find(head).expect(head));
    assert!(wide < strided, "{}", ran.out);
    assert!(ran.out.contains("4-way bank conflict"), "{}", ran.out);
    assert!(ran.err.contains("no launch of unknown"), "{}", ran.err);
    assert!(!ran.err.contains("several kernels"), "{}", ran.err);
}

#[test]
fn lines_of_all_kernels_stand_under_one_head() {
    let ran = kernel(&["--format", "csv"], SEVERAL);
    let rows: Vec<&str> = ran.out.lines().collect();
    let heads = rows.iter().filter(|row| row.starts_with(rows[0])).count();
    assert_eq!(heads, 1, "{}", ran.out);
    for row in ["2,global_store,8", "5,shared_load,4,16"] {
        assert!(
            rows.iter().any(|one| one.starts_with(row)),
            "{row}: {}",
            ran.out
        );
    }
}

#[test]
fn a_kernel_or_a_launch_on_the_command_line_is_alone() {
    for (more, name) in [
        (&["--kernel", "wide"][..], "wide"),
        (&["--kernel", "unknown"], "unknown"),
        (&["--grid", "2", "--block", "32"], "unknown"),
    ] {
        assert_eq!(names(&json(more, SEVERAL)), [name], "{more:?}");
    }
}

#[test]
fn arguments_go_to_the_kernels_that_have_them() {
    let report = json(&["--arg", "n=64"], SEVERAL);
    assert_eq!(names(&report), ["wide", "strided"]);
    assert_eq!(report["others"][0]["totals"]["global_store_requests"], 2);
    let ran = kernel(&["--arg", "m=64"], SEVERAL);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("--arg m"), "{}", ran.err);
}

#[test]
fn the_only_known_launch_is_that_of_the_kernel_taken() {
    let text = SEVERAL.replace("strided<4><<<2, 64>>>(a);", "");
    assert_eq!(names(&json(&[], &text)), ["wide"]);
}

#[test]
fn the_worst_answer_decides_the_exit_status() {
    let text = SEVERAL.replace("a[i * 8] = 1", "a[mystery(i)] = 1");
    let ran = kernel(&[], &text);
    assert_eq!(ran.code, Some(3), "{}", ran.out);
    assert!(ran.out.contains("4-way bank conflict"), "{}", ran.out);
}

#[test]
fn a_text_without_known_launches_is_answered_as_before() {
    let text = SEVERAL.split("int main").next().expect("kernels");
    assert_eq!(names(&json(&[], text)), ["unknown"]);
    assert!(kernel(&[], text).err.contains("several kernels"));
}
