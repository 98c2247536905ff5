@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

var<workgroup> s: array<f32, 256>;

@compute @workgroup_size(256)
fn butterfly_xor(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    var v = data[group.x * 256u + t];
    for (var mask = 1u; mask < 256u; mask <<= 1u) {
        s[t] = v;
        workgroupBarrier();
        let o = s[t ^ mask];
        v = select(v + o, o - v, (t & mask) != 0u);
        workgroupBarrier();
    }
    result[group.x * 256u + t] = v;
}
