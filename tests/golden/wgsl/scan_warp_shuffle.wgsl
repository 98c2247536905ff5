enable subgroups;
@group(0) @binding(0) var<storage, read> data: array<i32>;
@group(0) @binding(1) var<storage, read_write> result: array<i32>;
@group(0) @binding(2) var<storage, read_write> sums: array<i32>;
var<workgroup> warp_sums: array<i32, 8>;

fn inclusive(first: i32, lane: u32) -> i32 {
    var v = first;
    for (var d = 1u; d < 32u; d <<= 1u) {
        let n = subgroupShuffleUp(v, d);
        if lane >= d {
            v += n;
        }
    }
    return v;
}

@compute @workgroup_size(256)
fn scan_warp_shuffle(@builtin(workgroup_id) group: vec3<u32>, @builtin(global_invocation_id) at: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let lane = tid & 31u;
    let w = tid >> 5u;
    var v = inclusive(data[at.x], lane);
    if lane == 31u {
        warp_sums[w] = v;
    }
    workgroupBarrier();
    if w == 0u {
        var s = 0;
        if lane < 8u {
            s = warp_sums[lane];
        }
        s = inclusive(s, lane);
        if lane < 8u {
            warp_sums[lane] = s;
        }
    }
    workgroupBarrier();
    if w > 0u {
        v += warp_sums[w - 1u];
    }
    result[at.x] = v;
    if tid == 255u {
        sums[group.x] = v;
    }
}
