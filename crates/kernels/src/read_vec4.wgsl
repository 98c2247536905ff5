// Ceiling: what a kernel that only reads can reach. It writes one word a workgroup, if ever.
override BLOCK: u32 = 256u;
override UNROLL: u32 = 16u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@group(0) @binding(2) var<uniform> shape: Shape;

fn quad_at(i: u32) -> vec4<u32> {
    if i < (shape.length + 3u) / 4u {
        return input[i];
    }
    return vec4<u32>();
}

@compute @workgroup_size(BLOCK)
fn read_vec4(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let at = group * BLOCK * UNROLL + tid;
    var mix = quad_at(at);
    if UNROLL >= 2u {
        mix ^= quad_at(at + BLOCK);
    }
    if UNROLL >= 4u {
        mix ^= quad_at(at + 2u * BLOCK);
        mix ^= quad_at(at + 3u * BLOCK);
    }
    if UNROLL >= 8u {
        mix ^= quad_at(at + 4u * BLOCK);
        mix ^= quad_at(at + 5u * BLOCK);
        mix ^= quad_at(at + 6u * BLOCK);
        mix ^= quad_at(at + 7u * BLOCK);
    }
    if UNROLL >= 16u {
        mix ^= quad_at(at + 8u * BLOCK);
        mix ^= quad_at(at + 9u * BLOCK);
        mix ^= quad_at(at + 10u * BLOCK);
        mix ^= quad_at(at + 11u * BLOCK);
        mix ^= quad_at(at + 12u * BLOCK);
        mix ^= quad_at(at + 13u * BLOCK);
        mix ^= quad_at(at + 14u * BLOCK);
        mix ^= quad_at(at + 15u * BLOCK);
    }
    // Never so for the lab's data, but the compiler cannot know.
    if all(mix == vec4<u32>(0x6c616e65u)) {
        output[group] = mix.x;
    }
}
