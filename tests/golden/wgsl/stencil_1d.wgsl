@group(0) @binding(0) var<storage, read> data: array<f32>;
@group(0) @binding(1) var<storage, read_write> result: array<f32>;

const RADIUS = 3u;
override BLOCK: u32 = 256u;
var<workgroup> s: array<f32, BLOCK + 2u * RADIUS>;

@compute @workgroup_size(BLOCK)
fn stencil_1d(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) tid: u32) {
    let g = group.x * BLOCK + tid + RADIUS;
    let l = tid + RADIUS;
    s[l] = data[g];
    if tid < RADIUS {
        s[l - RADIUS] = data[g - RADIUS];
        s[l + BLOCK] = data[g + BLOCK];
    }
    workgroupBarrier();
    var sum = 0.0;
    for (var d = -i32(RADIUS); d <= i32(RADIUS); d++) {
        sum += s[u32(i32(l) + d)];
    }
    result[g - RADIUS] = sum;
}
