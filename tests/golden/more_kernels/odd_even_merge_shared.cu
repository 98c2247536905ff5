__global__ void odd_even_merge_shared(int* keys) {
  __shared__ int s[256];
  int tid = threadIdx.x;
  int* g = keys + blockIdx.x * 256;
  s[tid] = g[tid];
  s[tid + 128] = g[tid + 128];
  for (int size = 2; size <= 256; size <<= 1) {
    int stride = size / 2;
    int offset = tid & (stride - 1);
    __syncthreads();
    {
      int pos = 2 * tid - (tid & (stride - 1));
      int a = s[pos], b = s[pos + stride];
      s[pos] = min(a, b);
      s[pos + stride] = max(a, b);
      stride >>= 1;
    }
    for (; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * tid - (tid & (stride - 1));
      if (offset >= stride) {
        int a = s[pos - stride], b = s[pos];
        s[pos - stride] = min(a, b);
        s[pos] = max(a, b);
      }
    }
  }
  __syncthreads();
  g[tid] = s[tid];
  g[tid + 128] = s[tid + 128];
}
