// Whole 32-byte sectors written, for rows of any length: each output row is cut where its own sectors
// begin. So a tile reads eight rows more than it writes: 64 of 32 floats, of which 56 are written.
const WIDE: u32 = 32u;
const LONG: u32 = 56u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<f32, 2048>;

// The tile begins eight rows above its corner. Outside the matrix the place is moved inside: no
// branch, so that all loads are in flight at once.
fn load_one(corner: vec2<u32>, x: u32, y: u32) -> f32 {
    let column = min(corner.x + x, shape.columns - 1u);
    let row = min(max(corner.y + y, 8u) - 8u, shape.rows - 1u);
    return input[row * shape.columns + column];
}

fn load_four(corner: vec2<u32>, x: u32, y: u32) -> vec4<f32> {
    return vec4<f32>(
        load_one(corner, x, y),
        load_one(corner, x, y + 8u),
        load_one(corner, x, y + 16u),
        load_one(corner, x, y + 24u),
    );
}

// XOR spreads the elements of a column over the banks.
fn put_four(x: u32, y: u32, four: vec4<f32>) {
    tile[y * 32u + (x ^ (y % 32u))] = four.x;
    tile[(y + 8u) * 32u + (x ^ ((y + 8u) % 32u))] = four.y;
    tile[(y + 16u) * 32u + (x ^ ((y + 16u) % 32u))] = four.z;
    tile[(y + 24u) * 32u + (x ^ ((y + 24u) % 32u))] = four.w;
}

// Row `y` of the tile, at this warp's output rows: eight apart, so that all are cut alike.
fn fetch_four(line: u32, y: u32) -> vec4<f32> {
    return vec4<f32>(
        tile[y * 32u + (line ^ (y % 32u))],
        tile[y * 32u + ((line + 8u) ^ (y % 32u))],
        tile[y * 32u + ((line + 16u) ^ (y % 32u))],
        tile[y * 32u + ((line + 24u) ^ (y % 32u))],
    );
}

// Four output rows at one column, the first at element `at`.
fn store_four(at: u32, four: vec4<f32>) {
    output[at] = four.x;
    output[at + 8u * shape.rows] = four.y;
    output[at + 16u * shape.rows] = four.z;
    output[at + 24u * shape.rows] = four.w;
}

// The same where the matrix may end: those of `lines` rows.
fn store_some(at: u32, four: vec4<f32>, line: u32, lines: u32) {
    if line < lines {
        output[at] = four.x;
    }
    if line + 8u < lines {
        output[at + 8u * shape.rows] = four.y;
    }
    if line + 16u < lines {
        output[at + 16u * shape.rows] = four.z;
    }
    if line + 24u < lines {
        output[at + 24u * shape.rows] = four.w;
    }
}

// Neighbouring workgroups lie below each other, so that they write along the same output rows.
@compute @workgroup_size(256)
fn transpose_sectors(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let corner = group.yx * vec2<u32>(WIDE, LONG);
    let lane = tid % 32u;
    let line = tid / 32u;
    let above = load_four(corner, lane, line);
    let below = load_four(corner, lane, line + 32u);
    put_four(lane, line, above);
    put_four(lane, line + 32u, below);
    workgroupBarrier();
    // The elements from the sector's begin to the corner. Before the row's own begin the column
    // wraps to a large number.
    let row = corner.x + line;
    let early = (row * shape.rows + corner.y) % 8u;
    let column = corner.y + lane - early;
    let y = lane + 8u - early;
    let left = fetch_four(line, y);
    let right = fetch_four(line, min(y + 32u, 63u));
    let at = row * shape.rows + column;
    let lines = min(shape.columns - corner.x, WIDE);
    if lines == WIDE && corner.y > 0u && corner.y + LONG <= shape.rows {
        store_four(at, left);
        if lane < LONG - 32u {
            store_four(at + 32u, right);
        }
    } else {
        if column < shape.rows {
            store_some(at, left, line, lines);
        }
        if lane < LONG - 32u && column + 32u < shape.rows {
            store_some(at + 32u, right, line, lines);
        }
    }
}
