// Single floats, for row lengths that are no multiple of four: a 64 x 64 XOR-swizzled tile.
override EACH: u32 = 16u;
override BLOCK: u32 = 4096u / EACH;
override STEP: u32 = BLOCK / 64u;

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

fn load_one(corner: vec2<u32>, x: u32, y: u32) -> f32 {
    let column = min(corner.x + x, shape.columns - 1u);
    let row = min(corner.y + y, shape.rows - 1u);
    return input[row * shape.columns + column];
}

// Four elements, STEP rows apart: no branch between, so that all loads are in flight.
fn load_four(corner: vec2<u32>, x: u32, y: u32) -> vec4<f32> {
    return vec4<f32>(
        load_one(corner, x, y),
        load_one(corner, x, y + STEP),
        load_one(corner, x, y + 2u * STEP),
        load_one(corner, x, y + 3u * STEP),
    );
}

// XOR spreads the elements of a column over the banks.
fn put_one(x: u32, y: u32, value: f32) {
    tile[y * 64u + (x ^ y)] = value;
}

fn put_four(x: u32, y: u32, four: vec4<f32>) {
    put_one(x, y, four.x);
    put_one(x, y + STEP, four.y);
    put_one(x, y + 2u * STEP, four.z);
    put_one(x, y + 3u * STEP, four.w);
}

// Element x of the tile's output row y.
fn store_one(corner: vec2<u32>, x: u32, y: u32) {
    let column = corner.y + x;
    let row = corner.x + y;
    if row < shape.columns && column < shape.rows {
        output[row * shape.rows + column] = tile[x * 64u + (x ^ y)];
    }
}

fn store_four(corner: vec2<u32>, x: u32, y: u32) {
    store_one(corner, x, y);
    store_one(corner, x, y + STEP);
    store_one(corner, x, y + 2u * STEP);
    store_one(corner, x, y + 3u * STEP);
}

// Neighbouring workgroups lie below each other, so that they write along the same output rows.
@compute @workgroup_size(BLOCK)
fn transpose_scalar(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let corner = group.yx * 64u;
    let x = tid % 64u;
    let y = tid / 64u;
    let a = load_four(corner, x, y);
    let b = load_four(corner, x, y + 4u * STEP);
    var c = a;
    var d = a;
    if EACH >= 16u {
        c = load_four(corner, x, y + 8u * STEP);
        d = load_four(corner, x, y + 12u * STEP);
    }
    put_four(x, y, a);
    put_four(x, y + 4u * STEP, b);
    if EACH >= 16u {
        put_four(x, y + 8u * STEP, c);
        put_four(x, y + 12u * STEP, d);
    }
    workgroupBarrier();
    store_four(corner, x, y);
    store_four(corner, x, y + 4u * STEP);
    if EACH >= 16u {
        store_four(corner, x, y + 8u * STEP);
        store_four(corner, x, y + 12u * STEP);
    }
}
