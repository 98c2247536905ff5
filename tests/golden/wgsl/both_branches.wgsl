@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

var<workgroup> s: array<f32, 128>;

@compute @workgroup_size(128)
fn both_branches(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    s[t] = data[group.x * 128u + t];
    workgroupBarrier();
    var v: f32;
    if t % 3u == 0u {
        v = s[127u - t] * 2.0;
    } else if t % 3u == 1u {
        v = s[(t * 5u) & 127u];
    } else {
        v = 1.0;
    }
    result[group.x * 128u + t] = v;
}
