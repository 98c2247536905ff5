//! The launch that host code makes.

use lanescope_cuda::source::{HostLaunch, host_launch};

fn found(host: &str) -> Option<HostLaunch> {
    let source = format!(
        "#define TILE 32\n#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))\nconstexpr int ROWS = TILE / 4;
        template <int N> __global__ void k(int *a, int n) {{}}\n{host}"
    );
    host_launch(&source, "k", &[])
}

fn shapes(host: &str) -> [Option<[u32; 3]>; 2] {
    found(host).map_or([None; 2], |one| [one.grid, one.block])
}

#[test]
fn a_kernel_is_launched_through_a_pointer() {
    let host = "int main() {
        void (*run)(int *, int);
        switch (1) { case 0: run = &other; break; case 1: run = &k; break; }
        run<<<16, dim3(TILE, ROWS)>>>(p, 3);
    }";
    assert_eq!(shapes(host), [Some([16, 1, 1]), Some([32, 8, 1])]);
    assert_eq!(
        shapes("void f() { run = k + 1; run<<<1, 2>>>(); }"),
        [None; 2]
    );
}

#[test]
fn grid_and_block_are_folded() {
    for (host, grid, block) in [
        (
            "void f() { k<1><<<4, 256>>>(p, 7); }",
            [4, 1, 1],
            [256, 1, 1],
        ),
        (
            "int main() { int n = 1 << 12; dim3 block(TILE, ROWS); dim3 grid(CEIL_DIV(n, TILE), n / 32, 2); k<1><<<grid, block>>>(p, n); }",
            [128, 128, 2],
            [32, 8, 1],
        ),
        (
            "void f() { k<<<dim3(2, 3), dim3{8, 8, 4}, 0, s>>>(p, 1); }",
            [2, 3, 1],
            [8, 8, 4],
        ),
        (
            "void f() { const dim3 b = {16, 16}, g = dim3(4); k<<<g, b.x * b.y>>>(p, 1); }",
            [4, 1, 1],
            [256, 1, 1],
        ),
        (
            "void f() { hipLaunchKernelGGL(HIP_KERNEL_NAME(k<3>), dim3(5), dim3(64), 128, 0, p, 9); }",
            [5, 1, 1],
            [64, 1, 1],
        ),
        (
            "void f() { cudaLaunchConfig_t c = {0}; c.gridDim = 6; c.blockDim = dim3(32, 2); cudaLaunchKernelEx(&c, k<1>, p, 9); }",
            [6, 1, 1],
            [32, 2, 1],
        ),
        (
            "void f() { cudaLaunchConfig_t c{}; c.gridDim = dim3(6); c.blockDim = 64; void* a[] = {&p, &n}; cudaLaunchKernelExC(&c, (const void*)k<1>, a); }",
            [6, 1, 1],
            [64, 1, 1],
        ),
        (
            "void f() { void* a[] = {&p, &n}; cudaLaunchKernel((void*)k<1>, dim3(6), dim3(64), a, 0, 0); }",
            [6, 1, 1],
            [64, 1, 1],
        ),
        (
            "void f() { int threads = 128; k<<<(size_t)(1000 + threads - 1) / threads, threads>>>(p, 1); }",
            [8, 1, 1],
            [128, 1, 1],
        ),
    ] {
        assert_eq!(shapes(host), [Some(grid), Some(block)], "{host}");
    }
}

#[test]
fn what_is_not_constant_is_left_open() {
    let host = "void f(int n) { k<<<n / 256, 256>>>(p, n); }";
    assert_eq!(shapes(host), [None, Some([256, 1, 1])]);
    assert_eq!(found("void f() { other<<<1, 2>>>(); }"), None);
    // The last definition decides, and a loop's own is not followed.
    let host = "void f() { int b = 64; b = get(); k<<<1, b>>>(p, 1); }";
    assert_eq!(shapes(host), [Some([1, 1, 1]), None]);
    let host = "void f() { for (int b = 32; b < 512; b *= 2) k<<<1, b>>>(p, 1); }";
    assert_eq!(shapes(host), [Some([1, 1, 1]), None]);
    let host = "void f() { dim3 b(32); b.x = get(); k<<<1, b>>>(p, 1); }";
    assert_eq!(shapes(host), [Some([1, 1, 1]), None]);
}

#[test]
fn arguments_and_template_arguments_are_read() {
    let host = "void f() { int n = 100; k<TILE / 2><<<1, 2, 3 * sizeof(float)>>>(p, n + 1); }";
    let one = found(host).unwrap_or_default();
    assert_eq!(one.template_arguments, ["16"]);
    assert_eq!(one.arguments, [None, Some(101)]);
    assert_eq!(one.dynamic_shared_bytes, Some(12));
}

#[test]
fn an_explicit_instantiation_tells_the_templates_arguments() {
    let one = found("template __global__ void k<TILE / 2>(int *, int);").unwrap_or_default();
    assert_eq!(
        (&one.template_arguments[..], one.grid),
        (&["16".to_owned()][..], None)
    );
    let host =
        "template __global__ void k<8>(int *, int); void f(int m) { k<N><<<4, 64>>>(p, 1); }";
    let one = found(host).unwrap_or_default();
    assert_eq!(
        (&one.template_arguments[..], one.grid),
        (&["8".to_owned()][..], Some([4, 1, 1]))
    );
    // A launch that says them wins.
    let host = "template __global__ void k<8>(int *, int); void f() { k<4><<<4, 64>>>(p, 1); }";
    assert_eq!(found(host).unwrap_or_default().template_arguments, ["4"]);
    assert!(found("template <> __global__ void k<8>(int *, int) {}").is_none());
}

#[test]
fn of_several_launches_one_that_is_known_whole_is_taken() {
    let host = "void f(int n) { k<<<n, 32>>>(p, 1); k<<<7, 64>>>(p, 1); }";
    assert_eq!(shapes(host), [Some([7, 1, 1]), Some([64, 1, 1])]);
}
