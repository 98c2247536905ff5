//! Programs as bytes.

use lanescope_cuda::parse_kernel;
use lanescope_frontend::{KernelOptions, Parsed};

const SOURCE: &str = "__global__ void k(const float4* in, float* out, unsigned n) {
    __shared__ float tile[32][33];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned s = 1; s < n; s *= 2) {
        if (i % s == 0 && i < n) tile[threadIdx.y][threadIdx.x] = in[i].x;
        __syncthreads();
    }
    atomicAdd(&out[__shfl_xor_sync(~0u, i, 1)], tile[threadIdx.x][threadIdx.y]);
    printf(\"\");
}";

#[test]
fn what_is_carried_is_the_same() {
    let parsed = parse_kernel(SOURCE, &KernelOptions::default());
    assert!(!parsed.diagnostics.is_empty());
    assert_eq!(Parsed::of_wire(&parsed.to_wire()), Some(parsed));
}

#[test]
fn other_bytes_are_refused() {
    let bytes = parse_kernel(SOURCE, &KernelOptions::default()).to_wire();
    for cut in 0..bytes.len() {
        assert_eq!(Parsed::of_wire(&bytes[..cut]), None);
    }
    let more: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert_eq!(Parsed::of_wire(&more), None);
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x55;
        // Whatever it is now, reading it does not panic.
        let _ = Parsed::of_wire(&changed);
    }
}
