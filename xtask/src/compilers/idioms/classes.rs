//! Classes: what is constructed, copied, destroyed, called, indexed, converted and inherited.

use super::draft::Draft;

pub(super) fn constructor(d: &mut Draft) {
    d.key("K", &["1", "2", "3", "4", "32"]);
    d.key("R", &["2", "3", "4", "6", "8"]);
    d.declare(
        "
class Walker$N {
    const $E* at_;
    int stride_;
public:
    «__device__ Walker$N() : at_(nullptr), stride_(1) {}
    ¦»__device__ Walker$N(const $E* base, int first, int stride«¦ = $K») : at_(base + first), stride_(stride) {}
    __device__ $E next() { «$E x = *at_; at_ += stride_; return x;¦const $E* old = at_; at_ += stride_; return *old;» }
    __device__ void skip(int n) { «at_ += n * stride_;¦while (n-- > 0) at_ += stride_;» }
};",
    );
    d.body(
        "
Walker$N walk«(a, @i, $K)¦{a, int(@i), $K}¦ = Walker$N(b, @i, $K)»;
«walk.skip(2);¦walk.skip(t & 1);¦v -= walk.next();»
«¦#pragma unroll
»for (int r = 0; r < $R; ++r) v += walk.next();",
    );
}

pub(super) fn copy(d: &mut Draft) {
    d.key("K", &["1", "3", "5", "16"]);
    d.declare(
        "
struct Cursor$N {
    int at;
    __device__ explicit Cursor$N(int first) : at(first) {}
    __device__ Cursor$N(const Cursor$N& other) : at(other.at + $K) {}
    «__device__ Cursor$N& operator=(const Cursor$N& other) { at = other.at; return *this; }
    ¦__device__ Cursor$N& operator=(const Cursor$N& other) { at = other.at + 1; return *this; }
    »
};
__device__ int moved$N(Cursor$N c) { c.at += 2; return c.at; }
__device__ int seen$N(const Cursor$N& c) { return c.at; }",
    );
    d.body(
        "
Cursor$N one«(@i)¦{int(@i)}»;
Cursor$N two«(one)¦ = one¦{one}»;
v += a[moved$N(«one¦two»)] - b[seen$N(«one¦two»)];
«two = one; v += a[two.at];¦Cursor$N three(0); three = two; v += b[seen$N(three)];¦»",
    );
}

pub(super) fn destructor(d: &mut Draft) {
    d.key("K", &["1", "2", "7"]);
    d.array("Q", "$E*");
    d.declare(
        "
struct Keeper$N {
    $E* to;
    $E value;
    __device__ Keeper$N($E* p, $E x) : to(p), value(x) {}
    __device__ ~Keeper$N() { *to = value; }
};
struct Counter$N {
    int& n;
    __device__ explicit Counter$N(int& m) : n(m) {}
    __device__ ~Counter$N() { n += $K; }
};
__device__ int passed$N(int& n, int limit) {
    Counter$N c(n);
    if (n > limit) return n;
    n *= 2;
    return n + 1;
}",
    );
    d.body(
        "
int at = @t;
v += a[passed$N(at, «20¦0¦1000»)];
{
    Counter$N c(at);
    Keeper$N keep($Q + at, v);
    «keep.value += b[at];¦if (t % 2 == 0) keep.value += b[at];¦for (int k = 0; k < 3; ++k) { Counter$N d(at); keep.value += b[at]; }»
}
v += a[at];",
    );
}

pub(super) fn call_operator(d: &mut Draft) {
    d.key("K", &["33", "40", "64", "128", "48"]);
    d.key("D", &["4", "8", "16", "32", "6", "12"]);
    d.declare(
        "
struct RowMajor$N {
    int pitch;
    __device__ int operator()(int row, int column) const { return row * pitch + column; }
    __device__ int operator()(int k) const { return (*this)(k / $D, k % $D); }
};
«struct Scale$N { $E by; __device__ $E operator()($E x) const { return x * by; } };¦struct Scale$N { $E by; __device__ $E operator()($E x) { by += 1; return x + by; } };»
template <class F> __device__ $E twice$N(F f, $E x) { return f(f(x)); }",
    );
    d.body(
        "
RowMajor$N at{$K};
v += a[«at(t)¦at(t % $D, t / $D)¦at(t / $D, t % $D)»];
v = twice$N(Scale$N{3}, v) + b[at(«i % 64¦i % 48»)];",
    );
}

pub(super) fn subscript(d: &mut Draft) {
    d.key("S", &["1", "2", "3", "5"]);
    d.array("Q", "$E*");
    d.declare(
        "
template <class T> class View$N {
    T* data_;
    int stride_;
public:
    __device__ View$N(T* data, int stride) : data_(data), stride_(stride) {}
    __device__ T& operator[](int k) { return data_[k * stride_]; }
    __device__ «const T&¦T» operator[](int k) const { return data_[k * stride_ «+ 1¦¦+ stride_»]; }
};
template <class V> __device__ $E sum$N(const V& view, int k) { return view[k] + view[k + 2]; }",
    );
    d.body(
        "
View$N<$E> w($Q, $S);
«v += sum$N(w, i);¦const View$N<$E>& r = w; v += r[i] + r[i + 1];¦const auto& r = w; v += r[@t];»
w[i] = v;
«w[i] += a[i];¦++w[i];¦v += w[i];»",
    );
}

pub(super) fn conversion(d: &mut Draft) {
    d.key("K", &["2", "3", "8", "32"]);
    d.declare(
        "
struct Place$N {
    int whole, part;
    __device__ operator int() const { return whole * $K + part; }
};
struct Range$N {
    int at, end, step;
    __device__ explicit operator bool() const { return at < end; }
    __device__ Range$N& operator++() { at += step; return *this; }
    __device__ Range$N operator++(int) { Range$N old = *this; at += step; return old; }
    __device__ int operator*() const { return at; }
};",
    );
    d.body(
        "
Place$N place{int(i), «1¦t % 4¦0»};
v += a[place] «+ b[place + 1]¦+ b[int(place) / 2]¦»;
«for (Range$N r{t, t + $K * 4, «1¦$K¦2»}; r; «++r¦r++») v += a[*r];¦Range$N r{0, «4¦6¦3», 1}; while (r) v += b[t + *r++];¦Range$N r{t % 8, 8, 1}; do v += b[*r]; while (++r);»",
    );
}

pub(super) fn overloads(d: &mut Draft) {
    d.key("K", &["5", "6", "12"]);
    d.declare(
        "
__device__ int step$N(int) { return 1; }
__device__ int step$N(unsigned) { return 2; }
__device__ int step$N(float) { return 3; }
__device__ int step$N(double) { return 4; }
__device__ int step$N(char) { return $K; }
__device__ int step$N(long long) { return 7; }
__device__ int step$N(const int*) { return 8; }
__device__ int step$N(int*) { return 9; }
template <class T> __device__ int step$N(T*) { return 10; }
__device__ int step$N(int, int) { return 11; }",
    );
    d.body(
        "
short narrow = 3;
int local = t;
const int fixed = t;
v += a[i * «step$N('a')¦step$N(narrow)¦step$N(1u)¦step$N(true)» + «step$N(1.0f)¦step$N(1.0)¦step$N(1LL)¦step$N(narrow + 'a')»];
v += b[t * «step$N(&local)¦step$N(&fixed)¦step$N(a)¦step$N(1, 2)» + «step$N(sizeof(short) == 2)¦step$N(1 << 3)¦step$N(t > 3 ? 1 : 'b')»];",
    );
}

pub(super) fn inheritance(d: &mut Draft) {
    d.key("K", &["16", "24", "32", "33"]);
    d.array("Q", "«const Body$N¦Body$N»*");
    d.declare(
        "
struct Point$N { float x, y; };
struct Named$N { «char¦short¦int» name; };
struct Body$N : Point$N«, Named$N¦» { float mass; };
class Grid$N {
protected:
    int pitch_;
public:
    __device__ explicit Grid$N(int pitch) : pitch_(pitch) {}
    __device__ int at(int r, int c) const { return r * pitch_ + c; }
    __device__ int row(int r) const { return at(r, 0); }
};
class Padded$N : public Grid$N {
    int pad_;
public:
    __device__ Padded$N(int pitch, int pad) : Grid$N(pitch + pad), pad_(pad) {}
    __device__ int at(int r, int c) const { return Grid$N::at(r, c + pad_); }
};",
    );
    d.body(
        "
Padded$N g($K, «1¦4»);
const Grid$N& base = g;
v += a[g.at(t % 8, t / 8)] + b[«g.row(t)¦base.at(t / 8, t % 8)¦g.at(1, t)»];
v += $E($Q[i].mass «+ $Q[i].x¦- $Q[i].y¦* $Q[t].x»);",
    );
}

pub(super) fn default_members(d: &mut Draft) {
    d.key("K", &["2", "3", "4"]);
    d.declare(
        "
struct Options$N {
    int stride = $K;
    int first{«0¦1¦4»};
    bool twice = «true¦false»;
    struct { int lo = 1, hi = lo + «2¦3»; } range;
    __device__ int last() const { return first + stride * «4¦5»; }
};",
    );
    d.body(
        "
Options$N o«¦{}¦{«5¦1», 2}»;
«o.first += t % 4;¦¦o.range.hi++;»
for (int k = o.first; k < o.last(); k += o.stride) v += a[t + k«¦ * 4»];
if (o.twice) v += b[i * o.stride];
for (int k = o.range.lo; k <= o.range.hi; ++k) v -= b[i + k];",
    );
}

pub(super) fn operators(d: &mut Draft) {
    d.array("Q", "«const Vec$N¦Vec$N»*");
    d.declare(
        "
struct Vec$N {
    $E x, y, z;
    __device__ Vec$N operator+(const Vec$N& o) const { return {x + o.x, y + o.y, z + o.z}; }
    __device__ Vec$N& operator+=(const Vec$N& o) { x += o.x; y += o.y; z += o.z; return *this; }
    __device__ friend Vec$N operator*($E s, const Vec$N& o) { return {s * o.x, s * o.y, s * o.z}; }
    __device__ Vec$N operator-() const { return Vec$N{-x, -y, -z}; }
    __device__ $E operator[](int k) const { return k == 0 ? x : k == 1 ? y : z; }
};
__device__ inline $E operator|(const Vec$N& p, const Vec$N& q) { return p.x * q.x + p.y * q.y + p.z * q.z; }",
    );
    d.body(
        "
Vec$N p = $Q[@i];
«p += $E(2) * $Q[i + 1];¦p = p + -$Q[t];¦Vec$N o = p; p += o;»
v += «(p | $Q[@i])¦p[1]¦p.x + p[2]¦(p + p).z¦(p | p)»;",
    );
}
