//! Control flow: every way to write a loop, a branch and a way out.

use super::draft::Draft;

pub(super) fn pointer_walk(d: &mut Draft) {
    d.key("S", &["1", "2", "32", "$T", "3"]);
    d.key("R", &["3", "4", "6", "8"]);
    d.body(
        "
«for (const $E* p = a + @t, *end = p + $R * $S; p != end; p += $S) v += *p;¦const $E* p = a + i;
const $E* const end = p + $R * $S;
while (p < end) { v += *p; p += $S; }¦const $E *p = a + t, *q = b + t + $R * $S;
do { v += *p++ * q[-1]; q -= $S; } while (q > b + t);¦for (const $E* p = &a[i * $R]; p - a < i * $R + $R; ++p) v += p[0];¦const $E* p = b + $S * $R + @t;
for (int k = 0; k < $R; ++k) v += *(p -= $S);»",
    );
}

pub(super) fn while_true(d: &mut Draft) {
    d.integer("M", &[3, 5, 8]);
    d.key("E2", &["$M", "6", "4", "t % 4 + 1"]);
    d.body(
        "
int k = «0¦1¦t % 2»;
«while (true)¦for (;;)» {
    «if (k >= $E2) break;
    v += a[t + k * 32];
    ++k;¦v += a[i + k];
    if (++k > $E2) break;
    «v -= b[t + k];¦»¦const int at = i * 4 + k++;
    if (k == 2) continue;
    v += a[at];
    if (k > $E2) break;¦if (k > $E2) { v += b[t]; break; }
    else if (k == 3) { v += a[i]; k += 2; }
    else { v += a[t]; k++; }»
}",
    );
}

pub(super) fn do_while(d: &mut Draft) {
    d.integer("M", &[3, 4, 7]);
    d.key("L", &["$M", "5", "t % 3", "4"]);
    d.body(
        "
int k = 0;
do {
    v += a[«t + k * 33¦i + k¦i * 8 + k»];
    «v *= 2;¦if (k == 1) continue;¦b2$N(v);»
} while («++k < $L¦k++ < $L¦(k += 2) <= $L»);
«do v += b[t]; while (false);¦do { if (t > 7) break; v += b[i]; } while (0);¦»",
    );
    d.declare("__device__ inline void b2$N($E& x) { x += 1; }");
}

pub(super) fn goto_labels(d: &mut Draft) {
    d.key("L", &["3", "4", "6"]);
    d.body(
        "
int k$N = 0;
«again$N:
v += a[t + k$N * 32];
if (++k$N < $L) goto again$N;¦if (t % 2) goto odd$N;
v += a[@i];
goto done$N;
odd$N:
v += b[@i];
done$N:¦for (int r = 0; r < $L; ++r)
    for (int c = 0; c < 4; ++c) {
        if (r * c > 6) goto out$N;
        v += a[t + r * 8 + c];
    }
out$N:»
v += b[t + k$N];",
    );
}

pub(super) fn switches(d: &mut Draft) {
    d.integer("M", &[0, 1, 2, 3]);
    d.key(
        "X",
        &[
            "t % 4",
            "t & 3",
            "$M",
            "t / 32 % 4",
            "blockIdx.x % 3",
            "i % 5",
        ],
    );
    d.body(
        "
«switch ($X) {
    case 0: v += a[t];
    case 1: v += a[t + 32]; break;
    case 2:
    case 3: v -= b[i]; «break;¦»
    default: v *= 2;
}¦int at = 0;
switch ($X) {
    default: at = 5; break;
    case 1: at = 1; // falls through
    case 2: at += 2;
    case 3: at += 3;
}
v += a[t + at];¦switch (const int x = $X) {
    case 0: case 2: { const $E y = a[@i]; v += y * y; break; }
    case 1: v += b[@i]; v += a[x + t]; break;
}¦for (int k = 0; k < 4; ++k)
    switch (k) {
        case 0: v += a[t]; break;
        case 2: continue;
        case 3: v += b[i];
        default: v += a[i * 2 + k];
    }»",
    );
}

pub(super) fn ternaries(d: &mut Draft) {
    d.key(
        "C",
        &["t % 2", "t < 7", "i & 4", "t % 32 == 0", "blockIdx.x"],
    );
    d.key("U", &["t % 2", "t < 17", "i & 4", "blockIdx.x == 0"]);
    d.body(
        "
v += «$U ? a[t] : b[t]¦a[$U ? t : t + 32]¦($U ? a : b)[i]¦$U ? a[t] : $C ? b[t] : v¦$C ? $E(1) : $E(2)»;
int k = (v += 1, «t¦@t»);
«v += a[k += 2, k];¦for (int lo = 0, hi = 6; lo < hi; ++lo, hi -= 2) v += a[t + lo] - b[t + hi];¦k = t < 5 ? k = 3, k + 1 : k;
v += a[k];¦int other = 3;
(t % 2 ? k : other) += 1;
v += a[k + other];»",
    );
}

pub(super) fn short_circuits(d: &mut Draft) {
    d.declare("__device__ inline bool counted$N(int& n) { ++n; return n % 2 == 0; }");
    d.key("C", &["t < 20", "t % 3 == 0", "i > 5", "t & 8"]);
    d.body(
        "
int n = t;
«if ($C && counted$N(n)) v += a[n];¦if ($C || counted$N(n)) v += a[n];
else v -= b[n];¦const bool both = $C && counted$N(n) && t > 2;
if (both || t == 1) v += a[n];¦if (!($C) || (counted$N(n), false)) v += b[t];»
v += a[n * «1¦2»];
«if (t > 0 && t < $T - 1) v += a[i - 1] + a[i + 1];¦v += t > 3 && t < 9;¦»",
    );
}

pub(super) fn early_ways_out(d: &mut Draft) {
    d.declare(
        "
__device__ $E looked$N(const $E* p, int k, int n) {
    if (k >= n) return 0;
    if (k % 4 == 3) return p[k];
    for (int j = 0; j < n; ++j) {
        if (j == k % 5) continue;
        if (j * k > «40¦200») return p[k + j];
        «if (j == 7) break;¦»
    }
    return p[n];
}",
    );
    d.body(
        "
v += looked$N(a, t, «8¦5¦16»);
«if (t == $T - 1) { out[i] = v; return; }¦if (t % 32 > 20) return;¦for (int k = 0; k < 6; ++k) { if ((k & 1) == 0) continue; v += b[t * 6 + k]; }»
v += b[@i];",
    );
}

pub(super) fn nested_loops(d: &mut Draft) {
    d.integer("M", &[2, 3, 4]);
    d.key("R", &["2", "3", "4", "$M"]);
    d.key("C", &["2", "3", "5", "8", "$M"]);
    d.body(
        "
«for (int r = 0; r < $R; ++r)
    for (int c = 0; c < $C; c++) v += a[«r * 32 + c + t¦i + r * 64 + c * 2¦(r * $C + c) * 16 + t»];¦for (int r = 0; r < $R; ++r) {
    $E s = 0;
    #pragma unroll
    for (int c = 0; c < 4; ++c) s += a[t * 4 + c] * b[r * 4 + c];
    v += s;
}¦for (int r = $R; r-- > 0;)
    for (int c = r; c < 4; ++c) v += a[t + c] - b[r];¦for (int r = 1; r <= 8; r *= 2)
    for (int c = 0; c < r; c += «1¦2») v += a[t + r + c];¦int at = i;
for (int r = 0; r < $R; ++r, at += 7)
    for (int c = 0; c < 3; ++c) v += a[at++];»",
    );
}

pub(super) fn uneven_loops(d: &mut Draft) {
    d.body(
        "
«for (int k = 0; k < t % «4¦5¦8»; ++k) v += a[t + k * 32];¦for (int k = t; k < «100¦$T * 2 + 5¦64»; k += $T) v += a[k] * b[k];¦for (int k = t % 4; k < 8; k += 1 + t % 2) v += a[k];¦int k = t;
while (k > 0) { v += a[k]; k /= 2; }¦for (int k = 1; k < t; k <<= 1) v += b[k + t];¦for (int k = 0; k <= (t & 3); ++k) { if (k == 2) break; v += a[i + k]; }¦for (int r = 0; r < 3; ++r)
    for (int c = 0; c <= r + t / 16 % 2; ++c) v += a[r * 8 + c + t];»",
    );
}

pub(super) fn grid_stride(d: &mut Draft) {
    d.integer("M", &[1, 2, 3]);
    d.array("Q", "$E*");
    d.body(
        "
«for (int k = i; k < $M * $ALL«¦ - 5»; k += gridDim.x * gridDim.y * $T) {
    const int i = k;
$$
    $Q[k] = «a[k] * 2¦v¦v + b[k]»;
}¦const int step = $ALL;
for (int k = i; k < $M * step; k += step) {
$$
    v += a[k];
    $Q[k] += 1;
}¦for (size_t k = i; k < $ALL * 2; k += $ALL) {
$$
    $Q[k] = a[k] - b[k];
}»",
    );
}

pub(super) fn unrolled(d: &mut Draft) {
    d.integer("M", &[4, 6, 7, 16]);
    d.key("L", &["$M", "8", "12", "16", "10"]);
    d.key("U", &["", " 1", " 2", " 4", " 3", " 8", "(2)"]);
    d.body(
        "
#pragma unroll$U
for (int k = 0; k < $L; «++k¦k += 2¦k += 3») «v += a[t + k * 32];¦v += a[i + k] * b[k];¦{ $E x = a[i * 4 + k]; v += x; if (k < 2) v -= b[t + k]; }»",
    );
}

pub(super) fn guard(d: &mut Draft) {
    d.integer("M", &[20, 100, 1000, 4096]);
    d.body(
        "
«if (i < $M) {
$$
}¦if (i >= $M) {
    «out[i] = 0;¦»
    return;
}
$$¦if (t < $T / 2) {
$$
} else {
    v += b[@i];
}¦if (i >= $M) goto end$N;
{
$$
}
end$N:;¦if (!(i < $M)) { v = 1; } else {
$$
}»",
    );
}
