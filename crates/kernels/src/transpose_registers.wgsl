// No tile at all: each thread turns a 4 x 4 block in registers. A warp's lanes lie LANES_X across, so
// that both sides still move whole sectors; there is no workgroup memory to zero and no barrier.
override ORDER: u32 = 0u;
const SIDE: u32 = 16u;
override LANES_X: u32 = 4u;
override WARPS_X: u32 = 2u;
override WARPS_Y: u32 = 4u;
override BLOCK: u32 = 32u * WARPS_X * WARPS_Y;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> shape: Shape;

// The tile of the n-th workgroup: along rows (0), down columns (1), or in squares of 16 x 16 tiles (2).
fn tile_at(n: u32, across: u32, down: u32) -> vec2<u32> {
    if ORDER == 0u {
        return vec2<u32>(n % across, n / across);
    }
    if ORDER == 1u {
        return vec2<u32>(n / down, n % down);
    }
    let band = n / (SIDE * across);
    let top = band * SIDE;
    let height = min(SIDE, down - top);
    let inside = n - band * SIDE * across;
    let square = inside / (SIDE * height);
    let left = square * SIDE;
    let width = min(SIDE, across - left);
    let rest = inside - square * SIDE * height;
    return vec2<u32>(left + rest % width, top + rest / width);
}

@compute @workgroup_size(BLOCK)
fn transpose_registers(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let lanes_y = 32u / LANES_X;
    let warp = tid / 32u;
    let lane = tid % 32u;
    let size = vec2<u32>(WARPS_X * LANES_X, WARPS_Y * lanes_y);
    let quads = vec2<u32>(shape.columns, shape.rows) / 4u;
    let across = (quads.x + size.x - 1u) / size.x;
    let down = (quads.y + size.y - 1u) / size.y;
    let corner = tile_at(group, across, down) * size;
    let x = corner.x + warp % WARPS_X * LANES_X + lane % LANES_X;
    let y = corner.y + warp / WARPS_X * lanes_y + lane / LANES_X;
    if x < quads.x && y < quads.y {
        let start = 4u * y * quads.x + x;
        let turned = transpose(mat4x4<f32>(
            input[start],
            input[start + quads.x],
            input[start + 2u * quads.x],
            input[start + 3u * quads.x],
        ));
        let to = 4u * x * quads.y + y;
        output[to] = turned[0];
        output[to + quads.y] = turned[1];
        output[to + 2u * quads.y] = turned[2];
        output[to + 3u * quads.y] = turned[3];
    }
}
