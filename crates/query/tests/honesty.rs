//! What is not read is never counted in silence, and C++ as people write it is read.

use lanescope_query::{Analysis, Compiler, Question, analyse};
use lanescope_share::{Launch, Source, State};
use lanescope_tally::Status;

fn analysed(source: &str) -> Analysis {
    let state = State {
        source: Source::Kernel(source.to_owned()),
        launch: Launch {
            grid: [4, 1, 1],
            block: [64, 1, 1],
            arguments: vec![("n".to_owned(), "256".to_owned())],
            ..Launch::default()
        },
        ..State::default()
    };
    analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"))
}

/// Requests and sectors of global loads and stores.
fn global(analysis: &Analysis) -> [u64; 4] {
    let totals = &analysis.totals;
    [
        totals.global_load_requests,
        totals.global_load_sectors,
        totals.global_store_requests,
        totals.global_store_sectors,
    ]
}

/// Kernels that are wholly counted with a plain `HERE`: it stands in an address, a bound, a guard, a size, an operand.
const KERNELS: [&str; 8] = [
    "void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; b[i + HERE] = a[i]; }",
    "void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; b[i] = a[(i * HERE) & 255]; }",
    "void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; if (i < HERE) b[i] = a[i]; }",
    "void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; for (int j = 0; j < (HERE & 3); ++j) b[i + j] = a[i]; }",
    "void k(const float* a, float* b, int n) { __shared__ float s[512]; int i = threadIdx.x; s[(i * HERE) & 511] = a[i]; __syncthreads(); b[i] = s[i]; }",
    "void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; int at = i; at += HERE; b[at & 255] = a[i]; }",
    "void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; switch (HERE) { case 1: b[i] = a[i]; break; default: b[2 * i] = a[i]; } }",
    "__device__ int at(int i) { return i + HERE; } __global__ void k(const float* a, float* b, int n) { int i = threadIdx.x; b[at(i) & 255] = a[i]; }",
];

/// What no reader can know.
const UNKNOWN: [&str; 14] = [
    "mystery(1)",
    "lib::mystery<4>(1)",
    "(Mystery)1",
    "static_cast<Mystery>(1)",
    "Mystery::value",
    "Mystery<int>::value",
    "mystery",
    "Mystery{1}.get()",
    "n.mystery()",
    "__mystery_intrinsic(threadIdx.x)",
    "(int)sizeof(Mystery)",
    "lib::constants[1]",
    "mystery<int>",
    "[&] { int v; asm(\"mystery.u32 %0, 1;\" : \"=r\"(v)); return v; }()",
];

fn with(kernel: &str, here: &str) -> String {
    let kernel = kernel.replace("HERE", here);
    if kernel.contains("__global__") {
        kernel
    } else {
        format!("__global__ {kernel}")
    }
}

#[test]
fn what_is_not_read_is_never_counted() {
    for kernel in KERNELS {
        let plain = analysed(&with(kernel, "1"));
        let said = &plain.diagnostics;
        assert!(
            plain.standing.status <= Status::Predicted,
            "{kernel}: {said:?}"
        );
        for here in UNKNOWN {
            let source = with(kernel, here);
            let status = analysed(&source).standing.status;
            assert!(status > Status::Predicted, "{source}");
        }
    }
}

#[test]
fn statements_that_are_not_read_are_never_counted() {
    for statement in [
        "Mystery m(i); i += m.offset();",
        "Mystery m; m.shift(i);",
        "mystery(i);",
        "mystery(&i);",
        "lib::mystery<8>(a + i, b + i);",
        "asm volatile(\"mystery.b32 [%0], %1;\" :: \"l\"(b + i), \"r\"(i));",
        "i = mystery->at(i);",
        "auto [p, q] = mystery(i); i = p;",
        "for (auto v : mystery) i += v;",
        "MYSTERY_MACRO(i)",
        "goto end; end: ;",
    ] {
        let source = format!(
            "__global__ void k(const float* a, float* b, int n) {{ int i = threadIdx.x; {statement} b[i] = a[i]; }}"
        );
        let status = analysed(&source).standing.status;
        assert!(status > Status::Predicted, "{statement}");
    }
}

#[test]
fn modern_statements_are_read() {
    let loads = [8, 32, 8, 32];
    for (source, totals) in [
        // Class template argument deduction, from a constructor and from members.
        (
            "template <class T> struct Span { T* p; int n; __device__ Span(T* p, int n) : p(p), n(n) {} __device__ T& operator[](int i) const { return p[i]; } };
             template <class A, class B> struct Pair { A first; B second; };
             template <class A, class B> Pair(A, B) -> Pair<A, B>;
             __global__ void k(const float* a, float* b, int n) { Span in(a, n); Span out{b, n}; int i = blockIdx.x * 64 + threadIdx.x; Pair q{i, 1.5f}; auto [at, by] = q; out[at] = in[i] * by; }",
            loads,
        ),
        // A template's argument that shows inside another's.
        (
            "template <class T, int N> struct Pack { T v[N]; };
             template <class T, int N> __device__ T sum(Pack<T, N> p) { T s = 0; for (T one : p.v) s += one; return s; }
             __global__ void k(const float* a, float* b, int n) { Pack<float, 2> p; int i = blockIdx.x * 64 + threadIdx.x; p.v[0] = a[i]; p.v[1] = 2; b[i] = sum(p); }",
            loads,
        ),
        // Range-based for over a list, an array and a structure with an iterator.
        (
            "template <class T, int N> struct Array { T d[N]; __device__ T* begin() { return d; } __device__ T* end() { return d + N; } };
             __global__ void k(const float* a, float* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; Array<float, 2> r; for (auto& v : r) v = 1; float s = 0; for (float v : r) s += v; for (int at : {0, 32}) s += a[(i + at) & 255]; b[i] = s; }",
            [16, 64, 8, 32],
        ),
        // The standard library's limits, array and references of atomics.
        (
            "#include <limits>\n#include <array>\n#include <cuda/std/array>\n
             __global__ void k(const float* a, float* b, int n) { std::array<float, 2> r{}; cuda::std::array<int, 2> q{}; int i = blockIdx.x * 64 + threadIdx.x; r[1] = a[i]; float m = -std::numeric_limits<float>::infinity(); if (i < std::numeric_limits<int>::max() && q[0] == 0) b[i] = r[1] + m; }",
            loads,
        ),
        (
            "#include <cuda/atomic>\n
             __global__ void k(int* a, int* b, int n) { int i = blockIdx.x * 64 + threadIdx.x; cuda::atomic_ref<int, cuda::thread_scope_block> r{a[i]}; b[i] = r.load(cuda::memory_order_relaxed); }",
            loads,
        ),
        // A barrier of the standard library.
        (
            "#include <cuda/barrier>\n#include <cooperative_groups.h>\n
             __global__ void k(const float* a, float* b, int n) { __shared__ float s[64]; __shared__ cuda::barrier<cuda::thread_scope_block> bar; auto block = cooperative_groups::this_thread_block(); if (block.thread_rank() == 0) init(&bar, block.size()); block.sync(); int i = blockIdx.x * 64 + threadIdx.x; s[threadIdx.x] = a[i]; bar.arrive_and_wait(); b[i] = s[63 - threadIdx.x]; auto token = bar.arrive(); bar.wait(std::move(token)); }",
            loads,
        ),
    ] {
        let analysis = analysed(source);
        let said = &analysis.diagnostics;
        assert!(analysis.standing.status <= Status::Predicted, "{source}: {said:?}");
        assert_eq!(global(&analysis), totals, "{source}");
    }
}

#[test]
fn another_language_is_one_sentence() {
    let source =
        "import triton\nimport triton.language as tl\n@triton.jit\ndef f(x): tl.store(x, 1)";
    let analysis = analysed(source);
    let said: Vec<String> = analysis
        .diagnostics
        .iter()
        .filter(|one| one.kind.code() != "unknown-argument")
        .map(|one| one.kind.to_string())
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("this is Triton"), "{said:?}");
    assert_ne!(analysis.standing.status, Status::Counted);
}

/// Sizes that nobody gave are multiplied in an address: what is assumed for them stays within what a buffer has room for.
#[test]
fn sizes_that_are_assumed_fit_into_a_buffer() {
    let product =
        "__global__ void gemm(int M, int N, int K, const float* a, const float* b, float* c) {
        int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
        if (row >= M || column >= N) return;
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += a[row * K + k] * b[k * N + column];
        c[row * N + column] = sum; }";
    let state = State {
        source: Source::Kernel(product.to_owned()),
        launch: Launch {
            grid: [128, 128, 1],
            block: [32, 32, 1],
            ..Launch::default()
        },
        ..State::default()
    };
    let analysis =
        analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"));
    assert_eq!(
        analysis.standing.status,
        Status::Assumed,
        "{:?}",
        analysis.standing
    );
    assert!(analysis.totals.global_store_requests > 0);
}

/// The library's sine of a `double` reads its coefficients from global memory; `sincos` and a known angle's sine read nothing.
#[test]
fn the_library_s_table_is_counted() {
    let loads = |value: &str| {
        let kernel = format!(
            "__global__ void k(const double* a, double* b, int n) {{ int i = blockIdx.x * 64 + threadIdx.x; double x = i; double s, c; b[i] = {value}; }}"
        );
        let analysis = analysed(&kernel);
        assert_eq!(analysis.standing.status, Status::Counted, "{value}");
        global(&analysis)[0]
    };
    // Eight warps; a row of the table in three pieces.
    assert_eq!(loads("x"), 0);
    assert_eq!(loads("sin(x)"), 8 * 3);
    assert_eq!(loads("cospi(x / 3)"), 8 * 3);
    assert_eq!(loads("sin(0.5)"), 0);
    assert_eq!(loads("(sincos(x, &s, &c), s + c)"), 0);
    assert_eq!(loads("sinf(x)"), 0);
}

#[test]
fn a_block_that_cannot_be_launched_is_an_error() {
    let source =
        "__global__ void k(const float* a, float* b) { int i = threadIdx.x; b[i] = a[i]; }";
    let analysed = |threads| {
        let state = State {
            source: Source::Kernel(source.to_owned()),
            launch: Launch {
                grid: [1, 1, 1],
                block: [threads, 1, 1],
                ..Launch::default()
            },
            ..State::default()
        };
        analyse(Question::compiled(&state, 1_000_000, Compiler::Nvcc13).expect("a question"))
    };
    assert_eq!(analysed(1024).standing.status, Status::Counted);
    let analysis = analysed(2048);
    assert_eq!(analysis.standing.status, Status::Partial);
    let said = lanescope_query::verdict(&analysis);
    assert!(said.contains("2,048") && said.contains("1,024"), "{said}");
    assert!(!said.contains("fewest"), "{said}");
}
