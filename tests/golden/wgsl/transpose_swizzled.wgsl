@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    nx: i32,
    ny: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> tile: array<array<f32, 32>, 32>;

@compute @workgroup_size(32, 32)
fn transpose_swizzled(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    var at = group.xy * 32u + local.xy;
    tile[local.y][local.x ^ local.y] = data[at.y * u32(params.nx) + at.x];
    workgroupBarrier();
    at = group.yx * 32u + local.xy;
    result[at.y * u32(params.ny) + at.x] = tile[local.x][local.y ^ local.x];
}
