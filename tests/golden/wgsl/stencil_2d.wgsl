@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;
struct Params {
    nx: i32,
    ny: i32,
}
@group(0) @binding(2) var<uniform> params: Params;

const R = 1;
const SIDE = 16;
var<workgroup> tile: array<array<f32, SIDE + 2 * R>, SIDE + 2 * R>;

fn at(x: i32, y: i32, inside: bool) -> f32 {
    if inside {
        return data[y * params.nx + x];
    }
    return 0.0;
}

@compute @workgroup_size(SIDE, SIDE)
fn stencil_2d(@builtin(global_invocation_id) global: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let g = vec2<i32>(global.xy);
    let l = vec2<i32>(local.xy) + R;
    tile[l.y][l.x] = data[g.y * params.nx + g.x];
    if i32(local.x) < R {
        tile[l.y][l.x - R] = at(g.x - R, g.y, g.x >= R);
        tile[l.y][l.x + SIDE] = at(g.x + SIDE, g.y, g.x + SIDE < params.nx);
    }
    if i32(local.y) < R {
        tile[l.y - R][l.x] = at(g.x, g.y - R, g.y >= R);
        tile[l.y + SIDE][l.x] = at(g.x, g.y + SIDE, g.y + SIDE < params.ny);
    }
    workgroupBarrier();
    let sum = tile[l.y][l.x] + tile[l.y][l.x - 1] + tile[l.y][l.x + 1] + tile[l.y - 1][l.x] + tile[l.y + 1][l.x];
    result[g.y * params.nx + g.x] = 0.2 * sum;
}
