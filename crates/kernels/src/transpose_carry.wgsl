// Single floats of any row length, written in whole 32-byte sectors: where a row of the output
// does not begin at a sector, its piece of this step begins up to 8 elements early, and the rows
// needed for that are carried over from the step before.
override WIDTH: u32 = 64u;
override BLOCK: u32 = 4u * WIDTH;
override DOWN: u32 = BLOCK / 64u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

// 64 rows of WIDTH: 8 carried over, 56 new.
var<workgroup> tile: array<f32, 64u * WIDTH>;

fn load_one(column: u32, row: u32) -> f32 {
    return input[min(row, shape.rows - 1u) * shape.columns + column];
}

// Four elements, four rows apart: no branch between, so that all loads are in flight.
fn load_four(column: u32, row: u32) -> vec4<f32> {
    return vec4<f32>(
        load_one(column, row),
        load_one(column, row + 4u),
        load_one(column, row + 8u),
        load_one(column, row + 12u),
    );
}

fn load_two(column: u32, row: u32) -> vec2<f32> {
    return vec2<f32>(load_one(column, row), load_one(column, row + 4u));
}

// XOR spreads the elements of a column over the banks.
fn put_one(x: u32, y: u32, value: f32) {
    tile[y * WIDTH + (x ^ y)] = value;
}

fn put_two(x: u32, y: u32, two: vec2<f32>) {
    put_one(x, y, two.x);
    put_one(x, y + 4u, two.y);
}

fn put_four(x: u32, y: u32, four: vec4<f32>) {
    put_two(x, y, four.xy);
    put_two(x, y + 8u, four.zw);
}

// Element `lane` of the piece of output row `corner.x + x`.
fn store_one(corner: vec2<u32>, x: u32, lane: u32) {
    let row = corner.x + x;
    let early = row * shape.rows % 8u;
    let y = 8u - early + lane;
    let column = corner.y + lane - early;
    // Before the first row, `column` wraps around and is large.
    if lane < 56u && row < shape.columns && column < shape.rows {
        output[row * shape.rows + column] = tile[y * WIDTH + (x ^ y)];
    }
}

fn store_four(corner: vec2<u32>, x: u32, lane: u32) {
    store_one(corner, x, lane);
    store_one(corner, x + DOWN, lane);
    store_one(corner, x + 2u * DOWN, lane);
    store_one(corner, x + 3u * DOWN, lane);
}

fn store_piece(corner: vec2<u32>, x: u32, lane: u32) {
    store_four(corner, x, lane);
    store_four(corner, x + 4u * DOWN, lane);
    store_four(corner, x + 8u * DOWN, lane);
    store_four(corner, x + 12u * DOWN, lane);
}

// Each workgroup takes shape.groups steps of 56 rows, one below the other.
@compute @workgroup_size(BLOCK)
fn transpose_carry(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let x = tid % WIDTH;
    let y = tid / WIDTH;
    let first = group.x * shape.groups;
    let end = min(first + shape.groups, (shape.rows + 62u) / 56u);
    var corner = vec2<u32>(group.y * WIDTH, first * 56u);
    let column = min(corner.x + x, shape.columns - 1u);
    var carried = load_two(column, max(corner.y, 8u) - 8u + y);
    for (var step = first; step < end; step++) {
        let a = load_four(column, corner.y + y);
        let b = load_four(column, corner.y + y + 16u);
        let c = load_four(column, corner.y + y + 32u);
        let d = load_two(column, corner.y + y + 48u);
        put_two(x, y, carried);
        put_four(x, y + 8u, a);
        put_four(x, y + 24u, b);
        put_four(x, y + 40u, c);
        put_two(x, y + 56u, d);
        carried = d;
        workgroupBarrier();
        store_piece(corner, tid / 64u, tid % 64u);
        workgroupBarrier();
        corner.y += 56u;
    }
}
