@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    offset: u32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(256)
fn misaligned_copy(@builtin(global_invocation_id) at: vec3<u32>) {
    let i = at.x + params.offset;
    result[i] = data[i];
}
