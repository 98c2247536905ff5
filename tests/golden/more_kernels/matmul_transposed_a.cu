template <typename T, int TILE, int ROWS>
__global__ void matmul_transposed_a(const T* A, const T* B, T* C, int n) {
  __shared__ T at[TILE][TILE + 1];
  __shared__ T b[TILE][TILE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  T acc[TILE / ROWS] = {};
  for (int t = 0; t < n; t += TILE) {
    for (int j = 0; j < TILE; j += ROWS) {
      at[tx][ty + j] = A[(blockIdx.y * TILE + ty + j) * n + t + tx];
      b[ty + j][tx] = B[(t + ty + j) * n + blockIdx.x * TILE + tx];
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < TILE; k++)
#pragma unroll
      for (int j = 0; j < TILE / ROWS; j++) acc[j] += at[k][ty + j * ROWS] * b[k][tx];
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < TILE / ROWS; j++) C[(blockIdx.y * TILE + ty + j * ROWS) * n + blockIdx.x * TILE + tx] = acc[j];
}
