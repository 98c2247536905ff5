// The fast pair of passes with the tree inside the workgroup done by subgroup adds.
alias Element = f32;

override BLOCK: u32 = 256u;
override UNROLL: u32 = 16u;

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
fn reduce_subgroup(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
    @builtin(subgroup_size) lanes: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    var value = Element(0);
    if group < shape.groups {
        value = share(group, tid);
    }

    let total = subgroupAdd(value);
    if lane == 0u {
        sums[subgroup] = total;
    }
    workgroupBarrier();
    var rest = Element(0);
    if subgroup == 0u && tid < subgroups {
        rest = sums[tid];
    }
    // The first subgroup adds the sums of all, a round of lanes at a time.
    for (var i = tid + lanes; i < subgroups; i += lanes) {
        rest += sums[i];
    }
    let block = subgroupAdd(rest);
    if tid == 0u && group < shape.groups {
        output[group] = block;
    }
}
