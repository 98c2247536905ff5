@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read> y: array<f32>;
@group(0) @binding(2) var<storage, read> z: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(256)
fn vec3_soa(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x;
    let point = vec3<f32>(x[i], y[i], z[i]);
    result[i] = dot(point, point);
}
