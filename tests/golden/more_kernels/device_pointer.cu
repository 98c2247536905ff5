__device__ __forceinline__ float pick(const float* p, int i, int stride) { return p[i * stride]; }
__device__ void put(float (*tile)[33], int r, int c, float v) { tile[r][c] = v; }
__global__ void device_pointer(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float a[256];
  __shared__ float b[4][33];
  float* half = a + 128;
  int t = threadIdx.x;
  a[t] = pick(in + blockIdx.x * 256, t, 2);
  half[t ^ 5] = in[blockIdx.x * 256 + 2 * t + 1];
  put(b, t / 32, t % 32, 1.0f);
  __syncthreads();
  out[blockIdx.x * 128 + t] = pick(half, 127 - t, 1) + pick(&a[0], t % 64, 2) + b[t % 4][t / 4];
}
