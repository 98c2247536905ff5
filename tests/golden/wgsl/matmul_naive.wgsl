struct Params {
    n: u32,
}
@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> B: array<f32>;
@group(0) @binding(2) var<storage, read_write> C: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(16, 16)
fn matmul_naive(@builtin(global_invocation_id) at: vec3<u32>) {
    var acc = 0.0;
    for (var k = 0u; k < params.n; k++) {
        acc += A[at.y * params.n + k] * B[k * params.n + at.x];
    }
    C[at.y * params.n + at.x] = acc;
}
