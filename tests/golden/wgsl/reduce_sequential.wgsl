@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> sdata: array<f32, 256>;

fn first(i: u32) -> f32 {
    if i32(i) < params.n {
        return data[i];
    }
    return 0.0;
}

@compute @workgroup_size(256)
fn reduce_sequential(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    sdata[tid] = first(group.x * 256u + tid);
    workgroupBarrier();
    var s = 128u;
    while s > 0u {
        if tid < s {
            sdata[tid] += sdata[tid + s];
        }
        workgroupBarrier();
        s >>= 1u;
    }
    if tid == 0u {
        result[group.x] = sdata[0];
    }
}
