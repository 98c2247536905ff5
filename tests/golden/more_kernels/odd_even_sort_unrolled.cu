__device__ inline void order(int& a, int& b) { if (a > b) { int t = a; a = b; b = t; } }
__global__ void odd_even_sort_unrolled(int* data) {
  __shared__ int s[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = data[base + t];
  s[t + 128] = data[base + t + 128];
  __syncthreads();
  for (int pass = 0; pass < 16; ++pass) {
    int i = 2 * t + (pass & 1);
    if (i + 1 < 256) {
      int a = s[i], b = s[i + 1];
      s[i] = min(a, b);
      s[i + 1] = max(a, b);
    }
    __syncthreads();
  }
  data[base + t] = s[t];
  data[base + t + 128] = s[t + 128];
}
