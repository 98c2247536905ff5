const TILE = 16u;
struct Params {
    n: u32,
}
@group(0) @binding(0) var<storage, read> A: array<f32>;
@group(0) @binding(1) var<storage, read> B: array<f32>;
@group(0) @binding(2) var<storage, read_write> C: array<f32>;
@group(0) @binding(3) var<uniform> params: Params;
var<workgroup> As: array<array<f32, TILE>, TILE>;
var<workgroup> Bs: array<array<f32, TILE>, TILE>;

@compute @workgroup_size(TILE, TILE)
fn matmul_tiled(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_id) local: vec3<u32>) {
    let row = group.y * TILE + local.y;
    let col = group.x * TILE + local.x;
    let n = params.n;
    var acc = 0.0;
    for (var t = 0u; t < n / TILE; t++) {
        As[local.y][local.x] = A[row * n + t * TILE + local.x];
        Bs[local.y][local.x] = B[(t * TILE + local.y) * n + col];
        workgroupBarrier();
        for (var k = 0u; k < TILE; k++) {
            acc += As[local.y][k] * Bs[k][local.x];
        }
        workgroupBarrier();
    }
    C[row * n + col] = acc;
}
