// Columns read with a stride by workgroups in diagonal order.
override BLOCK_X: u32 = 32u;
override BLOCK_Y: u32 = 8u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

// Workgroups that run together take tiles on a diagonal, not in a row.
fn diagonal(group: vec2<u32>, grid: vec2<u32>) -> vec2<u32> {
    let linear = group.y * grid.x + group.x;
    let y = linear % grid.y;
    return vec2<u32>((linear / grid.y + y) % grid.x, y);
}

@compute @workgroup_size(BLOCK_X, BLOCK_Y)
fn transpose_diagonal_col(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
) {
    let tile = diagonal(group.xy, grid.xy);
    let row = tile.x * BLOCK_X + local.x;
    let column = tile.y * BLOCK_Y + local.y;
    if row < shape.rows && column < shape.columns {
        output[column * shape.rows + row] = input[row * shape.columns + column];
    }
}
