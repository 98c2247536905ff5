
// What the two kernels with a tile of quads have in common.

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
