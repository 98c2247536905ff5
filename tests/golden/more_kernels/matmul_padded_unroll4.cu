__global__ void matmul_padded_unroll4(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
  __shared__ float a[32][33], b[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  int r = blockIdx.y * 32 + ty, c = blockIdx.x * 32 + tx;
  float s = 0.f;
  for (int t = 0; t < n; t += 32) {
    a[ty][tx] = A[r * n + t + tx];
    b[ty][tx] = B[(t + ty) * n + c];
    __syncthreads();
#pragma unroll 4
    for (int k = 0; k < 32; ++k) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[r * n + c] = s;
}
