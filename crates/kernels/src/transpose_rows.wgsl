// The padded tile with several rows a thread: more loads in flight, fewer threads.
override BLOCK_Y: u32 = 8u;
const TILE: u32 = 32u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<f32, TILE * (TILE + 1u)>;

fn load_row(corner: vec2<u32>, x: u32, y: u32) {
    let column = corner.x + x;
    let row = corner.y + y;
    if row < shape.rows && column < shape.columns {
        tile[y * (TILE + 1u) + x] = input[row * shape.columns + column];
    }
}

fn store_row(corner: vec2<u32>, x: u32, y: u32) {
    let column = corner.y + x;
    let row = corner.x + y;
    if row < shape.columns && column < shape.rows {
        output[row * shape.rows + column] = tile[x * (TILE + 1u) + y];
    }
}

@compute @workgroup_size(TILE, BLOCK_Y)
fn transpose_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let corner = group.xy * TILE;
    load_row(corner, local.x, local.y);
    if BLOCK_Y <= 16u {
        load_row(corner, local.x, local.y + BLOCK_Y);
    }
    if BLOCK_Y <= 8u {
        load_row(corner, local.x, local.y + 2u * BLOCK_Y);
        load_row(corner, local.x, local.y + 3u * BLOCK_Y);
    }
    if BLOCK_Y <= 4u {
        load_row(corner, local.x, local.y + 4u * BLOCK_Y);
        load_row(corner, local.x, local.y + 5u * BLOCK_Y);
        load_row(corner, local.x, local.y + 6u * BLOCK_Y);
        load_row(corner, local.x, local.y + 7u * BLOCK_Y);
    }
    workgroupBarrier();
    store_row(corner, local.x, local.y);
    if BLOCK_Y <= 16u {
        store_row(corner, local.x, local.y + BLOCK_Y);
    }
    if BLOCK_Y <= 8u {
        store_row(corner, local.x, local.y + 2u * BLOCK_Y);
        store_row(corner, local.x, local.y + 3u * BLOCK_Y);
    }
    if BLOCK_Y <= 4u {
        store_row(corner, local.x, local.y + 4u * BLOCK_Y);
        store_row(corner, local.x, local.y + 5u * BLOCK_Y);
        store_row(corner, local.x, local.y + 6u * BLOCK_Y);
        store_row(corner, local.x, local.y + 7u * BLOCK_Y);
    }
}
