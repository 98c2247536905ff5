@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

override BLOCK: u32 = 256u;
var<workgroup> sdata: array<f32, BLOCK>;

@compute @workgroup_size(BLOCK)
fn reduce_interleaved(@builtin(global_invocation_id) global: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    var value = 0.0;
    if i32(global.x) < params.n {
        value = data[global.x];
    }
    sdata[tid] = value;
    workgroupBarrier();
    var s = 1u;
    loop {
        if s >= BLOCK {
            break;
        }
        let index = 2u * s * tid;
        if index + s < BLOCK {
            sdata[index] = sdata[index] + sdata[index + s];
        }
        workgroupBarrier();
        continuing {
            s = s * 2u;
        }
    }
    if tid == 0u {
        result[group.x] = sdata[0];
    }
}
