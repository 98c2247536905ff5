struct Params {
    n: u32,
}
@group(0) @binding(0) var<storage, read_write> result: array<atomic<u32>>;
@group(0) @binding(1) var<uniform> params: Params;
var<workgroup> bins: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn histogram_shared(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    atomicStore(&bins[tid], 0u);
    workgroupBarrier();
    for (var i = group.x * 256u + tid; i < params.n; i += 256u * groups.x) {
        atomicAdd(&bins[(i * 7u + i / 32u) % 256u], 1u);
    }
    workgroupBarrier();
    atomicAdd(&result[tid], atomicLoad(&bins[tid]));
}
