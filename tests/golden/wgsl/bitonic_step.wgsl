@group(0) @binding(0) var<storage, read> data: array<i32>;
@group(0) @binding(1) var<storage, read_write> result: array<i32>;

var<workgroup> s: array<i32, 256>;

@compute @workgroup_size(256)
fn bitonic_step(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    s[t] = data[group.x * 256u + t];
    workgroupBarrier();
    for (var k = 2u; k <= 256u; k <<= 1u) {
        for (var j = k >> 1u; j > 0u; j >>= 1u) {
            let p = t ^ j;
            if p > t {
                let a = s[t];
                let b = s[p];
                let up = (t & k) == 0u;
                s[t] = select(max(a, b), min(a, b), up);
                s[p] = select(min(a, b), max(a, b), up);
            }
            workgroupBarrier();
        }
    }
    result[group.x * 256u + t] = s[t];
}
