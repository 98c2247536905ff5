#define ITEMS 4
__global__ void scan_multi_element(const int* in, int* out) {
  __shared__ int s[64 * ITEMS];
  __shared__ int partial[64];
  int t = threadIdx.x, base = blockIdx.x * 64 * ITEMS;
  for (int i = 0; i < ITEMS; i++) s[i * 64 + t] = in[base + i * 64 + t];
  __syncthreads();
  int run = 0, mine[ITEMS];
  for (int i = 0; i < ITEMS; i++) {
    run += s[t * ITEMS + i];
    mine[i] = run;
  }
  partial[t] = run;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int v = t >= d ? partial[t - d] : 0;
    __syncthreads();
    partial[t] += v;
    __syncthreads();
  }
  int before = t > 0 ? partial[t - 1] : 0;
  for (int i = 0; i < ITEMS; i++) s[t * ITEMS + i] = mine[i] + before;
  __syncthreads();
  for (int i = 0; i < ITEMS; i++) out[base + i * 64 + t] = s[i * 64 + t];
}
