@group(0) @binding(0) var<storage, read_write> result: array<f32>;
var<workgroup> m: array<array<f32, 65>, 64>;

@compute @workgroup_size(64)
fn nested_loops_triangular(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    for (var j = 0u; j < 64u; j++) {
        m[t][j] = f32(t + j);
    }
    workgroupBarrier();
    var s = 0.0;
    for (var j = 0u; j <= t; j++) {
        if j % 2u == t % 2u {
            continue;
        }
        s += m[j][t];
        if j > 40u {
            break;
        }
    }
    result[group.x * 64u + t] = s;
}
