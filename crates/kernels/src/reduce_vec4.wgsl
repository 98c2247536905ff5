// Step 7: as the grid-stride kernel, 16 bytes a load.
alias Element = f32;

override BLOCK: u32 = 256u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<Element>>;
@group(0) @binding(1) var<storage, read_write> output: array<Element>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> sums: array<Element, BLOCK>;

@compute @workgroup_size(BLOCK)
fn reduce_vec4(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let stride = shape.groups * BLOCK;
    let quads = shape.length / 4u;
    var quad = vec4<Element>();
    if group < shape.groups {
        for (var i = group * BLOCK + tid; i < quads; i += stride) {
            quad += input[i];
        }
    }
    var value = (quad.x + quad.y) + (quad.z + quad.w);

    // The last one to three elements.
    if group == 0u && tid < shape.length % 4u {
        value += input[quads][tid];
    }

    block_sum(tid, value);
    if tid == 0u && group < shape.groups {
        output[group] = sums[0];
    }
}
