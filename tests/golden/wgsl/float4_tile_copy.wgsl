@group(0) @binding(0) var<storage, read> data: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> result: array<vec4<f32>>;

var<workgroup> tile: array<array<vec4<f32>, 8>, 32>;

@compute @workgroup_size(256)
fn float4_tile_copy(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let c = tid % 8u;
    let r = tid / 8u;
    tile[r][c] = data[group.x * 256u + tid];
    workgroupBarrier();
    let r2 = tid % 32u;
    let c2 = tid / 32u;
    result[group.x * 256u + r2 * 8u + c2] = tile[r2][c2];
}
