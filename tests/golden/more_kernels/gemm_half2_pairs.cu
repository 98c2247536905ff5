#include <cuda_fp16.h>
// every thread makes two neighbouring columns of C
__global__ void gemm_half2_pairs(const __half* A, const __half2* B, float2* C, int n) {
  __shared__ __half As[16][16];
  __shared__ __half2 Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty;
  const int col2 = blockIdx.x * 16 + tx;
  const int n2 = n >> 1;
  float2 acc = make_float2(0.f, 0.f);
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n2 + col2];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float a = __half2float(As[ty][k]);
      float2 b = __half22float2(Bs[k][tx]);
      acc.x += a * b.x;
      acc.y += a * b.y;
    }
    __syncthreads();
  }
  C[row * n2 + col2] = acc;
}
