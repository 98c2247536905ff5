//! The bytes that host code allocates for what a launch points to.

use lanescope_cuda::source::host_launch;

const KERNEL: &str = "#include <cuda_runtime.h>
    #define CHECK(call) do { cudaError_t e = call; if (e != cudaSuccess) { exit(1); } } while (0)
    #define SIMPLE(call) { cudaError_t e = (call); if (e) exit(1); }
    __global__ void k(float* a, float* b, int n) {}\n";

/// The bytes of both pointers where `body` is the host's function before the launch.
fn bytes(body: &str) -> [Option<u64>; 2] {
    let source = format!(
        "{KERNEL}int main() {{ const int n = 1 << 10; float *a, *b; {body} k<<<4, 256>>>(a, b, n); }}"
    );
    let launch = host_launch(&source, "k", &[]).unwrap();
    assert_eq!(launch.arguments, [None, None, Some(1024)]);
    let [a, b, n] = launch.pointed_bytes.try_into().unwrap();
    assert_eq!(n, None);
    [a, b]
}

#[test]
fn constant_sizes_are_read_however_they_are_written() {
    for body in [
        "cudaMalloc(&a, n * sizeof(float)); cudaMalloc((void**)&b, 64);",
        "size_t size = sizeof(float) * n; cudaMallocManaged(&a, size); cudaMalloc(reinterpret_cast<void**>(&b), 8 * 8);",
        "CHECK(cudaMalloc(&a, n * 4)); SIMPLE(cudaMallocManaged(&b, 64, cudaMemAttachGlobal));",
        "hipMalloc(&a, n * sizeof(unsigned int)); hipMalloc(&b, sizeof(float4) << 2);",
        "if (cudaMalloc(&a, n * 4) != cudaSuccess) { return 1; } cudaMallocAsync(&b, 64, stream);",
        "cudaMalloc(&a, 1); cudaFree(a); cudaMalloc(&a, n * 4); cudaMalloc(&b, 64);
         cudaMemcpy(a, host, n * 4, cudaMemcpyHostToDevice); cudaMemset((void*) b, 0, 64); b[3] = 1.0f;
         for (int i = 0; i < 3; ++i) warm_up<<<1, 1>>>(a, b);",
    ] {
        assert_eq!(bytes(body), [Some(4096), Some(64)], "{body}");
    }
}

#[test]
fn what_is_not_sure_has_no_size() {
    for body in [
        "",
        "cudaMalloc(&a, atoi(argv[1]));",
        "cudaMalloc(&a, 64); a = other;",
        "cudaMalloc(&a, 64); a += 4;",
        "cudaMalloc(&a, 64); std::swap(a, b);",
        "cudaMalloc(&a, 64); cudaFree(a);",
        "cudaMalloc(&a, 64); elsewhere(&a);",
        "if (large) { cudaMalloc(&a, 4096); } else { cudaMalloc(&a, 64); }",
        "cudaMalloc(&a, 4096); if (small) cudaMalloc(&a, 64);",
        "for (int i = 0; i < 2; ++i) cudaMalloc(&a, 64);",
        "small && cudaMalloc(&a, 64);",
        "cudaMalloc(&s.a, 64); cudaMalloc(&all[0], 64);",
    ] {
        assert_eq!(bytes(body), [None; 2], "{body}");
    }
}

#[test]
fn another_functions_pointer_of_the_same_name_is_another() {
    let source = format!(
        "{KERNEL}void fill() {{ float* a; cudaMalloc(&a, 64); }}
        void go(float* a, float* b) {{ k<<<4, 256>>>(a, b, 1024); }}"
    );
    let launch = host_launch(&source, "k", &[]).unwrap();
    assert_eq!(launch.pointed_bytes, [None; 3]);
    let moved = format!(
        "{KERNEL}int main() {{ float *a; cudaMalloc(&a, 64); k<<<4, 256>>>(a + 4, a, 1024); }}"
    );
    let launch = host_launch(&moved, "k", &[]).unwrap();
    assert_eq!(launch.pointed_bytes, [None, Some(64), None]);
}
