// One pass: the last workgroup to finish adds what the others left behind.
// tickets[0] counts the workgroups that are done; the partial sums lie behind it.
alias Element = f32;

override BLOCK: u32 = 256u;
override UNROLL: u32 = 16u;

struct Shape {
    columns: u32,
    rows: u32,
    length: u32,
    groups: u32,
}

@group(0) @binding(0) var<storage, read> input: array<vec4<Element>>;
@group(0) @binding(1) var<storage, read_write> output: array<Element>;
@group(0) @binding(2) var<uniform> shape: Shape;
@group(0) @binding(3) var<storage, read_write> tickets: array<atomic<u32>>;

var<workgroup> sums: array<Element, BLOCK>;
var<workgroup> is_last: bool;

// The sum of this thread's UNROLL quads of a slab that lies wholly inside the input.
// Written out: a loop would be bounded by a counter, and the loads would no longer overlap.
fn whole_slab(base: u32) -> vec4<Element> {
    var even = input[base];
    var odd = input[base + BLOCK];
    if UNROLL >= 4u {
        even += input[base + 2u * BLOCK];
        odd += input[base + 3u * BLOCK];
    }
    if UNROLL >= 8u {
        even += input[base + 4u * BLOCK];
        odd += input[base + 5u * BLOCK];
        even += input[base + 6u * BLOCK];
        odd += input[base + 7u * BLOCK];
    }
    if UNROLL >= 16u {
        even += input[base + 8u * BLOCK];
        odd += input[base + 9u * BLOCK];
        even += input[base + 10u * BLOCK];
        odd += input[base + 11u * BLOCK];
        even += input[base + 12u * BLOCK];
        odd += input[base + 13u * BLOCK];
        even += input[base + 14u * BLOCK];
        odd += input[base + 15u * BLOCK];
    }
    if UNROLL >= 32u {
        even += input[base + 16u * BLOCK];
        odd += input[base + 17u * BLOCK];
        even += input[base + 18u * BLOCK];
        odd += input[base + 19u * BLOCK];
        even += input[base + 20u * BLOCK];
        odd += input[base + 21u * BLOCK];
        even += input[base + 22u * BLOCK];
        odd += input[base + 23u * BLOCK];
        even += input[base + 24u * BLOCK];
        odd += input[base + 25u * BLOCK];
        even += input[base + 26u * BLOCK];
        odd += input[base + 27u * BLOCK];
        even += input[base + 28u * BLOCK];
        odd += input[base + 29u * BLOCK];
        even += input[base + 30u * BLOCK];
        odd += input[base + 31u * BLOCK];
    }
    return even + odd;
}

// The same for the last slab, which may end early.
fn part_slab(base: u32, quads: u32) -> vec4<Element> {
    var sum = vec4<Element>();
    for (var k = 0u; k < UNROLL; k++) {
        let i = base + k * BLOCK;
        if i < quads {
            sum += input[i];
        }
    }
    return sum;
}

// This thread's share of the input: one slab of each round, and the last one to three elements.
fn share(group: u32, tid: u32) -> Element {
    let quads = shape.length / 4u;
    var quad = vec4<Element>();
    for (var slab = group; slab * BLOCK * UNROLL < quads; slab += shape.groups) {
        let base = slab * BLOCK * UNROLL + tid;
        if base - tid + BLOCK * UNROLL <= quads {
            quad += whole_slab(base);
        } else {
            quad += part_slab(base, quads);
        }
    }
    var value = (quad.x + quad.y) + (quad.z + quad.w);
    if group == 0u && tid < shape.length % 4u {
        value += input[quads][tid];
    }
    return value;
}

// The sum over the workgroup, in sums[0].
fn block_sum(tid: u32, value: Element) {
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
}

// A partial sum travels as two halves of its bits, each with a mark: WGSL orders nothing between
// workgroups, so a half that has not arrived yet must be told from one that has.
const MARK: u32 = 0x10000u;

fn send(group: u32, value: Element) {
    let bits = bitcast<u32>(value);
    atomicStore(&tickets[2u * group + 1u], MARK | (bits >> 16u));
    atomicStore(&tickets[2u * group + 2u], MARK | (bits & 0xffffu));
}

// A half, once it is there; its place is left empty for the next run.
fn arrived(at: u32) -> u32 {
    var half = atomicLoad(&tickets[at]);
    for (var tries = 0u; half == 0u && tries < 0x100000u; tries++) {
        half = atomicLoad(&tickets[at]);
    }
    atomicStore(&tickets[at], 0u);
    return half & 0xffffu;
}

fn receive(group: u32) -> Element {
    let high = arrived(2u * group + 1u);
    let low = arrived(2u * group + 2u);
    return bitcast<Element>((high << 16u) | low);
}

@compute @workgroup_size(BLOCK)
fn reduce_single_pass(
    @builtin(workgroup_id) group_id: vec3<u32>,
    @builtin(num_workgroups) grid: vec3<u32>,
    @builtin(local_invocation_index) tid: u32,
) {
    let group = group_id.y * grid.x + group_id.x;
    var value = Element(0);
    if group < shape.groups {
        value = share(group, tid);
    }
    block_sum(tid, value);
    if tid == 0u {
        is_last = false;
        if group < shape.groups {
            send(group, sums[0]);
            is_last = atomicAdd(&tickets[0], 1u) == shape.groups - 1u;
        }
    }
    if workgroupUniformLoad(&is_last) {
        var rest = Element(0);
        for (var i = tid; i < shape.groups; i += BLOCK) {
            rest += receive(i);
        }
        block_sum(tid, rest);
        if tid == 0u {
            output[0] = sums[0];
            atomicStore(&tickets[0], 0u);
        }
    }
}
