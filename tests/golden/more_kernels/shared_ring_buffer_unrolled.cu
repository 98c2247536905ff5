__global__ void shared_ring_buffer_unrolled(const float* in, float* out) {
  __shared__ float ring[4][64];
  int t = threadIdx.x;
  int base = blockIdx.x * 512;
  for (int step = 0; step < 8; ++step) {
    ring[step & 3][t] = in[base + step * 64 + t];
    __syncthreads();
    if (step >= 3) {
      float a = 0;
      for (int k = 0; k < 4; ++k) a += ring[(step + k) & 3][(t + k * 8) % 64];
      out[base + step * 64 + t] = a;
    }
    __syncthreads();
  }
}
