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
