// The padded tile with four rows a thread: more loads in flight, fewer threads.
const TILE: u32 = 32u;
const STEP: u32 = 8u;

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

fn load_one(corner: vec2<u32>, x: u32, y: u32) -> f32 {
    let column = min(corner.x + x, shape.columns - 1u);
    let row = min(corner.y + y, shape.rows - 1u);
    return input[row * shape.columns + column];
}

fn store_one(corner: vec2<u32>, x: u32, y: u32) {
    let column = corner.y + x;
    let row = corner.x + y;
    if row < shape.columns && column < shape.rows {
        output[row * shape.rows + column] = tile[x * (TILE + 1u) + y];
    }
}

@compute @workgroup_size(TILE, STEP)
fn transpose_rows(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
) {
    let corner = group.xy * TILE;
    let x = local.x;
    let y = local.y;
    let a = load_one(corner, x, y);
    let b = load_one(corner, x, y + STEP);
    let c = load_one(corner, x, y + 2u * STEP);
    let d = load_one(corner, x, y + 3u * STEP);
    tile[y * (TILE + 1u) + x] = a;
    tile[(y + STEP) * (TILE + 1u) + x] = b;
    tile[(y + 2u * STEP) * (TILE + 1u) + x] = c;
    tile[(y + 3u * STEP) * (TILE + 1u) + x] = d;
    workgroupBarrier();
    store_one(corner, x, y);
    store_one(corner, x, y + STEP);
    store_one(corner, x, y + 2u * STEP);
    store_one(corner, x, y + 3u * STEP);
}
