__global__ void halves_joined_b3(const short* x, float* y, int n) {
  __shared__ short s[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  float a = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    s[ty][tx] = x[(k0 + ty) * 64 + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) a += (float)s[ty][k];
    __syncthreads();
  }
  y[ty * 64 + tx] = a;
}

__global__ void halves_joined_b4(const unsigned char* x, float* y, int n) {
  __shared__ unsigned char s[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  float a = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    s[ty][tx] = x[(k0 + ty) * 64 + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) a += (float)s[ty][k];
    __syncthreads();
  }
  y[ty * 64 + tx] = a;
}

__global__ void halves_joined_b7(const short* x, float* y, int n) {
  __shared__ short s[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  float a = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    s[ty][tx] = x[(k0 + ty) * 64 + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) a += (float)s[ty][k];
    __syncthreads();
  }
  y[ty * 64 + tx] = a;
}
