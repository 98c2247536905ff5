// Columns read with a stride, rows written in order.
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

@compute @workgroup_size(BLOCK_X, BLOCK_Y)
fn transpose_naive_col(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let row = group.x * BLOCK_X + local.x;
    let column = group.y * BLOCK_Y + local.y;
    if row < shape.rows && column < shape.columns {
        output[column * shape.rows + row] = input[row * shape.columns + column];
    }
}
