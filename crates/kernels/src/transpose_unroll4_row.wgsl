// Rows read in order, four elements a thread, each with its own guard.
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

fn move_one(column: u32, row: u32) {
    if row < shape.rows && column < shape.columns {
        output[column * shape.rows + row] = input[row * shape.columns + column];
    }
}

@compute @workgroup_size(BLOCK_X, BLOCK_Y)
fn transpose_unroll4_row(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let x = group.x * BLOCK_X * 4u + local.x;
    let y = group.y * BLOCK_Y + local.y;
    move_one(x, y);
    move_one(x + BLOCK_X, y);
    move_one(x + 2u * BLOCK_X, y);
    move_one(x + 3u * BLOCK_X, y);
}
