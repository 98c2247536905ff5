// A tile of quads, turned 4 x 4 in registers and XOR-swizzled: 16 bytes a load and a store.
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

// Neighbouring workgroups lie below each other, so that they write along the same output rows.
@compute @workgroup_size(BLOCK)
fn transpose_vec4(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let corner = group.yx * vec2<u32>(QUADS_X, QUADS_Y);
    let x = tid % QUADS_X;
    let y = tid / QUADS_X;
    put_block(x, y, load_block(corner, x, y));
    workgroupBarrier();
    store_four(corner, tid / QUADS_Y, tid % QUADS_Y);
}
