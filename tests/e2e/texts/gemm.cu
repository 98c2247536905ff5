#include <cuda_runtime.h>
// C = A B, a tile of 64 by 64 a block, 4 by 4 results a thread.
#define TILE_M 64
#define TILE_N 64
#define TILE_K 16
#define EACH 4

__global__ void gemm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float left[TILE_M][TILE_K];
  __shared__ float right[TILE_K][TILE_N];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_M;
  const int column = blockIdx.x * TILE_N;
  const int t = ty * blockDim.x + tx;
  float sum[EACH][EACH] = {};

  for (int step = 0; step < k; step += TILE_K) {
    for (int at = t; at < TILE_M * TILE_K; at += 256) {
      const int i = at % TILE_M;
      const int j = at / TILE_M;
      left[i][j] = a[(row + i) * k + step + j];
    }
    for (int at = t; at < TILE_K * TILE_N; at += 256) {
      const int i = at / TILE_N;
      const int j = at % TILE_N;
      right[i][j] = b[(step + i) * n + column + j];
    }
    __syncthreads();
    for (int i = 0; i < TILE_K; ++i) {
      float x[EACH];
      float y[EACH];
      for (int r = 0; r < EACH; ++r) {
        x[r] = left[tx * EACH + r][i];
        y[r] = right[i][ty * EACH + r];
      }
      for (int r = 0; r < EACH; ++r) {
        for (int s = 0; s < EACH; ++s) {
          sum[r][s] += x[r] * y[s];
        }
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < EACH; ++r) {
    for (int s = 0; s < EACH; ++s) {
      c[(row + tx * EACH + r) * n + column + ty * EACH + s] = sum[r][s];
    }
  }
}
void run(const float *a, const float *b, float *c) {
  gemm<<<dim3(8, 8), dim3(16, 16)>>>(a, b, c, 512, 512, 512);
}
