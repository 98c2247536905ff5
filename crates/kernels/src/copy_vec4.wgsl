// Ceiling: what a kernel that reads and writes every byte once can reach.
override BLOCK: u32 = 256u;
override UNROLL: u32 = 1u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> output: array<vec4<f32>>;
@group(0) @binding(2) var<uniform> shape: Shape;

fn copy_one(i: u32) {
    if i < (shape.length + 3u) / 4u {
        output[i] = input[i];
    }
}

@compute @workgroup_size(BLOCK)
fn copy_vec4(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let at = group * BLOCK * UNROLL + tid;
    copy_one(at);
    if UNROLL >= 2u {
        copy_one(at + BLOCK);
    }
    if UNROLL >= 4u {
        copy_one(at + 2u * BLOCK);
        copy_one(at + 3u * BLOCK);
    }
    if UNROLL >= 8u {
        copy_one(at + 4u * BLOCK);
        copy_one(at + 5u * BLOCK);
        copy_one(at + 6u * BLOCK);
        copy_one(at + 7u * BLOCK);
    }
}
