template <typename T, int BS>
__device__ T dot_row(T (*a)[BS], T (*b)[BS], int r, int c) {
  T s = 0;
  for (int k = 0; k < BS; ++k) s += a[r][k] * b[k][c];
  return s;
}
__global__ void dgemm_tiled_unrolled(const double* A, const double* B, double* C, int n) {
  __shared__ double a[16][16];
  __shared__ double b[16][16];
  int col = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  double sum = 0.0;
  for (int m = 0; m < n / 16; ++m) {
    a[threadIdx.y][threadIdx.x] = A[row * n + m * 16 + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(m * 16 + threadIdx.y) * n + col];
    __syncthreads();
    sum += dot_row<double, 16>(a, b, threadIdx.y, threadIdx.x);
    __syncthreads();
  }
  C[row * n + col] = sum;
}
