
// What the fast reductions have in common: this thread's share of the input.

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
