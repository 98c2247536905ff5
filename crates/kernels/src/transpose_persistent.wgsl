// The tile of quads, several tiles a workgroup: the next one is read while this one is written,
// and zeroing the workgroup's memory is paid once.
override QUADS_X: u32 = 16u;
override QUADS_Y: u32 = 16u;
override BLOCK: u32 = QUADS_X * QUADS_Y;

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

@compute @workgroup_size(BLOCK)
fn transpose_persistent(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let size = vec2<u32>(QUADS_X, QUADS_Y);
    let across = (shape.columns / 4u + QUADS_X - 1u) / QUADS_X;
    let down = (shape.rows / 4u + QUADS_Y - 1u) / QUADS_Y;
    let x = tid % QUADS_X;
    let y = tid / QUADS_X;
    var corner = vec2<u32>(group / down, group % down) * size;
    var block = load_block(corner, x, y);
    for (var n = group; n < across * down; n += shape.groups) {
        put_block(x, y, block);
        workgroupBarrier();
        let next = vec2<u32>((n + shape.groups) / down, (n + shape.groups) % down) * size;
        if n + shape.groups < across * down {
            block = load_block(next, x, y);
        }
        store_four(corner, tid / QUADS_Y, tid % QUADS_Y);
        workgroupBarrier();
        corner = next;
    }
}
