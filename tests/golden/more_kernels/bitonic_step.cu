__global__ void bitonic_step(const int* in, int* out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int k = 2; k <= 256; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      int p = t ^ j;
      if (p > t) {
        int a = s[t], b = s[p];
        bool up = (t & k) == 0;
        s[t] = up ? min(a, b) : max(a, b);
        s[p] = up ? max(a, b) : min(a, b);
      }
      __syncthreads();
    }
  }
  out[blockIdx.x * 256 + t] = s[t];
}
