@group(0) @binding(0) var<storage, read_write> result: array<i32>;
var<workgroup> c: array<atomic<i32>, 64>;

@compute @workgroup_size(128)
fn atomics_shared(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    if t < 64u {
        atomicStore(&c[t], 0);
    }
    workgroupBarrier();
    let old = atomicAdd(&c[t % 5u], i32(t));
    atomicMax(&c[32u + t % 16u], i32(t));
    workgroupBarrier();
    result[group.x * 128u + t] = old + atomicLoad(&c[t % 64u]);
}
