__global__ void warp_sync_exchange(const float* in, float* out) {
  __shared__ float buf[2][32];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float v = in[blockIdx.x * 64 + threadIdx.x];
  for (int step = 1; step < 32; step <<= 1) {
    buf[w][lane] = v;
    __syncwarp();
    v += buf[w][lane ^ step];
    __syncwarp();
  }
  out[blockIdx.x * 64 + threadIdx.x] = v;
}
