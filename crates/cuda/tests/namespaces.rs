//! One name in several namespaces: each use means the one that C++ looks up.

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{KernelOptions, Severity};

/// What the accesses of the kernel `k` are, and what is wrong.
fn read(source: &str) -> (Vec<String>, Vec<String>) {
    let options = KernelOptions {
        kernel: Some("k".to_owned()),
        ..KernelOptions::default()
    };
    let parsed = parse_kernel(source, &options);
    let errors = parsed.diagnostics.iter();
    let errors = errors.filter(|one| one.severity() == Severity::Error);
    let errors = errors.map(ToString::to_string).collect();
    let sites = parsed.program.sites().iter();
    let mut sites: Vec<String> = sites.map(|one| one.span.text(source).to_owned()).collect();
    sites.sort();
    (sites, errors)
}

const TWO: &str = "namespace slow { constexpr int PITCH = 33; struct Tile { int rows; __device__ Tile(int r) : rows(r) {} };
  __device__ void put(float *a) { a[threadIdx.x * PITCH] = 1; } }
namespace fast { constexpr int PITCH = 32; struct Tile { char rows; };
  __device__ void put(float *a) { a[threadIdx.x + PITCH] = 1; } }\n";

#[test]
fn each_use_means_the_declaration_that_is_looked_up() {
    let [slow, fast] = ["a[threadIdx.x * PITCH]", "a[threadIdx.x + PITCH]"];
    for (kernel, expected) in [
        ("__global__ void k(float *a) { slow::put(a); }", slow),
        ("__global__ void k(float *a) { fast::put(a); }", fast),
        ("__global__ void k(float *a) { ::fast::put(a); }", fast),
        (
            "using namespace fast; __global__ void k(float *a) { put(a); }",
            fast,
        ),
        (
            "namespace slow { __global__ void k(float *a) { put(a); } }",
            slow,
        ),
        (
            "namespace fast { namespace inner { __global__ void k(float *a) { put(a); } } }",
            fast,
        ),
        (
            "namespace fast { __global__ void k(float *a) { slow::put(a); } }",
            slow,
        ),
    ] {
        let (sites, errors) = read(&format!("{TWO}{kernel}"));
        assert_eq!(errors, [""; 0], "{kernel}");
        assert_eq!(sites, [expected], "{kernel}");
    }
}

#[test]
fn constants_and_structures_are_those_of_their_namespace() {
    for (extent, expected) in [
        ("sizeof(slow::Tile) * 100 + slow::PITCH", 433),
        ("sizeof(fast::Tile) * 100 + fast::PITCH", 132),
    ] {
        let source = format!(
            "{TWO}__global__ void k(float *a) {{ __shared__ float t[{extent}]; t[threadIdx.x] = a[threadIdx.x]; }}"
        );
        let parsed = parse_kernel(&source, &KernelOptions::default());
        let mut errors = parsed.diagnostics.iter();
        assert!(
            !errors.any(|one| one.severity() == Severity::Error),
            "{extent}"
        );
        let mut arrays = parsed.program.arrays().iter();
        let shared = arrays.find(|one| one.name == "t");
        assert_eq!(
            shared.map(|one| one.extents.clone()),
            Some(vec![expected]),
            "{extent}"
        );
    }
}

/// Never one for the other: what is not told is said.
#[test]
fn what_cannot_be_looked_up_is_said() {
    for kernel in [
        "__global__ void k(float *a) { put(a); }",
        "using namespace fast; using namespace slow; __global__ void k(float *a) { put(a); }",
        "__global__ void k(float *a) { float put = 1; a[PITCH] = put; }",
    ] {
        let (_, errors) = read(&format!("{TWO}{kernel}"));
        assert!(!errors.is_empty(), "{kernel}");
    }
}

/// A function's own variable of such a name is its own.
#[test]
fn a_local_variable_hides_a_name_of_namespaces() {
    let source = "namespace a { constexpr int N = 2; } namespace b { constexpr int N = 3; }
__global__ void k(float *p) { int N = 7; p[N] = 1; }";
    let (sites, errors) = read(source);
    assert!(sites == ["p[N]"] || !errors.is_empty(), "{errors:?}");
}
