// The 64 x 64 quad tile, several tiles a workgroup: the next one is read while this one is written,
// and zeroing the workgroup's memory is paid once.
override ORDER: u32 = 0u;
const SIDE: u32 = 16u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<vec4<f32>, 1024>;

// Four neighbouring rows of one quad column; outside the matrix the index is moved inside.
struct Block {
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    d: vec4<f32>,
}

fn load_block(corner: vec2<u32>, x: u32, y: u32) -> Block {
    let quads = shape.columns / 4u;
    let column = min(corner.x / 4u + x, quads - 1u);
    let row = min(corner.y + 4u * y, shape.rows - 4u);
    let at = row * quads + column;
    return Block(input[at], input[at + quads], input[at + 2u * quads], input[at + 3u * quads]);
}

// XOR spreads rows four apart, which lanes write together, over the banks. Turns the 4 x 4 block in registers and puts it down as four output rows.
fn put_block(x: u32, y: u32, block: Block) {
    let turned = transpose(mat4x4<f32>(block.a, block.b, block.c, block.d));
    let at = x * 64u + (y ^ x);
    tile[at] = turned[0];
    tile[at + 16u] = turned[1];
    tile[at + 32u] = turned[2];
    tile[at + 48u] = turned[3];
}

fn store_quad(corner: vec2<u32>, quad: u32, row: u32) {
    let column = corner.y / 4u + quad;
    let out_row = corner.x + row;
    if out_row < shape.columns && column < shape.rows / 4u {
        output[out_row * (shape.rows / 4u) + column] = tile[row * 16u + (quad ^ (row >> 2u))];
    }
}

fn store_tile(corner: vec2<u32>, x: u32, y: u32) {
    store_quad(corner, x, y);
    store_quad(corner, x, y + 16u);
    store_quad(corner, x, y + 32u);
    store_quad(corner, x, y + 48u);
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

@compute @workgroup_size(256)
fn transpose_persistent(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let across = (shape.columns + 63u) / 64u;
    let down = (shape.rows + 63u) / 64u;
    let x = tid % 16u;
    let y = tid / 16u;
    var corner = tile_at(group, across, down) * 64u;
    var block = load_block(corner, x, y);
    for (var n = group; n < across * down; n += shape.groups) {
        put_block(x, y, block);
        workgroupBarrier();
        let next = tile_at(n + shape.groups, across, down) * 64u;
        if n + shape.groups < across * down {
            block = load_block(next, x, y);
        }
        store_tile(corner, x, y);
        workgroupBarrier();
        corner = next;
    }
}
