__global__ void scan_blelloch_unrolled(const float* in, float* out) {
  __shared__ float temp[512];
  int thid = threadIdx.x;
  int base = blockIdx.x * 512;
  int offset = 1;
  temp[thid] = in[base + thid];
  temp[thid + 256] = in[base + thid + 256];
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) temp[511] = 0.0f;
  for (int d = 1; d < 512; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      float t = temp[ai];
      float u = temp[bi];
      temp[ai] = u;
      temp[bi] = u + t;
    }
  }
  __syncthreads();
  out[base + thid] = temp[thid];
  out[base + thid + 256] = temp[thid + 256];
}
