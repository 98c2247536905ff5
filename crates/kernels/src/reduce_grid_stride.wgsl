// Step 6: each thread walks the input a grid at a time and adds several elements.
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
fn reduce_grid_stride(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let stride = shape.groups * BLOCK;
    var value = Element(0);
    if group < shape.groups {
        for (var i = group * BLOCK + tid; i < shape.length; i += stride) {
            value += input[i];
        }
    }
    block_sum(tid, value);
    if tid == 0u && group < shape.groups {
        output[group] = sums[0];
    }
}
