//! Functions that host code and templates give to kernels.

use lanescope_cuda::parse_kernel;
use lanescope_cuda::source::{HostLaunch, host_launch};
use lanescope_frontend::{KernelOptions, Parsed, Severity};

/// The kernel `k` as its launch has it, and what the launch says.
fn launched(source: &str) -> (Parsed, HostLaunch) {
    let host = host_launch(source, "k", &[]).unwrap_or_default();
    let arguments = host.template_arguments.join(", ");
    let is_told = host.is_template_known && !arguments.is_empty();
    let options = KernelOptions {
        kernel: Some(if is_told {
            format!("k<{arguments}>")
        } else {
            "k".to_owned()
        }),
        ..KernelOptions::default()
    };
    (parse_kernel(source, &options), host)
}

fn errors(parsed: &Parsed) -> Vec<String> {
    let errors = parsed.diagnostics.iter();
    errors
        .filter(|one| one.severity() == Severity::Error)
        .map(ToString::to_string)
        .collect()
}

/// What the sites of a kernel access.
fn sites(parsed: &Parsed, source: &str) -> Vec<String> {
    let all = parsed.program.sites().iter();
    let mut texts: Vec<String> = all.map(|site| site.span.text(source).to_owned()).collect();
    texts.sort();
    texts
}

const EACH: &str = "template <typename F> __global__ void k(float *out, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(i);
}\n";

#[test]
fn a_lambda_of_the_host_is_run() {
    for host in [
        "void go(float *p) { auto f = [] __device__ (int i) { return i * 2.0f; }; k<<<4, 64>>>(p, 256, f); }",
        "void go(float *p) { k<<<4, 64>>>(p, 256, [] __device__ (int i) -> float { float x = i; return x; }); }",
        "void go(float *p) { const auto f = [] __host__ __device__ (auto i) { return i + 1; }; k<<<4, 64>>>(p, 256, f); }",
    ] {
        let source = format!("{EACH}{host}");
        let (parsed, launch) = launched(&source);
        assert_eq!(errors(&parsed), [""; 0], "{host}");
        assert_eq!(sites(&parsed, &source), ["out[i]"], "{host}");
        assert_eq!(
            (launch.grid, launch.block),
            (Some([4, 1, 1]), Some([64, 1, 1])),
            "{host}"
        );
    }
}

#[test]
fn what_a_lambda_captures_by_value_are_members_of_the_kernels_argument() {
    let host = "void go(const float *in, float *out, int n, float scale) {
  const int pitch = 32;
  int *idx, m = 4, rest;
  k<<<4, 64>>>(out, n, [=] __device__ (int i) { int twice = 2 * i; return in[twice * pitch] * scale + idx[i] + m; });
}";
    let source = format!("{EACH}{host}");
    let (parsed, _) = launched(&source);
    assert_eq!(errors(&parsed), [""; 0]);
    assert_eq!(
        sites(&parsed, &source),
        ["idx[i]", "in[twice * pitch]", "out[i]"]
    );
    let members: Vec<&str> = parsed
        .program
        .parameters()
        .iter()
        .map(|one| one.name.as_str())
        .filter(|name| name.starts_with("f."))
        .collect();
    assert_eq!(members, ["f.in", "f.scale", "f.idx", "f.m"]);
    // In the order of the list.
    let host = "void go(float *out, int n) { float *a; unsigned b; auto f = [b, a] __device__ (int i) { return a[i * b]; }; k<<<4, 64>>>(out, n, f); }";
    let (parsed, _) = launched(&format!("{EACH}{host}"));
    assert_eq!(errors(&parsed), [""; 0]);
    let members = parsed
        .program
        .parameters()
        .iter()
        .filter(|one| one.name.starts_with("f."));
    let members: Vec<&str> = members.map(|one| one.name.as_str()).collect();
    assert_eq!(members, ["f.b", "f.a"]);
}

/// Never another reading of it: the launch tells no type then.
#[test]
fn a_lambda_whose_captures_are_not_told_is_not_read() {
    for captured in [
        "float *p; auto f = [&] __device__ (int i) { return p[i]; };",
        "float *q; auto p = q; auto f = [=] __device__ (int i) { return p[i]; };",
        "float p[4]; auto f = [=] __device__ (int i) { return p[i & 3]; };",
        "float *q; auto f = [p = q] __device__ (int i) { return p[i]; };",
    ] {
        let host = format!("void go(float *o) {{ {captured} k<<<4, 64>>>(o, 256, f); }}");
        let (parsed, launch) = launched(&format!("{EACH}{host}"));
        assert_eq!(launch.template_arguments, [""; 0], "{captured}");
        assert!(!errors(&parsed).is_empty(), "{captured}");
    }
}

#[test]
fn written_template_arguments_and_a_lambda_go_together() {
    let source =
        "template <int N, typename F, bool CHECKED = false> __global__ void k(float *a, F f) {
  for (int i = 0; i < N; ++i) a[threadIdx.x * N + i] = f(i);
}
void go(float *p) { k<4><<<1, 32>>>(p, [] __device__ (int i) { return i + 0.5f; }); }";
    let (parsed, launch) = launched(source);
    assert_eq!(launch.template_arguments, ["4", "lambda_1"]);
    assert_eq!(errors(&parsed), [""; 0]);
}

#[test]
fn functions_are_given_through_templates_and_pointers() {
    let functions = "__device__ float twice(float x) { return 2 * x; }
__device__ float half_of(float x) { return x / 2; }
typedef float (*Fn)(float);
using Gn = float (*)(float);\n";
    for kernel in [
        "template <float (*F)(float)> __global__ void k(float *a) { a[threadIdx.x] = F(a[threadIdx.x]); }
         void go(float *p) { k<twice><<<1, 32>>>(p); }",
        "template <Fn F> __global__ void k(float *a) { a[threadIdx.x] = F(a[threadIdx.x]); }
         void go(float *p) { k<half_of><<<1, 32>>>(p); }",
        "__global__ void k(float *a) { Fn f = half_of; a[threadIdx.x] = f(a[threadIdx.x]); }",
        "__global__ void k(float *a) { Gn f = &twice; a[threadIdx.x] = f(a[threadIdx.x]); }",
        "__device__ float apply(Fn f, float x) { return f(x); }
         __global__ void k(float *a) { a[threadIdx.x] = apply(twice, a[threadIdx.x]); }",
        "__global__ void k(float *a) { float (*f)(float) = twice; a[threadIdx.x] = f(a[threadIdx.x]); }",
    ] {
        let source = format!("{functions}{kernel}");
        let (parsed, _) = launched(&source);
        assert_eq!(errors(&parsed), [""; 0], "{kernel}");
        assert_eq!(sites(&parsed, &source), ["a[threadIdx.x]"; 2], "{kernel}");
    }
    // A pointer that lies in memory or comes from the host is not followed.
    for kernel in [
        "__device__ Fn op = twice; __global__ void k(float *a) { a[threadIdx.x] = op(a[threadIdx.x]); }",
        "__global__ void k(float *a, Fn op) { a[threadIdx.x] = op(a[threadIdx.x]); }",
    ] {
        let (parsed, _) = launched(&format!("{functions}{kernel}"));
        assert!(!errors(&parsed).is_empty(), "{kernel}");
    }
}

#[test]
fn pointers_to_functions_are_as_large_as_any() {
    for (members, bytes) in [
        ("int (*f)(int); float v;", 16),
        ("float v; void (*f[3])(void);", 32),
        ("Fn f; float v;", 16),
        ("char c; Fn f[2];", 24),
    ] {
        let source = format!(
            "typedef float (*Fn)(float); struct S {{ {members} }}; __global__ void k(S *s) {{}}"
        );
        let (layouts, _) = lanescope_cuda::source::record_layouts(&source);
        assert_eq!(
            layouts.first().map(|one| one.bytes),
            Some(bytes),
            "{members}"
        );
    }
}
