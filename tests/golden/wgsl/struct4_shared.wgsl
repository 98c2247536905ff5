@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

struct Body {
    x: f32,
    y: f32,
    vx: f32,
    vy: f32,
}
var<workgroup> b: array<Body, 128>;

@compute @workgroup_size(128)
fn struct4_shared(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let base = group.x * 512u;
    b[t].x = data[base + t];
    workgroupBarrier();
    b[127u - t].vx = data[base + 128u + t];
    workgroupBarrier();
    result[group.x * 128u + t] = b[(t + 1u) % 128u].x + b[(t * 3u) % 128u].vx;
}
