@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    nx: i32,
    ny: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(32, 32)
fn transpose_unroll4_row(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let ix = i32(local.x + 32u * group.x * 4u);
    let iy = i32(local.y + 32u * group.y);
    let row = ix + iy * params.nx;
    let col = ix * params.ny + iy;
    if ix < params.nx && iy < params.ny {
        for (var k = 0; k < 4; k++) {
            result[col + params.ny * k * 32] = data[row + k * 32];
        }
    }
}
