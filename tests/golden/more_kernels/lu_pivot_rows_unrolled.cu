#define N 32
__global__ void lu_pivot_rows_unrolled(float* a) {
  __shared__ float m[N][N];
  float* g = a + blockIdx.x * N * N;
  for (int r = threadIdx.y; r < N; r += blockDim.y) m[r][threadIdx.x] = g[r * N + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < N - 1; k++) {
    for (int r = k + 1 + threadIdx.y; r < N; r += blockDim.y) {
      float factor = m[r][k] / m[k][k];
      if (threadIdx.x > k) m[r][threadIdx.x] -= factor * m[k][threadIdx.x];
    }
    __syncthreads();
  }
  for (int r = threadIdx.y; r < N; r += blockDim.y) g[r * N + threadIdx.x] = m[r][threadIdx.x];
}
