__global__ void histogram_short_counters(const unsigned char* data, unsigned* out) {
  __shared__ unsigned short s[32 * 64];
  for (int i = 0; i < 32; i++) s[i * 64 + threadIdx.x] = 0;
  const unsigned char* d = data + blockIdx.x * 1024;
  for (int i = threadIdx.x; i < 1024; i += 64) {
    int bin = d[i] >> 3;
    s[bin * 64 + threadIdx.x]++;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    unsigned total = 0;
    for (int i = 0; i < 64; i++) total += s[threadIdx.x * 64 + i];
    out[blockIdx.x * 32 + threadIdx.x] = total;
  }
}
