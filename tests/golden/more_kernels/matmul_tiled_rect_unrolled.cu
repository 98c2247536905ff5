const int TS = 16;
__global__ void matmul_tiled_rect_unrolled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N, int K) {
  __shared__ float a[TS][TS];
  __shared__ float b[TS][TS];
  int row = blockIdx.y * TS + threadIdx.y;
  int col = blockIdx.x * TS + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (K + TS - 1) / TS; t++) {
    a[threadIdx.y][threadIdx.x] = (row < M && t * TS + threadIdx.x < K) ? A[row * K + t * TS + threadIdx.x] : 0.0f;
    b[threadIdx.y][threadIdx.x] = (t * TS + threadIdx.y < K && col < N) ? B[(t * TS + threadIdx.y) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TS; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = sum;
}
