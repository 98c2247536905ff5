@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

var<workgroup> s: array<f32, 1024>;

@compute @workgroup_size(256)
fn divergent_switch(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let g = group.x * 256u + t;
    let v = data[g];
    switch t % 4u {
        case 0u: {
            s[t] = v;
        }
        case 1u: {
            s[t * 2u] = v;
        }
        case 2u: {
            s[t * 3u] = v;
        }
        default: {
            s[t * 4u] = v;
        }
    }
    workgroupBarrier();
    var acc = 0.0;
    var i = t;
    loop {
        if i % 3u == 0u {
            i += 1u;
            continue;
        }
        acc += s[i];
        i += 37u;
        continuing {
            break if i >= 1024u;
        }
    }
    result[g] = acc;
}
