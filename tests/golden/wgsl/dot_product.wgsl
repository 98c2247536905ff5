struct Params {
    n: u32,
}
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
const BLOCK = 256u;
var<workgroup> cache: array<f32, BLOCK>;

@compute @workgroup_size(BLOCK)
fn dot_product(@builtin(global_invocation_id) at: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    var i = at.x;
    var temp = 0.0;
    while i < params.n {
        temp += a[i] * b[i];
        i += BLOCK * groups.x;
    }
    cache[tid] = temp;
    workgroupBarrier();
    var half = BLOCK / 2u;
    while half != 0u {
        if tid < half {
            cache[tid] += cache[tid + half];
        }
        workgroupBarrier();
        half /= 2u;
    }
    if tid == 0u {
        c[group.x] = cache[0];
    }
}
