// What CUDA's own libraries reach, timed as the lab times: the slope between N and 2N launches in a
// row, the median of 15, random data. One line a measurement: name, seconds, GB/s.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    cudaError_t status = (call);                                                 \
    if (status != cudaSuccess) {                                                 \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));       \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

__global__ void fill(float* data, size_t n) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  unsigned x = unsigned(i) * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
  data[i] = float(((x >> 22) ^ x) >> 8) / 16777216.0f;
}

__global__ void copy_float4(const float4* in, float4* out, size_t quads) {
  size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i < quads) out[i] = in[i];
}

// The 32 x 8 transpose with a padded tile, four rows a thread.
__global__ void transpose_padded(const float* in, float* out, int columns, int rows) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < columns) out[size_t(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

using Launch = std::function<void(int)>;

static double elapsed(const Launch& launch, int runs) {
  static cudaEvent_t begin = nullptr, end = nullptr;
  if (!begin) {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  CHECK(cudaEventRecord(begin));
  for (int i = 0; i < runs; i++) launch(i);
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaGetLastError());
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return ms * 1e-3;
}

static double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples[samples.size() / 2];
}

static void measure(const char* name, double bytes, const Launch& launch) {
  int runs = 1;
  while (elapsed(launch, runs) < 20e-3) runs *= 2;
  std::vector<double> slopes, singles;
  for (int i = 0; i < 15; i++) slopes.push_back((elapsed(launch, 2 * runs) - elapsed(launch, runs)) / runs);
  for (int i = 0; i < 31; i++) singles.push_back(elapsed(launch, 1));
  double slope = median(slopes), single = median(singles);
  std::printf("%-32s %10.4f ms %8.1f GB/s   alone %10.4f ms %8.1f GB/s\n", name, slope * 1e3, bytes * 1e-9 / slope,
              single * 1e3, bytes * 1e-9 / single);
}

static float* sets[2][16];

// Buffers filled with random floats; `count` copies to be used in turn.
static void allocate(float** into, int count, size_t elements) {
  for (int i = 0; i < count; i++) {
    CHECK(cudaMalloc(&into[i], elements * sizeof(float)));
    fill<<<unsigned((elements + 255) / 256), 256>>>(into[i], elements);
  }
  CHECK(cudaDeviceSynchronize());
}

static void release(float** from, int count) {
  for (int i = 0; i < count; i++) CHECK(cudaFree(from[i]));
}

static void reduction(int log2, int count) {
  size_t n = size_t(1) << log2;
  allocate(sets[0], count, n);
  float* sum;
  CHECK(cudaMalloc(&sum, sizeof(float)));
  size_t bytes = 0;
  CHECK(cub::DeviceReduce::Sum(nullptr, bytes, sets[0][0], sum, n));
  void* scratch;
  CHECK(cudaMalloc(&scratch, bytes));
  char name[64];
  std::snprintf(name, sizeof name, "cub_reduce_2^%d%s", log2, count > 1 ? "_rotated" : "");
  measure(name, n * 4.0, [&](int i) { cub::DeviceReduce::Sum(scratch, bytes, sets[0][i % count], sum, n); });
  CHECK(cudaFree(scratch));
  CHECK(cudaFree(sum));
  release(sets[0], count);
}

static void transpose(int rows, int columns, int count) {
  size_t n = size_t(rows) * columns;
  allocate(sets[0], count, n);
  allocate(sets[1], count, n);
  dim3 grid((columns + 31) / 32, (rows + 31) / 32), block(32, 8);
  char name[64];
  std::snprintf(name, sizeof name, "transpose_32x8_%dx%d", rows, columns);
  measure(name, n * 8.0, [&](int i) {
    transpose_padded<<<grid, block>>>(sets[0][i % count], sets[1][i % count], columns, rows);
  });
  std::snprintf(name, sizeof name, "memcpy_%dx%d", rows, columns);
  measure(name, n * 8.0, [&](int i) {
    cudaMemcpyAsync(sets[1][i % count], sets[0][i % count], n * 4, cudaMemcpyDeviceToDevice);
  });
  std::snprintf(name, sizeof name, "copy_float4_%dx%d", rows, columns);
  measure(name, n * 8.0, [&](int i) {
    size_t quads = n / 4;
    copy_float4<<<unsigned((quads + 255) / 256), 256>>>((const float4*)sets[0][i % count], (float4*)sets[1][i % count],
                                                        quads);
  });
  release(sets[0], count);
  release(sets[1], count);
}

int main() {
  transpose(16384, 16384, 1);
  transpose(4096, 4096, 4);
  transpose(10007, 9973, 1);
  reduction(28, 1);
  reduction(24, 1);
  reduction(24, 4);
  return 0;
}
