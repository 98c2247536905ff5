__global__ void double_buffered_gemm(const float* A, const float* B, float* C, int n) {
  __shared__ float as[2][16][16];
  __shared__ float bs[2][16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 16 + ty, c = blockIdx.x * 16 + tx;
  int buf = 0;
  as[0][ty][tx] = A[r * n + tx];
  bs[0][ty][tx] = B[ty * n + c];
  __syncthreads();
  float sum = 0.f;
  for (int k0 = 16; k0 <= n; k0 += 16) {
    if (k0 < n) {
      as[buf ^ 1][ty][tx] = A[r * n + k0 + tx];
      bs[buf ^ 1][ty][tx] = B[(k0 + ty) * n + c];
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += as[buf][ty][k] * bs[buf][k][tx];
    __syncthreads();
    buf ^= 1;
  }
  C[r * n + c] = sum;
}
