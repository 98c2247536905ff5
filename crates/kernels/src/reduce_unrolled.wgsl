// Step 5: every step written out. WGSL has no warp-synchronous shortcut: barriers stay.
alias Element = f32;

override BLOCK: u32 = 256u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Element>;
@group(0) @binding(1) var<storage, read_write> output: array<Element>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> sums: array<Element, BLOCK>;

@compute @workgroup_size(BLOCK)
fn reduce_unrolled(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let i = group * BLOCK * 2u + tid;
    var value = Element(0);
    if i < shape.length {
        value = input[i];
    }
    if i + BLOCK < shape.length {
        value += input[i + BLOCK];
    }
    block_sum(tid, value);
    if tid == 0u && group < shape.groups {
        output[group] = sums[0];
    }
}
