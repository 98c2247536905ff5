@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

override BLOCK: u32 = 256u;
var<workgroup> sdata: array<f32, BLOCK>;

@compute @workgroup_size(BLOCK)
fn reduce_divergent(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let tid = local.x;
    let i = group.x * BLOCK + tid;
    var value = 0.0;
    if i < u32(params.n) {
        value = data[i];
    }
    sdata[tid] = value;
    workgroupBarrier();
    for (var s = 1u; s < BLOCK; s *= 2u) {
        if tid % (2u * s) == 0u {
            sdata[tid] += sdata[tid + s];
        }
        workgroupBarrier();
    }
    if tid == 0u {
        result[group.x] = sdata[0];
    }
}
