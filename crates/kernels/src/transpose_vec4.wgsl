// A tile of quads, turned 4 x 4 in registers and XOR-swizzled: 16 bytes a load and a store.
override QUADS_X: u32 = 16u;
override QUADS_Y: u32 = 16u;
override BLOCK: u32 = QUADS_X * QUADS_Y;
override ORDER: u32 = 0u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> tile: array<vec4<f32>, 4u * QUADS_X * QUADS_Y>;

// Four neighbouring rows of one quad column.
struct Block {
    a: vec4<f32>,
    b: vec4<f32>,
    c: vec4<f32>,
    d: vec4<f32>,
}

// The block x quads to the right of the corner and y blocks below; past the edge, the last one.
// No branch: all loads are in flight at once.
fn load_block(corner: vec2<u32>, x: u32, y: u32) -> Block {
    let quads = shape.columns / 4u;
    let column = min(corner.x + x, quads - 1u);
    let row = 4u * min(corner.y + y, shape.rows / 4u - 1u);
    let at = row * quads + column;
    return Block(input[at], input[at + quads], input[at + 2u * quads], input[at + 3u * quads]);
}

// Turns a block in registers and puts it down as four output rows. XOR spreads the rows that
// lanes write together, four apart, over the banks.
fn put_block(x: u32, y: u32, block: Block) {
    let turned = transpose(mat4x4<f32>(block.a, block.b, block.c, block.d));
    let at = 4u * x * QUADS_Y + (y ^ (x % QUADS_Y));
    tile[at] = turned[0];
    tile[at + QUADS_Y] = turned[1];
    tile[at + 2u * QUADS_Y] = turned[2];
    tile[at + 3u * QUADS_Y] = turned[3];
}

// Quad `quad` of the tile's output row `row`.
fn store_quad(corner: vec2<u32>, row: u32, quad: u32) {
    let column = corner.y + quad;
    let out_row = 4u * corner.x + row;
    if out_row < shape.columns && column < shape.rows / 4u {
        let at = row * QUADS_Y + (quad ^ ((row / 4u) % QUADS_Y));
        output[out_row * (shape.rows / 4u) + column] = tile[at];
    }
}

fn store_four(corner: vec2<u32>, row: u32, quad: u32) {
    store_quad(corner, row, quad);
    store_quad(corner, row + QUADS_X, quad);
    store_quad(corner, row + 2u * QUADS_X, quad);
    store_quad(corner, row + 3u * QUADS_X, quad);
}

fn place(n: u32, tiles: vec2<u32>) -> vec2<u32> {
    if ORDER == 0u {
        return vec2<u32>(n / tiles.y, n % tiles.y);
    }
    if ORDER == 1u {
        return vec2<u32>(n % tiles.x, n / tiles.x);
    }
    if ORDER == 2u {
        let y = n % tiles.y;
        return vec2<u32>((n / tiles.y + y) % tiles.x, y);
    }
    // Bands of ORDER columns of tiles.
    let band = n / (ORDER * tiles.y) * ORDER;
    let wide = min(ORDER, tiles.x - band);
    let inside = n - band * tiles.y;
    return vec2<u32>(band + inside % wide, inside / wide);
}

// Neighbouring workgroups lie below each other, so that they write along the same output rows.
@compute @workgroup_size(BLOCK)
fn transpose_vec4(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let corner = place(group.y * grid.x + group.x, grid.yx) * vec2<u32>(QUADS_X, QUADS_Y);
    let x = tid % QUADS_X;
    let y = tid / QUADS_X;
    put_block(x, y, load_block(corner, x, y));
    workgroupBarrier();
    store_four(corner, tid / QUADS_Y, tid % QUADS_Y);
}
