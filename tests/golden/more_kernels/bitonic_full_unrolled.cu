__global__ void bitonic_full_unrolled(unsigned int* keys) {
  __shared__ unsigned int s[512];
  unsigned int* k0 = keys + blockIdx.x * 512;
  s[threadIdx.x] = k0[threadIdx.x];
  s[threadIdx.x + 256] = k0[threadIdx.x + 256];
  for (unsigned int size = 2; size <= 512; size <<= 1) {
    for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      unsigned int a = s[pos], b = s[pos + stride];
      bool up = (threadIdx.x & (size / 2)) == 0;
      s[pos] = up ? min(a, b) : max(a, b);
      s[pos + stride] = up ? max(a, b) : min(a, b);
    }
  }
  __syncthreads();
  k0[threadIdx.x] = s[threadIdx.x];
  k0[threadIdx.x + 256] = s[threadIdx.x + 256];
}
