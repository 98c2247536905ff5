//! Functions that are values or are made for types: lambdas, templates, packs and what is computed at compile time.

use super::draft::Draft;

pub(super) fn lambda_by_value(d: &mut Draft) {
    d.key("K", &["2", "3", "16", "33"]);
    d.body(
        "
int pitch = $K;
«const auto at = [pitch](int r, int c) { return r * pitch + c; };¦auto at = [=](int r, int c) { return r * pitch + c; };¦auto at = [p = pitch + 1](int r, int c) mutable { p += 1; return r * p + c; };»
pitch = 100;
v += a[at(t / 8, t % 8)];
v += b[at(t % 4, i / 4)];
«auto scale = [v]($E x) { return x * v; };
v = 2; v += scale(a[@i]);¦»",
    );
}

pub(super) fn lambda_by_reference(d: &mut Draft) {
    d.key("K", &["2", "3", "4"]);
    d.body(
        "
int at = @t;
«auto visit = [&](int step) { v += a[at]; at += step; };¦auto visit = [&v, &at, a](int step) { v += a[at]; at += step; };¦auto visit = [&](int step) -> int { v += b[at]; return at += step; };»
«for (int k = 0; k < $K; ++k) visit(k + 1);¦visit(2); visit(32); visit(1);¦visit($K);»
«[&] { v += b[at]; }();¦if (const int old = at; old % 2 == 0) visit(4);¦v += [&] { for (int k = 0;; ++k) if (k * k > 20) return a[at + k]; }();»",
    );
}

pub(super) fn lambda_around(d: &mut Draft) {
    d.body(
        "
«auto run = [&] {
$$
};
run();¦[&](int) {
$$
}(t);¦auto run = [&](auto k) {
v += k;
$$
};
run(1);»",
    );
}

pub(super) fn lambda_generic(d: &mut Draft) {
    d.key("K", &["2", "3", "5"]);
    d.declare(
        "
__device__ auto strided$N(int stride) { return [stride](auto p, int k) { return p[k * stride]; }; }
template <class F, class... A> __device__ auto called$N(F f, A... x) { return f(x...); }",
    );
    d.body(
        "
auto get = strided$N($K);
v += get(a, t) «+ get(b, i)¦- get(a + 1, i)¦»;
v += called$N([](auto x, auto y) { return x «+¦*¦-» $E(y); }, a[@i], «t¦1¦b[t]»);",
    );
}

pub(super) fn template_types(d: &mut Draft) {
    d.key("F", &["float", "int", "double", "short", "unsigned char"]);
    d.array("Q", "const $F*");
    d.declare(
        "
template <class T> struct Trait$N { static constexpr int size = sizeof(T); using Sum = T; };
template <> struct Trait$N<short> { static constexpr int size = 2; using Sum = int; };
template <> struct Trait$N<unsigned char> { static constexpr int size = 1; using Sum = int; };
template <typename T, typename S = typename Trait$N<T>::Sum> __device__ S total$N(const T* p, int n) {
    S sum = 0;
    «for (int k = 0; k < n; ++k) sum += p[k];¦while (n-- > 0) sum += *p++;»
    return sum;
}",
    );
    d.body(
        "
v += $E(total$N($Q + «i¦i * 4¦t», «4¦3¦16 / Trait$N<$F>::size»));
v += $E(total$N<$E«, $E¦»>(a + t, Trait$N<$F>::size));",
    );
}

pub(super) fn template_values(d: &mut Draft) {
    d.key("R", &["2", "4", "5", "8"]);
    d.declare(
        "
template <int N, int STRIDE = 1«, bool REVERSE = false¦, bool REVERSE = true»> struct Loader$N {
    $E r[N];
    __device__ void load(const $E* p) {
        «#pragma unroll
        ¦»for (int k = 0; k < N; ++k) r[REVERSE ? N - 1 - k : k] = p[k * STRIDE];
    }
    __device__ $E sum() const { $E s = 0; for (int k = 0; k < N; ++k) s += r[k]; return s; }
    template <int K> __device__ $E get() const { return r[K % N]; }
};",
    );
    d.body(
        "
Loader$N<$R«¦, 32¦, $T¦, 3»> x;
x.load(a + @t);
v += x.«sum()¦template get<1>()¦get<3>() + x.get<0>()»;",
    );
}

pub(super) fn variadic(d: &mut Draft) {
    d.declare(
        "
template <class... I> __device__ $E gather$N(const $E* p, I... at) { return («p[at] + ...¦... + p[at]¦$E(0) + ... + p[at]»); }
template <int... K> struct Offsets$N {
    static constexpr int count = sizeof...(K);
    __device__ static $E apply(const $E* p, int i) { $E s = 0; «((s += p[i + K]), ...)¦(void)(... , (s += p[i * count + K]))»; return s; }
};
__device__ inline int most$N(int x) { return x; }
template <class... R> __device__ int most$N(int x, R... rest) { const int y = most$N(rest...); return x > y ? x : y; }",
    );
    d.body(
        "
v += gather$N(a, «t, t + 32¦int(i), t, t * 2¦int(@i), t + 1, 5, 6»);
v += Offsets$N<«0, 1, 2¦0, 32, 64, 96¦3, 1¦7»>::apply(b, «i¦t»);
v += a[most$N(«t, 8¦3, t % 4, 5¦t & 16, t / 2»)];",
    );
}

pub(super) fn constexpr_if(d: &mut Draft) {
    d.key("M", &["0", "1", "2"]);
    d.declare(
        "
template <int MODE, class T> __device__ T fetch$N(const T* p, int k) {
    if constexpr (MODE == 0) return p[k];
    else if constexpr (MODE == 1) { T x = p[k * 2]; return x + p[k * 2 + 1]; }
    else { if constexpr (sizeof(T) == 4) return p[k + 32]; else return p[k * 3]; }
}",
    );
    d.body(
        "
v += fetch$N<$M>(a, @t) «+ fetch$N<«0¦1¦2»>(b, i)¦»;
if constexpr («sizeof($E) > 4¦$M < 2¦$T > 100») v += b[@i]; else v -= a[i * 2];",
    );
}

pub(super) fn constexpr_functions(d: &mut Draft) {
    d.key("K", &["5", "6", "9", "12"]);
    d.declare(
        "
__host__ __device__ constexpr int log2$N(int n) { int r = 0; while (n > 1) { n >>= 1; ++r; } return r; }
__host__ __device__ constexpr int gcd$N(int a, int b) { return b == 0 ? a : gcd$N(b, a % b); }
struct Table$N {
    int at[4]{};
    __host__ __device__ constexpr Table$N() { for (int k = 0; k < 4; ++k) at[k] = k * k + $K; }
};
template <int N> __device__ int primes$N() {
    constexpr auto count = [](int n) constexpr { int c = 0; for (int p = 2; p < n; ++p) { bool prime = true; for (int q = 2; q * q <= p; ++q) if (p % q == 0) { prime = false; break; } c += prime; } return c; };
    constexpr int c = count(N);
    return c;
}",
    );
    d.body(
        "
constexpr int shift = log2$N(«$T¦100¦64»);
constexpr Table$N table;
«v += a[t * gcd$N($K, 18) + shift];¦v += a[(i >> shift) + t];¦__shared__ $E s$N[log2$N(1000) * 8]; s$N[t % 72] = v; v += s$N[t % 72];»
«#pragma unroll
¦»for (int k = 0; k < 4; ++k) v += b[t + table.at[k]];
v += b[t * primes$N<«10¦20¦12»>()];",
    );
}

pub(super) fn aliases(d: &mut Draft) {
    d.key("P", &["24", "32", "33", "40"]);
    d.declare(
        "
using Row$N = $E[$P];
typedef const $E (*Rows$N)[$P];
template <class T> using Pointer$N = T*;
namespace tools$N { using Index = «int¦unsigned¦long long»; inline __device__ Index flip(Index k) { return k ^ 1; } }",
    );
    d.body(
        "
using namespace tools$N;
Rows$N rows = reinterpret_cast<Rows$N>(a);
const Row$N* other = (const Row$N*)b;
v += rows[t / 8][t % 8] «+ other[t % 8][t / 8]¦+ (*other)[t % $P]¦+ rows[1][t % $P]»;
Pointer$N<const $E> p = &rows[2][«0¦3»];
v += p[Index(t)] + p[«flip(t)¦flip(i)»];
«const $E& x = a[@i]; v += x * x;¦const $E (&line)[$P] = rows[3]; v += line[t % $P];¦++rows; v += (*rows)[t % $P];»",
    );
}
