// Single floats, each output row cut where its 32-byte sectors begin: rows whose length is no
// multiple of four leave no sector half written. A tile reads 8 rows more than it writes.
override ORDER: u32 = 0u;
const SIDE: u32 = 16u;
override BLOCK: u32 = 512u;
override STEP: u32 = BLOCK / 64u;
const WRITTEN: u32 = 56u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<f32, 4096>;

fn load_row(corner: vec2<u32>, x: u32, y: u32) {
    let column = corner.x + x;
    let row = corner.y + y - 8u;
    // Above the matrix the row wraps to a large number.
    if row < shape.rows && column < shape.columns {
        tile[y * 64u + (x ^ y)] = input[row * shape.columns + column];
    }
}

fn store_row(corner: vec2<u32>, x: u32, y: u32) {
    let row = corner.x + y;
    let begin = row * shape.rows + corner.y;
    let late = begin % 8u;
    let column = corner.y + x - late;
    if x < WRITTEN && row < shape.columns && column < shape.rows {
        let from_row = x + 8u - late;
        output[begin + x - late] = tile[from_row * 64u + (from_row ^ y)];
    }
}

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
fn transpose_aligned(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let across = (shape.columns + 63u) / 64u;
    let down = (shape.rows + 7u + WRITTEN - 1u) / WRITTEN;
    let corner = tile_at(group, across, down) * vec2<u32>(64u, WRITTEN);
    let x = tid % 64u;
    let y = tid / 64u;
    load_row(corner, x, y);
    load_row(corner, x, y + STEP);
    load_row(corner, x, y + 2u * STEP);
    load_row(corner, x, y + 3u * STEP);
    if BLOCK <= 512u {
        load_row(corner, x, y + 4u * STEP);
        load_row(corner, x, y + 5u * STEP);
        load_row(corner, x, y + 6u * STEP);
        load_row(corner, x, y + 7u * STEP);
    }
    if BLOCK <= 256u {
        load_row(corner, x, y + 8u * STEP);
        load_row(corner, x, y + 9u * STEP);
        load_row(corner, x, y + 10u * STEP);
        load_row(corner, x, y + 11u * STEP);
        load_row(corner, x, y + 12u * STEP);
        load_row(corner, x, y + 13u * STEP);
        load_row(corner, x, y + 14u * STEP);
        load_row(corner, x, y + 15u * STEP);
    }
    workgroupBarrier();
    store_row(corner, x, y);
    store_row(corner, x, y + STEP);
    store_row(corner, x, y + 2u * STEP);
    store_row(corner, x, y + 3u * STEP);
    if BLOCK <= 512u {
        store_row(corner, x, y + 4u * STEP);
        store_row(corner, x, y + 5u * STEP);
        store_row(corner, x, y + 6u * STEP);
        store_row(corner, x, y + 7u * STEP);
    }
    if BLOCK <= 256u {
        store_row(corner, x, y + 8u * STEP);
        store_row(corner, x, y + 9u * STEP);
        store_row(corner, x, y + 10u * STEP);
        store_row(corner, x, y + 11u * STEP);
        store_row(corner, x, y + 12u * STEP);
        store_row(corner, x, y + 13u * STEP);
        store_row(corner, x, y + 14u * STEP);
        store_row(corner, x, y + 15u * STEP);
    }
}
