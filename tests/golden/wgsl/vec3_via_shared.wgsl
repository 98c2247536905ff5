@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

const THREADS = 256u;
var<workgroup> temp: array<f32, THREADS * 3u>;

@compute @workgroup_size(THREADS)
fn vec3_via_shared(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let base = group.x * THREADS * 3u;
    for (var k = 0u; k < 3u; k++) {
        temp[tid + THREADS * k] = data[base + tid + THREADS * k];
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var k = 0u; k < 3u; k++) {
        let part = temp[tid * 3u + k];
        sum += part * part;
    }
    result[group.x * THREADS + tid] = sum;
}
