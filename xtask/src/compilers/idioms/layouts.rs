//! Structures, unions, vectors and arrays: how values lie in memory, and how parts of them are reached.

use super::draft::Draft;

pub(super) fn nested_structs(d: &mut Draft) {
    d.array("Q", "«const Cell$N¦Cell$N»*");
    d.declare(
        "
struct Cell$N {
    «char¦short¦int» tag;
    struct { float x, y; } at;
    union { float weight; int key; «double wide;¦»};
    struct Inner { «short lo, hi;¦float w[3];¦int lo; char flag;» } inner«¦[2]»;
};",
    );
    d.key(
        "M",
        &["$Q[@i].at.x", "$Q[@i].at.y", "$Q[@i].weight", "$Q[i].key"],
    );
    d.body(
        "
v += $E($M);
«Cell$N c = $Q[@t]; v += $E(c.at.x * c.weight);¦const Cell$N& c = $Q[i]; v += $E(c.tag) + $E(c.at.y);¦const auto* p = &$Q[t].at; v += $E(p->y - p->x);»
static_assert(sizeof(Cell$N) % alignof(Cell$N) == 0, \"\");
v += a[t + int(sizeof(Cell$N))];",
    );
}

pub(super) fn nested_braces(d: &mut Draft) {
    d.declare(
        "
struct Tap$N { int dx; int dy; };
struct Kernel$N { int n; Tap$N taps[4]; $E w[2][2]; };",
    );
    d.body(
        "
const Kernel$N k = «{3, {{0, 1}, {1, 0}, {2, 3}}, {{1, 2}, {3}}}¦{4, {{0, 0}, {0, 2}, {4}, {1, 1}}, {{1}, {2}}}¦{2, 1, 2, 3, 4, 5, 6, 7, 8, {}}»;
int table[3][2] = «{{1, 2}, {3, 4}, {5, 6}}¦{1, 2, 3, 4}¦{{7}, {8}}»;
«¦#pragma unroll
»for (int j = 0; j < k.n; ++j)
    v += a[t + k.taps[j].dx * «32¦17» + k.taps[j].dy] * k.w[j & 1][j >> 1];
v += b[i + table[«1¦2¦0»][«0¦1»]];",
    );
}

pub(super) fn designated(d: &mut Draft) {
    d.declare(
        "
struct Window$N { int first, count, stride = «1¦2»; bool flip; };
__device__ int place$N(const Window$N& w, int k) { return w.first + (w.flip ? w.count - 1 - k : k) * w.stride; }",
    );
    d.body(
        "
Window$N w«{.first = int(@t), .count = 4, .stride = «1¦3¦32», .flip = true}¦ = {.first = t % 16, .count = 6}¦{.count = «3¦5», .flip = t % 2 == 0}»;
for (int k = 0; k < w.count; «++k¦k++¦k += 1») v += a[place$N(w, k)];
v += b[i + place$N({.first = 2, .count = 2}, 1)];",
    );
}

pub(super) fn bit_fields(d: &mut Draft) {
    d.array("Q", "«const Flags$N¦Flags$N»*");
    d.declare(
        "
struct Flags$N {
    unsigned kind : 3;
    unsigned at : «9¦10¦12»;
    «int¦unsigned» : «0¦4»;
    int sign : 4;
    «unsigned char tail;¦unsigned long long tail : 40;¦short tail : 5;»
};",
    );
    d.body(
        "
Flags$N f«¦{}»;
f.kind = t; f.at = i; f.sign = t;
v += a[f.at * «2¦1» + f.kind] + b[f.sign + 8 + t];
v += $E($Q[@i].«kind¦at¦sign¦tail»);",
    );
}

pub(super) fn enumerations(d: &mut Draft) {
    d.key("S", &["Red", "Green", "Blue"]);
    d.declare(
        "
enum class Colour$N «: unsigned char ¦: int ¦»{ Red, Green = «4¦2», Blue };
enum Flag$N { First$N = 1, Second$N = 1 << 1, Both$N = First$N | Second$N, Count$N };
__device__ constexpr int channel$N(Colour$N c) {
    switch (c) {
        case Colour$N::Red: return 0;
        case Colour$N::Green: return 1;
        case Colour$N::Blue: return 2;
    }
    return 3;
}",
    );
    d.body(
        "
const Colour$N colour = «Colour$N::$S¦t % 2 ? Colour$N::$S : Colour$N::Red¦static_cast<Colour$N>(t % 6)»;
v += a[i * 3 + channel$N(colour)];
if (colour == Colour$N::$S) v += b[t * int(Colour$N::Blue) + Both$N];
«v += b[i + Count$N * static_cast<int>(colour)];¦v += b[t + sizeof(Colour$N)];»",
    );
}

pub(super) fn union_pun(d: &mut Draft) {
    d.array("Q", "«const unsigned¦const float»*");
    d.declare(
        "
union Bits$N {
    float f;
    unsigned u;
    «unsigned char bytes[4];¦struct { unsigned short lo, hi; } half;¦int2 pair;»
};",
    );
    d.body(
        "
Bits$N x;
«x.u = $Q[@i];¦x.f = $Q[@i];»
«x.u ^= 0x80000000u;¦x.u &= 0x7fffffffu;¦x.f += 1.0f; x.u >>= 1;»
v += $E(«x.f¦x.u & 0xff¦__int_as_float(x.u)»);
Bits$N y; y.u = t * 3 + 1;
v += a[y.u % «100¦32¦48»];",
    );
}

pub(super) fn array_of_structs(d: &mut Draft) {
    d.key("M", &["x", "y", "mass"]);
    d.array("Q", "Particle$N*");
    d.declare(
        "
struct «¦alignas(8) ¦alignas(16) »Particle$N { float x, y, «z, vx, ¦z, ¦¦z, vx, vy, »mass; };",
    );
    d.body(
        "
«Particle$N p = $Q[@i];
p.$M += 1.0f;
$Q[i] = p;
v += $E(p.x);¦v += $E($Q[@i].$M * $Q[i].x);
$Q[i].y = float(v);¦Particle$N& p = $Q[i];
p.x += p.$M;
v += $E(p.x + p.y);¦for (int k = 0; k < 4; ++k) v += $E($Q[t + k * «1¦32»].$M);
$Q[i].mass = 2;¦Particle$N p{};
p.y = float(v);
$Q[@i] = p;»",
    );
}

pub(super) fn struct_of_arrays(d: &mut Draft) {
    d.array("Q", "Fields$N*");
    d.declare(
        "
struct Fields$N { float x[«64¦100¦96»]; «short¦char¦float¦double» y[64]; float z[2][«33¦32»]; };",
    );
    d.body(
        "
Fields$N& f = *$Q;
v += $E(f.x[t % 64]) + $E(«$Q->y[t % 64]¦$Q[1].y[t / 2 % 64]¦f.y[(t * 2) % 64]»);
f.z[t & 1][t / 2 % 32] = float(v);
«v += $E($Q[t / 64].x[t % 64]);¦v += $E($Q[i % 3].z[0][i % 32]);¦»",
    );
}

pub(super) fn value_copies(d: &mut Draft) {
    d.array("Q", "Packet$N*");
    d.declare("struct Packet$N { «unsigned char¦int» head[4]; float body[«3¦4¦5»]; };");
    d.body(
        "
Packet$N p;
memset(&p, 0, sizeof(p));
«memcpy(&p, &$Q[@i], sizeof(p));¦memcpy(p.body, a + i, 2 * sizeof(float));¦memcpy(&p.head, $Q[i].head, sizeof(p.head)); p.body[1] = $Q[i].body[2];»
float w = float(v);
memcpy(&p.body[2], &w, sizeof w);
unsigned u;
memcpy(&u, &p.body[«0¦1»], 4);
v += $E(u & 7) + $E(p.head[0]);
«memcpy(&$Q[i], &p, sizeof(Packet$N));¦$Q[i].body[0] = p.body[2];¦memset($Q[i].head, 0, sizeof p.head);»",
    );
}

pub(super) fn reinterpret(d: &mut Draft) {
    d.key(
        "V",
        &["float4", "int2", "float2", "uint4", "int4", "double2"],
    );
    d.array("Q", "float*");
    d.body(
        "
«const $V x = reinterpret_cast<const $V*>($Q)[«i¦t¦i + 1»];
v += $E(x.x) + $E(x.y);¦$V x = *reinterpret_cast<$V*>($Q + «4 * i¦8 * t»);
x.x += 1;
reinterpret_cast<$V*>($Q)[i + 16] = x;
v += $E(x.y);¦auto* p = ($V*)$Q;
v += $E(p[t].x);
p[i].y = 3;¦const $V& x = ((const $V*)$Q)[@t];
v += $E(x.y);»",
    );
}

pub(super) fn partial_vectors(d: &mut Draft) {
    d.key("M", &["x", "y", "z", "w"]);
    d.key("M2", &["x", "y", "z", "w"]);
    d.array(
        "Q",
        "«const float4¦float4¦const int4¦const uchar4¦const short4»*",
    );
    d.body(
        "
«auto x = $Q[@i];
v += $E(x.$M);¦v += $E($Q[@i].$M) * $E($Q[i].$M2);¦const auto x = $Q[i];
const auto y = $Q[i + 1];
v += $E(x.$M) - $E(y.$M2);¦for (int k = 0; k < 4; ++k) v += $E($Q[t + k * 8].$M);¦auto x = $Q[t];
if (t % 2) v += $E(x.$M); else v += $E(x.$M2);»",
    );
}

pub(super) fn swizzled_stores(d: &mut Draft) {
    d.array("Q", "float4*");
    d.body(
        "
float4 x = «make_float4(float(v), 1, 2, 3)¦{float(v), float(v), 0, 1}¦$Q[i]»;
«$Q[@i] = make_float4(x.w, x.z, x.y, x.x);¦$Q[i].x = x.y; $Q[i].y = x.x;¦x.z = x.x; x.w = x.y; $Q[i + 2] = x;¦float* p = &$Q[i].x; p[1] = x.x; p[3] = x.w;»
v += $E(«$Q[t].w¦x.z¦$Q[i].y + $Q[i].z»);",
    );
}

pub(super) fn narrow_elements(d: &mut Draft) {
    d.key(
        "C",
        &[
            "unsigned char",
            "signed char",
            "short",
            "unsigned short",
            "bool",
        ],
    );
    d.array("Q", "«const $C¦$C»*");
    d.array("R", "«unsigned char¦short»*");
    d.body(
        "
«int s = 0;
for (int k = 0; k < «4¦3¦8»; ++k) s += $Q[«i * 4 + k¦i + k¦t + k * 64»];
v += $E(s);¦v += $E($Q[@i]) + $E($Q[@i]);¦const int s = $Q[i] - $Q[i + 1];
v += $E(s < 0 ? -s : s);»
$R[@i] = «t¦i & 0xff¦(unsigned char)v»;
unsigned char wrapped = t * 5;
v += a[wrapped];",
    );
}

pub(super) fn wide_elements(d: &mut Draft) {
    d.key(
        "C",
        &[
            "double",
            "long long",
            "unsigned long long",
            "double2",
            "longlong2",
        ],
    );
    d.array("Q", "«const $C¦$C»*");
    d.declare(
        "
template <class T> __device__ $E narrow$N(const T& x) { return $E(x); }
__device__ $E narrow$N(const double2& x) { return $E(x.x + x.y); }
__device__ $E narrow$N(const longlong2& x) { return $E(x.y); }",
    );
    d.body(
        "
«$C x = $Q[@i];
v += narrow$N(x);¦v += narrow$N($Q[@i]) - narrow$N($Q[i]);¦for (int k = 0; k < 3; ++k) v += narrow$N($Q[i + k * «1¦32¦$T»]);»",
    );
}

pub(super) fn local_arrays(d: &mut Draft) {
    d.key("R", &["3", "4", "5", "8"]);
    d.key("S", &["1", "32", "$T", "5"]);
    d.body(
        "
«$E r[$R];¦$E r[$R] = {};¦$E r[$R] = {v, v};»
«#pragma unroll
¦»for (int k = 0; k < $R; ++k) r[k] = a[«t + k * $S¦i + k * $S¦i * $R + k»];
«for (int k = 1; k < $R; ++k) r[k] += r[k - 1];
v += r[$R - 1];¦v += r[0] * r[2];¦$E* p = r;
for (int k = 0; k < $R - 1; ++k, ++p) p[1] -= *p;
v += *p;¦v += r[t % $R];¦for (auto x : r) v += x;¦for (int lo = 0, hi = $R - 1; lo < hi; ++lo, --hi) { $E x = r[lo]; r[lo] = r[hi]; r[hi] = x; }
v += r[0] - r[1];¦if (t & 1) v += r[1]; else v -= r[0];»",
    );
}
