// Shared-memory loads whose lanes lie `shape.columns` words apart, each waiting for the one before.
const STEPS: u32 = 16u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> words: array<u32, 4096>;

@compute @workgroup_size(64)
fn stride_probe(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    for (var i = tid; i < 4096u; i += 64u) {
        words[i] = i + input[0];
    }
    workgroupBarrier();
    var at = tid * shape.columns;
    for (var step = 0u; step < shape.rows; step++) {
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
        at = words[at];
    }
    if group < shape.groups {
        output[group * 64u + tid] = at;
    }
}
