@group(0) @binding(0) var<storage, read> data: array<i32>;
@group(0) @binding(1) var<storage, read_write> result: array<i32>;

var<workgroup> words: array<i32, 1024>;

@compute @workgroup_size(256)
fn stride4_shared(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    for (var j = 0u; j < 4u; j++) {
        words[tid + 256u * j] = data[tid + 256u * j];
    }
    workgroupBarrier();
    result[group.x * 256u + tid] = words[4u * tid];
}
