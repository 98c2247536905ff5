@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

var<workgroup> s: array<f32, 256>;

@compute @workgroup_size(128)
fn double_use(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    s[t * 2u] = data[group.x * 128u + t];
    workgroupBarrier();
    let a = s[2u * t];
    let b = a * s[2u * t];
    s[(2u * t + 1u) % 256u] = b;
    let c = s[2u * t];
    workgroupBarrier();
    result[group.x * 128u + t] = c + s[(2u * t + 3u) % 256u];
}
