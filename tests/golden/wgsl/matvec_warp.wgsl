enable subgroups;
struct Params {
    n: u32,
}
@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(256)
fn matvec_warp(@builtin(global_invocation_id) at: vec3<u32>) {
    let warp = at.x / 32u;
    let lane = at.x & 31u;
    var acc = 0.0;
    for (var j = lane; j < params.n; j += 32u) {
        acc += A[warp * params.n + j] * x[j];
    }
    for (var o = 16u; o > 0u; o >>= 1u) {
        acc += subgroupShuffleXor(acc, o);
    }
    if lane == 0u {
        y[warp] = acc;
    }
}
