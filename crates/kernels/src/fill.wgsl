// Fills a buffer on the device: `shape.columns` says with what (noise.rs holds the same arithmetic).

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;

fn noise(index: u32) -> u32 {
    var x = index ^ 0x5bd1e995u;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return x ^ (x >> 16u);
}

@compute @workgroup_size(256)
fn fill(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let i = (group_id.y * grid.x + group_id.x) * 256u + tid;
    if i >= shape.length {
        return;
    }
    var bits = 0u;
    if shape.columns == 0u {
        bits = bitcast<u32>(f32(noise(i) >> 8u) * 5.9604644775390625e-8);
    } else if shape.columns == 1u {
        bits = noise(i);
    } else if shape.columns == 2u {
        bits = 0xffc0deadu;
    }
    output[i] = bits;
}
