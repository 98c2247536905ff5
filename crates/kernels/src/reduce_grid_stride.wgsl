// Step 6: each thread walks the input a grid at a time and adds several elements.
alias Element = f32;

override BLOCK: u32 = 256u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<Element>;
@group(0) @binding(1) var<storage, read_write> output: array<Element>;
@group(0) @binding(2) var<uniform> shape: Shape;

var<workgroup> sums: array<Element, BLOCK>;

@compute @workgroup_size(BLOCK)
fn reduce_grid_stride(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    let stride = shape.groups * BLOCK;
    var value = Element(0);
    if group < shape.groups {
        for (var i = group * BLOCK + tid; i < shape.length; i += stride) {
            value += input[i];
        }
    }
    sums[tid] = value;
    workgroupBarrier();

    if BLOCK >= 1024u {
        if tid < 512u {
            sums[tid] += sums[tid + 512u];
        }
        workgroupBarrier();
    }
    if BLOCK >= 512u {
        if tid < 256u {
            sums[tid] += sums[tid + 256u];
        }
        workgroupBarrier();
    }
    if BLOCK >= 256u {
        if tid < 128u {
            sums[tid] += sums[tid + 128u];
        }
        workgroupBarrier();
    }
    if BLOCK >= 128u {
        if tid < 64u {
            sums[tid] += sums[tid + 64u];
        }
        workgroupBarrier();
    }
    if tid < 32u {
        sums[tid] += sums[tid + 32u];
    }
    workgroupBarrier();
    if tid < 16u {
        sums[tid] += sums[tid + 16u];
    }
    workgroupBarrier();
    if tid < 8u {
        sums[tid] += sums[tid + 8u];
    }
    workgroupBarrier();
    if tid < 4u {
        sums[tid] += sums[tid + 4u];
    }
    workgroupBarrier();
    if tid < 2u {
        sums[tid] += sums[tid + 2u];
    }
    workgroupBarrier();
    if tid < 1u {
        sums[tid] += sums[tid + 1u];
    }
    workgroupBarrier();

    if tid == 0u && group < shape.groups {
        output[group] = sums[0];
    }
}
