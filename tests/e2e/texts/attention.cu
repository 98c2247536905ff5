#include <cuda_runtime.h>
// Attention of one head a block: each thread keeps a row of queries, the warp walks over tiles of keys and values.
#define HEAD 64
#define ROWS 32
#define TILE 32

__global__ void attend(const float *q, const float *k, const float *v, float *out, int length, float scale) {
  __shared__ float queries[ROWS * HEAD];
  __shared__ float keys[TILE * HEAD];
  __shared__ float values[TILE * HEAD];
  __shared__ float scores[ROWS * TILE];
  const int t = threadIdx.x;
  const int head = blockIdx.y * length * HEAD;
  const int first = blockIdx.x * ROWS;
  for (int d = 0; d < HEAD; ++d) {
    queries[t * HEAD + d] = q[head + (first + t) * HEAD + d];
  }
  float sum[HEAD] = {};
  float top = -1e30f;
  float total = 0.0f;
  for (int start = 0; start < length; start += TILE) {
    __syncthreads();
    for (int d = 0; d < HEAD; ++d) {
      keys[t * HEAD + d] = k[head + (start + t) * HEAD + d];
      values[t * HEAD + d] = v[head + (start + t) * HEAD + d];
    }
    __syncthreads();
    float peak = top;
    for (int c = 0; c < TILE; ++c) {
      float dot = 0.0f;
      for (int d = 0; d < HEAD; ++d) dot += queries[t * HEAD + d] * keys[c * HEAD + d];
      scores[t * TILE + c] = dot * scale;
      peak = fmaxf(peak, dot * scale);
    }
    const float fade = __expf(top - peak);
    total *= fade;
    for (int d = 0; d < HEAD; ++d) sum[d] *= fade;
    for (int c = 0; c < TILE; ++c) {
      const float p = __expf(scores[t * TILE + c] - peak);
      total += p;
      for (int d = 0; d < HEAD; ++d) sum[d] += p * values[c * HEAD + d];
    }
    top = peak;
  }
  for (int d = 0; d < HEAD; ++d) out[head + (first + t) * HEAD + d] = sum[d] / total;
}
void run(const float *q, const float *k, const float *v, float *out) {
  attend<<<dim3(8, 4), ROWS>>>(q, k, v, out, 256, 0.125f);
}
