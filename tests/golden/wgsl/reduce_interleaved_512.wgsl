@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

const TILE = 512u;
var<workgroup> tile_data: array<f32, TILE>;

@compute @workgroup_size(TILE)
fn reduce_interleaved_512(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local_idx: u32) {
    tile_data[local_idx] = data[group.x * TILE + local_idx];
    workgroupBarrier();
    for (var s = 1u; s < TILE; s *= 2u) {
        let index = 2u * s * local_idx;
        if index < TILE {
            tile_data[index] += tile_data[index + s];
        }
        workgroupBarrier();
    }
    if local_idx == 0u {
        result[group.x] = tile_data[0];
    }
}
