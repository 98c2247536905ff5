enable subgroups;
@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    n: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> part: array<f32, 32>;

@compute @workgroup_size(256)
fn reduce_shuffle(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) wid: u32,
    @builtin(num_subgroups) warps: u32,
) {
    var v = 0.0;
    for (var i = group.x * 256u + tid; i < u32(params.n); i += 256u * groups.x) {
        v += data[i];
    }
    v = subgroupAdd(v);
    if lane == 0u {
        part[wid] = v;
    }
    workgroupBarrier();
    v = 0.0;
    if tid < warps {
        v = part[lane];
    }
    if wid == 0u {
        v = subgroupAdd(v);
    }
    if tid == 0u {
        result[group.x] = v;
    }
}
