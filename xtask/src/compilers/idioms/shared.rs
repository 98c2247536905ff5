//! Shared memory: tiles of one to three dimensions, transposes, halos, stencils and what is carved out of one array.

use super::draft::Draft;

pub(super) fn line(d: &mut Draft) {
    d.body(
        "
__shared__ $E s$N[$T«¦ + 1¦ * 2»];
s$N[@t] = «v¦a[i]¦a[@i]»;
__syncthreads();
v += s$N[@t] «+ s$N[@t]¦- s$N[«0¦t / 32¦$T - 1»]¦»;
«__syncthreads();
s$N[t] = v;
__syncthreads();
v += s$N[@t];¦for (int k = 0; k < «4¦8»; ++k) v += s$N[(t + k) % $T];¦»",
    );
}

pub(super) fn transpose(d: &mut Draft) {
    d.array("Q", "$E*");
    d.key("P", &["", " + 1", " + 2", " + 4"]);
    d.body(
        "
__shared__ $E tile$N[$H][$W$P];
const int x$N = blockIdx.x * $W + threadIdx.x;
«tile$N[threadIdx.y][threadIdx.x] = a[(blockIdx.y * $H + threadIdx.y) * $W * gridDim.x + x$N];¦tile$N[threadIdx.y][threadIdx.x] = a[x$N + threadIdx.y * 256];¦tile$N[threadIdx.y][threadIdx.x ^ «1¦threadIdx.y % $W»] = b[i];»
__syncthreads();
«v += tile$N[t % $H][t / $H];¦$Q[x$N * 8 + t % $H] = tile$N[t % $H][t / $H];¦for (int r = 0; r < $H; r += 4) v += tile$N[r][threadIdx.x];¦for (int c = threadIdx.x; c < $W; c += 8) v += tile$N[threadIdx.y][c];»
$Q[(t % $H) * 64 + t / $H] = v;",
    );
}

pub(super) fn tile_product(d: &mut Draft) {
    d.integer("M", &[1, 2, 3]);
    d.body(
        "
__shared__ $E left$N[$H][$W], right$N[$W][$W«¦ + 1»];
$E sum = 0;
for (int k0 = 0; k0 < $M; ++k0) {
    left$N[threadIdx.y][threadIdx.x] = a[threadIdx.y * 96 + k0 * $W + threadIdx.x];
    for (int r = threadIdx.y; r < $W; r += $H) right$N[r][threadIdx.x] = b[(k0 * $W + r) * «64¦100» + threadIdx.x];
    __syncthreads();
    «#pragma unroll
    ¦#pragma unroll 4
    ¦»for (int k = 0; k < $W; ++k) sum += left$N[threadIdx.y][k] * right$N[«k][threadIdx.x¦threadIdx.x][k»];
    __syncthreads();
}
v += sum;",
    );
}

pub(super) fn cube(d: &mut Draft) {
    d.key("A", &["4", "3", "5"]);
    d.key("B", &["4", "8", "5"]);
    d.key("C", &["8", "9", "4"]);
    d.body(
        "
__shared__ $E s$N[$A][$B][$C];
«for (int k = t; k < $A * $B * $C; k += $T) s$N[k / ($B * $C)][k / $C % $B][k % $C] = a[k];¦for (int k = t; k < $A * $B * $C; k += $T) (&s$N[0][0][0])[k] = a[k * 2];¦for (int z = 0; z < $A; ++z) for (int k = t; k < $B * $C; k += $T) s$N[z][k / $C][k % $C] = b[z * 100 + k];»
__syncthreads();
v += s$N[t % $A][«t / $A % $B¦t % $B»][t % $C];
«for (int z = 0; z < $A; ++z) v += s$N[z][t % $B][t / $B % $C];¦$E (*plane)[$C] = s$N[1]; v += plane[t % $B][t / 4 % $C];¦auto& row = s$N[0][t % $B]; v += row[t % $C];»",
    );
}

pub(super) fn carved(d: &mut Draft) {
    d.dynamic_shared_bytes = d.threads() * 16 + 64;
    d.body(
        "
extern __shared__ __align__(16) «float4 raw$N[];
float* s = reinterpret_cast<float*>(raw$N);¦unsigned char raw$N[];
float* s = (float*)raw$N;¦float raw$N[];
float* const s = &raw$N[0];»
«int* keys = reinterpret_cast<int*>(s + $T);¦int* keys = (int*)&s[$T];»
«short* tail = (short*)(keys + $T);¦double* tail = (double*)(s + 2 * (($T + 1) & ~1));»
s[@t] = float(v);
keys[t] = i;
tail[t] = t;
__syncthreads();
v += $E(s[@t]) + $E(keys[@t]) + $E(tail[@t]);",
    );
}

pub(super) fn halo(d: &mut Draft) {
    d.key("R", &["1", "2", "3", "4"]);
    d.body(
        "
__shared__ $E s$N[$T + 2 * $R];
s$N[t + $R] = a[i + $R];
if (t < $R) {
    s$N[t] = «a[i]¦i == 0 ? $E(0) : a[i]»;
    s$N[t + $R + $T] = a[i + $R + $T];
}
__syncthreads();
«$E sum = 0;
#pragma unroll
for (int k = -$R; k <= $R; ++k) sum += s$N[t + $R + k] * b[k + $R];
v += sum;¦v += s$N[t + $R - 1] + s$N[t + $R + 1] - 2 * s$N[t + $R];¦for (int k = 0; k < 2 * $R + 1; k++) v += s$N[t + k];»",
    );
}

pub(super) fn plane_stencil(d: &mut Draft) {
    d.array("Q", "$E*");
    d.integer("PITCH", &[64, 100, 130, 256]);
    d.body(
        "
const int x = t % 32 + 1, y = «i / 32 % 64 + 1¦t / 32 + 1»;
«const int c = y * $PITCH + x;
$Q[c] = (a[c - 1] + a[c + 1] + a[c - $PITCH] + a[c + $PITCH]) - 4 * a[c];¦for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) v += a[(y + dy) * $PITCH + x + dx] «* b[(dy + 1) * 3 + dx + 1]¦»;¦const int left = x > 1 ? x - 1 : x, up = max(y - 1, 0);
v += a[y * $PITCH + left] + a[up * $PITCH + x];»
$Q[x * «1¦$PITCH» + y] = v;",
    );
}

pub(super) fn shared_structs(d: &mut Draft) {
    d.key("M", &["x", "y", "w"]);
    d.declare("struct Item$N { «float x, y, w;¦float x; double w; short y;¦float x, y, z, u, w;¦char x; short y; int w;» };");
    d.body(
        "
__shared__ Item$N s$N[$T];
«__shared__ int n$N;
if (t == 0) n$N = 3;
¦»«s$N[t] = Item$N{};
s$N[t].$M = v;¦s$N[@t].$M = a[i];
s$N[t].x = t;¦Item$N& mine = s$N[t];
mine.x = v; mine.y = t; mine.w = a[i];»
__syncthreads();
v += «$E(s$N[@t].$M)¦$E(s$N[t].x + s$N[@t].y)¦[&] { Item$N o = s$N[@t]; return $E(o.x + o.w); }()»;",
    );
}
