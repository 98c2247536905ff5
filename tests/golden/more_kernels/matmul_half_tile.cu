#include <cuda_fp16.h>
__global__ void matmul_half_tile(const __half* A, const __half* B, float* C, int n) {
  __shared__ __half a[32][32];
  __shared__ __half b[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float acc = 0.0f;
  for (int t = 0; t < n; t += 32) {
    a[ty][tx] = A[row * n + t + tx];
    b[ty][tx] = B[(t + ty) * n + col];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 32; k++) acc += __half2float(a[ty][k]) * __half2float(b[k][tx]);
    __syncthreads();
  }
  C[row * n + col] = acc;
}
