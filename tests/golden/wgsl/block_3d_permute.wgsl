@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    nx: u32,
    ny: u32,
    nz: u32,
}
@group(0) @binding(2) var<uniform> params: Params;

var<workgroup> b: array<array<array<f32, 9>, 8>, 8>;

@compute @workgroup_size(8, 8, 8)
fn block_3d_permute(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let at = group * 8u + local;
    b[local.z][local.y][local.x] = data[(at.z * params.ny + at.y) * params.nx + at.x];
    workgroupBarrier();
    let out = group.zyx * 8u + local;
    result[(out.z * params.ny + out.y) * params.nz + out.x] = b[local.x][local.y][local.z];
}
