fn f32_of_f16(h: u32) -> f32 {
    let magnitude = h & 0x7fffu;
    let sign = (h & 0x8000u) << 16u;
    if magnitude >= 0x7c00u {
        return bitcast<f32>(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13u));
    }
    if magnitude < 0x400u {
        let small = f32(magnitude) * 5.9604645e-8f;
        return bitcast<f32>(bitcast<u32>(small) | sign);
    }
    return bitcast<f32>(sign | ((magnitude << 13u) + 0x38000000u));
}

fn f16_of_f32(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    let sign = (bits >> 16u) & 0x8000u;
    let magnitude = bits & 0x7fffffffu;
    if magnitude > 0x7f800000u {
        return 0x7e00u;
    }
    if magnitude >= 0x477ff000u {
        return sign | 0x7c00u;
    }
    if magnitude < 0x38800000u {
        let exponent = magnitude >> 23u;
        if exponent < 102u {
            return sign;
        }
        let significand = (magnitude & 0x7fffffu) | 0x800000u;
        let by = 126u - exponent;
        let whole = significand >> by;
        let rest = significand & ((1u << by) - 1u);
        let half = 1u << (by - 1u);
        let up = rest > half || (rest == half && (whole & 1u) == 1u);
        return sign | (whole + select(0u, 1u, up));
    }
    let rounded = magnitude + 0xfffu + ((magnitude >> 13u) & 1u);
    return sign | ((rounded - 0x38000000u) >> 13u);
}

fn bits_of_half(h: f16) -> u32 {
    return pack2x16float(vec2<f32>(f32(h), 0.0f));
}

fn half_of_bits(h: u32) -> f16 {
    return f16(unpack2x16float(h).x);
}

fn bf16_of_f32(x: f32) -> u32 {
    let bits = bitcast<u32>(x);
    if (bits & 0x7fffffffu) > 0x7f800000u {
        return 0x7fc0u;
    }
    return (bits + 0x7fffu + ((bits >> 16u) & 1u)) >> 16u;
}

fn is_nan(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn is_finite(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u;
}

fn round_away(x: f32) -> f32 {
    let whole = trunc(x);
    return select(whole, whole + sign(x), abs(x - whole) >= 0.5f);
}

fn copy_sign(x: f32, y: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(y) & 0x80000000u));
}

fn remainder_f32(x: f32, y: f32) -> f32 {
    return x - y * trunc(x / y);
}

fn i32_of_f32(x: f32) -> i32 {
    if is_nan(x) {
        return 0i;
    }
    if x >= 2147483648.0f {
        return 2147483647i;
    }
    if x < -2147483648.0f {
        return bitcast<i32>(0x80000000u);
    }
    return i32(x);
}

fn u32_of_f32(x: f32) -> u32 {
    if x >= 4294967296.0f {
        return 0xffffffffu;
    }
    if x >= 1.0f {
        return u32(x);
    }
    return 0u;
}

fn i8_of_f32(x: f32) -> i32 {
    return clamp(i32_of_f32(x), -128i, 127i);
}

fn i16_of_f32(x: f32) -> i32 {
    return clamp(i32_of_f32(x), -32768i, 32767i);
}

fn u8_of_f32(x: f32) -> u32 {
    return min(u32_of_f32(x), 255u);
}

fn u16_of_f32(x: f32) -> u32 {
    return min(u32_of_f32(x), 65535u);
}

fn f32_of_u64(a: vec2<u32>) -> f32 {
    if a.y == 0u {
        return f32(a.x);
    }
    let zeros = countLeadingZeros(a.y);
    let whole = shift_left_64(a, zeros);
    let rounded = f32(whole.y | select(0u, 1u, whole.x != 0u));
    return rounded * bitcast<f32>((159u - zeros) << 23u);
}

fn f32_of_i64(a: vec2<u32>) -> f32 {
    let size = f32_of_u64(abs_64(a));
    return select(size, -size, (a.y >> 31u) == 1u);
}

fn i64_of_f32(x: f32) -> vec2<u32> {
    if is_nan(x) {
        return vec2<u32>(0u, 0u);
    }
    if x >= 9223372036854775808.0f {
        return vec2<u32>(0xffffffffu, 0x7fffffffu);
    }
    if x < -9223372036854775808.0f {
        return vec2<u32>(0u, 0x80000000u);
    }
    let size = magnitude_64(abs(x));
    if x < 0.0f {
        return negate_64(size);
    }
    return size;
}

fn u64_of_f32(x: f32) -> vec2<u32> {
    if x >= 18446744073709551616.0f {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    if x >= 1.0f {
        return magnitude_64(x);
    }
    return vec2<u32>(0u, 0u);
}

fn magnitude_64(x: f32) -> vec2<u32> {
    let bits = bitcast<u32>(x);
    let exponent = bits >> 23u;
    if exponent < 127u {
        return vec2<u32>(0u, 0u);
    }
    let significand = (bits & 0x7fffffu) | 0x800000u;
    if exponent <= 150u {
        return vec2<u32>(significand >> (150u - exponent), 0u);
    }
    return shift_left_64(vec2<u32>(significand, 0u), exponent - 150u);
}

fn divide_u32(a: u32, b: u32) -> u32 {
    if b == 0u {
        return 0xffffffffu;
    }
    return a / b;
}

fn remainder_u32(a: u32, b: u32) -> u32 {
    if b == 0u {
        return a;
    }
    return a % b;
}

fn divide_i32(a: i32, b: i32) -> i32 {
    if b == 0i {
        return -1i;
    }
    if b == -1i {
        return -a;
    }
    return a / b;
}

fn remainder_i32(a: i32, b: i32) -> i32 {
    if b == 0i {
        return a;
    }
    if b == -1i {
        return 0i;
    }
    let quotient = abs_u32(a) % abs_u32(b);
    return select(bitcast<i32>(quotient), -bitcast<i32>(quotient), a < 0i);
}

fn abs_u32(a: i32) -> u32 {
    return bitcast<u32>(select(a, -a, a < 0i));
}

fn power_u32(base: u32, exponent: u32) -> u32 {
    var result = 1u;
    var square = base;
    var left = exponent;
    loop {
        if left == 0u {
            break;
        }
        if (left & 1u) == 1u {
            result = result * square;
        }
        square = square * square;
        left = left >> 1u;
    }
    return result;
}

fn high_u32(a: u32, b: u32) -> u32 {
    return wide_u32(a, b).y;
}

fn high_i32(a: i32, b: i32) -> i32 {
    return bitcast<i32>(wide_i32(a, b).y);
}

fn bit_field_u32(a: u32, position: u32, length: u32) -> u32 {
    let first = position & 255u;
    let bits = length & 255u;
    if bits == 0u || first > 31u {
        return 0u;
    }
    let shifted = a >> first;
    if bits > 31u {
        return shifted;
    }
    return shifted & ((1u << bits) - 1u);
}

fn bit_field_i32(a: i32, position: u32, length: u32) -> i32 {
    let first = min(position & 255u, 31u);
    let bits = min(length & 255u, 32u);
    if bits == 0u {
        return 0i;
    }
    let shifted = a >> first;
    let above = 32u - bits;
    return (shifted << above) >> above;
}

fn bit_field_insert(a: u32, b: u32, position: u32, length: u32) -> u32 {
    let first = position & 255u;
    let bits = length & 255u;
    if first > 31u || bits == 0u {
        return b;
    }
    let ones = select(0xffffffffu, (1u << (bits & 31u)) - 1u, bits < 32u) << first;
    return (b & ~ones) | ((a << first) & ones);
}

fn funnel_left(a: u32, b: u32, c: u32) -> u32 {
    let by = c & 31u;
    if by == 0u {
        return b;
    }
    return (b << by) | (a >> (32u - by));
}

fn funnel_right(a: u32, b: u32, c: u32) -> u32 {
    let by = c & 31u;
    if by == 0u {
        return a;
    }
    return (a >> by) | (b << (32u - by));
}

fn funnel_left_clamped(a: u32, b: u32, c: u32) -> u32 {
    if c >= 32u {
        return a;
    }
    return funnel_left(a, b, c);
}

fn funnel_right_clamped(a: u32, b: u32, c: u32) -> u32 {
    if c >= 32u {
        return b;
    }
    return funnel_right(a, b, c);
}

fn byte_permute(a: u32, b: u32, selector: u32) -> u32 {
    var result = 0u;
    for (var at = 0u; at < 4u; at += 1u) {
        let nibble = (selector >> (4u * at)) & 15u;
        let word = select(a, b, (nibble & 4u) != 0u);
        var byte = (word >> (8u * (nibble & 3u))) & 255u;
        if (nibble & 8u) != 0u {
            byte = select(0u, 255u, (byte & 128u) != 0u);
        }
        result |= byte << (8u * at);
    }
    return result;
}

fn dot_u8(a: u32, b: u32, c: u32) -> u32 {
    var sum = c;
    for (var at = 0u; at < 32u; at += 8u) {
        sum += extractBits(a, at, 8u) * extractBits(b, at, 8u);
    }
    return sum;
}

fn dot_i8(a: i32, b: i32, c: i32) -> i32 {
    var sum = c;
    for (var at = 0u; at < 32u; at += 8u) {
        sum += extractBits(a, at, 8u) * extractBits(b, at, 8u);
    }
    return sum;
}

fn i64_of_i32(a: i32) -> vec2<u32> {
    return vec2<u32>(bitcast<u32>(a), bitcast<u32>(a >> 31u));
}

fn add_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn subtract_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn negate_64(a: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(~a.x + 1u, ~a.y + select(0u, 1u, a.x == 0u));
}

fn abs_64(a: vec2<u32>) -> vec2<u32> {
    if (a.y >> 31u) == 1u {
        return negate_64(a);
    }
    return a;
}

fn wide_u32(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 65535u;
    let a_high = a >> 16u;
    let b_low = b & 65535u;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let first = a_high * b_low + (low >> 16u);
    let second = a_low * b_high + (first & 65535u);
    return vec2<u32>(a * b, a_high * b_high + (first >> 16u) + (second >> 16u));
}

fn wide_i32(a: i32, b: i32) -> vec2<u32> {
    let product = wide_u32(bitcast<u32>(a), bitcast<u32>(b));
    let less_a = select(0u, bitcast<u32>(b), a < 0i);
    let less_b = select(0u, bitcast<u32>(a), b < 0i);
    return vec2<u32>(product.x, product.y - less_a - less_b);
}

fn multiply_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = wide_u32(a.x, b.x);
    return vec2<u32>(low.x, low.y + a.x * b.y + a.y * b.x);
}

fn shift_left_64(a: vec2<u32>, by: u32) -> vec2<u32> {
    if by >= 64u {
        return vec2<u32>(0u, 0u);
    }
    if by >= 32u {
        return vec2<u32>(0u, a.x << (by - 32u));
    }
    if by == 0u {
        return a;
    }
    return vec2<u32>(a.x << by, (a.y << by) | (a.x >> (32u - by)));
}

fn shift_right_u64(a: vec2<u32>, by: u32) -> vec2<u32> {
    if by >= 64u {
        return vec2<u32>(0u, 0u);
    }
    if by >= 32u {
        return vec2<u32>(a.y >> (by - 32u), 0u);
    }
    if by == 0u {
        return a;
    }
    return vec2<u32>((a.x >> by) | (a.y << (32u - by)), a.y >> by);
}

fn shift_right_i64(a: vec2<u32>, by: u32) -> vec2<u32> {
    let high = bitcast<i32>(a.y);
    if by >= 32u {
        let low = bitcast<u32>(high >> min(by - 32u, 31u));
        return vec2<u32>(low, bitcast<u32>(high >> 31u));
    }
    if by == 0u {
        return a;
    }
    return vec2<u32>((a.x >> by) | (a.y << (32u - by)), bitcast<u32>(high >> by));
}

fn less_u64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn less_i64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return bitcast<i32>(a.y) < bitcast<i32>(b.y) || (a.y == b.y && a.x < b.x);
}

fn minimum_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(b, a, less_u64(a, b));
}

fn maximum_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, less_u64(a, b));
}

fn minimum_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(b, a, less_i64(a, b));
}

fn maximum_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return select(a, b, less_i64(a, b));
}

fn quotient_64(a: vec2<u32>, b: vec2<u32>) -> vec4<u32> {
    if a.y == 0u && b.y == 0u {
        return vec4<u32>(a.x / b.x, 0u, a.x % b.x, 0u);
    }
    var quotient = vec2<u32>(0u, 0u);
    var rest = vec2<u32>(0u, 0u);
    for (var at = 0u; at < 64u; at += 1u) {
        let bit = shift_right_u64(a, 63u - at).x & 1u;
        let carry = rest.y >> 31u;
        rest = shift_left_64(rest, 1u);
        rest.x |= bit;
        quotient = shift_left_64(quotient, 1u);
        if carry == 1u || !less_u64(rest, b) {
            rest = subtract_64(rest, b);
            quotient.x |= 1u;
        }
    }
    return vec4<u32>(quotient, rest);
}

fn divide_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if all(b == vec2<u32>(0u, 0u)) {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    return quotient_64(a, b).xy;
}

fn remainder_u64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if all(b == vec2<u32>(0u, 0u)) {
        return a;
    }
    return quotient_64(a, b).zw;
}

fn divide_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if all(b == vec2<u32>(0u, 0u)) {
        return vec2<u32>(0xffffffffu, 0xffffffffu);
    }
    let quotient = quotient_64(abs_64(a), abs_64(b)).xy;
    if ((a.y ^ b.y) >> 31u) == 1u {
        return negate_64(quotient);
    }
    return quotient;
}

fn remainder_i64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    if all(b == vec2<u32>(0u, 0u)) {
        return a;
    }
    let rest = quotient_64(abs_64(a), abs_64(b)).zw;
    if (a.y >> 31u) == 1u {
        return negate_64(rest);
    }
    return rest;
}

fn ones_64(a: vec2<u32>) -> u32 {
    return countOneBits(a.x) + countOneBits(a.y);
}

fn leading_zeros_64(a: vec2<u32>) -> u32 {
    if a.y != 0u {
        return countLeadingZeros(a.y);
    }
    return 32u + countLeadingZeros(a.x);
}

fn find_first_64(a: vec2<u32>) -> u32 {
    if a.x != 0u {
        return firstTrailingBit(a.x) + 1u;
    }
    if a.y != 0u {
        return firstTrailingBit(a.y) + 33u;
    }
    return 0u;
}

fn find_leading_64(a: vec2<u32>) -> u32 {
    if a.y != 0u {
        return firstLeadingBit(a.y) + 32u;
    }
    return firstLeadingBit(a.x);
}

fn shuffled(own: u32, to: u32, inside: bool) -> vec2<u32> {
    let other = own - own % lanes + to;
    return vec2<u32>(select(own, other, inside && other < threads), select(0u, 1u, inside));
}

fn shuffle_up(own: u32, by: u32, clamp: u32) -> vec2<u32> {
    let lane = own % lanes;
    let segment = (clamp >> 8u) & (lanes - 1u);
    let last = (lane & segment) | (clamp & (lanes - 1u) & ~segment);
    let to = bitcast<i32>(lane) - bitcast<i32>(by & (lanes - 1u));
    return shuffled(own, bitcast<u32>(max(to, 0i)), to >= bitcast<i32>(last));
}

fn shuffle_down(own: u32, by: u32, clamp: u32) -> vec2<u32> {
    let lane = own % lanes;
    let segment = (clamp >> 8u) & (lanes - 1u);
    let last = (lane & segment) | (clamp & (lanes - 1u) & ~segment);
    let to = lane + (by & (lanes - 1u));
    return shuffled(own, to, to <= last);
}

fn shuffle_butterfly(own: u32, by: u32, clamp: u32) -> vec2<u32> {
    let lane = own % lanes;
    let segment = (clamp >> 8u) & (lanes - 1u);
    let last = (lane & segment) | (clamp & (lanes - 1u) & ~segment);
    let to = lane ^ (by & (lanes - 1u));
    return shuffled(own, to, to <= last);
}

fn shuffle_index(own: u32, by: u32, clamp: u32) -> vec2<u32> {
    let lane = own % lanes;
    let segment = (clamp >> 8u) & (lanes - 1u);
    let last = (lane & segment) | (clamp & (lanes - 1u) & ~segment);
    let to = (lane & segment) | (by & (lanes - 1u) & ~segment);
    return shuffled(own, to, to <= last);
}

fn ballots(own: u32) -> array<vec2<u32>, 2> {
    var holding = vec2<u32>(0u, 0u);
    var others = vec2<u32>(0u, 0u);
    let first = own - own % lanes;
    let count = min(lanes, threads - first);
    for (var at = 0u; at < count; at += 1u) {
        let bit = shift_left_64(vec2<u32>(1u, 0u), at);
        let brought = exchange[first + at];
        if brought == 1u {
            holding |= bit;
        }
        if brought == 0u {
            others |= bit;
        }
    }
    return array<vec2<u32>, 2>(holding, others);
}

fn subgroup_ballots(holds: bool, takes_part: bool) -> array<vec2<u32>, 2> {
    let holding = subgroupBallot(holds && takes_part);
    let others = subgroupBallot(!holds && takes_part);
    return array<vec2<u32>, 2>(holding.xy, others.xy);
}

fn equal_lanes(own: u32) -> array<vec2<u32>, 2> {
    var equal = vec2<u32>(0u, 0u);
    var lanes_on = vec2<u32>(0u, 0u);
    let first = own - own % lanes;
    let count = min(lanes, threads - first);
    for (var at = 0u; at < count; at += 1u) {
        if exchange_flags[first + at] == 1u {
            let bit = shift_left_64(vec2<u32>(1u, 0u), at);
            lanes_on |= bit;
            if exchange[first + at] == exchange[own] {
                equal |= bit;
            }
        }
    }
    return array<vec2<u32>, 2>(equal, lanes_on);
}

fn note_outside(memory: u32, at: u32, count: u32, elements: u32, line: u32) {
    if at >= elements || elements - at < count {
        atomicStore(&outside[memory], line);
    }
}
