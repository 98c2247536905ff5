#include <cuda_fp16.h>
__global__ void halves_joined_b8(const __half* x, float* y, int n) {
  __shared__ __half s[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  float a = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    s[ty][tx] = x[(k0 + ty) * 64 + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) a += (float)__half2float(s[k][tx]);
    __syncthreads();
  }
  y[ty * 64 + tx] = a;
}
