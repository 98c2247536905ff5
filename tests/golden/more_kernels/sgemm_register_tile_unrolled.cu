#define TM 4
#define TILE 64
#define KS 8
// Each thread makes 4 x 4 results, 16 apart.
__global__ void sgemm_register_tile_unrolled(const float* A, const float* B, float* C, int n) {
  __shared__ float As[KS][TILE + 1];
  __shared__ float Bs[KS][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int tid = ty * 16 + tx;
  float acc[TM][TM] = {};
  for (int k0 = 0; k0 < n; k0 += KS) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
      int e = tid + i * 256;
      As[e % KS][e / KS] = A[(blockIdx.y * TILE + e / KS) * n + k0 + e % KS];
      Bs[e / TILE][e % TILE] = B[(k0 + e / TILE) * n + blockIdx.x * TILE + e % TILE];
    }
    __syncthreads();
    for (int k = 0; k < KS; k++) {
      float a[TM], b[TM];
#pragma unroll
      for (int i = 0; i < TM; i++) {
        a[i] = As[k][ty + 16 * i];
        b[i] = Bs[k][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TM; j++) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TM; j++) C[(blockIdx.y * TILE + ty + 16 * i) * n + blockIdx.x * TILE + tx + 16 * j] = acc[i][j];
}
