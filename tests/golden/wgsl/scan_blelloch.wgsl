@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

var<workgroup> temp: array<f32, 512>;

@compute @workgroup_size(256)
fn scan_blelloch(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thid: u32) {
    let base = group.x * 512u;
    temp[thid] = data[base + thid];
    temp[thid + 256u] = data[base + thid + 256u];
    var offset = 1u;
    for (var d = 256u; d > 0u; d >>= 1u) {
        workgroupBarrier();
        if thid < d {
            let ai = offset * (2u * thid + 1u) - 1u;
            let bi = offset * (2u * thid + 2u) - 1u;
            temp[bi] += temp[ai];
        }
        offset *= 2u;
    }
    if thid == 0u {
        temp[511] = 0.0;
    }
    for (var d = 1u; d < 512u; d *= 2u) {
        offset >>= 1u;
        workgroupBarrier();
        if thid < d {
            let ai = offset * (2u * thid + 1u) - 1u;
            let bi = offset * (2u * thid + 2u) - 1u;
            let t = temp[ai];
            let u = temp[bi];
            temp[ai] = u;
            temp[bi] = u + t;
        }
    }
    workgroupBarrier();
    result[base + thid] = temp[thid];
    result[base + thid + 256u] = temp[thid + 256u];
}
