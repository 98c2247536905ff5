// Single floats, for row lengths that are no multiple of four: an XOR-swizzled tile of ROWS x 64.
// With CUT, each piece of an output row begins where a 32-byte sector does, so that no sector is
// written in halves; the tile then reads 8 rows more than it writes.
override ROWS: u32 = 64u;
override CUT: u32 = 0u;
override EACH: u32 = 16u;
override LEAD: u32 = 8u * CUT;
override BLOCK: u32 = ROWS * 64u / EACH;
override LOAD_STEP: u32 = ROWS / EACH;
override STORE_STEP: u32 = 64u / EACH;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<f32, ROWS * 64u>;

// Column x and row y of the tile, which begins LEAD rows above the corner.
fn load_one(corner: vec2<u32>, x: u32, y: u32) -> f32 {
    let column = min(corner.x + x, shape.columns - 1u);
    let row = min(max(corner.y + y, LEAD) - LEAD, shape.rows - 1u);
    return input[row * shape.columns + column];
}

// Four elements, LOAD_STEP rows apart: no branch between, so that all loads are in flight.
fn load_four(corner: vec2<u32>, x: u32, y: u32) -> vec4<f32> {
    return vec4<f32>(
        load_one(corner, x, y),
        load_one(corner, x, y + LOAD_STEP),
        load_one(corner, x, y + 2u * LOAD_STEP),
        load_one(corner, x, y + 3u * LOAD_STEP),
    );
}

// XOR spreads the elements of a column over the banks.
fn put_one(x: u32, y: u32, value: f32) {
    tile[y * 64u + (x ^ (y % 64u))] = value;
}

fn put_four(x: u32, y: u32, four: vec4<f32>) {
    put_one(x, y, four.x);
    put_one(x, y + LOAD_STEP, four.y);
    put_one(x, y + 2u * LOAD_STEP, four.z);
    put_one(x, y + 3u * LOAD_STEP, four.w);
}

// Element x of the tile's output row y.
fn store_one(corner: vec2<u32>, x: u32, y: u32) {
    let row = corner.x + y;
    let begin = row * shape.rows + corner.y;
    let late = begin % 8u * CUT;
    // Left of the matrix the column wraps to a large number.
    let column = corner.y + x - late;
    if x < ROWS - LEAD && row < shape.columns && column < shape.rows {
        let from_row = x + LEAD - late;
        output[begin + x - late] = tile[from_row * 64u + (y ^ (from_row % 64u))];
    }
}

fn store_four(corner: vec2<u32>, x: u32, y: u32) {
    store_one(corner, x, y);
    store_one(corner, x, y + STORE_STEP);
    store_one(corner, x, y + 2u * STORE_STEP);
    store_one(corner, x, y + 3u * STORE_STEP);
}

// Neighbouring workgroups lie below each other, so that they write along the same output rows.
@compute @workgroup_size(BLOCK)
fn transpose_scalar(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let corner = group.yx * vec2<u32>(64u, ROWS - LEAD);
    let x = tid % 64u;
    let y = tid / 64u;
    let a = load_four(corner, x, y);
    var b = a;
    var c = a;
    var d = a;
    if EACH >= 8u {
        b = load_four(corner, x, y + 4u * LOAD_STEP);
    }
    if EACH >= 16u {
        c = load_four(corner, x, y + 8u * LOAD_STEP);
        d = load_four(corner, x, y + 12u * LOAD_STEP);
    }
    put_four(x, y, a);
    if EACH >= 8u {
        put_four(x, y + 4u * LOAD_STEP, b);
    }
    if EACH >= 16u {
        put_four(x, y + 8u * LOAD_STEP, c);
        put_four(x, y + 12u * LOAD_STEP, d);
    }
    workgroupBarrier();
    let out_x = tid % ROWS;
    let out_y = tid / ROWS;
    store_four(corner, out_x, out_y);
    if EACH >= 8u {
        store_four(corner, out_x, out_y + 4u * STORE_STEP);
    }
    if EACH >= 16u {
        store_four(corner, out_x, out_y + 8u * STORE_STEP);
        store_four(corner, out_x, out_y + 12u * STORE_STEP);
    }
}
