@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    nx: i32,
    ny: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(32, 32)
fn copy_row(@builtin(global_invocation_id) at: vec3<u32>) {
    let ix = i32(at.x);
    let iy = i32(at.y);
    let row = ix + iy * params.nx;
    let col = ix * params.ny + iy;
    if ix < params.nx && iy < params.ny {
        result[row] = data[row];
    }
}
