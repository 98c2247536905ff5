// No tile at all: each thread turns a 4 x 4 block in registers. A warp's lanes lie LANES_X across, so
// that both sides still move whole sectors; there is no workgroup memory to zero and no barrier.
override LANES_X: u32 = 8u;
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

// Neighbouring workgroups lie below each other, so that they write along the same output rows.
@compute @workgroup_size(BLOCK)
fn transpose_registers(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let lanes_y = 32u / LANES_X;
    let warp = tid / 32u;
    let lane = tid % 32u;
    let corner = group.yx * vec2<u32>(WARPS_X * LANES_X, WARPS_Y * lanes_y);
    let quads = vec2<u32>(shape.columns, shape.rows) / 4u;
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
