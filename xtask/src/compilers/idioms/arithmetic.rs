//! How indices are computed, and what is written around pointers and kernels.

use super::draft::Draft;

pub(super) fn wide_indices(d: &mut Draft) {
    d.key(
        "I",
        &[
            "size_t",
            "long long",
            "unsigned long long",
            "int64_t",
            "unsigned",
        ],
    );
    d.headers.push("cstdint");
    d.body(
        "
const $I at = («$I¦size_t»)blockIdx.x * blockDim.x + threadIdx.x;
v += a[at] «+ b[at * 3 + 1]¦+ b[at << 2]¦+ b[(at + 1) % 100]¦»;
«const $I row = at / 48, column = at % 48;
v += a[row * 64 + column];¦for ($I k = at; k < at + 96; k += 32) v += a[k];¦ptrdiff_t back = -«1¦3»;
v += (a + at + 4)[back];¦v += a[at + 0xFFFFFFFFu % 7];»",
    );
}

pub(super) fn divisions(d: &mut Draft) {
    d.integer("M", &[3, 7, 12, 32]);
    d.key("K", &["$M", "3", "6", "7", "10", "24", "33"]);
    d.body(
        "
«const int row = t / $K, column = t % $K;
v += a[row * 40 + column] + b[column * 8 + row];¦v += a[i / $K % 5 * 32 + t];¦const int z = i / ($K * 4), y = i / 4 % $K, x = i % 4;
v += a[(z * 4 + x) * $K + y];¦v += a[(i + $K - 1) / $K * $K] - b[t % $K];¦const int s = int(t) - 16;
v += a[s / $K + 16] + b[s % $K + 40];¦int n = t, r = 0;
while (n) { r = r * 2 + n % 2; n /= 2; }
v += a[r];»",
    );
}

pub(super) fn bit_tricks(d: &mut Draft) {
    d.body(
        "
«v += a[__brev(t) >> 22];¦v += a[(t & (t - 1)) + __popc(t)];¦v += a[t ^ (t >> 1)];¦v += a[31 - __clz(t | 1)] + b[__ffs(t | 256) - 1];¦const int even = (t & 0x55) | ((t >> 1) & 0x55) << 1;
v += a[even];¦v += a[((t << 3) | (t >> 2)) & 127];¦v += a[~t & 63] + b[-int(t) & 31];¦v += a[(t + 31) & ~31u] + b[(t & 1) << 5 | t >> 1];¦unsigned h = i * 2654435761u;
v += a[h >> 20];¦v += a[__umulhi(i, 0x40000000u)] - b[min(t, 20u + 1)];»",
    );
}

pub(super) fn macros(d: &mut Draft) {
    d.key("K", &["32", "24", "33"]);
    d.declare(
        "
#define PITCH_$N $K
#define AT_$N(r, c) ((r) * PITCH_$N + (c))
#define LOOSE_$N(x) x * «2¦3»
#define EACH_$N(k, n) for (int k = 0; k < (n); ++k)
#define ADD_$N(p, k) do { v += (p)[k]; } while (0)
#define JOIN_$N(x, y) x##y
#if PITCH_$N > 24 «&& defined(AT_$N)¦|| !defined(NOWHERE_$N)»
#define FIRST_$N 1
#else
#define FIRST_$N (PITCH_$N / 2)
#endif",
    );
    d.body(
        "
v += a[AT_$N(t / 8, t % 8)] + b[LOOSE_$N(t + 1)];
EACH_$N(k, «3¦4») «ADD_$N(a, t + k * PITCH_$N);¦ADD_$N(b, i + k);»
«if (t > FIRST_$N) ADD_$N(a, t); else ADD_$N(b, t);¦const int JOIN_$N(first, $N) = FIRST_$N; v += a[JOIN_$N(first, $N) + t];¦v += a[AT_$N(FIRST_$N, t)];»",
    );
}

pub(super) fn volatiles(d: &mut Draft) {
    d.body(
        "
__shared__ volatile $E s$N[$T«¦ + 32»];
s$N[t] = v;
«v += s$N[t] + s$N[t];¦s$N[t] = v; s$N[t] = v + 1;
v += s$N[t];¦__syncthreads();
v += s$N[@t] * s$N[0];¦volatile $E* p = s$N;
__syncthreads();
for (int k = 0; k < 3; ++k) v += p[t / 2];»
«const volatile $E* g = a;
v += g[i] + g[i];¦volatile $E* o = out;
o[i] = v; o[i] = v;¦»",
    );
}

pub(super) fn read_only(d: &mut Draft) {
    d.array("Q", "const $E* __restrict__");
    d.array("R", "$E* «__restrict__¦»");
    d.body(
        "
«v += __ldg($Q + i) + __ldg(&$Q[@i]);¦const $E x = __ldg(&a[i]);
$R[i] = x;
v += __ldg(&a[i]);¦$R[i] = $Q[i];
$R[i + 1] = $Q[i];
v += $Q[i];¦const float4 x = __ldg(reinterpret_cast<const float4*>($Q) + t);
v += $E(x.x + x.w);¦for (int k = 0; k < 4; ++k) { $R[t + k * $T] = v; v += $Q[t + k * $T]; }¦v += $Q[t] + $Q[t];
$R[@i] = v;
v -= a[@i];»",
    );
}

pub(super) fn launch_bounds(d: &mut Draft) {
    let threads = d.threads();
    let bounds = d.pick(&["$T", "$T, 1", "1024", "512, 2"]);
    let bounds = if threads > 512 { "1024" } else { bounds };
    d.attribute = d.fill(&format!("__launch_bounds__({bounds}) "));
    d.declare("static __device__ «__forceinline__¦__noinline__¦inline» $E helped$N(const $E* p, int k, $E x) { return «p[k] + x¦k % 2 ? p[k] : p[k + 1] * x¦p[k] * p[k + 32]»; }");
    d.body("v += helped$N(«a¦b», @i, v) « + helped$N(a, t, 1)¦»;");
}

pub(super) fn odd_blocks(d: &mut Draft) {
    d.body(
        "
const int lane = t % 32, warp = t / 32, lanes = «min(32, $T - warp * 32)¦$T - warp * 32 < 32 ? $T - warp * 32 : 32»;
v += a[warp * «32¦40» + «lanes - 1 - lane¦lane»];
v += b[threadIdx.x * «$H¦8» + threadIdx.y];
«if (lane == lanes - 1) v += a[i];¦for (int k = lane; k < «40¦50»; k += lanes) v += b[k + warp];¦»",
    );
}

pub(super) fn references(d: &mut Draft) {
    d.declare(
        "
__device__ void swap$N(«int& x, int& y) { int z = x; x = y; y = z; }¦int* x, int* y) { int z = *x; *x = *y; *y = z; }»
__device__ const $E& nearest$N(const $E* p, int k) { return p[k & ~1]; }
__device__ void walk$N(const $E*& p, int n) { p += n; }
template <int N> __device__ int length$N(const $E (&)[N]) { return N; }",
    );
    let swap = "int lo = @t, hi = t + 8;";
    d.body(swap);
    let by_pointer = d.declarations.contains("int* x, int* y");
    d.body(if by_pointer {
        "swap$N(&lo, &hi);"
    } else {
        "swap$N(lo, hi);"
    });
    d.body(
        "
v += a[lo] - b[hi];
v += nearest$N(a, i);
const $E* p = a;
walk$N(p, «t¦lo»);
v += *p «+ p[1]¦»;
$E few[«3¦6»] = {v, 1, 2};
«int& alias = lo; alias += 3; v += b[lo];¦v += few[0] + a[t + length$N(few)];¦auto&& both = lo; both *= 2; v += a[lo];»",
    );
}
