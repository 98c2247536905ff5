// Both sides coalesced through a tile, whose columns all lie in one bank.
override TILE: u32 = 32u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<f32, TILE * TILE>;

@compute @workgroup_size(TILE, TILE)
fn transpose_tiled(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let column = group.x * TILE + local.x;
    let row = group.y * TILE + local.y;
    if row < shape.rows && column < shape.columns {
        tile[local.y * TILE + local.x] = input[row * shape.columns + column];
    }
    workgroupBarrier();
    let out_column = group.y * TILE + local.x;
    let out_row = group.x * TILE + local.y;
    if out_row < shape.columns && out_column < shape.rows {
        output[out_row * shape.rows + out_column] = tile[local.x * TILE + local.y];
    }
}
