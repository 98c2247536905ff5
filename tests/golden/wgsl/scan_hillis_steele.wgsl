@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

const N = 256u;
var<workgroup> temp: array<f32, 2u * N>;

@compute @workgroup_size(N)
fn scan_hillis_steele(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    var pout = 0u;
    var pin = 1u;
    temp[pout * N + tid] = data[group.x * N + tid];
    workgroupBarrier();
    for (var offset = 1u; offset < N; offset *= 2u) {
        pout = 1u - pout;
        pin = 1u - pout;
        if tid >= offset {
            temp[pout * N + tid] = temp[pin * N + tid] + temp[pin * N + tid - offset];
        } else {
            temp[pout * N + tid] = temp[pin * N + tid];
        }
        workgroupBarrier();
    }
    result[group.x * N + tid] = temp[pout * N + tid];
}
