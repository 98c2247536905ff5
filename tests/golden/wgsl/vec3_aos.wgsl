struct Point {
    x: f32,
    y: f32,
    z: f32,
}
@group(0) @binding(0) var<storage, read> data: array<Point>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(256)
fn vec3_aos(@builtin(global_invocation_id) at: vec3<u32>) {
    let point = data[at.x];
    result[at.x] = point.x * point.x + point.y * point.y + point.z * point.z;
}
