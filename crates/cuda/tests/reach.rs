//! What a kernel does not reach is not complained about.

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{Diagnostic, KernelOptions, Severity};

/// The lines with errors.
fn error_lines(source: &str, kernel: Option<&str>) -> Vec<u32> {
    let options = KernelOptions {
        kernel: kernel.map(str::to_owned),
        ..KernelOptions::default()
    };
    let parsed = parse_kernel(source, &options);
    let is_error = |one: &&Diagnostic| one.severity() == Severity::Error;
    let errors = parsed.diagnostics.iter().filter(is_error);
    errors.map(|one| one.line).collect()
}

const SOURCE: &str = "struct Used { Unknown1 *p; };
struct Elsewhere { Unknown2 *p; };
template <typename T, int N = (1 + 2)> __device__ T helper(T x) { return missing1(x); }
cudaError_t host(int n) { return missing2<<<1, 2>>>(n, at::kFloat); }
__global__ void first(int *a) { a[0] = missing3; }
namespace inner { __device__ __forceinline__ int deep(Used u) { return missing4; } }
PYBIND11_MODULE(name, m) { m.def(\"k\", [](torch::Tensor t) -> auto { return t; }); }
__global__ void __launch_bounds__(256) second(int *a) { a[helper(1)] = inner::deep(Used()); }
int main() { at::Tensor t; std::vector<int> v{1, 2}; second<<<1, 32>>>(v.data()); }
";

#[test]
fn only_what_the_kernel_reaches_is_said() {
    let of_second = error_lines(SOURCE, Some("second"));
    assert!(
        of_second.contains(&3) && of_second.contains(&6),
        "{of_second:?}"
    );
    assert!(
        of_second.iter().all(|line| [1, 3, 6, 8].contains(line)),
        "{of_second:?}"
    );
    assert_eq!(error_lines(SOURCE, None), of_second);
    assert_eq!(error_lines(SOURCE, Some("first")), [5]);
}

#[test]
fn a_broken_kernel_is_not_taken_for_another_in_silence() {
    let source =
        "__global__ void good(int *a) { a[0] = 1; }\n__global__ void bad(int *a { a[0] = 1; }";
    assert_eq!(error_lines(source, Some("good")), Vec::<u32>::new());
    assert!(error_lines(source, None).contains(&2));
}

#[test]
fn operators_on_the_device_are_reached_without_a_name() {
    let source = "struct V { int x; };
__device__ V operator+(V a, V b) { return missing(a, b); }
std::ostream &operator<<(std::ostream &out, V v) { return out << unknown; }
__global__ void k(int *a) { V v; a[0] = (v + v).x; }";
    assert_eq!(error_lines(source, None), [2]);
}

#[test]
fn a_prototype_declares_its_function_alone() {
    // What it returns, and the words before it, lead nowhere.
    let source = "extern __attribute__((visibility(\"default\"))) Size total(const Unknown *of);
__attribute__((cold)) Size largest(Other1 x), *next(Other2 y);
typedef int Size;
__attribute__((noinline)) __device__ Size used(Missing x);
__global__ void k(int *a) { Size n = 1; a[n] = 1; }";
    assert_eq!(error_lines(source, None), Vec::<u32>::new());
}

#[test]
fn a_structure_may_be_defined_below_its_typedef_or_nowhere() {
    let source = "typedef struct opaque *handle;
typedef struct node *list;
typedef struct late late_t;
struct node { int value; list next; };
struct late { int a, b; };
__global__ void k(int *out, list of, late_t *all, handle unused) { out[0] = of[1].value + all[2].b; }";
    assert_eq!(error_lines(source, None), Vec::<u32>::new());
    let source = "typedef struct opaque *handle;
__global__ void k(int *out, handle of) {
  out[0] = of->value;
}";
    assert_eq!(error_lines(source, None), [3]);
}
