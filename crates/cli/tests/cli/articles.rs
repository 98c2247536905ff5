//! Texts as articles print them: fragments without a kernel, kernels with open names, C++ AMP. All counts by hand.

use crate::run::lanescope;
use serde_json::Value;

fn counted(text: &str, args: &[&str]) -> Value {
    let args = [&["kernel", "-"], args, &["--format", "json"]].concat();
    let ran = lanescope(&args, text.as_bytes());
    serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("no JSON: {}", ran.err))
}

/// A text, its launch, the status, totals, and names that are said to be assumed.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static [(&'static str, u64)],
    &'static [&'static str],
);

fn hold(cases: &[Case]) {
    for (text, launch, status, totals, assumed) in cases {
        let value = counted(text, launch);
        assert_eq!(value["status"], *status, "{text}\n{:#}", value["reasons"]);
        for (name, count) in *totals {
            assert_eq!(value["totals"][name], *count, "{text}\n{name}");
        }
        let reasons = value["reasons"].as_array().expect("reasons");
        for name in *assumed {
            let begins = |one: &Value| {
                one["message"]
                    .as_str()
                    .is_some_and(|said| said.starts_with(name))
            };
            assert!(reasons.iter().any(begins), "{text}\n{name}: {reasons:?}");
        }
    }
}

const WARP: &[&str] = &["--grid", "1", "--block", "32"];
const ROWS: &[&str] = &["--grid", "2", "--block", "64"];
const REDUCTION: &[&str] = &["--grid", "1", "--block", "256"];
const TILE: &[&str] = &["--grid", "1", "--block", "32,32"];
const TILE_16: &[&str] = &["--grid", "1", "--block", "16,16"];

#[test]
fn fragments_are_read_as_accesses() {
    hold(&[
        (
            "__shared__ float part[256];
for (int s = 1; s < bdim; s *= 2) {
  int k = 2 * s * tid;
  if (k < bdim) part[k] += part[k + s];
  __syncthreads();
}",
            REDUCTION,
            "assumed",
            // 4 + 6 + 7 + 7 + 7 + 3 + 1 on the store, twice as many on two loads.
            &[
                ("shared_store_bank_conflicts", 35),
                ("shared_load_bank_conflicts", 70),
            ],
            &["bdim = blockDim.x", "tid = threadIdx.x"],
        ),
        (
            "for (int s = THREADS_PER_BLOCK / 2; s > 0; s >>= 1) {
  if (tid < s) s_data[tid] += s_data[tid + s];
  __syncthreads();
}",
            REDUCTION,
            "assumed",
            // Warps: 4, 2, and 1 six times.
            &[
                ("shared_store_wavefronts", 12),
                ("shared_store_bank_conflicts", 0),
            ],
            &[
                "THREADS_PER_BLOCK = blockDim.x",
                "s_data = __shared__ float[2048]",
            ],
        ),
        (
            "tile[tx][ty] = in[y * n + x];
__syncthreads();
out[y * n + x] = tile[ty][tx];",
            TILE,
            "assumed",
            &[
                ("shared_store_wavefronts", 1024),
                ("shared_load_wavefronts", 32),
                ("global_load_sectors", 128),
                ("global_store_sectors", 128),
            ],
            &[
                "tile = __shared__ float[32][32]",
                "in = const float*",
                "y = blockIdx.y",
                "n = ",
            ],
        ),
        (
            "__shared__ int box[1024];
box[tid] = given[tid];
...
int number = box[16 * tid];",
            &["--grid", "1", "--block", "64"],
            "assumed",
            &[
                ("shared_load_wavefronts", 32),
                ("shared_store_wavefronts", 2),
            ],
            &["... = no access", "given = const float*"],
        ),
        (
            "out[i] = in[i];",
            ROWS,
            "assumed",
            &[("global_load_sectors", 16), ("global_store_sectors", 16)],
            &["i = blockIdx.x * blockDim.x + threadIdx.x", "out = float*"],
        ),
        (
            "out[i] = in[2 * i];",
            ROWS,
            "assumed",
            &[("global_load_requests", 4), ("global_load_sectors", 32)],
            &[],
        ),
        (
            "length[i] = points[i].x + points[i].y + points[i].z;",
            WARP,
            "assumed",
            &[("global_load_requests", 3), ("global_load_sectors", 36)],
            &["points = const float3*"],
        ),
        (
            "__shared__ float tile[TILE_DIM][TILE_DIM + 1];
tile[ty][tx] = a[y * TILE_DIM + x];
__syncthreads();
b[y * TILE_DIM + x] = tile[tx][ty];",
            TILE,
            "assumed",
            &[
                ("shared_load_wavefronts", 32),
                ("shared_load_bank_conflicts", 0),
                ("shared_store_wavefronts", 32),
            ],
            &["TILE_DIM = 32"],
        ),
        (
            "__share__ int box[512];
box[tid] = 1;
__syncthreads();
int v = box[8 * tid];",
            WARP,
            "assumed",
            &[
                ("shared_load_wavefronts", 8),
                ("shared_store_wavefronts", 1),
            ],
            &["__share__ = __shared__"],
        ),
        (
            "float4 v = quads[tid];
…
sums[tid] = v.x + v.y;",
            WARP,
            "assumed",
            &[("global_load_requests", 1), ("global_store_sectors", 4)],
            &["... = no access"],
        ),
        (
            "#define N 64
float sum = 0;
for (int k = 0; k < N; k++) sum += m[k * N + tid];",
            WARP,
            "assumed",
            &[("global_load_requests", 64), ("global_load_sectors", 256)],
            &["m = const float*"],
        ),
        (
            "for (int k = 0; k < 32; k++) total += rows[tid][k];",
            &["--grid", "1", "--block", "32", "--compiler", "none"],
            "assumed",
            // A column of 32 a turn.
            &[("shared_load_wavefronts", 1024)],
            &["rows = __shared__ float[32][32]"],
        ),
        (
            "int tid = 31 - threadIdx.x;
a[tid] = 0;",
            WARP,
            "assumed",
            &[("global_store_sectors", 4)],
            &["a = float*"],
        ),
    ]);
    // What the text declares is never said to be assumed.
    let value = counted("int tid = 31 - threadIdx.x;\na[tid] = 0;", WARP);
    assert!(!value["reasons"].to_string().contains("tid ="), "{value}");
}

#[test]
fn a_kernel_may_leave_names_open() {
    hold(&[
        (
            "__global__ void f(float* a) { a[bid * bdim + tid] = 1.0f; }",
            &["--grid", "4", "--block", "64"],
            "assumed",
            &[("global_store_requests", 8), ("global_store_sectors", 32)],
            &["bid = blockIdx.x", "bdim = blockDim.x", "tid = threadIdx.x"],
        ),
        (
            "__global__ void f(const float* a, float* b) {
  __shared__ float t[BLOCK_SIZE][BLOCK_SIZE];
  t[threadIdx.x][threadIdx.y] = a[threadIdx.y * BLOCK_SIZE + threadIdx.x];
  __syncthreads();
  b[threadIdx.y * BLOCK_SIZE + threadIdx.x] = t[threadIdx.y][threadIdx.x];
}",
            TILE_16,
            "assumed",
            // 16 words apart: eight lanes in each bank.
            &[
                ("shared_store_wavefronts", 64),
                ("shared_load_wavefronts", 8),
            ],
            &["BLOCK_SIZE = 16"],
        ),
        (
            "struct point { float x, y, z; };
...
__global__ void f(struct point* p, float* out) { out[tid] = p[tid].y; }",
            WARP,
            "assumed",
            &[("global_load_sectors", 12)],
            &["... = no access", "tid = threadIdx.x"],
        ),
        (
            "__global__ void f(struct unknown* p, float* out) {
  const float* words = (const float*) p;
  out[tid] = words[tid];
}",
            WARP,
            "assumed",
            &[("global_load_sectors", 4)],
            &[],
        ),
        // A name that the source has elsewhere, or that no text gives one meaning, stays unknown.
        (
            "__global__ void f(float* a) { a[count] = 1; }",
            WARP,
            "partial",
            &[],
            &[],
        ),
        (
            "__device__ int g(int tid) { return tid; }
__global__ void f(float* a) { a[tid] = g(0); }",
            WARP,
            "partial",
            &[],
            &[],
        ),
    ]);
}

#[test]
fn what_is_no_list_of_accesses_is_no_fragment() {
    for text in [
        "int main() { int a[4]; a[0] = 1; return a[0]; }",
        "see [1] for a tile of 32 x 32",
        "int x = 3;",
        "box[tid] = ;",
    ] {
        let value = counted(text, WARP);
        assert_eq!(value["status"], "partial", "{text}");
    }
}

#[test]
fn amp_is_read_without_a_function_around() {
    hold(&[
        (
            "parallel_for_each(view.extent.tile<32, 32>(), [=](tiled_index<32, 32> t) restrict(amp) {
  tile_static float box[32][32];
  box[t.local[0]][t.local[1]] = src[t.global];
  t.barrier.wait();
  dst[t.global[1]][t.global[0]] = box[t.local[1]][t.local[0]];
});",
            &["--grid", "2,2"],
            "assumed",
            &[
                ("shared_store_wavefronts", 128),
                ("shared_load_wavefronts", 4096),
                ("global_load_sectors", 512),
                ("global_store_sectors", 4096),
            ],
            &[
                "src = array_view<const float, 2>",
                "dst = array_view<float, 2>",
            ],
        ),
        (
            "array_view<float, 1> a(1024, data);
parallel_for_each(a.extent, [=](index<1> i) restrict(amp) {
  a[i] *= 2;
});",
            ROWS,
            "counted",
            &[("global_load_sectors", 16), ("global_store_sectors", 16)],
            &[],
        ),
    ]);
}

#[test]
fn amp_is_read_as_printed() {
    hold(&[
        (
            "void copy(const array_view<const float>& in, const array_view<float>& out) {
  parallel_for_each(in.extent, [=](index<1> i) restrict(amp) { out[i] = in[i]; });
}",
            ROWS,
            "counted",
            &[("global_load_sectors", 16), ("global_store_sectors", 16)],
            &[],
        ),
        (
            "static const int N = 16;
void turn(array_view<const float, 2> a, array_view<float, 2> b) {
  parallel_for_each(a.extent.tile<N, N>(), [=](tiled_index<N, N> t) restrict(amp) {
    tile_static float box[N][N + 1];
    box[t.local[0]][t.local[1]] = a[t.global];
    t.barrier.wait();
    index<2> to(t.tile_origin[1] + t.local[0], t.tile_origin[0] + t.local[1]);
    b[to] = box[t.local[1]][t.local[0]];
  });
}",
            // The tile is the block.
            &["--grid", "2,2"],
            "assumed",
            // 16 lanes a row, rows 17 words apart: two in one bank.
            &[("shared_store_wavefronts", 64), ("shared_load_wavefronts", 64)],
            &["b.extent = "],
        ),
        (
            "void multiply(int n, array_view<const float, 2> a, array_view<const float, 2> b, array_view<float, 2> c) {
  parallel_for_each(c.extent.tile<16, 16>(), [=](tiled_index<16, 16> t) restrict(amp) {
    int row = t.local[0], col = t.local[1];
    float sum = 0;
    for (int i = 0; i < n; i += 16) {
      tile_static float as[16][16], bs[16][16];
      as[row][col] = a(t.global[0], col + i);
      bs[row][col] = b(row + i, t.global[1]);
      t.barrier.wait();
      for (int k = 0; k < 16; k++) sum += as[row][k] * bs[k][col];
      t.barrier.wait();
    }
    c[t.global] = sum;
  });
}",
            &["--grid", "2,2", "--arg", "n=32"],
            "assumed",
            // 32 warps, two rounds; a warp has two rows of 64 bytes.
            &[
                ("global_load_requests", 128),
                ("global_load_sectors", 512),
                ("shared_store_wavefronts", 128),
                ("shared_load_wavefronts", 2048),
                ("global_store_sectors", 128),
            ],
            &["a.extent = ", "b.extent = "],
        ),
        (
            "int twice(int x) restrict(cpu, amp) { return 2 * x; }
void f(array_view<int, 1> v) {
  parallel_for_each(v.extent.tile<64>(), [=](tiled_index<64> t) restrict(amp) {
    tile_static int box[128];
    box[twice(t.local[0])] = v[t.global];
    t.barrier.wait_with_tile_static_memory_fence();
    v[t.global] = box[twice(t.local[0])];
  });
}",
            &["--grid", "1"],
            "counted",
            &[("shared_store_wavefronts", 4), ("shared_load_wavefronts", 4)],
            &[],
        ),
        (
            "#include <amp.h>
void g(const std::vector<float>& from, std::vector<float>& to) {
  concurrency::extent<2> e(64, 32);
  concurrency::array_view<const float, 2> a(e, from);
  concurrency::array_view<float, 2> b(32, 64, to);
  b.discard_data();
  concurrency::parallel_for_each(a.extent, [=](concurrency::index<2> i) restrict(amp) { b(i[1], i[0]) = a[i]; });
  b.synchronize();
}",
            &["--grid", "1,2", "--block", "32,32"],
            "counted",
            &[
                ("global_load_requests", 64),
                ("global_load_sectors", 256),
                ("global_store_sectors", 2048),
            ],
            &[],
        ),
        (
            "void h(array_view<float, 2> v, array_view<float, 2> w) {
  parallel_for_each(v.extent.tile<8, 32>(), [=](tiled_index<8, 32> t) restrict(amp) {
    index<2> at(t.tile_origin);
    at += t.local;
    w[at] = v[at[0]][at[1]];
  });
}",
            &["--grid", "2"],
            "assumed",
            &[
                ("global_load_requests", 16),
                ("global_load_sectors", 64),
                ("global_store_sectors", 64),
            ],
            &["w.extent = "],
        ),
        (
            "void count(array_view<const int> in, array_view<int> bins) {
  parallel_for_each(in.extent.tile<64>(), [=](tiled_index<64> t) restrict(amp) {
    tile_static int own[64];
    own[t.local[0]] = 0;
    t.barrier.wait();
    concurrency::atomic_fetch_add(&own[t.local[0]], 1);
    t.barrier.wait();
    atomic_fetch_add(&bins[t.local[0]], own[t.local[0]]);
  });
}",
            &["--grid", "1"],
            "counted",
            &[("shared_store_wavefronts", 2), ("shared_load_wavefronts", 2)],
            &[],
        ),
    ]);
}

#[test]
fn a_function_object_tells_its_type_by_the_launch() {
    let kernel =
        "template <typename T, typename Op> __global__ void fold(const T* in, T* out, Op op) {
  out[threadIdx.x] = op(in[threadIdx.x], in[threadIdx.x + 32]);
}
struct Largest { __device__ float operator()(float a, float b) const { return a > b ? a : b; } };
template <typename V> struct Sum { __device__ V operator()(V a, V b) const { return a + b; } };\n";
    for (host, sectors) in [
        (
            "void go(const float* a, float* b) { fold<<<1, 32>>>(a, b, Largest()); }",
            8,
        ),
        (
            "void go(const double* a, double* b) { Sum<double> sum; fold<<<1, 32>>>(a, b, Sum<double>{}); }",
            16,
        ),
        (
            "void go(float *a, float *b) { Largest most; fold<<<1, 32>>>(a, b, most); }",
            8,
        ),
    ] {
        let value = counted(&format!("{kernel}{host}"), &[]);
        assert_eq!(value["status"], "counted", "{host}\n{:#}", value["reasons"]);
        assert_eq!(value["totals"]["global_load_sectors"], sectors, "{host}");
    }
    // An object that nobody declares tells nothing.
    let value = counted(
        &format!("{kernel}void go(float* a) {{ fold<<<1, 32>>>(a, a, make()); }}"),
        &[],
    );
    assert_eq!(value["status"], "partial");
}
